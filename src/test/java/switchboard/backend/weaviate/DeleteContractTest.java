package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weaviate-objects-delete}. */
class DeleteContractTest extends Suite {
    private static final String DELETE = "weaviate-objects-delete";

    @Override
    void fixtures() {
        engine.articlesOfTenants();
        engine.collection("Empty", TestEngine.properties("title:text"));
    }

    @BeforeEach
    void fiveArticles() {
        engine.articlesToDelete("DeleteArticle");
    }

    private JsonNode delete(String where, String more) {
        return ok(
                DELETE,
                "{\"collection_name\":\"%DeleteArticle%\"" + (where.isEmpty() ? "" : ",\"where\":" + where) + more
                        + "}");
    }

    private int left() {
        return ok("weaviate-objects-get", "{\"collection_name\":\"%DeleteArticle%\"}")
                .path("objects")
                .size();
    }

    @Test
    void countsOnlyUnlessToldToDelete() {
        JsonNode answer = delete("{\"path\":[\"status\"],\"operator\":\"Equal\",\"valueText\":\"published\"}", "");
        assertEquals(3, answer.path("matches").asInt());
        assertEquals(0, answer.path("deleted").asInt());
        assertTrue(answer.path("dry_run").asBoolean());
        assertEquals(5, left());
        delete("", ",\"dry_run\":true");
        assertEquals(5, left());
    }

    @Test
    void aFilterOfStopWordsOnlyIsTheCallersMistake() {
        for (String more : List.of("", ",\"dry_run\":false")) {
            fails(
                    "INVALID_ARGUMENT",
                    DELETE,
                    "{\"collection_name\":\"%DeleteArticle%\",\"where\":"
                            + "{\"path\":[\"title\"],\"operator\":\"Equal\",\"valueText\":\"the of\"}" + more + "}",
                    "only stopwords provided",
                    "filter by another word");
        }
        assertEquals(5, left());
    }

    @Test
    void deletesWhatMatchesAndReportsWhatWasDeleted() {
        JsonNode answer = delete(
                "{\"path\":[\"status\"],\"operator\":\"Equal\",\"valueText\":\"published\"}", ",\"dry_run\":false");
        assertEquals(3, answer.path("matches").asInt());
        assertEquals(3, answer.path("deleted").asInt());
        assertFalse(answer.path("dry_run").asBoolean());
        assertTrue(answer.path("complete").asBoolean());
        assertEquals(2, left());
    }

