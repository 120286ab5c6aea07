package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.call.ResourceScope;
import switchboard.testing.ToolResult;

/** The binding {@code where}: objects that do not match the team's filter are not there, whatever is asked. */
class BoundByWhereContractTest extends Suite {
    private static final String GET = "weaviate-objects-get";
    private static final String DELETE = "weaviate-objects-delete";
    private static final String UPSERT = "weaviate-objects-upsert";
    private static final String HYBRID = "weaviate-query-hybrid";
    private static final String CANARY = "quetzalcoatl";
    private static final String FILTER = """
            {"operator": "Equal", "path": ["dept"], "valueText": "{list:groups}"}""";
    private static final String[] SECRETS = {CANARY, id(7, 3), id(7, 4), "4711"};

    @Override
    void fixtures() {
        String field = "{\"name\":\"dept\",\"dataType\":[\"text\"],\"tokenization\":\"field\"}";
        engine.collection(
                "Paper",
                "\"properties\":[{\"name\":\"title\",\"dataType\":[\"text\"]}," + field
                        + ",{\"name\":\"level\",\"dataType\":[\"int\"]}]");
        engine.put("Paper", """
                [{"id":"%s","properties":{"title":"plan of the canteen","dept":"staff","level":1}},
                 {"id":"%s","properties":{"title":"plan of the roof","dept":"staff","level":2}},
                 {"id":"%s","properties":{"title":"plan of %s","dept":"hr","level":4711}},
                 {"id":"%s","properties":{"title":"%s salaries","dept":"Staff","level":4711}}]
                """.formatted(id(7, 1), id(7, 2), id(7, 3), CANARY, id(7, 4), CANARY));
        engine.collection("Worded", TestEngine.properties("title:text", "dept:text"));
        engine.put(
                "Worded",
                "[{\"id\":\"" + id(7, 7) + "\",\"properties\":{\"title\":\"" + CANARY
                        + "\",\"dept\":\"HR and finance\"}}]");
        engine.collection("Bare", TestEngine.properties("title:text"));
        engine.put("Bare", "[{\"id\":\"" + id(7, 5) + "\",\"properties\":{\"title\":\"" + CANARY + "\"}}]");
        engine.collection(
                "Citing",
                "\"properties\":[{\"name\":\"cites\",\"dataType\":[\"" + engine.name("Paper") + "\"]}," + field + "]");
        engine.put("Citing", """
                [{"id":"%s","properties":{"dept":"staff","cites":[{"beacon":"weaviate://localhost/%s/%s"}]}}]
                """.formatted(id(7, 6), engine.name("Paper"), id(7, 3)));
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
    }

    private static String id(int group, int number) {
        return TestEngine.id(group, number);
    }

    private void member(String... groups) {
        bound(FILTER, Map.of("groups", Claim.of(List.of(groups))));
    }

    private void bound(String where, Map<String, Claim> claims) {
        UnaryOperator<Caller> team = caller -> new Caller(
                "team", "key", caller.rights(), ResourceScope.ALL, Map.of(TeamWhere.WHERE_BINDING, where), claims);
        gateway.as(team);
    }

    /** The answer, which holds nothing of what is hidden. */
    private ToolResult clean(ToolResult answer) {
        for (String secret : SECRETS) {
            assertFalse(answer.toString().contains(secret), () -> secret + " in " + answer);
        }
        return answer;
    }

    private JsonNode cleanly(String tool, String arguments) {
        ToolResult answer = clean(call(tool, arguments));
        assertFalse(answer.isError(), answer::toString);
        return answer.structured();
    }

    @Test
    void searchesFindNothingElse() {
        member("staff");
        JsonNode found = cleanly(HYBRID, "{\"collection_name\":\"%Paper%\",\"query\":\"plan\",\"alpha\":0}");
        assertEquals(2, found.path("results").size());
        found = cleanly(
                HYBRID,
                "{\"collection_name\":\"%Paper%\",\"query\":\"" + "plan salaries"
                        + "\",\"alpha\":0,\"filters\":{\"operator\":\"Or\",\"operands\":["
                        + "{\"path\":[\"dept\"],\"operator\":\"NotEqual\",\"valueText\":\"nobody\"},"
                        + "{\"path\":[\"level\"],\"operator\":\"GreaterThan\",\"valueInt\":0}]}}");
        assertEquals(2, found.path("results").size());
        member("staff", "hr");
        assertEquals(
                3,
                ok(HYBRID, "{\"collection_name\":\"%Paper%\",\"query\":\"plan\",\"alpha\":0}")
                        .path("results")
                        .size());
    }

    @Test
    void objectsAreReadByTheirIdsOnlyIfTheyMatch() {
        member("staff");
        JsonNode read = ok(
                GET,
                "{\"collection_name\":\"%Paper%\",\"uuids\":[\"" + id(7, 3) + "\",\"" + id(7, 1) + "\",\"" + id(9, 9)
                        + "\"]}");
        assertEquals(List.of(id(7, 1)), each(read.path("objects"), "id"));
        assertEquals(List.of(id(7, 3), id(9, 9)), each(read.path("missing")));
        assertFalse(read.toString().contains(CANARY), read::toString);
        assertFalse(read.has("errors"), read::toString);
    }

