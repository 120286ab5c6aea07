package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** agentroot's view through the whole gateway. */
class AgentrootHttpTest {
    private static final List<String> NAMES = List.of(
            "search",
            "vsearch",
            "query",
            "smart_search",
            "batch_search",
            "explore",
            "get",
            "multi_get",
            "status",
            "collection_add",
            "collection_remove",
            "collection_update",
            "metadata_add",
            "metadata_get",
            "metadata_query",
            "search_chunks",
            "get_chunk",
            "navigate_chunks",
            "session_start",
            "session_get",
            "session_set",
            "session_end",
            "browse_directory",
            "search_directories",
            "memory_store",
            "memory_search",
            "memory_list",
            "memory_extract",
            "memory_delete");

    @TempDir
    Path folder;

    @Test
    void theViewHasExactlyTheTwentyNineToolsAndTheirWorkflowRuns() throws IOException {
        Files.writeString(folder.resolve("error.md"), "# Error Handling Module\n\nHow errors are handled.\n");
        String yaml = """
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, roots: ['%s']}}
                """.formatted(folder.toRealPath());
        try (TestGateway gateway = TestGateway.start(yaml)) {
            for (McpTestClient client : List.of(gateway.modern("agentroot"), gateway.legacy("agentroot"))) {
                assertEquals(
                        NAMES.stream().sorted().toList(),
                        client.toolNames().stream().sorted().toList());
            }
            McpTestClient client = gateway.modern("agentroot");
            ok(client.call("collection_add", "{\"name\": \"myproject\", \"path\": \"" + folder.toRealPath() + "\"}"));
            assertEquals(
                    1,
                    ok(client.call("collection_update", "{\"name\": \"myproject\"}"))
                            .path("filesUpdated")
                            .asInt());
            ToolResult found = client.call("search", "{\"query\": \"error handling\", \"limit\": 10}");
            assertEquals("Found 1 results for \"error handling\"", found.text());
            JsonNode first = ok(found).path("results").path(0);
            assertEquals("myproject/error.md", first.path("file").asText());
            assertEquals("Error Handling Module", first.path("title").asText());
            assertTrue(first.path("docid").asText().matches("#[0-9a-f]{6}"));
            ok(client.call("get", "{\"file\": \"" + first.path("docid").asText() + "\"}"));
            ok(client.call(
                    "metadata_add",
                    "{\"docid\": \"" + first.path("docid").asText()
                            + "\", \"metadata\": {\"author\": \"Alice\", \"difficulty\": 3}}"));
            assertEquals(
                    1,
                    ok(client.call(
                                    "metadata_query",
                                    "{\"field\": \"author\", \"operator\": \"eq\", \"value\": \"Alice\"}"))
                            .path("count")
                            .asInt());
            assertEquals(
                    "keyword",
                    ok(client.call("query", "{\"query\": \"errors\"}"))
                            .path("mode")
                            .asText());
        }
    }

    private static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }
}
