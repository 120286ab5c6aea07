package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.vectorDoc;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;

@ExtendWith(VertxExtension.class)
class NeighbourChunksTest {
    @TempDir
    Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open(Vertx vertx) {
        fixture = new StoreFixture(vertx, folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void theChunksAroundAChunkCountForIt() {
        Map<String, Double> scores = scores("one() two(); three();");
        // The first and the last have one neighbour, at a right angle to the query; the middle one has both of them.
        assertEquals(0.8, scores.get("a0"), 1e-6);
        assertEquals(0.2, scores.get("a1"), 1e-6);
        assertEquals(0.8, scores.get("a2"), 1e-6);
        assertEquals(0, scores.get("b0"), 1e-6);
    }

    @Test
    void inProseEachChunkCountsForItself() {
        Map<String, Double> scores = scores("one, and two, and three.");
        assertEquals(1, scores.get("a0"), 1e-6);
        assertEquals(0, scores.get("a1"), 1e-6);
        assertEquals(1, scores.get("a2"), 1e-6);
        assertEquals(0, scores.get("b0"), 1e-6);
    }

    /** The scores of the three chunks of {@code text}, whose middle one is at a right angle to the query, and of another document. */
    private Map<String, Double> scores(String text) {
        float[][] directions = {{1, 0}, {0, 1}, {1, 0}};
        List<Chunk> chunks = List.of(
                Chunk.of(0, 5).withVector(directions[0]),
                Chunk.of(6, 12).withVector(directions[1]),
                Chunk.of(13, text.length()).withVector(directions[2]));
        fixture.put(
                BOOKS,
                new NewDocument(new DocumentDetails("a", "", "md", null, "h", Json.object()), text, "m", chunks));
        fixture.put(BOOKS, vectorDoc("b", "alone", 0, 1));
        SearchResult result = fixture.search(new SearchRequest(
                "nothing",
                Optional.of(new SearchRequest.QueryVector("m", new float[] {1, 0})),
                List.of(BOOKS),
                new Filter.All(),
                10,
                new Fusion.WeightedSum(1, 0, 0, 0, 0.2, 0)));
        Map<String, Double> scores = new HashMap<>();
        result.hits()
                .forEach(hit ->
                        scores.put(hit.chunk().document().source() + hit.chunk().index(), hit.score()));
        return scores;
    }
}
