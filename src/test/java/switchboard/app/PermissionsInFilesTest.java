package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Files that say who may read them, over HTTP: the callers are members of one team. */
class PermissionsInFilesTest {
    private final Map<String, ApiKey> keys = new TreeMap<>();

    @TempDir
    Path folder;

    private TestGateway start() throws IOException {
        for (String id : List.of("ann", "bob", "feed")) {
            keys.put(id, ApiKey.generate(new SecureRandom()));
        }
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  staff:
                    keys:
                      - {id: ann, sha256: %s, claims: {groups: [hr]}}
                      - {id: bob, sha256: %s, claims: {groups: [it]}}
                    grants: ["*:*"]
                    bindings: {vectordb: {groups: "{list:groups}"}}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {vectordb: {documents: all}}
                """.formatted(
                        keys.get("ann").sha256(),
                        keys.get("bob").sha256(),
                        keys.get("feed").sha256()));
        return TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, ingestRoots: ['%s']}
                """.formatted(folder.resolve("files")), data);
    }

    private McpTestClient client(TestGateway gateway, String id) {
        return McpTestClient.modern(gateway.url())
                .with("X-API-Key", keys.get(id).text());
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve("files").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static ToolResult ingest(McpTestClient client, String name) {
        return client.call("ingest_file", Json.object().put("path", name));
    }

    private static boolean finds(McpTestClient client, String word) {
        ToolResult found = client.call("vectordb__search", Json.object().put("query", word));
        assertFalse(found.isError(), found::toString);
        return !found.structured().path("results").isEmpty();
    }

    @Test
    void theNarrowestPlaceHoldsAndAChangeHoldsAtTheNextCallAlsoAfterARestart() throws IOException {
        write("hr/pay.md", "---\nallow: [group:hr, group:it]\n---\n# Zirconium\n\nAll earn zirconium.");
        try (TestGateway gateway = start()) {
            McpTestClient feed = client(gateway, "feed");
            assertFalse(ingest(feed, "hr/pay.md").isError());
            assertTrue(finds(client(gateway, "bob"), "zirconium"));
            write("hr/.allow.yaml", "allow: [group:hr]");
            String id = ingest(feed, "hr/pay.md").structured().path("doc_id").asText();
            gateway.restart();
            assertFalse(finds(client(gateway, "bob"), "zirconium"));
            assertTrue(finds(client(gateway, "ann"), "zirconium"));
            assertEquals("DENIED", ingest(client(gateway, "bob"), "hr/pay.md").errorKind());
            write("hr/.allow.yaml", "allow: group:hr, group:it");
            ToolResult refused = ingest(client(gateway, "feed"), "hr/pay.md");
            assertEquals("INVALID_ARGUMENT", refused.errorKind());
            assertTrue(refused.text().contains(".allow.yaml"), refused::toString);
            assertFalse(finds(client(gateway, "bob"), "zirconium"), "what was stored stays");
            Files.delete(folder.resolve("files/hr/.allow.yaml"));
            ToolResult wider = ingest(client(gateway, "feed"), "hr/pay.md");
            assertEquals(id, wider.structured().path("doc_id").asText());
            assertTrue(finds(client(gateway, "bob"), "zirconium"));
        }
    }
}
