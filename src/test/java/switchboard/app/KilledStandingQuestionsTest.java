package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;

/** {@code kill -9} of a gateway right after documents were stored that a standing question asks for. */
@Tag("engines")
class KilledStandingQuestionsTest {
    private static final int ROUNDS = 3;
    private static final int DOCUMENTS = 5;
    private static final String YAML = """
            embedders: {default: {provider: none}}
            insight: {teams: {"*": {log: false, watches: {runsPerMinute: 6000}}}}
            backends: {vectordb: {type: vectordb}}
            """;

    @TempDir
    Path data;

    private static JsonNode watch(McpTestClient client, ObjectNode arguments) {
        ToolResult result = client.call("watch_search", arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().at("/watches/0");
    }

    private static void ingest(McpTestClient client, String source) {
        ToolResult done = client.call(
                "ingest_text",
                Json.object().put("content", "Grain of " + source).put("source", source));
        assertFalse(done.isError(), done::toString);
    }

    @Test
    void noNewsIsLostAndNoneComesTwice() throws IOException {
        String watch = "";
        Set<String> stored = new TreeSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (GatewayProcess gateway = GatewayProcess.start(YAML, data);
                    McpTestClient client = McpTestClient.modern(gateway.url())) {
                if (round == 0) {
                    ingest(client, "before");
                    watch = watch(client, Json.object().put("query", "grain").put("limit", 100))
                            .path("watch")
                            .asText();
                }
                for (int i = 0; i < DOCUMENTS; i++) {
                    String source = "round " + round + " " + i;
                    ingest(client, source);
                    stored.add(source);
                }
                gateway.kill(); // with some luck while the question is asked again
            }
        }
        ObjectNode asked = Json.object().put("watch", watch);
        try (GatewayProcess gateway = GatewayProcess.start(YAML, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            JsonNode found = Eventually.first(
                    Eventually.OF_A_PROCESS,
                    () -> watch(client, asked),
                    news -> news.path("news").size() >= stored.size());
            Set<String> addresses = new TreeSet<>();
            found.path("news")
                    .forEach(news -> addresses.add(news.path("address").asText()));
            assertEquals(stored.size(), found.path("news").size(), found::toString);
            assertEquals(stored.size(), addresses.size());
        }
    }
}
