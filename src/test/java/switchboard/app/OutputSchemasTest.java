package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A view whose list leaves out the schemas of results: only the list differs. */
class OutputSchemasTest {
    @Test
    void theListIsSmallerAndResultsStay() {
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                views:
                  whole: {backends: [vectordb]}
                  slim: {backends: [vectordb], outputSchemas: false}
                  found: {backends: [vectordb], outputSchemas: false, findTools: true}
                """);
                McpTestClient whole = gateway.modern("whole");
                McpTestClient slim = gateway.modern("slim");
                McpTestClient older = gateway.legacy("slim");
                McpTestClient found = gateway.modern("found")) {
            List<JsonNode> all = whole.tools();
            assertTrue(all.stream().allMatch(tool -> tool.has("outputSchema")));
            List<JsonNode> less = all.stream()
                    .<JsonNode>map(tool -> ((ObjectNode) tool.deepCopy()).without("outputSchema"))
                    .toList();
            assertEquals(less, slim.tools());
            assertEquals(less, older.tools());
            assertFalse(found.call("find_tools", "{\"task\": \"search documents\"}")
                    .toString()
                    .contains("outputSchema"));

            ObjectNode text =
                    Json.object().put("content", "Tugs tow ships. ".repeat(200)).put("source", "tugs");
            assertFalse(slim.call("ingest_text", text).isError());
            ObjectNode query = Json.object().put("query", "tug").put("budget_tokens", 100);
            ToolResult cut = slim.call("search", query);
            assertTrue(cut.structured().has("truncated"), cut::toString);
            assertEquals(whole.call("search", query).result(), cut.result());
        }
    }
}
