package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** Which fields the engines know, what they refuse, and what they say of it. */
@Tag("engines")
class FilterFieldsOfEnginesTest {
    private static final Map<String, String> TYPES =
            Map.of("year", "int", "flag", "boolean", "state", "text", "published", "date");

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static FourEngines engines;

    @BeforeAll
    static void start() throws Exception {
        engines = new FourEngines(CLUSTER, Path.of("target", "eval-vectors"));
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, ObjectNode> values = new TreeMap<>();
        Map<String, List<String>> places = new TreeMap<>();
        for (int i = 0; i < 4; i++) {
            texts.put("d" + i, "A tug moves other ships, number " + i + " of the fleet.");
            values.put(
                    "d" + i,
                    Json.object()
                            .put("year", 2020 + i)
                            .put("flag", i % 2 == 0)
                            .put("state", "draft")
                            .put("published", "2024-02-2" + i + "T00:00:00Z"));
            places.put("d" + i, FourEngines.NAMES);
        }
        engines.fill(texts, places, "ships", new FourEngines.Fields(TYPES, values));
    }

    @AfterAll
    static void stop() {
        engines.close();
    }

    private static ToolResult search(String filters, String... names) {
        ObjectNode arguments = Json.object().put("query", "tug");
        for (String engine : names) {
            arguments.withArray("sources").add(engines.source(engine, "ships"));
        }
        try {
            arguments.set("filters", Json.parse("{" + filters + "}"));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
        return engines.client().call("search_everywhere", arguments);
    }

    private static ToolResult searchAll(String filters) {
        return search(filters, FourEngines.NAMES.toArray(String[]::new));
    }

    @Test
    void aFieldOfNoEngineIsAnErrorThatNamesTheNearOnes() {
        ToolResult result = searchAll("\"yaer\": 2020");
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
        assertTrue(result.text().contains("no field \"yaer\" to filter by in any source"), result::toString);
        assertTrue(result.text().contains("Did you mean \"year\"?"), result::toString);
        assertEquals(4, result.error().path("sources").size());
    }

    @Test
    void theEnginesThatDoNotKnowAFieldAreLeftOut() {
        ToolResult result = searchAll("\"file_type\": \"text\"");
        assertFalse(result.isError(), result::toString);
        assertEquals(4, result.structured().path("results").size());
        for (JsonNode source : result.structured().path("sources")) {
            boolean own = source.path("source").asText().startsWith("vectordb:");
            assertEquals(own ? "ok" : "error", source.path("status").asText(), source::toString);
            assertEquals(
                    own ? "" : "There is no field \"file_type\" to filter by.",
                    source.path("detail").asText().split(" There are ", -1)[0]);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "year": "2020" | its type is number | vectordb, postgres, weaviate
            "year": {"gte": "2020"} | | meilisearch, vectordb, postgres, weaviate
            "state": 5 | its type is string | vectordb, postgres, weaviate
            "state": true | its type is string | vectordb, postgres, weaviate
            "flag": "true" | its type is boolean | vectordb, postgres, weaviate
            "published": "yesterday" | its type is date-time | postgres, weaviate
            "published": {"lt": "yesterday"} | | postgres, weaviate, meilisearch
            "state": {"gt": "a"} | by order | weaviate, meilisearch
            """)
    void whatAnEngineCantCompareIsAnErrorAndNotNothing(String filters, String part, String names) {
        for (String engine : names.split(", ")) {
            ToolResult result = search(filters, engine);
            assertEquals("INVALID_ARGUMENT", result.errorKind(), () -> engine + ": " + result);
            assertTrue(part == null || result.text().contains(part), () -> engine + ": " + result);
        }
    }

    /** Each engine lists what it knows, and takes every example that it lists. */
    @Test
    void everyListedExampleIsTaken() {
        Map<String, List<String>> fields = new TreeMap<>();
        JsonNode sources =
                engines.client().call("list_sources", "{}").structured().path("sources");
        for (JsonNode source : sources) {
            for (JsonNode field : source.path("filter_fields")) {
                String name = field.path("name").asText();
                fields.computeIfAbsent(source.path("backend").asText(), _ -> new ArrayList<>())
                        .add(name + field.path("types"));
                field.path("examples").forEach(example -> {
                    ObjectNode arguments = Json.object().put("query", "tug");
                    arguments.putArray("sources").add(source.path("source").asText());
                    arguments.putObject("filters").set(name, example);
                    ToolResult result = engines.client().call("search_everywhere", arguments);
                    assertFalse(result.isError(), () -> source.path("source") + " " + field + ": " + result);
                });
            }
        }
        assertEquals(
                "[flag, published, state, text, url, year]",
                fields.get("meilisearch").toString());
        for (String engine : List.of("vectordb", "postgres", "weaviate")) {
            assertTrue(
                    fields.get(engine)
                            .containsAll(List.of(
                                    "year[\"number\"]",
                                    "flag[\"boolean\"]",
                                    "state[\"string\"]",
                                    "published[\"date-time\"]")),
                    fields::toString);
        }
    }
}
