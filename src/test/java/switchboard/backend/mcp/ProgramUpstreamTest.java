package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.backend.mcp.peer.StdioTransport;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.PipeServer;

/** A server that is a program of its own: what it sees, what becomes of what it says, and what follows its end. */
class ProgramUpstreamTest {
    @TempDir
    private Path folder;

    private TestGateway gateway;

    private McpTestClient start(String process, String... arguments) throws IOException {
        String command = PipeServer.command(folder.resolve("starts"), arguments).stream()
                .map(word -> "\"" + word + "\"")
                .collect(Collectors.joining(", "));
        Path key = Files.writeString(folder.resolve("key"), "a-secret-key");
        gateway = TestGateway.start("""
                backends:
                  pipe:
                    type: mcp
                    era: legacy
                    command: [%s]
                    process: %s
                """.formatted(command, process.formatted(key)));
        return gateway.modern("pipe");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private List<String> starts() {
        return new GrowingFile(folder.resolve("starts")).lines();
    }

    private static McpTestClient listed(McpTestClient client) {
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> client.toolNames().contains("pid"), () -> "its tools were never listed");
        return client;
    }

    @Test
    void aProgramThatEndsIsStartedAgainAndItsToolsStayListed() throws IOException {
        McpTestClient client = listed(start("{}"));
        String first = client.call("pid", Json.object()).text();
        ToolResult cut = client.call("die", Json.object());
        assertEquals("UNAVAILABLE", cut.errorKind());
        assertTrue(cut.text().contains("exit code 4"), cut::text);
        assertTrue(cut.result().toString().contains("\"outcome\":\"unknown\""), cut::text);
        assertTrue(client.toolNames().contains("pid"));
        ToolResult next = Eventually.first(
                Eventually.OF_A_PROCESS, () -> client.call("pid", Json.object()), result -> !result.isError());
        assertNotEquals(first, next.text());
        assertEquals(3, starts().size(), "one that lists are read from, and the caller's two");
        assertEquals(List.of(first, next.text()), starts().subList(1, 3));
    }

    @Test
    void oneThatAlwaysEndsIsTriedAgainAndAgainAndTheGatewayServes() throws IOException {
        McpTestClient client = start("{}", "broken");
        Eventually.within(Eventually.OF_A_PROCESS, () -> starts().size() >= 3, () -> "it was not tried again");
        assertEquals(List.of(), client.toolNames());
        assertTrue(gateway.management("/metrics").body().contains("switchboard_backend_up{backend=\"pipe\"} 0.0"));
    }

    @Test
    void itSeesOnlyTheVariablesThatItMaySee() throws IOException {
        McpTestClient client = listed(start("{ environment: { REGION: eu }, secrets: { API_KEY: \"${file:%s}\" } }"));
        Set<String> seen = new TreeSet<>(
                List.of(client.call("environment", Json.object()).text().split(" ")));
        assertTrue(seen.containsAll(List.of("REGION", "API_KEY", "PATH")), seen::toString);
        seen.removeAll(List.of("REGION", "API_KEY", "PATH", "HOME", "LANG", "TMPDIR", "TZ"));
        assertEquals(Set.of(), seen);
    }

    @Test
    void whatItComplainsOfIsInTheLogWithoutItsSecrets() throws IOException {
        McpTestClient client = listed(start("{ secrets: { API_KEY: \"${file:%s}\" } }"));
        String said = saidAfter(client, "complain", "pipe: The key is ");
        assertFalse(said.contains("a-secret-key"), said);
    }

    @Test
    void aLineThatIsTooLongForTheLogIsLeftOutAndTheNextOneIsRead() throws IOException {
        saidAfter(listed(start("{}")), "babble", "pipe: Then it goes on.");
    }

    /** What it has written to its standard error, once {@code tool} was called and {@code text} is there. */
    private static String saidAfter(McpTestClient client, String tool, String text) {
        Logger log = (Logger) LoggerFactory.getLogger(StdioTransport.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Level before = log.getLevel();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        try {
            assertFalse(client.call(tool, Json.object()).isError());
            Eventually.within(Eventually.OF_A_PROCESS, () -> texts(lines).contains(text), () -> texts(lines));
            return texts(lines);
        } finally {
            log.detachAppender(lines);
            log.setLevel(before);
        }
    }

    private static String texts(ListAppender<ILoggingEvent> lines) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .collect(Collectors.joining("\n"));
    }
}
