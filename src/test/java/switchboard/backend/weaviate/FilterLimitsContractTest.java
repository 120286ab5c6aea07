package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.SearchableSource;

/** Filters and searches at the limits of what Weaviate compares, in deletions and in searches. */
class FilterLimitsContractTest extends Suite {
    private static final String DELETE = "weaviate-objects-delete";
    private static final String HYBRID = "weaviate-query-hybrid";

    private static final long BETWEEN_DOUBLES = (1L << 53) + 1;

    @Override
    void fixtures() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
        engine.collection(
                "Limits",
                TestEngine.properties("title:text", "number:int", "key:uuid", "yes:boolean", "picture:blob")
                        + ",\"invertedIndexConfig\":{\"indexPropertyLength\":true}");
        engine.put("Limits", """
                [{"id":"%s","vector":[1,0],"properties":{"title":"limit","number":%d,"key":"%s","yes":true,"picture":"aGVsbG8="}},
                 {"id":"%s","vector":[0,1],"properties":{"title":"limit","number":%d}},
                 {"id":"%s","properties":{"title":"other","number":1732406400000}}]
                """.formatted(
                        TestEngine.id(7, 1),
                        BETWEEN_DOUBLES,
                        TestEngine.id(7, 1),
                        TestEngine.id(7, 2),
                        Long.MAX_VALUE,
                        TestEngine.id(7, 3)));
        engine.collection("OnlyNumbers", TestEngine.properties("number:int"));
        engine.put("OnlyNumbers", """
                [{"id":"%s","vector":[1,0],"properties":{"number":1}},{"id":"%s","vector":[0,1],"properties":{"number":2}}]
                """.formatted(TestEngine.id(7, 1), TestEngine.id(7, 2)));
    }

    private static String delete(String where) {
        return "{\"collection_name\":\"%Limits%\",\"where\":" + where + "}";
    }

    private static String hybrid(String where) {
        return "{\"collection_name\":\"%Limits%\",\"query\":\"limit other\",\"alpha\":0,\"filters\":" + where + "}";
    }

    private static String where(String path, String operator, String value) {
        return "{\"path\":[\"" + path + "\"],\"operator\":\"" + operator + "\"," + value + "}";
    }

    /** The numbers of objects that both tools find. */
    private void find(int matches, String where) {
        assertEquals(matches, ok(DELETE, delete(where)).path("matches").asInt(), where);
        assertEquals(matches, ok(HYBRID, hybrid(where)).path("results").size(), where);
    }

    /** Both tools refuse the filter in the same way. */
    private void refused(String where, String... parts) {
        fails("INVALID_ARGUMENT", DELETE, delete(where), parts);
        fails("INVALID_ARGUMENT", HYBRID, hybrid(where), parts);
    }

    @Test
    void anIntegerBetweenTwoDoublesIsFoundByTheValueThatWasWritten() {
        find(1, where("number", "Equal", "\"valueInt\":" + BETWEEN_DOUBLES));
        find(1, where("number", "Equal", "\"valueNumber\":" + BETWEEN_DOUBLES));
        find(1, where("number", "Equal", "\"valueInt\":" + (BETWEEN_DOUBLES - 1)));
        find(1, where("number", "ContainsAny", "\"valueIntArray\":[3," + BETWEEN_DOUBLES + "]"));
        find(1, where("number", "GreaterThanEqual", "\"valueInt\":" + BETWEEN_DOUBLES));
    }

    @Test
    void theLargestIntegerIsShownAsItself() {
        JsonNode read = ok(
                "weaviate-objects-get",
                "{\"collection_name\":\"%Limits%\",\"uuids\":[\"" + TestEngine.id(7, 2) + "\"]}");
        assertEquals(Long.MAX_VALUE, read.at("/objects/0/properties/number").asLong(), read::toString);
        assertTrue(read.at("/objects/0/properties/number").canConvertToLong(), read::toString);
        List<String> found = each(
                ok(HYBRID, "{\"collection_name\":\"%Limits%\",\"query\":\"limit\",\"alpha\":0}")
                        .path("results"),
                "properties",
                "number");
        assertTrue(found.contains(Long.toString(Long.MAX_VALUE)), found::toString);
    }

    @Test
    void whatWeaviateTakesForTheSmallestIntegerIsNotLookedForByItsValue() {
        refused(where("number", "Equal", "\"valueInt\":" + Long.MAX_VALUE), "none above 9223372036854774784");
        refused(
                where("number", "ContainsAny", "\"valueIntArray\":[1," + Long.MAX_VALUE + "]"),
                "none above 9223372036854774784");
        assertFalse(call(DELETE, delete(where("number", "LessThanEqual", "\"valueInt\":" + Long.MAX_VALUE)))
                .isError());
    }

    @Test
    void aPropertyMayBeginWithACapitalLetter() {
        find(2, where("Title", "Equal", "\"valueText\":\"limit\""));
        find(3, where("len(Title)", "GreaterThan", "\"valueInt\":2"));
        find(
                1,
                "{\"operator\":\"And\",\"operands\":[" + where("Title", "Equal", "\"valueText\":\"limit\"") + ","
                        + where("Yes", "Equal", "\"valueBoolean\":true") + "]}");
    }

    @Test
    void aFilterOfUuidsTakesOnlyUuids() {
        find(1, where("key", "Equal", "\"valueText\":\"" + TestEngine.id(7, 1) + "\""));
        refused(where("key", "Equal", "\"valueText\":\"x\""), "holds UUIDs", "not \"x\"");
        refused(
                where("key", "ContainsAny", "\"valueTextArray\":[\"" + TestEngine.id(7, 1) + "\",\"\"]"),
                "holds UUIDs");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            picture | Equal | "valueText":"aGVsbG8=" | of the type blob, which Weaviate can't compare
            picture | Like  | "valueText":"*"        | of the type blob, which Weaviate can't compare
            number  | Like  | "valueInt":3           | Like compares texts
            yes     | Like  | "valueBoolean":true    | Like compares texts
            key     | Like  | "valueText":"0*"       | Like compares texts
            """)
    void comparisonsThatFindNothingAreRefused(String path, String operator, String value, String part) {
        refused(where(path, operator, value), part, "\"" + path + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"valueText\":\"the\"", "\"valueText\":\"\"", "\"valueText\":\"of the\""})
    void aRefusalDoesNotTellTheStepsInsideTheEngine(String value) {
        for (String tool : List.of(DELETE, HYBRID)) {
            String arguments = tool.equals(DELETE)
                    ? delete(where("title", "Equal", value))
                    : hybrid(where("title", "Equal", value));
            String text = fails("INVALID_ARGUMENT", tool, arguments, "only stopwords provided")
                    .text();
            for (String step : List.of("docIds", "find matching", "cannot find", "explorer", "index ", "allow list")) {
                assertFalse(text.contains(step), text);
            }
        }
    }

    @Test
    void aCollectionWithoutTextIsSearchedByVectorsOnly() {
        String start = "{\"collection_name\":\"%OnlyNumbers%\",\"query\":\"x\"";
        fails("INVALID_ARGUMENT", HYBRID, start + "}", "has no text that keywords can be searched in");
        fails("INVALID_ARGUMENT", HYBRID, start + ",\"alpha\":0}", "has no text that keywords can be searched in");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                start + ",\"alpha\":0.5,\"query_vector\":[0,1]}",
                "has no text that keywords can be searched in");
        JsonNode found = ok(HYBRID, start + ",\"query_vector\":[0,1],\"limit\":1}");
        assertEquals(List.of("2"), each(found.path("results"), "properties", "number"));
        assertEquals(1, found.path("alpha").asDouble());
        assertTrue(found.path("notes").toString().contains("Vector search only"), found::toString);
    }

    @Test
    void aCollectionWithNothingToSearchInIsNoSource() {
        BackendReply reply = gateway.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN));
        List<String> names = ((BackendReply.Sources) reply)
                .sources().stream().map(SearchableSource::name).toList();
        assertTrue(names.contains(engine.name("Limits")), names::toString);
        assertFalse(names.contains(engine.name("OnlyNumbers")), names::toString);
    }
}
