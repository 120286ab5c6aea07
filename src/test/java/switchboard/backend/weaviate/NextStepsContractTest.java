package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers and refusals say how to go on. */
class NextStepsContractTest extends Suite {
    private static final int LARGE = 12;

    @Override
    void fixtures() {
        engine.stub().ifPresent(stub -> stub.searches().rankAnything());
        engine.articlesToGet();
        engine.articlesWithVectors();
        engine.collection("Large", TestEngine.properties("title:text", "text:text"));
        String megabyte = "0123456789abcdef".repeat(1 << 16);
        for (int i = 1; i <= LARGE; i++) {
            engine.put(
                    "Large",
                    "[{\"id\":\"" + TestEngine.id(6, i) + "\",\"properties\":{\"title\":\"t\",\"text\":\"" + megabyte
                            + "\"}}]");
        }
    }

    @Test
    void listWithoutACursorLeadsToEveryObject() {
        List<String> ids = new ArrayList<>();
        String more = "";
        do {
            JsonNode page =
                    ok("weaviate-objects-get", "{\"collection_name\":\"%GetArticle%\",\"limit\":15" + more + "}");
            ids.addAll(each(page.path("objects"), "id"));
            more = page.has("next") ? ",\"after\":\"" + page.path("next").asText() + "\"" : "";
        } while (!more.isEmpty());
        assertEquals(35, ids.size());
        assertEquals(35, ids.stream().distinct().count());
    }

    @Test
    void listWithAnOffsetSaysTheNext() {
        String list = "{\"collection_name\":\"%GetArticle%\",\"limit\":15,\"offset\":";
        assertEquals(
                20, ok("weaviate-objects-get", list + "5}").path("next_offset").asInt());
        assertFalse(ok("weaviate-objects-get", list + "30}").has("next_offset"));
    }

    @Test
    void pageThatIsTooLargeGivesWhatFitsAndTheRestAfterwards() {
        List<String> ids = new ArrayList<>();
        String more = "";
        int pages = 0;
        do {
            JsonNode page = ok("weaviate-objects-get", "{\"collection_name\":\"%Large%\",\"limit\":100" + more + "}");
            assertTrue(page.path("objects").size() > 1, "more than one fits");
            ids.addAll(each(page.path("objects"), "id"));
            more = page.has("next") ? ",\"after\":\"" + page.path("next").asText() + "\"" : "";
            pages++;
        } while (!more.isEmpty());
        assertTrue(pages > 1, "not all at once");
        assertEquals(LARGE, ids.size());
        assertEquals(LARGE, ids.stream().distinct().count());
    }

    @Test
    void uuidsThatDoNotFitAreSaid() {
        List<String> all = IntStream.rangeClosed(1, LARGE)
                .mapToObj(i -> TestEngine.id(6, i))
                .toList();
        JsonNode answer = ok(
                "weaviate-objects-get",
                "{\"collection_name\":\"%Large%\",\"uuids\":["
                        + all.stream().map(id -> '"' + id + '"').collect(Collectors.joining(",")) + "]}");
        List<String> said = new ArrayList<>(each(answer.path("objects"), "id"));
        assertTrue(said.size() > 1 && said.size() < LARGE, () -> said.size() + " objects");
        said.addAll(each(answer.path("remaining")));
        assertEquals(all, said);
    }

    @Test
    void misspeltCollectionIsGuessedInEveryTool() {
        String near = "Did you mean \"%GetArticle%\"?";
        String name = "{\"collection_name\":\"%GetArticel%\"";
        fails("NOT_FOUND", "weaviate-objects-get", name + "}", near);
        fails("NOT_FOUND", "weaviate-query-hybrid", name + ",\"query\":\"x\"}", near);
        fails("NOT_FOUND", "weaviate-collections-get-config", name + "}", near);
        fails("NOT_FOUND", "weaviate-tenants-list", name + "}", near);
        fails("NOT_FOUND", "weaviate-objects-delete", name + "}", near);
    }

    @Test
    void collectionOutOfReachIsNotGuessed() {
        asTeam(List.of("%GetArticel%", "Other*"), Map.of());
        assertFalse(fails("NOT_FOUND", "weaviate-objects-get", "{\"collection_name\":\"%GetArticel%\"}")
                .toString()
                .contains("Did you mean"));
    }

    @Test
    void numberThatIsNoIntegerIsAnsweredWithOneThatIs() {
        String where =
                "{\"collection_name\":\"%GetArticle%\",\"where\":{\"path\":[\"year\"],\"operator\":\"GreaterThan\",";
        fails("INVALID_ARGUMENT", "weaviate-objects-delete", where + "\"valueNumber\":2020.5}}", "\"valueInt\": 2020.");
        fails("INVALID_ARGUMENT", "weaviate-objects-delete", where + "\"valueInt\":2020.5}}", "the one below is 2020.");
        fails("INVALID_ARGUMENT", "weaviate-objects-delete", where + "\"valueInt\":-2.5}}", "the one below is -3.");
        fails(
                "INVALID_ARGUMENT",
                "weaviate-objects-delete",
                where + "\"valueInt\":9223372036854775808}}",
                "from -9223372036854775808 to 9223372036854775807");
        ok("weaviate-objects-delete", where + "\"valueInt\":9007199254740993}}");
        ok("weaviate-objects-delete", where + "\"valueInt\":9223372036854775807}}");
    }

    @Test
    void queryVectorDecidesTheOrder() {
        String search =
                "{\"collection_name\":\"%VecArticle%\",\"query\":\"learning\",\"alpha\":1,\"limit\":1,\"query_vector\":";
        for (Map.Entry<String, String> wanted : Map.of(
                        "[1,0,0]", "Machine Learning Basics",
                        "[0,1,0]", "Python Programming",
                        "[0.2,0.2,0.9]", "Data Science Guide")
                .entrySet()) {
            assertEquals(
                    List.of(wanted.getValue()),
                    each(
                            ok("weaviate-query-hybrid", search + wanted.getKey() + "}")
                                    .path("results"),
                            "properties",
                            "title"));
        }
        fails("INVALID_ARGUMENT", "weaviate-query-hybrid", search + "[]}");
        fails("INVALID_ARGUMENT", "weaviate-query-hybrid", search + "[1e39]}");
    }

    @Test
    void queryVectorThatIsNotUsedIsSaid() {
        JsonNode answer = ok(
                "weaviate-query-hybrid",
                "{\"collection_name\":\"%VecArticle%\",\"query\":\"learning\",\"alpha\":0,\"query_vector\":[1,0,0]}");
        assertTrue(answer.path("notes").toString().contains("query_vector was not used"), answer::toString);
    }
}
