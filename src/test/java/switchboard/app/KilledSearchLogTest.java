package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;

/** {@code kill -9} of a gateway that is logging searches. */
@Tag("engines")
class KilledSearchLogTest {
    private static final int CALLERS = 4;
    private static final int BEFORE = 20;
    private static final String YAML = """
            embedders: {default: {provider: none}}
            insight: {teams: {"*": {}}}
            backends: {vectordb: {type: vectordb}}
            """;

    @TempDir
    Path data;

    private static void search(McpTestClient client, String query) {
        client.call("search_everywhere", Json.object().put("query", query));
    }

    private List<String> queries() {
        List<String> queries = new ArrayList<>();
        try {
            new InsightFolder(data)
                    .read(null, line -> queries.add(line.path("query").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return queries;
    }

    private void untilLogged(int count) {
        Eventually.that(() -> queries().size() == count, () -> count + " searches in " + queries());
    }

    @Test
    void whatWasWrittenStaysAndNoLineIsTorn() throws IOException {
        try (GatewayProcess gateway = GatewayProcess.start(YAML, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            client.call(
                    "ingest_text",
                    Json.object().put("content", "A barge carries grain.").put("source", "a"));
            for (int i = 0; i < BEFORE; i++) {
                search(client, "before " + i);
            }
            untilLogged(BEFORE);
            storm(gateway);
        }
        try (GatewayProcess gateway = GatewayProcess.start(YAML, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            search(client, "afterwards");
            Eventually.that(() -> queries().contains("afterwards"), () -> "the search after the kill");
        }
        List<String> queries = queries();
        for (int i = 0; i < BEFORE; i++) {
            assertEquals("before " + i, queries.get(i));
        }
        assertEquals(queries.size(), queries.stream().distinct().count(), queries::toString);
        try (Stream<Path> files = Files.walk(data.resolve("insight"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode whole = Json.parse(line);
                    assertFalse(whole.path("hits").isMissingNode(), line);
                }
            }
        }
    }

    private static void storm(GatewayProcess gateway) {
        AtomicInteger answers = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            String name = "caller " + caller;
            callers.add(Thread.ofVirtual().start(() -> {
                try (McpTestClient client = McpTestClient.modern(gateway.url())) {
                    while (true) {
                        search(client, name + " " + answers.incrementAndGet());
                    }
                } catch (AssertionError | UncheckedIOException gone) {
                    // The gateway was killed.
                }
            }));
        }
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> answers.get() > 10 * CALLERS, () -> "answers: " + answers.get());
        gateway.kill();
        for (Thread caller : callers) {
            try {
                assertTrue(caller.join(Eventually.OF_A_PROCESS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
