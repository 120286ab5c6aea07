package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;

/** What a shortened result keeps. */
class DetailTruncatorTest {
    private static final String SCHEMA = """
            {"required": ["results", "about", "deep"], "properties": {"results": {"items": {"required": ["id", "kind"]}}}}""";
    private static final String SENTENCES = "Nothing happened on this day. ".repeat(40);

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static DetailTruncator truncator(@Nullable String schema) {
        return DetailTruncator.of(schema == null ? null : (ObjectNode) json(schema), "results", "", List.of());
    }

    private static JsonNode brief(@Nullable String schema, JsonNode result, int chars) {
        return truncator(schema).of(result, chars);
    }

    private static String numbers(int count) {
        return "[" + "1,".repeat(count - 1) + "1]";
    }

    // ---- members

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // required ones stay, whatever they are
                "`{'id': 7, 'kind': ['a']}` | `{'id': 7, 'kind': ['a']}`",
                // of the others only sentences stay
                "`{'id': 7, 'rank': 3, 'word': 'soup', 'said': 'two words', 'sure': true, 'no': null}` | `{'id': 7, 'said': 'two words'}`",
                // nested ones, where there is no long text
                "`{'id': 7, 'fields': {'a': 1}, 'tags': ['x']}` | `{'id': 7, 'fields': {'a': 1}, 'tags': ['x']}`",
                "`{}` | `{}`"
            })
    void withASchemaWhatIsRequiredAndSentencesStay(String result, String brief) {
        assertEquals(json(brief.replace('\'', '"')), brief(SCHEMA, json(result.replace('\'', '"')), Integer.MAX_VALUE));
    }

    @Test
    void withoutASchemaNumbersAndWordsMayBeIdsAndStay() {
        JsonNode result = json("{\"id\": 7, \"word\": \"soup\", \"sure\": true, \"said\": \"two words\"}");
        assertEquals(result, brief(null, result, 10));
        assertEquals(result, brief("{\"required\": [\"results\"]}", result, 10), "nor with one that requires nothing");
    }

    @Test
    void nestedValuesGoWhereALongTextIsWhatWasSearched() {
        for (String schema : new String[] {null, SCHEMA}) {
            ObjectNode result = (ObjectNode) json("{\"id\": 7, \"fields\": {\"a\": 1}}");
            assertTrue(brief(schema, result.put("text", "a ".repeat(50)), 1_000).has("fields"));
            assertTrue(!brief(schema, result.put("text", "a ".repeat(50) + "b"), 1_000)
                    .has("fields"));
        }
    }

    @Test
    void longListsOfNumbersGoWhereverTheyAre() {
        for (String schema : new String[] {null, SCHEMA}) {
            JsonNode result = json("{\"id\": 7, \"few\": " + numbers(16) + ", \"many\": " + numbers(17)
                    + ", \"words\": " + numbers(17).replace("1", "\"w\"") + ", \"in\": {\"few\": " + numbers(16)
                    + ", \"many\": " + numbers(17) + "}, \"none\": []}");
            JsonNode expected = json("{\"id\": 7, \"few\": " + numbers(16) + ", \"words\": "
                    + numbers(17).replace("1", "\"w\"") + ", \"in\": {\"few\": " + numbers(16) + "}, \"none\": []}");
            assertEquals(expected, brief(schema, result, 1_000));
        }
    }

    @Test
    void textsAreShortenedAtAnyDepth() {
        ObjectNode result = Json.object().put("id", 7);
        result.putArray("kind").add(SENTENCES).addObject().put("note", SENTENCES);
        JsonNode brief = brief(SCHEMA, result, 60);
        for (JsonNode text :
                List.of(brief.path("kind").path(0), brief.path("kind").path(1).path("note"))) {
            assertTrue(text.asText().length() <= 60 && text.asText().length() >= 30, brief::toString);
            assertTrue(text.asText().startsWith("Nothing happened on this day."), brief::toString);
        }
        assertEquals(7, brief.path("id").asInt());
        assertEquals(SENTENCES.length(), DetailTruncator.longest(result));
        assertEquals(0, DetailTruncator.longest(json("{\"a\": 1}")));
    }

    @Test
    void aResultThatIsNoObjectIsShortened() {
        assertTrue(brief(SCHEMA, Json.object().textNode(SENTENCES), 50).asText().length() <= 50);
        assertEquals(json("12"), brief(SCHEMA, json("12"), 1));
        assertEquals(1, brief(SCHEMA, json("[\"a b\"]"), 3).size());
    }

    // ---- texts

    @Test
    void aTextOfExactlyThatLengthIsWhole() {
        String text = "one two three";
        ObjectNode result = Json.object().put("text", text);
        assertEquals(text, brief(null, result, 13).path("text").asText());
        String cut = brief(null, result, 12).path("text").asText();
        assertTrue(cut.length() <= 12 && cut.endsWith("…"), cut);
    }

    @Test
    void idsAndAddressesStayWholeUpToTwoThousandCharacters() {
        String id = "x".repeat(2_000);
        assertEquals(id, brief(null, Json.object().put("id", id), 10).path("id").asText());
        for (String noName : new String[] {id + "x", "x".repeat(60) + "\n" + "x".repeat(60), " " + "x".repeat(60)}) {
            String cut =
                    brief(null, Json.object().put("id", noName), 10).path("id").asText();
            assertTrue(cut.length() <= 10, () -> cut.length() + " of " + noName.length());
        }
    }

    @Test
    void theWordsThatAreRareAmongAllTextsOfAllResultsDecideWhatIsShown() {
        String often = "The ship and the harbour. ".repeat(30);
        String text = often + "A ship has a capstan. " + often;
        // In an answer's other results, nested, "capstan" is everywhere and "harbour" nowhere.
        String other = "A capstan of a ship. ".repeat(200);
        List<JsonNode> alone = List.of(Json.object().put("text", text));
        JsonNode nested = Json.object().set("in", Json.array().add(Json.object().put("note", other)));
        List<JsonNode> together = List.of(Json.object().put("text", text), nested);
        assertTrue(shown("harbour capstan", text, alone).contains("capstan"));
        assertTrue(!shown("harbour capstan", text, together).contains("capstan"));
    }

    private static String shown(String query, String text, List<JsonNode> results) {
        return DetailTruncator.of(null, "results", query, results)
                .of(Json.object().put("text", text), 60)
                .path("text")
                .asText();
    }

    // ---- what surrounds the results

    @Test
    void aroundTheResultsOnlyWhatIsRequiredStaysInAHundredCharacters() {
        ObjectNode around = Json.object()
                .put("about", SENTENCES)
                .put("remark", "not required")
                .put("rank", 1);
        around.putObject("deep").put("text", SENTENCES).put("number", 12);
        ObjectNode brief = truncator(SCHEMA).around(around);
        assertEquals(2, brief.size(), brief::toString);
        assertEquals(12, brief.path("deep").path("number").asInt());
        for (JsonNode text : List.of(brief.path("about"), brief.path("deep").path("text"))) {
            assertTrue(text.asText().length() <= 100 && text.asText().length() > 60, brief::toString);
        }
        assertEquals(Json.object(), truncator(null).around(around));
    }
}
