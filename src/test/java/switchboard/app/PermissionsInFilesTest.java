package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Files that say who may read them, over HTTP: the callers are members of one team. */
class PermissionsInFilesTest extends StaffFixture {
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
        try (TestGateway gateway = start("vectordb", "ingestRoots")) {
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
