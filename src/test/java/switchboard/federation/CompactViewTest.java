package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A view that lists two tools and has all, over HTTP: nothing that a call goes through is lost on the way round. */
@TestInstance(Lifecycle.PER_CLASS)
class CompactViewTest {
    private TestGateway gateway;
    private McpTestClient client;

    @BeforeAll
    void start() {
        gateway = TestGateway.start("""
                embedders:
                  default: {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                views:
                  small:
                    backends: [vectordb]
                    findTools: true
                    pinned: {vectordb__ingest_text: {library: fixed}}
                    defaults: {vectordb__search: {budget_tokens: 200}}
                """);
        client = gateway.modern("small");
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private static List<String> names(JsonNode tools) {
        List<String> names = new ArrayList<>();
        tools.forEach(tool -> names.add(tool.path("name").asText()));
        return names;
    }

    private ToolResult call(String name, String arguments) {
        return client.call("call_tool", "{\"name\": \"" + name + "\", \"arguments\": " + arguments + "}");
    }

    @Test
    void onlyTheTwoAreListedAndTheOthersAreFoundWithTheirSchemas() {
        assertEquals(List.of("call_tool", "find_tools"), names(Json.mapper().valueToTree(client.tools())));
        JsonNode found = client.call("find_tools", "{\"task\": \"index a note that I have written\"}")
                .structured()
                .path("tools");
        JsonNode first = found.get(0);
        assertEquals("ingest_text", first.path("name").asText(), found::toString);
        assertFalse(first.path("inputSchema").path("properties").has("library"), "pinned, so no caller sees it");
        assertFalse(names(found).contains("find_tools"));
        assertFalse(first.has("outputSchema"), first::toString);
        JsonNode whole = client.call("find_tools", "{\"task\": \"index a note that I have written\", \"full\": true}")
                .structured()
                .path("tools");
        assertEquals(names(found), names(whole));
        assertTrue(whole.get(0).has("outputSchema"), whole::toString);
        assertFalse(whole.get(0).has("shortened"), whole::toString);
    }

    @Test
    void aCallGoesThroughViewValidationBudgetAndMetricsUnderTheToolsOwnName() {
        for (int i = 0; i < 10; i++) {
            ToolResult stored =
                    call("ingest_text", "{\"content\": \"Tug number " + i + " tows. " + "x ".repeat(200) + "\"}");
            assertFalse(stored.isError(), stored::toString);
            assertEquals("fixed", stored.structured().path("library").asText());
        }
        ToolResult found = call("search", "{\"query\": \"tug\", \"top_k\": 10}");
        assertTrue(found.structured().has("truncated"), found::toString);
        ToolResult invalid = call("search", "{\"query\": 7}");
        assertTrue(invalid.isError());
        assertTrue(invalid.text().contains("search"), invalid::text);
        String metrics = gateway.management("/metrics").body();
        assertTrue(metrics.contains("gen_ai_tool_name=\"ingest_text\""));
        assertFalse(metrics.contains("gen_ai_tool_name=\"search_everywhere\""));
    }

    @Test
    void whatDoesNotExistOrCallsOthersIsNotCalled() {
        for (String name : List.of("nosuch", "call_tool", "search_everywhere")) {
            ToolResult refused = call(name, "{}");
            assertTrue(refused.isError(), name);
            assertTrue(refused.text().contains("find_tools"), refused::text);
        }
        assertTrue(client.call("call_tool", "{}").isError());
    }
}
