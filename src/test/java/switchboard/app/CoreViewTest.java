package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code /mcp/core} lists a few tools and has all. */
class CoreViewTest {
    private static final int MOST_TOOLS = 12;
    private static final int MOST_BYTES = 18 * 1024;
    private static final String SHIPPED = """
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb, dataDir: data/one}
              agentroot: {type: agentroot, dataDir: data/two}
            """;

    @Test
    void itsListIsSmallAndTheOtherToolsAreFoundAndCalled() {
        try (TestGateway gateway = TestGateway.start(SHIPPED);
                McpTestClient client = gateway.modern("core");
                McpTestClient everything = gateway.modern()) {
            List<JsonNode> tools = client.tools();
            assertEquals(
                    List.of(
                            "call_tool",
                            "check_citation",
                            "fetch_document",
                            "find_tools",
                            "get",
                            "ingest_text",
                            "list_sources",
                            "memory_search",
                            "memory_store",
                            "search_everywhere",
                            "vectordb__search"),
                    client.toolNames());
            assertTrue(tools.size() <= MOST_TOOLS);
            int bytes = Json.bytes(Json.mapper().valueToTree(tools)).length;
            assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes");
            assertTrue(tools.stream().noneMatch(tool -> tool.has("outputSchema")));
            assertTrue(everything.toolNames().containsAll(client.toolNames()));

            String found = client.call("find_tools", "{\"task\": \"remove a document\"}")
                    .toString();
            assertTrue(found.contains("delete_document"), found);
            ToolResult called = client.call("call_tool", "{\"name\": \"list_libraries\", \"arguments\": {}}");
            assertFalse(called.isError(), called::toString);
            assertEquals(client.call("list_libraries", Json.object()).result(), called.result());
        }
    }

    @Test
    void aConfiguredViewOrABackendMayHaveTheName() {
        try (TestGateway gateway = TestGateway.start(SHIPPED + """
                views:
                  core: {backends: [vectordb], tools: [vectordb__search]}
                """);
                McpTestClient view = gateway.modern("core")) {
            assertEquals(List.of("search"), view.toolNames());
        }
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  core: {type: vectordb, dataDir: data/one}
                """);
                McpTestClient backend = gateway.modern("core")) {
            assertTrue(backend.toolNames().contains("delete_document"));
            assertFalse(backend.toolNames().contains("find_tools"));
        }
    }
}
