package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.backend.mcp.ToolDefinition.Read;
import switchboard.call.Json;

/** Which definitions of other servers are published. */
class ToolDefinitionTest {
    private static ObjectNode tool(JsonNode inputSchema) {
        return Json.object().put("name", "t").set("inputSchema", inputSchema);
    }

    private static ObjectNode schema() {
        return Json.object().put("type", "object");
    }

    private static ToolDefinition usable(ObjectNode tool) {
        return assertInstanceOf(Read.Usable.class, ToolDefinition.of(tool, 100_000))
                .definition();
    }

    private static String reason(ObjectNode tool) {
        return assertInstanceOf(Read.Unpublishable.class, ToolDefinition.of(tool, 100_000))
                .unusable()
                .reason();
    }

    /** A schema whose innermost object is {@code depth} levels below it. */
    private static ObjectNode nested(int depth) {
        ObjectNode inner = Json.object();
        for (int i = 1; i < depth; i++) {
            inner = Json.object().set("not", inner);
        }
        return schema().set("not", inner);
    }

    @Test
    void aSchemaIsUpTo32LevelsDeep() {
        usable(tool(nested(32)));
        assertEquals("its schema is nested deeper than 32 levels", reason(tool(nested(33))));
        ObjectNode output = tool(schema());
        output.set("outputSchema", nested(33));
        assertEquals("its schema is nested deeper than 32 levels", reason(output));
    }

    @Test
    void aDefinitionHasUpToItsMostBytes() {
        ObjectNode tool = tool(schema());
        int size = Json.bytes(tool).length;
        assertInstanceOf(Read.Usable.class, ToolDefinition.of(tool, size));
        assertInstanceOf(Read.Unpublishable.class, ToolDefinition.of(tool, size - 1));
    }

    @Test
    void namesHaveUpTo128OfTheirCharacters() {
        String longest = "A-z_0./".repeat(18) + "ab";
        assertEquals(128, longest.length());
        assertEquals(longest, usable(tool(schema()).put("name", longest)).name());
        for (String wrong : new String[] {longest + "c", "", "a b", "ä", "a\u200Bb"}) {
            assertEquals(
                    "its name is not 1 to 128 of A-Z a-z 0-9 _ . / -",
                    reason(tool(schema()).put("name", wrong)));
        }
    }

    @Test
    void argumentsAreAnObject() {
        for (JsonNode wrong : new JsonNode[] {Json.object(), Json.object().put("type", "string"), Json.array()}) {
            assertEquals("its inputSchema is not that of an object", reason(tool(wrong)));
        }
    }

    @ParameterizedTest
    @CsvSource({"$ref, https://a.example/s", "$dynamicRef, other.json", "$ref, ''"})
    void aSchemaRefersOnlyToItself(String keyword, String target) {
        ObjectNode schema = schema();
        schema.putObject("properties").putObject("a").put(keyword, target);
        assertEquals("its schema refers to something outside itself (" + keyword + ")", reason(tool(schema)));
        schema.putObject("properties").putObject("a").put(keyword, "#/$defs/a");
        usable(tool(schema));
    }

    @Test
    void invisibleCharactersAreRemovedEverywhere() {
        ObjectNode tool = tool(schema()).put("description", "read\u200B \u202Eonly\u0007\ttab\n");
        tool.withArray("tags").add("a\uFEFFb");
        tool.put("key\u2066", 1);
        tool.put("title", "so\u00ADft\uFE00\u3164\uDB40\uDD01\uDB40\uDC41 warning \u26A0\uFE0F");
        ToolDefinition definition = usable(tool);
        assertEquals("read only\ttab\n", definition.entry().path("description").asText());
        assertEquals(
                "soft warning \u26A0\uFE0F", definition.entry().path("title").asText());
        assertEquals("ab", definition.entry().path("tags").path(0).asText());
        assertEquals(1, definition.entry().path("key").asInt());
    }

    @Test
    void theOrderOfKeysDoesNotMakeAnotherDefinitionAndAnyValueDoes() {
        ObjectNode one = tool(schema()).put("title", "x");
        ObjectNode same = Json.object().put("title", "x").set("inputSchema", schema());
        same.put("name", "t");
        assertEquals(usable(one).hash(), usable(same).hash());
        assertNotEquals(
                usable(one).hash(), usable(tool(schema()).put("title", "y")).hash());
    }

    // ---- arguments that are repeated in headers

    private static ObjectNode withHeader(JsonNode header, String type) {
        ObjectNode schema = schema();
        schema.putObject("properties").putObject("region").put("type", type).set("x-mcp-header", header);
        return schema;
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "integer", "boolean"})
    void aSimpleArgumentMayBeRepeatedInAHeader(String type) {
        usable(tool(withHeader(Json.array().add("Region").get(0), type)));
    }

    @Test
    void anythingElseMayNot() {
        String illegal = "the x-mcp-header of \"region\" is not a legal one";
        assertEquals(illegal, reason(tool(withHeader(Json.array().add("Region").get(0), "number"))));
        assertEquals(illegal, reason(tool(withHeader(Json.array().add("Re gion").get(0), "string"))));
        assertEquals(illegal, reason(tool(withHeader(Json.array().add(7).get(0), "string"))));
        ObjectNode twice = withHeader(Json.array().add("Region").get(0), "string");
        ((ObjectNode) twice.path("properties"))
                .putObject("zone")
                .put("type", "string")
                .put("x-mcp-header", "REGION");
        assertEquals("the x-mcp-header of \"zone\" is not a legal one", reason(tool(twice)));
        ObjectNode elsewhere = schema();
        elsewhere.putArray("anyOf").add(withHeader(Json.array().add("Region").get(0), "string"));
        assertEquals("it has an x-mcp-header under anyOf, where none can be", reason(tool(elsewhere)));
    }
}
