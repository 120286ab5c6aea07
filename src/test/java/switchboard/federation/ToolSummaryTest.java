package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.Json;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolCatalog.BackendTools;
import switchboard.testing.BackendHarness;

/** Entries of {@code find_tools} have at most 2 kB, and say what a call needs. */
class ToolSummaryTest {
    private static final int MOST = 2048;

    static List<PublishedTool> shipped() {
        return ToolCatalog.of(
                        Stream.of("agentroot", "meilisearch", "postgres", "switchboard", "vectordb", "weaviate")
                                .map(type -> new BackendTools(type, type, BackendHarness.descriptors(type)))
                                .toList(),
                        List.of())
                .view("")
                .orElseThrow()
                .tools();
    }

    private static ObjectNode parse(String json) throws JsonProcessingException {
        return (ObjectNode) Json.parse(json.replace('\'', '"'));
    }

    private static List<String> keys(JsonNode node) {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void aShippedToolKeepsAllArgumentsAndWhatTheyAre(PublishedTool tool) throws IOException {
        ObjectNode entry = (ObjectNode) Json.parse(tool.json());
        ObjectNode before = entry.deepCopy();
        ObjectNode summary = ToolSummary.of(entry);
        assertEquals(before, entry, "the catalog's entry is not changed");
        assertTrue(Json.bytes(summary).length <= MOST, summary::toString);
        assertFalse(summary.has("outputSchema"));
        assertEquals(entry.path("name"), summary.path("name"));
        JsonNode arguments = entry.path("inputSchema").path("properties");
        JsonNode kept = summary.path("inputSchema").path("properties");
        assertEquals(keys(arguments), keys(kept));
        assertEquals(
                entry.path("inputSchema").path("required"),
                summary.path("inputSchema").path("required"));
        for (String name : keys(kept)) {
            assertEquals(arguments.path(name).path("type"), kept.path(name).path("type"), name);
            assertEquals(arguments.path(name).path("enum"), kept.path(name).path("enum"), name);
        }
        entry.remove("outputSchema");
        entry.withObjectProperty("annotations").remove("title");
        assertEquals(!summary.equals(entry), summary.path("shortened").asBoolean(), summary::toString);
    }

    @Test
    void whatIsShortStaysAsItIs() throws IOException {
        ObjectNode entry = parse("""
                {'name': 'a', 'title': 'A', 'description': 'Does. More.', 'annotations': {'readOnlyHint': true},
                 'inputSchema': {'type': 'object', 'anyOf': [{'required': ['x']}], 'properties': {'x': {'oneOf': [{'type': 'null'}]}}}}""");
        assertEquals(entry, ToolSummary.of(entry));
        ObjectNode more = entry.deepCopy();
        more.putObject("outputSchema").put("type", "object");
        more.putObject("_meta").put("note", "x");
        more.putArray("icons");
        assertEquals(entry, ToolSummary.of(more));
    }

    /** What others declare is shortened from the end of the list of what can be missed: first nested schemas. */
    @Test
    void nestedSchemasGoBeforeTexts() throws IOException {
        ObjectNode entry = parse("""
                {'name': 'a', 'description': 'Does. More.', 'inputSchema': {'type': 'object', 'required': ['x'], 'properties': {
                   'x': {'type': 'string', 'description': 'First. Second.'},
                   'y': {'type': 'array', 'description': 'All. Of it.', 'items': {'type': 'object', 'properties': {}}}}}}""");
        ObjectNode nested = (ObjectNode) entry.path("inputSchema")
                .path("properties")
                .path("y")
                .path("items")
                .path("properties");
        IntStream.range(0, 200).forEach(i -> nested.putObject("field" + i).put("type", "string"));
        assertEquals(parse("""
                        {'name': 'a', 'description': 'Does. More.', 'inputSchema': {'type': 'object', 'required': ['x'], 'properties': {
                           'x': {'type': 'string', 'description': 'First. Second.'},
                           'y': {'type': 'array', 'description': 'All. Of it.', 'items': {'type': 'object'}}}}, 'shortened': true}"""), ToolSummary.of(entry));
    }

    /** A tool with {@code required} arguments that must be given, and {@code optional} ones, each with a long text. */
    private static ObjectNode wide(int required, int optional, String text) {
        ObjectNode entry = Json.object().put("name", "a").put("title", text).put("description", "Does. " + text);
        entry.putObject("annotations")
                .put("readOnlyHint", true)
                .put("title", text)
                .put(text, text);
        ObjectNode schema = entry.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; i < required + optional; i++) {
            properties.putObject("argument" + i).put("type", "string").put("description", "Is. " + text);
        }
        IntStream.range(0, required)
                .forEach(i -> schema.withArrayProperty("required").add("argument" + i));
        return entry;
    }

    @Test
    void optionalArgumentsGoBeforeThoseThatMustBeGiven() {
        ObjectNode some = ToolSummary.of(wide(2, 40, "x".repeat(100)));
        assertEquals(
                "Is",
                some.path("inputSchema")
                        .path("properties")
                        .path("argument0")
                        .path("description")
                        .asText());
        assertFalse(
                some.path("inputSchema").path("properties").path("argument2").has("description"));
        assertEquals(42, some.path("inputSchema").path("properties").size());
        ObjectNode many = ToolSummary.of(wide(2, 400, "x".repeat(100)));
        assertEquals(
                List.of("argument0", "argument1"), keys(many.path("inputSchema").path("properties")));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void everyEntryFits(String text) {
        for (int required : List.of(0, 1, 20, 100, 1000)) {
            ObjectNode summary = ToolSummary.of(wide(required, 100, text));
            assertTrue(Json.bytes(summary).length <= MOST, () -> required + ": " + summary);
            assertEquals("a", summary.path("name").asText());
            assertTrue(summary.path("shortened").asBoolean());
            assertEquals("object", summary.path("inputSchema").path("type").asText());
            assertFalse(summary.path("description").asText().isEmpty());
        }
    }

    static List<String> texts() {
        return List.of(
                "x".repeat(3000), "\u5b57".repeat(3000), "\ud83d\ude00".repeat(3000), "\"\\\n".repeat(1000), "y");
    }

    @Test
    void aSchemaWithoutPropertiesIsKept() throws IOException {
        ObjectNode entry = parse("{'name': 'a', 'description': 'Does.', 'inputSchema': {'type': 'object'}}");
        entry.put("description", "z".repeat(5000));
        ObjectNode summary = ToolSummary.of(entry);
        assertTrue(Json.bytes(summary).length <= MOST);
        assertEquals(parse("{'type': 'object'}"), summary.path("inputSchema"));
    }
}