    @Test
    void pagesHaveNoGapsAndNoHiddenIds() {
        member("staff");
        JsonNode first = cleanly(GET, "{\"collection_name\":\"%Paper%\",\"limit\":1}");
        assertEquals(List.of(id(7, 1)), each(first.path("objects"), "id"));
        assertEquals(id(7, 1), first.path("next").asText());
        JsonNode second = cleanly(GET, "{\"collection_name\":\"%Paper%\",\"limit\":1,\"after\":\"" + id(7, 1) + "\"}");
        assertEquals(List.of(id(7, 2)), each(second.path("objects"), "id"));
        assertFalse(second.has("next"), second::toString);
        assertEquals(
                List.of(id(7, 2)),
                each(
                        cleanly(GET, "{\"collection_name\":\"%Paper%\",\"offset\":1}")
                                .path("objects"),
                        "id"));
        assertEquals(
                0,
                cleanly(GET, "{\"collection_name\":\"%Paper%\",\"limit\":0}")
                        .path("objects")
                        .size());
    }

    @Test
    void deletionsCountAndDeleteNothingElse() {
        engine.articlesToDelete("DeleteBound");
        bound("{\"operator\":\"Equal\",\"path\":[\"status\"],\"valueText\":\"draft\"}", Map.of());
        JsonNode counted = ok(DELETE, "{\"collection_name\":\"%DeleteBound%\",\"dry_run\":true}");
        assertEquals(1, counted.path("matches").asInt());
        counted = ok(
                DELETE,
                "{\"collection_name\":\"%DeleteBound%\",\"dry_run\":false,\"where\":{\"path\":[\"year\"],"
                        + "\"operator\":\"GreaterThan\",\"valueInt\":0}}");
        assertEquals(1, counted.path("deleted").asInt());
        assertEquals(1, counted.path("matches").asInt());
        gateway.as(_ -> Caller.unrestricted());
        assertEquals(
                4,
                ok(DELETE, "{\"collection_name\":\"%DeleteBound%\",\"dry_run\":true}")
                        .path("matches")
                        .asInt());
    }

    @Test
    void nothingIsStored() {
        member("staff");
        ToolResult refused = fails(
                "DENIED",
                UPSERT,
                "{\"collection_name\":\"%Paper%\",\"objects\":[{\"uuid\":\"" + id(7, 3)
                        + "\",\"properties\":{\"title\":\"mine\",\"dept\":\"staff\"}}]}",
                "binding \"where\"");
        ToolResult unknown = fails(
                "DENIED",
                UPSERT,
                "{\"collection_name\":\"%Paper%\",\"objects\":[{\"uuid\":\"" + id(9, 8)
                        + "\",\"properties\":{\"title\":\"mine\"}}]}");
        assertEquals(refused.text(), unknown.text());
        gateway.as(_ -> Caller.unrestricted());
        assertTrue(call(GET, "{\"collection_name\":\"%Paper%\",\"uuids\":[\"" + id(7, 3) + "\"]}")
                .toString()
                .contains(CANARY));
    }

    @Test
    void aCollectionWithoutThePropertyShowsNothing() {
        member("staff");
        for (String call : List.of(
                GET + " {\"collection_name\":\"%Bare%\"}",
                GET + " {\"collection_name\":\"%Bare%\",\"uuids\":[\"" + id(7, 5) + "\"]}",
                HYBRID + " {\"collection_name\":\"%Bare%\",\"query\":\"" + "salaries" + "\",\"alpha\":0}",
                DELETE + " {\"collection_name\":\"%Bare%\",\"dry_run\":true}")) {
            String[] parts = call.split(" ", 2);
            clean(fails("DENIED", parts[0], parts[1], "binding \"where\""));
        }
    }

    /** Weaviate would find the claim as a word of another value. */
    @Test
    void aTextThatIsCutIntoWordsIsNotComparedWithClaims() {
        for (String claim : List.of("hr", "finance", "{list:groups}")) {
            member(claim);
            for (String call : List.of(
                    GET + " {\"collection_name\":\"%Worded%\"}",
                    GET + " {\"collection_name\":\"%Worded%\",\"uuids\":[\"" + id(7, 7) + "\"]}",
                    HYBRID + " {\"collection_name\":\"%Worded%\",\"query\":\"finance\",\"alpha\":0}",
                    DELETE + " {\"collection_name\":\"%Worded%\",\"dry_run\":true}")) {
                String[] parts = call.split(" ", 2);
                clean(fails("DENIED", parts[0], parts[1], "tokenization"));
            }
        }
        bound("{\"operator\":\"Equal\",\"path\":[\"dept\"],\"valueText\":\"finance\"}", Map.of());
        assertTrue(
                ok(GET, "{\"collection_name\":\"%Worded%\"}").toString().contains(CANARY), "as the operator wrote it");
    }

