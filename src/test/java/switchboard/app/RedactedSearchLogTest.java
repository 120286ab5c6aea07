package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What a team's {@code redact} removes is not in the search log, whichever tool was asked. */
class RedactedSearchLogTest {
    @TempDir
    Path folder;

    private List<JsonNode> lines() {
        List<JsonNode> lines = new ArrayList<>();
        try {
            new InsightFolder(folder).read("red", lines::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    @Test
    void noToolLeavesPrivateDataInTheLog() throws IOException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        ApiKey feeder = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red1, sha256: %s}]
                    grants: ["switchboard:*", "vectordb:*"]
                    redact: {arguments: [email, 'ACME-[0-9]+'], results: [email, 'ACME-[0-9]+']}
                  feed: {keys: [{id: feed1, sha256: %s}], grants: ["vectordb:*"]}
                """.formatted(key.sha256(), feeder.sha256()));
        try (TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                insight: {teams: {red: {}}}
                backends:
                  vectordb: {type: vectordb}
                """, folder)) {
            McpTestClient client = gateway.modern().with("Authorization", "Bearer " + key.text());
            assertFalse(gateway.modern()
                    .with("Authorization", "Bearer " + feeder.text())
                    .call(
                            "ingest_text",
                            Json.object()
                                    .put("content", "The mail of whoever has grain.")
                                    .put("source", "mail")
                                    .put("library", "ann@example.com"))
                    .isError());
            ObjectNode question = Json.object().put("query", "mail of ann@example.com about ACME-4711");
            assertFalse(client.call("search", question).isError());
            ToolResult everywhere = client.call("search_everywhere", question);
            assertEquals(
                    "switchboard://vectordb/[redacted]",
                    everywhere.structured().at("/results/0/address").asText().replaceFirst("/[^/]*$", ""));
            List<JsonNode> lines = Eventually.first(this::lines, found -> found.size() == 2);
            assertEquals(1, lines.getFirst().path("hits").size());
            lines.forEach(line -> {
                String text = line.toString();
                assertFalse(text.contains("ann@") || text.contains("ann%40") || text.contains("ACME-"), text);
            });
            assertEquals(List.of(), lines.getFirst().path("hits").findValuesAsText("address"), "it is encoded there");
            assertEquals("vectordb:search", lines.getFirst().path("tool").asText());
        }
    }
}
