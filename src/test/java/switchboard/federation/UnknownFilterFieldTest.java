package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.testing.ToolResult;

/** A misspelt field of {@code filters} has to be noticed, instead of finding nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnknownFilterFieldTest {
    private FilteredLibraries libraries;

    @BeforeAll
    void start() {
        libraries = new FilteredLibraries();
        ObjectNode ship = Json.object().put("year", 2020).put("a.b", 1);
        ship.putObject("owner").put("name", "Ann").putObject("home").put("town", "Ghent");
        ship.putArray("routes").add("north").add("south").add("west").add("x".repeat(70));
        ship.putArray("mixed").add("some").add(3).add(false);
        ship.put("built", "1999-12-31").put("rating", -0.5).put("long", "y".repeat(61));
        libraries.ingest("ships", ship);
        libraries.ingest("ships", Json.object().put("ärger", true).put("yearly", "no"));
        libraries.ingest("ports", Json.object().put("harbour", "deep"));
        libraries.ingest("plain", Json.object());
    }

    @AfterAll
    void stop() {
        libraries.close();
    }

    @ParameterizedTest
    @CsvSource({"yaer, year", "Year, year", "harbor, harbour", "owner.nam, owner.name", "file_typ, file_type"})
    void aFieldOfNoSourceIsAnErrorThatNamesTheOneThatWasMeant(String field, String meant) {
        ToolResult result = libraries.search("{\"" + field + "\": 1}");
        assertTrue(result.isError(), result::toString);
        assertEquals(
                FailureKind.INVALID_ARGUMENT.name(), result.error().path("kind").asText());
        String message = result.error().path("message").asText();
        assertTrue(message.contains("There is no field \"" + field + "\""), message);
        assertTrue(message.contains("Did you mean \"" + meant + "\"?"), message);
        assertTrue(message.contains("list_sources"), message);
    }

    @Test
    void withoutASimilarOneTheFieldsThatThereAreAreNamed() {
        String message =
                libraries.search("{\"colour\": 1}").error().path("message").asText();
        assertTrue(
                message.contains("There are a.b, built, content_hash, file_type, harbour, last_modified, long, mixed,"
                        + " owner.home.town, owner.name, page, rating, routes, source, title, year, yearly,"
                        + " ärger."),
                message);
    }

    @Test
    void aSourceWithoutTheFieldIsLeftOutAndSaysSo() {
        ToolResult result = libraries.search("{\"year\": {\"gte\": 2000}}");
        assertEquals(
                Map.of("vectordb:ships", "partial", "vectordb:ports", "error", "vectordb:plain", "error"),
                FilteredLibraries.statuses(result));
        assertEquals(1, result.structured().path("results").size());
        for (JsonNode source : result.structured().path("sources")) {
            assertFalse(source.has("failure") || source.has("answered") || source.has("refused"), source::toString);
            assertEquals(
                    source.path("status").asText().equals("error"),
                    source.path("detail").asText().contains("no field \"year\""),
                    source::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "owner.name, Ann",
        "owner.home.town, Ghent",
        "routes, south",
        "yearly, no",
        "file_type, text",
        "title, ships"
    })
    void fieldsThatThereAreFindWhatTheyDid(String field, String value) {
        ToolResult result = libraries.search("{\"" + field + "\": \"" + value + "\"}");
        assertEquals("partial", FilteredLibraries.statuses(result).get("vectordb:ships"), result::toString);
        assertFalse(result.structured().path("results").isEmpty(), result::toString);
    }

    @Test
    void aQueryIsCorrectedThoughASourceLacksTheField() {
        ToolResult result =
                libraries.client().call("search_everywhere", "{\"query\": \"tugbaot\", \"filters\": {\"year\": 2020}}");
        assertTrue(result.structured().has("corrected"), result::toString);
        assertEquals(1, result.structured().path("results").size());
    }

    private Map<String, JsonNode> listed(String source) {
        Map<String, JsonNode> fields = new TreeMap<>();
        libraries
                .client()
                .call("list_sources", "{}")
                .structured()
                .path("sources")
                .forEach(one -> {
                    if (one.path("name").asText().equals(source)) {
                        one.path("filter_fields")
                                .forEach(field -> fields.put(field.path("name").asText(), field));
                    }
                });
        return fields;
    }

    @Test
    void theListOfSourcesNamesTheFieldsOfEachWithTypesAndExamples() {
        assertEquals(
                Set.of("content_hash", "file_type", "source", "title"),
                listed("plain").keySet());
        assertEquals(
                Set.of("content_hash", "file_type", "harbour", "source", "title"),
                listed("ports").keySet());
        Map<String, JsonNode> ships = listed("ships");
        assertEquals(
                List.of(
                        "a.b",
                        "built",
                        "content_hash",
                        "file_type",
                        "long",
                        "mixed",
                        "owner.home.town",
                        "owner.name",
                        "rating",
                        "routes",
                        "source",
                        "title",
                        "year",
                        "yearly",
                        "ärger"),
                List.copyOf(ships.keySet()));
        ships.values().forEach(field -> assertTrue(field.toString().length() < 300, field::toString));
        for (String expected : List.of(
                "{'name':'year','types':['number'],'ranges':true,'examples':[2020,{'gte':2020}]}",
                "{'name':'rating','types':['number'],'ranges':true,'examples':[-0.5,{'gte':-0.5}]}",
                "{'name':'built','types':['date-time'],'ranges':true,'examples':['1999-12-31',{'gte':'1999-12-31'}]}",
                "{'name':'routes','types':['string'],'ranges':true,'examples':['north','south']}",
                "{'name':'ärger','types':['boolean'],'ranges':false,'examples':[true]}",
                "{'name':'mixed','types':['boolean','number','string'],'ranges':true,'examples':[false,{'gte':3}]}",
                "{'name':'long','types':['string'],'ranges':true}",
                "{'name':'content_hash','types':['string'],'ranges':true}")) {
            String name = expected.substring("{'name':'".length(), expected.indexOf("',"));
            assertEquals(expected.replace('\'', '"'), String.valueOf(ships.get(name)));
        }
    }

    @Test
    void everyExampleFindsADocument() {
        int examples = 0;
        for (String source : List.of("ships", "ports", "plain")) {
            for (JsonNode field : listed(source).values()) {
                for (JsonNode example : field.path("examples")) {
                    ObjectNode filters = Json.object();
                    filters.set(field.path("name").asText(), example);
                    ObjectNode arguments = Json.object().put("query", "tugboat");
                    arguments.putArray("sources").add("vectordb:" + source);
                    arguments.set("filters", filters);
                    ToolResult result = libraries.client().call("search_everywhere", arguments);
                    assertFalse(result.structured().path("results").isEmpty(), () -> filters + ": " + result);
                    examples++;
                }
            }
        }
        assertTrue(examples > 20, "examples: " + examples);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "year": "2020" | its type is number
            "year": true | its type is number
            "year": {"gte": "2000"} | its type is number
            "yearly": 1 | its type is string
            "ärger": "true" | its type is boolean
            "ärger": {"gte": 1} | its type is boolean
            "page": "3" | its type is number
            "title": 5 | its type is string
            "last_modified": {"lte": "yesterday"} | its type is date-time
            "last_modified": {"gte": 2020} | its type is date-time
            "last_modified": "2024-02-30" | its type is date-time
            "year": 2020, "owner.name": 5 | its type is string
            """)
    void aValueOfAnotherTypeLeavesTheSourceOutAndIsAnErrorIfItIsTheOnlyOne(String filters, String part) {
        ToolResult only = libraries
                .client()
                .call(
                        "search_everywhere",
                        "{\"query\": \"tugboat\", \"sources\": [\"vectordb:ships\"], \"filters\": {" + filters + "}}");
        assertEquals("INVALID_ARGUMENT", only.errorKind(), only::toString);
        assertTrue(only.text().contains(part), only::toString);
        assertFalse(only.error().has("unknown_fields"), only::toString);
    }

    @Test
    void theErrorCarriesTheNamesForPrograms() {
        assertEquals(
                "[{\"field\":\"yaer\",\"suggestions\":[\"year\"]}]",
                libraries.search("{\"yaer\": 1}").error().path("unknown_fields").toString());
    }

    @Test
    void everyUnknownFieldIsNamedAndAKnownOneBesideItIsNot() {
        ToolResult result =
                libraries.search("{\"yaer\": 1, \"title\": \"ships\", \"ownr.name\": \"Ann\", \"colour\": 2}");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        String message = result.error().path("message").asText();
        for (String part : List.of(
                "no field \"yaer\"",
                "mean \"year\"?",
                "no field \"ownr.name\"",
                "mean \"owner.name\"?",
                "no field \"colour\"",
                "There are a.b,")) {
            assertTrue(message.contains(part), message);
        }
        assertFalse(message.contains("no field \"title\""), message);
        assertEquals(3, result.error().path("unknown_fields").size(), result::toString);
    }

    @Test
    void aKnownFieldWithAValueOfNoDocumentFindsNothing() {
        ToolResult result = libraries.search("{\"year\": 1066}");
        assertFalse(result.isError(), result::toString);
        assertEquals(0, result.structured().path("results").size());
        assertEquals("partial", FilteredLibraries.statuses(result).get("vectordb:ships"));
    }

    @Test
    void theBeginningOfATimeIsOneToo() {
        for (String since : List.of("2024", "2024-06")) {
            ToolResult found = libraries.search("{\"last_modified\": {\"gte\": \"" + since + "\"}}");
            assertFalse(found.isError(), found::toString);
        }
    }
}
