package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;

/** A gateway that is stopped while it works: when it has stopped, nothing of it runs any more. */
class StopWaitsForItsWorkTest {
    private static final int MANY = 5_000;

    @TempDir
    private Path folder;

    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.BOTH);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AtomicInteger version = new AtomicInteger();

    @BeforeEach
    void listen() {
        lines.start();
        root().addAppender(lines);
        fixture.listTools(list -> {
            ArrayNode tools = (ArrayNode) list.path("tools");
            tools.removeAll();
            for (int i = 0; i < MANY; i++) {
                tools.addObject()
                        .put("name", "tool_" + i)
                        .put("description", "Version " + version.get() + ".")
                        .putObject("inputSchema")
                        .put("type", "object");
            }
            return list;
        });
    }

    @AfterEach
    void stopListening() {
        root().detachAppender(lines);
        fixture.close();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private long lists() {
        return fixture.received().stream()
                .filter(message -> message.path("method").asText().equals("tools/list"))
                .count();
    }

    @RepeatedTest(3)
    void aListThatIsBeingCheckedIsDoneWithBeforeItSaysStopped() {
        TestGateway gateway = TestGateway.start("""
            backends:
              fixture: { type: mcp, url: "%s", trust: { hold: nothing } }
            """.formatted(fixture.url()), folder);
        try {
            McpTestClient client = gateway.modern("fixture");
            Eventually.that(() -> !client.toolNames().isEmpty(), () -> "its tools were never listed");
            version.incrementAndGet();
            long before = lists();
            Eventually.that(
                    () -> {
                        fixture.changed("tools");
                        fixture.changed("tools");
                        return lists() > before;
                    },
                    () -> "the list was not read again");
            Eventually.that(() -> !working().isEmpty() || lists() > before + 1, () -> "the list was not checked");
        } finally {
            gateway.close();
        }
        assertEquals(List.of(), working());
        List<String> wrong = List.copyOf(lines.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR)
                        || event.getFormattedMessage().contains("RejectedExecution"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertEquals(List.of(), wrong);
    }

    /** Threads that check or write what a server lists. */
    private static List<String> working() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("switchboard.backend.mcp.McpBackend")
                                || frame.getClassName().startsWith("switchboard.app.LiveCatalog")))
                .map(thread -> thread.getKey().getName())
                .filter(name -> !name.contains("eventloop"))
                .toList();
    }
}
