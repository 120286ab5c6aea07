package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.concurrent.TeamShare;

/** One search of many libraries, whose segments several threads read: what is found must not depend on that. */
@ExtendWith(VertxExtension.class)
class ManyLibrariesTest {
    private static final int LIBRARIES = 60;
    private static final int DOCUMENTS = 12;
    private static final int DIMENSION = 8;
    private static final DocumentAccess MEMBER = new DocumentAccess.ForReaders(Set.of("group:3"));

    private final Random random = new Random(5);
    private final Map<String, float[]> vectors = new TreeMap<>();
    private final Set<String> hidden = new TreeSet<>();

    @TempDir
    Path folder;

    private static StoreFixture fixture(Vertx vertx, Path folder, int threads) {
        return new StoreFixture(
                vertx, new StoreSettings(folder, "test", 1000, Duration.ofHours(1), threads, 1000, TeamShare.ALL));
    }

    private static List<Namespace> libraries() {
        return IntStream.range(0, LIBRARIES)
                .mapToObj(i -> Namespace.of("library " + i))
                .toList();
    }

    /** Texts of one length over few words, so that most scores come again and again. */
    private String text() {
        return random.ints(4, 0, 7).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
    }

    private float[] vector() {
        return StoreFixture.unit(random, DIMENSION);
    }

    private NewDocument document(String source, int chunks) {
        AllowedReaders readers = random.nextInt(3) == 0 ? AllowedReaders.anyOf(List.of("group:1")) : AllowedReaders.ALL;
        List<Chunk> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < chunks; i++) {
            int from = text.length();
            text.append(text()).append(' ');
            float[] vector = vector();
            vectors.put(source + "#" + i, vector);
            if (!readers.equals(AllowedReaders.ALL)) {
                hidden.add(source + "#" + i);
            }
            parts.add(Chunk.of(from, text.length()).withVector(vector));
        }
        return new NewDocument(
                new DocumentDetails(source, source, "md", null, "h", Json.object(), readers),
                text.toString(),
                "m",
                parts);
    }

    private void fill(StoreFixture fixture, int chunks) {
        List<Future<PutResult>> puts = new ArrayList<>();
        for (Namespace library : libraries()) {
            for (int i = 0; i < DOCUMENTS; i++) {
                puts.add(fixture.store().put(library, document(library.name() + "/" + i, chunks)));
            }
        }
        StoreFixture.await(Future.all(puts));
    }

    private SearchRequest request(String query, int most, Fusion fusion) {
        return new SearchRequest(
                query,
                Optional.of(new SearchRequest.QueryVector("m", vector())),
                libraries(),
                new Filter.All(),
                most,
                fusion);
    }

    private static List<String> found(DocumentStore store, SearchRequest request) {
        return StoreFixture.await(store.search(request)).hits().stream()
                .map(hit -> hit.chunk().document().source() + "#" + hit.chunk().index() + " " + hit.score())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void oneThreadAndSeveralFindTheSame(int threads, Vertx vertx) {
        List<SearchRequest> requests = new ArrayList<>();
        for (int most : new int[] {1, 10, 100, 700}) {
            requests.add(request(text(), most, new Fusion.KeywordOnly()));
            requests.add(request("word" + random.nextInt(7), most, new Fusion.KeywordOnly()));
            requests.add(request(text(), most, Fusion.standard()));
            requests.add(request("", most, new Fusion.VectorOnly()));
        }
        List<List<String>> alone = new ArrayList<>();
        try (StoreFixture fixture = fixture(vertx, folder, 1)) {
            fill(fixture, 1);
            requests.forEach(request -> alone.add(found(fixture.store(), request)));
            requests.forEach(request -> alone.add(found(fixture.store().seenBy(MEMBER), request)));
        }
        List<List<String>> together = new ArrayList<>();
        try (StoreFixture fixture = fixture(vertx, folder, threads)) {
            requests.forEach(request -> together.add(found(fixture.store(), request)));
            requests.forEach(request -> together.add(found(fixture.store().seenBy(MEMBER), request)));
        }
        assertTrue(alone.stream().allMatch(hits -> !hits.isEmpty()));
        assertEquals(alone, together);
    }

    /** More vectors than are all compared, each library with few: none of the nearest is missed. */
    @Test
    void theNearestOfManySmallLibrariesAreExact(Vertx vertx) {
        try (StoreFixture fixture = fixture(vertx, folder, 2)) {
            fill(fixture, 24);
            assertTrue(vectors.size() - hidden.size() > 10_000);
            for (int query = 0; query < 10; query++) {
                SearchRequest request = request(vector(), 100);
                assertNearest(request, Set.of(), chunks(fixture.store(), request));
                assertNearest(request, hidden, chunks(fixture.store().seenBy(MEMBER), request));
            }
        }
    }

    /** A graph's scores, of rounded vectors, and those of small libraries are on one scale. */
    @Test
    void theNearestOfLargeAndSmallLibrariesAreFoundTogether(Vertx vertx) {
        try (StoreFixture fixture = fixture(vertx, folder, 2)) {
            fill(fixture, 8);
            fixture.put(libraries().getFirst(), document("large", 6000));
            fixture.put(Namespace.of("single"), document("single", 1));
            assertTrue(vectors.size() > 10_000);
            for (int query = 0; query < 10; query++) {
                SearchRequest request = request(query == 0 ? vectors.get("single#0") : vector(), 50);
                List<String> found = chunks(fixture.store(), request);
                assertTrue(found.stream().anyMatch(chunk -> chunk.startsWith("large")));
                assertTrue(found.stream().anyMatch(chunk -> !chunk.startsWith("large")));
                assertTrue(query > 0 || found.contains("single#0"));
                assertNearest(request, Set.of(), found);
            }
        }
    }

    private static SearchRequest request(float[] asked, int most) {
        List<Namespace> all = new ArrayList<>(libraries());
        all.add(Namespace.of("single"));
        return new SearchRequest(
                "",
                Optional.of(new SearchRequest.QueryVector("m", asked)),
                all,
                new Filter.All(),
                most,
                new Fusion.VectorOnly());
    }

    /** Cosines that differ by less than rounding may come in another order. */
    private void assertNearest(SearchRequest request, Set<String> without, List<String> found) {
        float[] asked = request.vectors().getFirst().values();
        double[] cosines = vectors.entrySet().stream()
                .filter(one -> !without.contains(one.getKey()))
                .mapToDouble(one -> -StoreFixture.dot(asked, one.getValue()))
                .sorted()
                .limit(request.topK())
                .map(cosine -> -cosine)
                .toArray();
        assertEquals(cosines.length, Set.copyOf(found).size());
        for (int i = 0; i < cosines.length; i++) {
            assertEquals(
                    cosines[i],
                    StoreFixture.dot(asked, vectors.getOrDefault(found.get(i), new float[DIMENSION])),
                    1e-6);
            assertFalse(without.contains(found.get(i)));
        }
    }

    private static List<String> chunks(DocumentStore store, SearchRequest request) {
        return found(store, request).stream()
                .map(hit -> hit.substring(0, hit.lastIndexOf(' ')))
                .toList();
    }
}
