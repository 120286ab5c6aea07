package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.ToolResult;

/** Fields of {@code filters} in libraries that differ, and in libraries with many fields or many libraries. */
class FilterFieldLimitsTest {
    private FilteredLibraries libraries;

    @BeforeEach
    void start() {
        libraries = new FilteredLibraries();
    }

    @AfterEach
    void stop() {
        libraries.close();
    }

    private JsonNode listed(String source) {
        return libraries
                .client()
                .call("list_sources", "{\"sources\": [\"" + source + "\"]}")
                .structured()
                .path("sources");
    }

    @Test
    void aFieldOfTwoTypesIsSearchedWhereItsTypeFits() {
        libraries.ingest("ships", Json.object().put("year", 2020));
        libraries.ingest("logs", Json.object().put("year", "twenty"));
        libraries.ingest("plain", Json.object());
        ToolResult result = libraries.search("{\"year\": \"twenty\"}");
        assertEquals(
                Map.of("vectordb:logs", "partial", "vectordb:ships", "error", "vectordb:plain", "error"),
                FilteredLibraries.statuses(result));
        assertEquals(1, result.structured().path("results").size());
        assertTrue(result.structured().toString().contains("its type is number"), result::toString);
        assertTrue(result.structured().toString().contains("no field \\\"year\\\""), result::toString);
        assertEquals("INVALID_ARGUMENT", libraries.search("{\"year\": true}").errorKind());
        // A library with both types takes both, and says so.
        libraries.ingest("ships", Json.object().put("year", "twenty").put("harbour", "a deep one in the far north"));
        assertEquals(
                2,
                libraries
                        .search("{\"year\": \"twenty\"}")
                        .structured()
                        .path("results")
                        .size());
        assertTrue(listed("vectordb:ships").toString().contains("[\"number\",\"string\"]"));
    }

    @Test
    void aLongNameIsCutAndTheKnownFieldsAreBounded() {
        ObjectNode many = Json.object();
        ObjectNode others = Json.object();
        for (int i = 0; i < 60; i++) {
            many.put("key%02d".formatted(i), i);
            others.put("other%02d".formatted(i), i);
        }
        libraries.ingest("most", many);
        libraries.ingest("most", others);
        libraries.ingest("some", many);
        String message = libraries
                .search("{\"" + "z".repeat(199) + "\": 1}")
                .error()
                .path("message")
                .asText();
        assertTrue(message.contains("zzz...\""), message);
        assertTrue(message.contains(" and others."), message);
        assertTrue(message.length() < 700, message);
        assertTrue(libraries.search("{\"othr59\": 1}").text().contains("Did you mean \"other59\"?"));
        JsonNode most = listed("vectordb:most").path(0);
        assertEquals(100, most.path("filter_fields").size());
        assertTrue(most.path("more_filter_fields").asBoolean());
        JsonNode some = listed("vectordb:some").path(0);
        assertEquals(64, some.path("filter_fields").size());
        assertFalse(some.has("more_filter_fields"));
    }

    @Test
    void theExamplesOfManySourcesAreBounded() {
        for (int i = 0; i < 120; i++) {
            libraries.ingest("library" + i, Json.object().put("year", i).put("alpha", "a"));
        }
        int examples = 0;
        for (JsonNode source : listed("vectordb:*")) {
            assertEquals(6, source.path("filter_fields").size(), source::toString);
            for (JsonNode field : source.path("filter_fields")) {
                examples += field.has("examples") ? 1 : 0;
            }
        }
        assertTrue(examples >= 120 && examples <= 400, "examples: " + examples);
        assertTrue(listed("vectordb:library7").toString().contains("\"examples\":[7,{\"gte\":7}]"));
    }
}
