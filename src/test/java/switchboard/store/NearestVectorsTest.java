package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;

/** The nearest vectors against brute force, where they lie in clusters as those of texts do. */
@ExtendWith(VertxExtension.class)
class NearestVectorsTest {
    private static final int DIMENSION = 32;
    private static final int CLUSTERS = 60;
    private static final double SPREAD = 0.12;
    private static final int MOST = 100;

    private final Random random = new Random(11);
    private final float[][] centres = IntStream.range(0, CLUSTERS)
            .mapToObj(i -> near(new float[DIMENSION], 1))
            .toArray(float[][]::new);

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
    void upToTheBoundTheNearestAreExactAtEveryK() {
        float[][] vectors = stored(3000);
        for (int query = 0; query < 3; query++) {
            float[] asked = clustered();
            List<Integer> exact = exact(vectors, asked);
            for (int k = 1; k <= MOST; k++) {
                assertEquals(exact.subList(0, k), found(asked, k), "k " + k);
            }
        }
    }

    @Test
    void beyondTheBoundTheGraphMissesLessThanOneInAHundredAtEveryK() {
        float[][] vectors = stored(12_000);
        int[] hits = new int[MOST + 1];
        int queries = 10;
        for (int query = 0; query < queries; query++) {
            float[] asked = clustered();
            List<Integer> exact = exact(vectors, asked);
            for (int k = 1; k <= MOST; k++) {
                List<Integer> nearest = exact.subList(0, k);
                hits[k] +=
                        (int) found(asked, k).stream().filter(nearest::contains).count();
            }
        }
        for (int k = 1; k <= MOST; k++) {
            double recall = (double) hits[k] / (k * queries);
            int depth = k;
            assertTrue(recall >= 0.99, () -> "recall@" + depth + " is " + recall);
        }
    }

    /** Chunks with vectors, all in one document: what matters here is how many there are. */
    private float[][] stored(int count) {
        float[][] vectors = IntStream.range(0, count).mapToObj(i -> clustered()).toArray(float[][]::new);
        List<Chunk> chunks = IntStream.range(0, count)
                .mapToObj(i -> Chunk.of(0, 1).withVector(vectors[i]))
                .toList();
        fixture.put(
                BOOKS, new NewDocument(new DocumentDetails("s", "", "md", null, "h", Json.object()), "x", "m", chunks));
        return vectors;
    }

    private List<Integer> found(float[] query, int k) {
        return fixture
                .search(new SearchRequest(
                        "",
                        Optional.of(new SearchRequest.QueryVector("m", query)),
                        List.of(BOOKS),
                        new Filter.All(),
                        k,
                        new Fusion.VectorOnly()))
                .hits()
                .stream()
                .map(hit -> hit.chunk().index())
                .toList();
    }

    private static List<Integer> exact(float[][] vectors, float[] query) {
        double[] cosines = new double[vectors.length];
        for (int i = 0; i < vectors.length; i++) {
            for (int j = 0; j < DIMENSION; j++) {
                cosines[i] += (double) vectors[i][j] * query[j];
            }
        }
        return IntStream.range(0, vectors.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -cosines[i]))
                .limit(MOST)
                .toList();
    }

    private float[] clustered() {
        return near(centres[random.nextInt(CLUSTERS)], SPREAD);
    }

    /** A direction around another one. */
    private float[] near(float[] centre, double spread) {
        float[] vector = new float[DIMENSION];
        double square = 0;
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] = (float) (centre[i] + spread * random.nextGaussian());
            square += (double) vector[i] * vector[i];
        }
        for (int i = 0; i < DIMENSION; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }
}