    @Test
    void withoutAFilterEverythingGoesAndTheCollectionStays() {
        assertEquals(5, delete("", "").path("matches").asInt());
        assertEquals(5, delete("", ",\"dry_run\":false").path("deleted").asInt());
        assertEquals(0, left());
        assertEquals(0, delete("", ",\"dry_run\":false").path("deleted").asInt());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | {"path":["status"],"operator":"Equal","valueText":"draft"}
            4 | {"path":["status"],"operator":"NotEqual","valueText":"draft"}
            2 | {"path":["year"],"operator":"LessThanEqual","valueInt":2020}
            2 | {"path":["year"],"operator":"LessThanEqual","valueNumber":2020.0}
            1 | {"path":["featured"],"operator":"Equal","valueBoolean":true}
            2 | {"path":["publishDate"],"operator":"LessThan","valueDate":"2021-01-01T00:00:00Z"}
            2 | {"operator":"And","operands":[{"path":["status"],"operator":"Equal","valueText":"published"},{"path":["year"],"operator":"GreaterThanEqual","valueInt":2022}]}
            2 | {"operator":"Or","operands":[{"path":["status"],"operator":"Equal","valueText":"draft"},{"path":["status"],"operator":"Equal","valueText":"archived"}]}
            2 | {"operator":"Not","operands":[{"path":["status"],"operator":"Equal","valueText":"published"}]}
            2 | {"path":["tags"],"operator":"ContainsAny","valueTextArray":["draft","archived"]}
            2 | {"path":["tags"],"operator":"ContainsAny","valueText":["draft","archived"]}
            2 | {"path":["year"],"operator":"ContainsAny","valueIntArray":[2019,2020]}
            1 | {"path":["tags"],"operator":"ContainsAll","valueTextArray":["published","t0"]}
            1 | {"path":["title"],"operator":"Like","valueText":"Alp*"}
            1 | {"path":["id"],"operator":"Equal","valueText":"00000000-0000-4000-8003-000000000004"}
            0 | {"path":["status"],"operator":"Equal","valueText":"nothing"}
            """)
    void filterMatches(int matches, String where) {
        assertEquals(matches, delete(where, "").path("matches").asInt());
        assertEquals(
                matches, delete(where, ",\"dry_run\":false").path("deleted").asInt());
        assertEquals(5 - matches, left());
    }

    @Test
    void deletesBeyondTheServersLimitForOneRequest() {
        int objects = 10_050;
        engine.collection("CapArticle", TestEngine.properties("title:text", "year:int"));
        for (int from = 0; from < objects; from += 1000) {
            engine.put(
                    "CapArticle",
                    IntStream.range(from, Math.min(objects, from + 1000))
                            .mapToObj(i -> "{\"id\":\"" + TestEngine.id(6, i)
                                    + "\",\"properties\":{\"title\":\"cap\",\"year\":" + i + "}}")
                            .collect(Collectors.joining(",", "[", "]")));
        }
        JsonNode answer = ok(DELETE, "{\"collection_name\":\"%CapArticle%\",\"dry_run\":false}");
        assertEquals(objects, answer.path("deleted").asInt());
        assertEquals(objects, answer.path("matches").asInt());
        assertTrue(answer.path("complete").asBoolean());
        assertEquals(
                0,
                ok("weaviate-objects-get", "{\"collection_name\":\"%CapArticle%\"}")
                        .path("objects")
                        .size());
    }

    @Test
    void otherTenantsObjectsStay() {
        JsonNode answer =
                ok(DELETE, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-b\",\"dry_run\":false}");
        assertEquals(2, answer.path("deleted").asInt());
        assertEquals(
                3,
                ok(DELETE, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"}")
                        .path("matches")
                        .asInt());
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        assertEquals(
                0,
                ok(DELETE, "{\"collection_name\":\"%MtArticle%\"}")
                        .path("matches")
                        .asInt());
        fails(
                "DENIED",
                DELETE,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\",\"dry_run\":false}",
                "bound");
        fails("DENIED", DELETE, "{\"collection_name\":\"%DeleteArticle%\",\"dry_run\":false}", "no tenants");
    }

    @Test
    void whatDoesNotExistIsSaid() {
        assertEquals(
                0,
                ok(DELETE, "{\"collection_name\":\"%Empty%\",\"dry_run\":false}")
                        .path("deleted")
                        .asInt());
        fails("NOT_FOUND", DELETE, "{\"collection_name\":\"%Nope%\"}", "collection \"%Nope%\" not found");
        fails(
                "NOT_FOUND",
                DELETE,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"nope\"}",
                "tenant not found");
        fails("INVALID_ARGUMENT", DELETE, "{\"collection_name\":\"%MtArticle%\"}", "tenant_name");
        fails("INVALID_ARGUMENT", DELETE, "{}", "collection_name");
    }

    /** The seed's four common mistakes first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "path": ["status"] | {"path":"status","operator":"Equal","valueText":"draft"}
            "valueInt": 100 | {"path":["year"],"operator":"GreaterThan","value":100}
            takes no "path" | {"path":["status"],"operator":"And","operands":[{"path":["status"],"operator":"Equal","valueText":"draft"}]}
            "valueInt": 18 | {"path":["year"],"operator":"GreaterThan","valueText":"18"}
            "valueText" | {"path":["status"],"operator":"Equal","valueInt":1}
            unknown operator "Equals" | {"path":["status"],"operator":"Equals","valueText":"x"}
            needs an operator | {}
            needs operands | {"operator":"And"}
            needs operands | {"operator":"Or","operands":[]}
            takes no "valueText" | {"operator":"And","valueText":"x","operands":[{"path":["status"],"operator":"Equal","valueText":"draft"}]}
            exactly one operand | {"operator":"Not","operands":[{"path":["status"],"operator":"Equal","valueText":"a"},{"path":["status"],"operator":"Equal","valueText":"b"}]}
            several values | {"path":["status"],"operator":"Equal","valueText":"draft","valueInt":3}
            has no value | {"path":["status"],"operator":"Equal"}
            needs a path | {"operator":"Equal","valueText":"draft"}
            has no property "nope" | {"path":["nope"],"operator":"Equal","valueText":"x"}
            full date | {"path":["publishDate"],"operator":"LessThan","valueDate":"2021-01-01"}
            must be a whole number | {"path":["year"],"operator":"Equal","valueInt":2020.5}
            must be a text | {"path":["status"],"operator":"Equal","valueText":7}
            takes a list | {"path":["tags"],"operator":"ContainsAny","valueText":"draft"}
            takes one value | {"path":["status"],"operator":"Equal","valueText":["a"]}
            indexNullState | {"path":["status"],"operator":"IsNull","valueBoolean":true}
            unknown key | {"path":["status"],"operator":"Equal","valueText":"x","vlaue":1}
            takes no operands | {"path":["status"],"operator":"Equal","valueText":"x","operands":[]}
            is not a name | {"path":["status\\"}"],"operator":"Equal","valueText":"x"}
            surrogate | {"path":["status"],"operator":"Equal","valueText":"\\ud83d"}
            """)
    void mistakeIsAnsweredWithTheRightForm(String part, String where) {
        engine.stub().ifPresent(StubWeaviate::forget);
        fails(
                "INVALID_ARGUMENT",
                DELETE,
                "{\"collection_name\":\"%DeleteArticle%\",\"dry_run\":false,\"where\":" + where + "}",
                part);
        engine.stub()
                .ifPresent(stub -> assertTrue(
                        stub.seen().stream().noneMatch(seen -> seen.method().equals("DELETE")), "sent all the same"));
    }

    @Test
    void filtersAreBounded() {
        String deep = "{\"path\":[\"status\"],\"operator\":\"Equal\",\"valueText\":\"x\"}";
        for (int i = 0; i < 30; i++) {
            deep = "{\"operator\":\"Not\",\"operands\":[" + deep + "]}";
        }
        fails(
                "INVALID_ARGUMENT",
                DELETE,
                "{\"collection_name\":\"%DeleteArticle%\",\"where\":" + deep + "}",
                "levels deep");
    }

    @Test
    void filterCanNotReachAnotherTeamsCollection() {
        asTeam(List.of("%DeleteArticle%"), Map.of());
        fails("DENIED", DELETE, """
                {"collection_name":"%DeleteArticle%","where":{"path":["by","Author","name"],"operator":"Equal","valueText":"x"}}
                """);
    }
}
