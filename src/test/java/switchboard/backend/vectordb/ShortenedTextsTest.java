package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.text.SurrogatePairs;

/** Texts that are shortened for an answer end after a whole character, wherever that is. */
class ShortenedTextsTest {
    private static final String ELEPHANT = "\uD83D\uDC18";

    @TempDir
    Path data;

    private static ToolResult call(McpTestClient client, String tool, JsonObject arguments) {
        ToolResult result = client.call(tool, arguments.encode());
        assertTrue(SurrogatePairs.wellFormed(result.toString()), result.toString());
        assertFalse(result.toString().contains("?"), "half a character is a question mark in UTF-8: " + result);
        return result;
    }

    @Test
    void messagesAndHeadingsHaveWholeCharacters() {
        try (TestGateway gateway = TestGateway.start("""
                embedders:
                  default: {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: store}
                """, data)) {
            McpTestClient client = gateway.modern();
            for (String before : new String[] {"", "x"}) {
                String elephants = before + ELEPHANT.repeat(100);
                ToolResult refused = call(
                        client,
                        "vectordb__search",
                        new JsonObject().put("query", "tugs").put("top_k", elephants));
                assertTrue(refused.isError(), refused.toString());
                ToolResult unknown = call(
                        client,
                        "vectordb__search",
                        new JsonObject().put("query", "tugs").put(elephants, 1));
                assertTrue(unknown.isError(), unknown.toString());
                assertFalse(call(
                                client,
                                "ingest_text",
                                new JsonObject()
                                        .put("content", "# " + elephants + "\n\nTugs pull ships " + before)
                                        .put("source", before + "tugs.md")
                                        .put("library", "harbour" + before))
                        .isError());
                ToolResult found = call(
                        client,
                        "vectordb__search",
                        new JsonObject().put("query", "tugs").put("library", "harbour" + before));
                assertEquals(1, found.structured().path("results").size(), found.toString());
                assertTrue(found.toString().contains(ELEPHANT), found.toString());
            }
        }
    }
}
