package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weaviate-query-hybrid}. */
class HybridContractTest extends Suite {
    private static final String HYBRID = "weaviate-query-hybrid";
    private static final String ALL = "learning guide networks python";

    @Override
    void fixtures() {
        engine.articles();
        engine.articlesWithVectors();
        engine.articlesWithTwoVectors();
        engine.articlesOfTenants();
        engine.mixed();
    }

    private JsonNode hybrid(String query, String more) {
        return ok(
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"" + query + "\",\"alpha\":0"
                        + (more.isEmpty() ? "" : "," + more) + "}");
    }

    private static List<String> titles(JsonNode answer) {
        return each(answer.path("results"), "properties", "title");
    }

    @Test
    void keywordSearchFindsExactlyTheWord() {
        JsonNode answer = hybrid("learning", "");
        assertEquals(List.of("Deep Learning Advanced", "Machine Learning Basics"), titles(answer));
        JsonNode first = answer.path("results").path(0);
        assertEquals(engine.name("TestArticle"), first.path("class").asText());
        assertEquals(TestEngine.id(0, 2), first.path("id").asText());
        assertTrue(first.path("additional").path("score").isNumber());
        assertEquals(1.0, first.path("additional").path("score").asDouble(), 1e-6);
        assertEquals(
                0.0,
                answer.path("results").path(1).path("additional").path("score").asDouble(),
                1e-6);
        assertEquals(0, answer.path("alpha").asDouble());
        assertEquals("relativeScoreFusion", answer.path("fusion").asText());
    }

