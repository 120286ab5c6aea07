package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A misspelt field of {@code filters} has to be noticed, instead of finding nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnknownFilterFieldTest {
    private TestGateway gateway;
    private McpTestClient client;

    @BeforeAll
    void start() {
        gateway = TestGateway.start("""
                embedders:
                  default: {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                """);
        client = gateway.modern();
        ObjectNode ship = Json.object().put("year", 2020).put("a.b", 1);
        ship.putObject("owner").put("name", "Ann").putObject("home").put("town", "Ghent");
        ship.putArray("routes").add("north").add("south");
        ingest("ships", ship);
        ingest("ships", Json.object().put("ärger", true).put("yearly", "no"));
        ingest("ports", Json.object().put("harbour", "deep"));
        ingest("plain", Json.object());
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private void ingest(String library, ObjectNode metadata) {
        ObjectNode text = Json.object()
                .put("content", "A tugboat of " + metadata)
                .put("title", library)
                .put("library", library);
        text.set("metadata", metadata);
        assertFalse(client.call("ingest_text", text).isError());
    }

    private ToolResult search(String filters) {
        return client.call("search_everywhere", "{\"query\": \"tugboat\", \"filters\": " + filters + "}");
    }

    private static Map<String, String> statuses(ToolResult result) {
        Map<String, String> statuses = new TreeMap<>();
        result.structured()
                .path("sources")
                .forEach(source -> statuses.put(
                        source.path("source").asText(), source.path("status").asText()));
        return statuses;
    }

    @ParameterizedTest
    @CsvSource({"yaer, year", "Year, year", "harbor, harbour", "owner.nam, owner.name", "file_typ, file_type"})
    void aFieldOfNoSourceIsAnErrorThatNamesTheOneThatWasMeant(String field, String meant) {
        ToolResult result = search("{\"" + field + "\": 1}");
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
        String message = search("{\"colour\": 1}").error().path("message").asText();
        assertTrue(
                message.contains(
                        "There are a.b, content_hash, file_type, last_modified, owner.home.town, owner.name, page,"
                                + " routes, source, title, year, yearly, ärger."),
                message);
    }

    @Test
    void aSourceWithoutTheFieldIsLeftOutAndSaysSo() {
        ToolResult result = search("{\"year\": {\"gte\": 2000}}");
        assertEquals(
                Map.of("vectordb:ships", "partial", "vectordb:ports", "error", "vectordb:plain", "error"),
                statuses(result));
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
        ToolResult result = search("{\"" + field + "\": \"" + value + "\"}");
        assertEquals("partial", statuses(result).get("vectordb:ships"), result::toString);
        assertFalse(result.structured().path("results").isEmpty(), result::toString);
    }

    @Test
    void aQueryIsCorrectedThoughASourceLacksTheField() {
        ToolResult result = client.call("search_everywhere", "{\"query\": \"tugbaot\", \"filters\": {\"year\": 2020}}");
        assertTrue(result.structured().has("corrected"), result::toString);
        assertEquals(1, result.structured().path("results").size());
    }

    @Test
    void theListOfSourcesNamesTheFieldsOfEach() {
        Map<String, String> fields = new TreeMap<>();
        client.call("list_sources", "{}")
                .structured()
                .path("sources")
                .forEach(source -> fields.put(
                        source.path("name").asText(),
                        source.path("filter_fields").toString()));
        String own = "\"content_hash\",\"file_type\",";
        assertEquals(
                Map.of(
                        "plain",
                        "[" + own + "\"last_modified\",\"page\",\"source\",\"title\"]",
                        "ports",
                        "[" + own + "\"harbour\",\"last_modified\",\"page\",\"source\",\"title\"]",
                        "ships",
                        "[\"a.b\"," + own + "\"last_modified\",\"owner.home.town\",\"owner.name\",\"page\",\"routes\","
                                + "\"source\",\"title\",\"year\",\"yearly\",\"ärger\"]"),
                fields);
    }

    @Test
    void aKnownFieldWithAValueOfNoDocumentFindsNothing() {
        ToolResult result = search("{\"year\": 1066}");
        assertFalse(result.isError(), result::toString);
        assertEquals(0, result.structured().path("results").size());
        assertEquals("partial", statuses(result).get("vectordb:ships"));
    }
}
