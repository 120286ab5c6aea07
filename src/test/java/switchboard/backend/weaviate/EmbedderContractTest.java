package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;

/** An embedder of the gateway supplies the vectors that a collection without vectorizer lacks. */
class EmbedderContractTest extends Suite {
    /** What the recordings search with. */
    private static final float[] RECORDED = {1, 0.2f, 0};

    private static final String HYBRID = "weaviate-query-hybrid";
    private final CalculatedEmbedder embedder = CalculatedEmbedder.constant(RECORDED);

    @Override
    void fixtures() {
        engine.articles();
        engine.articlesWithVectors();
        engine.articlesWithTwoVectors();
    }

    @Override
    BackendHarness open() {
        return engine.gateway(embedder);
    }

    private static List<String> titles(JsonNode answer) {
        return each(answer.path("results"), "properties", "title");
    }

    @Test
    void queryGetsAVector() {
        JsonNode answer = ok(HYBRID, "{\"collection_name\":\"%VecArticle%\",\"query\":\"learning\"}");
        assertEquals(0.5, answer.path("alpha").asDouble());
        assertFalse(answer.has("notes"));
        assertEquals(5, answer.path("results").size());
        assertEquals("Deep Learning Advanced", titles(answer).getFirst());
        assertEquals(
                1.0,
                answer.path("results").path(0).path("additional").path("score").asDouble(),
                1e-6);
        assertTrue(embedder.texts().contains("learning"));
    }

    @Test
    void keywordSearchEmbedsNothing() {
        int before = embedder.texts().size();
        ok(HYBRID, "{\"collection_name\":\"%TestArticle%\",\"query\":\"learning\",\"alpha\":0}");
        assertEquals(before, embedder.texts().size());
    }

    @Test
    void theTwoFusionsOrderDifferently() {
        String call = "{\"collection_name\":\"%VecArticle%\",\"query\":\"networks\",\"alpha\":0.5,\"fusion\":\"";
        JsonNode ranked = ok(HYBRID, call + "rankedFusion\"}");
        JsonNode relative = ok(HYBRID, call + "relativeScoreFusion\"}");
        assertEquals(
                List.of("Deep Learning Advanced", "Neural Networks Explained"),
                titles(ranked).subList(0, 2));
        assertEquals(
                List.of("Neural Networks Explained", "Deep Learning Advanced"),
                titles(relative).subList(0, 2));
    }

    @Test
    void namedVectorIsSearchedAndReturned() {
        JsonNode one = ok(
                HYBRID,
                "{\"collection_name\":\"%TwoVec%\",\"query\":\"learning\",\"alpha\":0.5,\"target_vectors\":[\"body_vec\"],"
                        + "\"return_metadata\":[\"vector\",\"score\"]}");
        assertEquals("Deep Learning Advanced", titles(one).getFirst());
        assertEquals(
                3,
                one.path("results")
                        .path(0)
                        .path("additional")
                        .path("vectors")
                        .path("body_vec")
                        .size());
        JsonNode both = ok(
                HYBRID,
                "{\"collection_name\":\"%TwoVec%\",\"query\":\"learning\",\"alpha\":0.5,\"target_vectors\":[\"title_vec\",\"body_vec\"]}");
        assertEquals(5, both.path("results").size());
    }

    @Test
    void objectsGetVectorsOfTheirTexts() {
        engine.collection("Embedded", TestEngine.properties("title:text", "body:text", "year:int"));
        String id = TestEngine.id(4, 1);
        ok(
                "weaviate-objects-upsert",
                "{\"collection_name\":\"%Embedded%\",\"objects\":[{\"uuid\":\"" + id
                        + "\",\"properties\":{\"title\":\"the title\",\"body\":\"the body\",\"year\":2020}}]}");
        assertTrue(embedder.texts().contains("the body\nthe title"), () -> embedder.texts()
                .toString());
        JsonNode stored = ok(
                "weaviate-objects-get",
                "{\"collection_name\":\"%Embedded%\",\"include_vector\":true,\"uuids\":[\"" + id + "\"]}");
        assertEquals(3, stored.path("objects").path(0).path("vector").size());
    }

    @Test
    void givenVectorsAreLeftAlone() {
        engine.collection("Own", TestEngine.properties("title:text"));
        String id = TestEngine.id(4, 2);
        ok(
                "weaviate-objects-upsert",
                "{\"collection_name\":\"%Own%\",\"objects\":[{\"uuid\":\"" + id
                        + "\",\"properties\":{\"title\":\"own\"},\"vectors\":{\"default\":[0.5,0.5,0.5,0.5]}}]}");
        assertFalse(embedder.texts().contains("own"));
    }
}