    @Test
    void referencesLeadNowhere() {
        member("staff");
        JsonNode read = cleanly(GET, "{\"collection_name\":\"%Citing%\",\"uuids\":[\"" + id(7, 6) + "\"]}");
        assertEquals(1, read.path("objects").size());
        cleanly(
                HYBRID,
                "{\"collection_name\":\"%Citing%\",\"query\":\"staff\",\"alpha\":0,"
                        + "\"return_properties\":[\"dept\",\"cites\"]}");
        clean(fails(
                "DENIED",
                DELETE,
                "{\"collection_name\":\"%Citing%\",\"dry_run\":true,\"where\":{\"path\":[\"cites\",\"%Paper%\","
                        + "\"title\"],\"operator\":\"Like\",\"valueText\":\"q*\"}}"));
    }

    @Test
    void logsAreNotReadAndOtherBindingsAreRefused() {
        member("staff");
        fails("DENIED", "weaviate-logs-fetch", "{}");
        gateway.as(
                caller -> new Caller("team", "key", caller.rights(), ResourceScope.ALL, Map.of("filter", "{\"a\":1}")));
        fails("DENIED", GET, "{\"collection_name\":\"%Paper%\"}", "\"filter\"");
    }

    @Test
    void whoLacksTheClaimAsksNothing() {
        bound(FILTER, Map.of());
        for (String tool : List.of(GET, DELETE)) {
            fails(
                    "DENIED",
                    tool,
                    "{\"collection_name\":\"%Paper%\",\"dry_run\":true}"
                            .replace(tool.equals(GET) ? ",\"dry_run\":true" : "?", ""),
                    "groups");
        }
        bound(FILTER, Map.of("groups", Claim.of(List.of())));
        fails("DENIED", GET, "{\"collection_name\":\"%Paper%\"}", "groups");
        bound(FILTER, Map.of("groups", Claim.of(List.of(" "))));
        fails("DENIED", GET, "{\"collection_name\":\"%Paper%\"}", "groups");
    }

    /** A claim is a value, whatever is in it; case and accents count where the property is not cut into words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "?",
                "hr\"},{\"operator\":\"Or",
                "staff\"}]}",
                "{list:groups}",
                "{claim:x}",
                "STAFF",
                "stäff",
                "staff-",
                "\\",
                "hr,staff",
                "[\"hr\"]",
                "nobody' OR '1'='1",
                "\u202Ehr",
                "ｈｒ"
            })
    void aClaimIsAValue(String claim) {
        member(claim);
        assertEquals(
                0,
                cleanly(GET, "{\"collection_name\":\"%Paper%\"}")
                        .path("objects")
                        .size());
        assertEquals(
                0,
                cleanly(HYBRID, "{\"collection_name\":\"%Paper%\",\"query\":\"plan\",\"alpha\":0}")
                        .path("results")
                        .size());
        assertEquals(
                0,
                cleanly(DELETE, "{\"collection_name\":\"%Paper%\",\"dry_run\":true}")
                        .path("matches")
                        .asInt());
    }

    @Test
    void otherOperatorsAndTypesTakeClaims() {
        bound("""
                {"operator": "And", "operands": [
                  {"operator": "ContainsAny", "path": ["dept"], "valueTextArray": ["nobody", "{list:groups}"]},
                  {"operator": "LessThan", "path": ["level"], "valueInt": "{claim:level}"}]}""", Map.of("groups", Claim.of(List.of("staff", "hr")), "level", Claim.of("2")));
        assertEquals(
                List.of(id(7, 1)),
                each(cleanly(GET, "{\"collection_name\":\"%Paper%\"}").path("objects"), "id"));
        bound(
                "{\"operator\":\"LessThan\",\"path\":[\"level\"],\"valueInt\":\"{claim:level}\"}",
                Map.of("level", Claim.of("9 or more")));
        fails("DENIED", GET, "{\"collection_name\":\"%Paper%\"}", "number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "null",
                "dept = staff",
                "{\"operator\":\"And\",\"operands\":[]}",
                "{\"operator\":\"Equal\",\"path\":[\"{claim:who}\"],\"valueText\":\"a\"}",
                "{\"operator\":\"{claim:who}\",\"path\":[\"dept\"],\"valueText\":\"a\"}",
                "{\"operator\":\"Like\",\"path\":[\"dept\"],\"valueText\":\"{claim:who}\"}",
                "{\"operator\":\"Equal\",\"path\":[\"dept\"],\"valueText\":\"{claim:many}\"}",
                "{\"operator\":\"NotEqual\",\"path\":[\"dept\"],\"valueText\":\"{list:many}\"}",
                "{\"operator\":\"Equal\",\"path\":[\"dept\"],\"value{claim:who}\":\"a\"}"
            })
    void whatIsNoFilterShowsNothing(String where) {
        bound(where, Map.of("who", Claim.of("dept"), "many", Claim.of(List.of("hr", "staff"))));
        ToolResult refused = clean(fails("DENIED", GET, "{\"collection_name\":\"%Paper%\"}"));
        assertFalse(refused.text().contains("valueText"), refused::toString);
    }
}