    @Test
    void fusionCanBeChosen() {
        JsonNode answer = hybrid("learning", "\"fusion\":\"rankedFusion\"");
        assertEquals("rankedFusion", answer.path("fusion").asText());
        assertEquals(
                1 / 60.0,
                answer.path("results").path(0).path("additional").path("score").asDouble(),
                1e-6);
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"fusion\":\"best\"}",
                "fusion");
    }

    @Test
    void aFilterOfStopWordsOnlyIsTheCallersMistake() {
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"learning\",\"alpha\":0,\"filters\":"
                        + "{\"path\":[\"title\"],\"operator\":\"Equal\",\"valueText\":\"the\"}}",
                "only stopwords provided",
                "filter by another word");
    }

    @Test
    void limitAndOffsetCutTheList() {
        assertEquals(List.of("Deep Learning Advanced"), titles(hybrid("learning", "\"limit\":1")));
        assertEquals(List.of("Machine Learning Basics"), titles(hybrid("learning", "\"limit\":1,\"offset\":1")));
        assertEquals(List.of(), titles(hybrid("learning", "\"limit\":0")));
        assertEquals(List.of(), titles(hybrid("learning", "\"offset\":5")));
    }

    @Test
    void queryIsTextWhateverItHolds() {
        assertEquals(2, titles(hybrid("learning\\\" }) { x \\\\ \\n", "")).size());
        assertEquals(List.of(), titles(hybrid("zzzqqq", "")));
        assertEquals(List.of(), titles(hybrid("", "")));
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"\\ud83d\",\"alpha\":0}",
                "surrogate");
    }

    @Test
    void keywordsCanBeKeptToProperties() {
        assertEquals(List.of("Python Programming"), titles(hybrid("Python", "\"target_properties\":[\"title\"]")));
        assertTrue(titles(hybrid("guide networks", "\"target_properties\":[\"title^3\",\"contents\"]"))
                        .size()
                >= 2);
        for (String wrong : List.of("nope", "year", "title\\\"}", "title^x")) {
            fails(
                    "INVALID_ARGUMENT",
                    HYBRID,
                    "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"alpha\":0,\"target_properties\":[\""
                            + wrong + "\"]}",
                    "target_properties",
                    "title");
        }
    }

    @Test
    void propertiesAndMetadataAreChosen() {
        JsonNode answer = hybrid(
                "learning",
                "\"return_properties\":[\"title\",\"year\"],\"return_metadata\":[\"id\",\"EXPLAINSCORE\",\"score\",\"creationTimeUnix\",\"vector\",\"distance\"]");
        JsonNode first = answer.path("results").path(0);
        Set<String> names = new TreeSet<>();
        first.path("properties").fieldNames().forEachRemaining(names::add);
        assertEquals(Set.of("title", "year"), names);
        assertTrue(first.path("additional").path("explainScore").asText().contains("bm25"));
        assertTrue(first.path("additional").path("creationTimeUnix").isIntegralNumber());
        assertFalse(first.path("additional").has("vector"));
        assertFalse(first.path("additional").has("distance"));
        assertTrue(answer.path("notes").path(0).asText().contains("distance"));
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"alpha\":0,\"return_properties\":[\"nope\"]}",
                "has no property \"nope\"");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"alpha\":0,\"return_metadata\":[\"id}}}\"]}",
                "return_metadata");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4 | {"operator":"Equal","path":["status"],"valueText":"published"}
            4 | {"operator":"GreaterThanEqual","path":["year"],"valueInt":2020}
            4 | {"operator":"GreaterThanEqual","path":["year"],"valueNumber":2020}
            3 | {"operator":"GreaterThanEqual","path":["publishDate"],"valueDate":"2021-01-01T00:00:00Z"}
            3 | {"operator":"Or","operands":[{"operator":"Equal","path":["author"],"valueText":"John Doe"},{"operator":"Equal","path":["author"],"valueText":"Jane Smith"}]}
            4 | {"operator":"And","operands":[{"operator":"Equal","path":["status"],"valueText":"published"},{"operator":"GreaterThanEqual","path":["year"],"valueInt":2020}]}
            1 | {"operator":"Not","operands":[{"operator":"Equal","path":["status"],"valueText":"published"}]}
            1 | {"operator":"ContainsAny","path":["status"],"valueTextArray":["draft","archived"]}
            1 | {"operator":"ContainsAny","path":["status"],"valueText":["draft","archived"]}
            0 | {"operator":"Equal","path":["status"],"valueText":"nothing"}
            """)
    void filterNarrows(int hits, String filter) {
        assertEquals(hits, hybrid(ALL, "\"filters\":" + filter).path("results").size());
    }

    @Test
    void filterMistakesAreExplained() {
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"filters\":{\"path\":\"status\",\"operator\":\"Equal\",\"valueText\":\"x\"}}",
                "filters",
                "\"path\": [\"status\"]");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\",\"filters\":{\"path\":[\"year\"],\"operator\":\"GreaterThan\",\"value\":100}}",
                "\"valueInt\": 100");
    }

    @Test
    void collectionWithoutVectorizerIsSearchedByKeywordAndSaysSo() {
        JsonNode answer = ok(HYBRID, "{\"collection_name\":\"%TestArticle%\",\"query\":\"learning\"}");
        assertEquals(2, answer.path("results").size());
        assertEquals(0, answer.path("alpha").asDouble());
        assertTrue(answer.path("notes").path(0).asText().contains("no vectorizer"));
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"query\":\"learning\",\"alpha\":0.5}",
                "no vectorizer",
                "vector");
    }

    @Test
    void severalNamedVectorsNeedATarget() {
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TwoVec%\",\"query\":\"learning\",\"alpha\":0}",
                "body_vec, title_vec");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TwoVec%\",\"query\":\"learning\",\"alpha\":0,\"target_vectors\":[\"nope\"]}",
                "no named vector \"nope\"");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%VecArticle%\",\"query\":\"learning\",\"alpha\":0,\"target_vectors\":[\"x\"]}",
                "leave target_vectors out");
    }

    @Test
    void tenantsAreKeptApart() {
        String query = ",\"query\":\"learning guide\",\"alpha\":0";
        assertEquals(
                List.of("Deep Learning Advanced", "Machine Learning Basics"),
                titles(ok(HYBRID, "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"" + query + "}")));
        asTeam(List.of("*"), Map.of("tenant", "tenant-b"));
        assertEquals(
                List.of("Data Science Guide"),
                titles(ok(HYBRID, "{\"collection_name\":\"%MtArticle%\"" + query + "}")));
        fails(
                "DENIED",
                HYBRID,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-a\"" + query + "}",
                "bound");
        fails("DENIED", HYBRID, "{\"collection_name\":\"%TestArticle%\"" + query + "}", "no tenants");
    }

    @Test
    void tenantMistakesAreExplained() {
        String query = ",\"query\":\"learning\",\"alpha\":0}";
        fails("INVALID_ARGUMENT", HYBRID, "{\"collection_name\":\"%MtArticle%\"" + query, "say tenant_name");
        fails(
                "INVALID_ARGUMENT",
                HYBRID,
                "{\"collection_name\":\"%TestArticle%\",\"tenant_name\":\"tenant-a\"" + query,
                "leave tenant_name out");
        fails(
                "NOT_FOUND",
                HYBRID,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"nope\"" + query,
                "tenant not found");
        fails(
                "CONFLICT",
                HYBRID,
                "{\"collection_name\":\"%MtArticle%\",\"tenant_name\":\"tenant-cold\"" + query,
                "not active");
    }

    @Test
    void unknownCollectionIsNotFoundAndTheFirstLetterDoesNotMatter() {
        fails(
                "NOT_FOUND",
                HYBRID,
                "{\"collection_name\":\"%NoSuchClass%\",\"query\":\"x\",\"alpha\":0}",
                "collection \"%NoSuchClass%\" not found");
        String lower = WeaviateIdentifiers.uncapitalised(engine.name("TestArticle"));
        assertEquals(
                2,
                titles(ok(HYBRID, "{\"collection_name\":\"" + lower + "\",\"query\":\"learning\",\"alpha\":0}"))
                        .size());
    }

    @Test
    void boundsAreKept() {
        for (String wrong : List.of(
                "\"alpha\":1.5",
                "\"alpha\":-0.1",
                "\"limit\":-1",
                "\"limit\":10001",
                "\"offset\":-1",
                "\"limit\":10000,\"offset\":1",
                "\"alpha\":\"0\"")) {
            fails("INVALID_ARGUMENT", HYBRID, "{\"collection_name\":\"%TestArticle%\",\"query\":\"x\"," + wrong + "}");
        }
        fails("INVALID_ARGUMENT", HYBRID, "{\"collection_name\":\"%TestArticle%\"}", "query");
    }

    @Test
    void everyKindOfPropertyIsReturned() {
        String call = "{\"collection_name\":\"%Mixed%\",\"query\":\"mixed\",\"alpha\":0";
        JsonNode ordinary = ok(HYBRID, call + "}").path("results").path(0).path("properties");
        assertEquals("v", ordinary.path("meta").path("k").asText());
        assertEquals(13.4, ordinary.path("place").path("longitude").asDouble());
        assertEquals("020 1234567", ordinary.path("phone").path("input").asText());
        assertEquals(
                "020 123 4567", ordinary.path("phone").path("nationalFormatted").asText());
        assertEquals(List.of("a", "b"), each(ordinary.path("tags")));
        assertFalse(ordinary.has("raw"));
        assertFalse(ordinary.has("by"));
        JsonNode named = ok(HYBRID, call + ",\"return_properties\":[\"raw\",\"by\"]}")
                .path("results")
                .path(0)
                .path("properties");
        assertEquals("aGVsbG8=", named.path("raw").asText());
        assertEquals("Ada", named.path("by").path(0).path("name").asText());
        assertEquals(TestEngine.id(5, 1), named.path("by").path(0).path("id").asText());
    }

    @Test
    void referenceOutOfReachIsLeftOut() {
        asTeam(List.of("%Mixed%"), Map.of());
        JsonNode result = ok(
                        HYBRID,
                        "{\"collection_name\":\"%Mixed%\",\"query\":\"mixed\",\"alpha\":0,\"return_properties\":[\"title\",\"by\"]}")
                .path("results")
                .path(0);
        assertEquals("mixed bag", result.path("properties").path("title").asText());
        assertFalse(result.path("properties").has("by"));
    }
}
