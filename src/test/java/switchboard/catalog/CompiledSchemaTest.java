package switchboard.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;

/** Compares the compiled schema with the schema library. */
class CompiledSchemaTest {
    private static final int DEPTH = 3;
    private static final List<String> NAMES = List.of("a", "bb", "naïve", "😀", "");

    @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
    void acceptsWhatTheLibraryAccepts(@ForAll("schemas") JsonNode schema, @ForAll("values") JsonNode value) {
        boolean valid = SchemaArgumentValidator.library(schema).validate(value).isEmpty();
        Statistics.collect(valid);
        assertEquals(valid, compiled(schema).accepts(value), () -> schema + " on " + value);
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void acceptsNoLargeNumberThatTheLibraryRefuses(
            @ForAll("schemas") JsonNode schema, @ForAll("largeNumbers") JsonNode number) {
        JsonNode value = Json.object()
                .<ObjectNode>set("a", number)
                .set("bb", Json.array().add(number));
        for (JsonNode one : List.of(number, value)) {
            if (compiled(schema).accepts(one)) {
                assertTrue(
                        SchemaArgumentValidator.library(schema).validate(one).isEmpty(), () -> schema + " on " + one);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shippedTools")
    void schemasOfShippedToolsAreCompiled(String tool, ObjectNode schema) {
        assertTrue(CompiledSchema.of(schema).isPresent(), tool);
        assertFalse(compiled(schema).accepts(Json.object().put("no such argument", 1)), tool);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"oneOf\":[{}]}",
                "{\"not\":{}}",
                "{\"$ref\":\"#\"}",
                "{\"format\":\"date\"}",
                "{\"prefixItems\":[{}]}",
                "{\"patternProperties\":{\"a\":{}}}",
                "{\"enum\":[1]}",
                "{\"enum\":[[1]]}",
                "{\"type\":[\"integer\",\"number\"]}",
                "{\"type\":\"date\"}",
                "{\"maxLength\":1.5}",
                "{\"maximum\":\"1\"}",
                "{\"properties\":{\"a\":{\"items\":{\"uniqueItems\":true}}}}",
                "[]"
            })
    void leavesTheRestToTheLibrary(String schema) throws JsonProcessingException {
        assertTrue(CompiledSchema.of(Json.parse(schema)).isEmpty());
    }

    static Stream<org.junit.jupiter.params.provider.Arguments> shippedTools() throws IOException {
        try (Stream<Path> types = Files.list(Path.of("backends"))) {
            return types
                    .map(type -> type.resolve("tools.json"))
                    .filter(Files::exists)
                    .flatMap(CompiledSchemaTest::tools)
                    .toList()
                    .stream();
        }
    }

    private static Stream<org.junit.jupiter.params.provider.Arguments> tools(Path file) {
        try {
            return Json.parse(Files.readAllBytes(file))
                    .path("tools")
                    .valueStream()
                    .map(tool -> org.junit.jupiter.params.provider.Arguments.of(
                            tool.path("name").asText(), tool.path("inputSchema")));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Provide
    Arbitrary<JsonNode> values() {
        return values(DEPTH);
    }

    @Provide
    Arbitrary<JsonNode> largeNumbers() {
        return Arbitraries.of(
                        "9223372036854775807",
                        "9223372036854775808",
                        "-9223372036854775809",
                        "18446744073709551617",
                        "1e30",
                        "-1e30",
                        "1e400",
                        "9223372036854775807.5",
                        "4.9e-324")
                .map(CompiledSchemaTest::json);
    }

    @Provide
    Arbitrary<JsonNode> schemas() {
        return schemas(DEPTH);
    }

    private static Arbitrary<JsonNode> values(int depth) {
        Arbitrary<JsonNode> scalars = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.of("null", "true", "false").map(CompiledSchemaTest::json)),
                Tuple.of(
                        3,
                        Arbitraries.of("0", "1", "2", "3", "-1", "1.0", "2.0", "1.5", "-0.5", "2e0", "1.50", "10")
                                .map(CompiledSchemaTest::json)),
                Tuple.of(3, Arbitraries.of(NAMES).map(Json.mapper().getNodeFactory()::textNode)));
        if (depth == 0) {
            return scalars;
        }
        Arbitrary<JsonNode> arrays = values(depth - 1).list().ofMaxSize(3).map(elements -> {
            ArrayNode array = Json.array();
            elements.forEach(array::add);
            return array;
        });
        Arbitrary<JsonNode> objects = Arbitraries.maps(Arbitraries.of(NAMES), values(depth - 1))
                .ofMaxSize(3)
                .map(CompiledSchemaTest::object);
        return Arbitraries.frequencyOf(Tuple.of(2, scalars), Tuple.of(1, arrays), Tuple.of(2, objects));
    }

    private static Arbitrary<JsonNode> schemas(int depth) {
        Arbitrary<JsonNode> counts =
                Arbitraries.integers().between(0, 3).map(Json.mapper().getNodeFactory()::numberNode);
        Arbitrary<JsonNode> limits =
                Arbitraries.of("-1", "0", "1", "2", "1.5", "2.0", "3").map(CompiledSchemaTest::json);
        Arbitrary<Map.Entry<String, JsonNode>> keywords = Arbitraries.frequencyOf(
                Tuple.of(3, keyword(Set.of("type"), types())),
                Tuple.of(2, keyword(Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), limits)),
                Tuple.of(
                        2,
                        keyword(
                                Set.of(
                                        "minLength",
                                        "maxLength",
                                        "minItems",
                                        "maxItems",
                                        "minProperties",
                                        "maxProperties"),
                                counts)),
                Tuple.of(
                        1,
                        keyword(
                                Set.of("pattern"),
                                Arbitraries.of("\"^a\"", "\"b$\"", "\"\\\\w\"", "\"^..?$\"")
                                        .map(CompiledSchemaTest::json))),
                Tuple.of(
                        1,
                        keyword(
                                Set.of("enum"),
                                Arbitraries.of("[\"a\",null]", "[true,\"bb\",\"\"]")
                                        .map(CompiledSchemaTest::json))),
                Tuple.of(
                        1,
                        keyword(
                                Set.of("required"),
                                Arbitraries.of("[]", "[\"a\"]", "[\"a\",\"😀\"]")
                                        .map(CompiledSchemaTest::json))),
                Tuple.of(
                        1,
                        keyword(
                                Set.of("title", "default", "x-mcp-header"),
                                Arbitraries.of("\"t\"").map(CompiledSchemaTest::json))));
        if (depth > 0) {
            Arbitrary<JsonNode> parts = Arbitraries.frequencyOf(
                    Tuple.of(6, schemas(depth - 1)),
                    Tuple.of(1, Arbitraries.of("true", "false").map(CompiledSchemaTest::json)));
            keywords = Arbitraries.frequencyOf(
                    Tuple.of(5, keywords),
                    Tuple.of(1, keyword(Set.of("items", "additionalProperties", "propertyNames"), parts)),
                    Tuple.of(
                            2,
                            keyword(
                                    Set.of("properties"),
                                    Arbitraries.maps(Arbitraries.of(NAMES), parts)
                                            .ofMaxSize(3)
                                            .map(CompiledSchemaTest::object))),
                    Tuple.of(
                            1,
                            keyword(
                                    Set.of("anyOf"),
                                    parts.list().ofMinSize(1).ofMaxSize(2).map(elements -> {
                                        ArrayNode array = Json.array();
                                        elements.forEach(array::add);
                                        return array;
                                    }))));
        }
        return keywords.list().ofMaxSize(3).map(entries -> {
            ObjectNode schema = Json.object();
            entries.forEach(entry -> schema.set(entry.getKey(), entry.getValue()));
            return schema;
        });
    }

    private static Arbitrary<JsonNode> types() {
        return Arbitraries.of(
                        "\"object\"",
                        "\"array\"",
                        "\"string\"",
                        "\"integer\"",
                        "\"number\"",
                        "\"boolean\"",
                        "\"null\"",
                        "[\"object\",\"array\",\"null\"]",
                        "[\"string\",\"integer\"]",
                        "[\"number\",\"boolean\",\"object\"]")
                .map(CompiledSchemaTest::json);
    }

    private static Arbitrary<Map.Entry<String, JsonNode>> keyword(Set<String> names, Arbitrary<JsonNode> rules) {
        return Arbitraries.of(names.stream().sorted().toList())
                .flatMap(name -> rules.map(rule -> Map.entry(name, rule)));
    }

    private static JsonNode object(Map<String, JsonNode> members) {
        ObjectNode object = Json.object();
        members.forEach(object::set);
        return object;
    }

    private static CompiledSchema compiled(JsonNode schema) {
        return CompiledSchema.of(schema).orElseThrow(() -> new AssertionError("not compiled: " + schema));
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
