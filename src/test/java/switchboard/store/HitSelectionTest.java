package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.doc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.Json;

/** Limits of the hits of one document, and texts that several documents have. */
@ExtendWith(VertxExtension.class)
class HitSelectionTest {
    private static final Namespace ARCHIVE = Namespace.of("archive");
    private static final Fusion KEYWORD = new Fusion.KeywordOnly();

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

    static List<Fusion> fusions() {
        return List.of(KEYWORD, new Fusion.VectorOnly(), Fusion.standard(), Fusion.byRank());
    }

    private List<Hit> search(String query, Fusion fusion, SearchRequest.HitLimits limits) {
        return fixture.search(new SearchRequest(
                        query,
                        List.of(new SearchRequest.QueryVector("m", new float[] {1, 0})),
                        List.of(BOOKS, ARCHIVE),
                        new Filter.All(),
                        limits,
                        fusion))
                .hits();
    }

    private static List<String> sources(List<Hit> hits) {
        return hits.stream().map(hit -> hit.chunk().document().source()).toList();
    }

    private static List<String> copies(Hit hit) {
        return hit.copies().stream().map(StoredDocument::source).toList();
    }

    /** A document whose chunks are lines of their own, each with a vector at {@code cosine} to the query's. */
    private static NewDocument lines(String source, double cosine, List<String> lines) {
        StringBuilder text = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        float[] vector = {(float) cosine, (float) Math.sqrt(1 - cosine * cosine)};
        for (String line : lines) {
            chunks.add(Chunk.of(text.length(), text.length() + line.length()).withVector(vector));
            text.append(line).append('\n');
        }
        return new NewDocument(
                new DocumentDetails(source, source, "md", null, "hash of " + source, Json.object()),
                text.toString(),
                "m",
                chunks);
    }

    private static List<String> numbered(String line, int count) {
        return IntStream.range(0, count).mapToObj(i -> line + " n" + i).toList();
    }

    /** Far more chunks than a search retrieves at once, all better than those of the other documents. */
    private void threeLongDocumentsAndTwelveShort() {
        for (int i = 0; i < 3; i++) {
            fixture.put(BOOKS, lines("long" + i, 0.99 - i * 0.01, numbered("harbour harbour d" + i, 600)));
        }
        for (int i = 10; i < 22; i++) {
            fixture.put(BOOKS, lines("short" + i, 0.8 - i * 0.01, List.of("a harbour with a few other words, " + i)));
        }
    }

    @ParameterizedTest
    @MethodSource("fusions")
    void otherDocumentsHaveThePlacesThatLongOnesMayNotTake(Fusion fusion) {
        threeLongDocumentsAndTwelveShort();
        List<Hit> all = search("harbour", fusion, SearchRequest.HitLimits.varied(10, 0));
        assertEquals(10, all.size());
        assertTrue(sources(all).stream().allMatch(source -> source.startsWith("long")), () -> "" + sources(all));
        for (int most : new int[] {1, 2, 3}) {
            List<Hit> hits = search("harbour", fusion, SearchRequest.HitLimits.varied(12, most));
            List<String> sources = sources(hits);
            assertEquals(12, hits.size(), sources::toString);
            for (int i = 0; i < 3; i++) {
                String source = "long" + i;
                assertEquals(most, sources.stream().filter(source::equals).count(), sources::toString);
            }
            assertEquals(
                    hits,
                    hits.stream()
                            .sorted(Comparator.comparingDouble(Hit::score).reversed())
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("fusions")
    void moreThanThereIsGivesAllThatThereIs(Fusion fusion) {
        threeLongDocumentsAndTwelveShort();
        List<Hit> hits = search("harbour", fusion, SearchRequest.HitLimits.varied(100, 1));
        assertEquals(15, hits.size());
        assertEquals(15, new HashSet<>(sources(hits)).size());
        assertEquals(
                18,
                search("harbour", fusion, SearchRequest.HitLimits.varied(100, 2))
                        .size());
    }

    @Test
    void withoutLimitsTheHitsAreTheBestChunks() {
        threeLongDocumentsAndTwelveShort();
        for (Fusion fusion : fusions()) {
            assertEquals(
                    search("harbour", fusion, SearchRequest.HitLimits.chunks(100)),
                    search("harbour", fusion, SearchRequest.HitLimits.varied(100, 0)));
        }
    }

    @ParameterizedTest
    @MethodSource("fusions")
    void theSameTextIsOneHitThatNamesTheOthers(Fusion fusion) {
        fixture.put(BOOKS, lines("b", 0.9, List.of("Café at  the\tharbour")));
        fixture.put(BOOKS, lines("a", 0.9, List.of("Cafe\u0301 at the\u00a0harbour")));
        fixture.put(ARCHIVE, lines("c", 0.9, List.of("Café at the harbour")));
        fixture.put(BOOKS, lines("d", 0.8, List.of("Cafe at the harbour, closed")));
        List<Hit> hits = search("harbour café", fusion, SearchRequest.HitLimits.varied(10, 2));
        assertEquals(2, hits.size());
        Hit folded =
                hits.stream().filter(hit -> !hit.copies().isEmpty()).findFirst().orElseThrow();
        List<String> documents = new ArrayList<>(copies(folded));
        documents.add(folded.chunk().document().source());
        assertEquals(List.of("a", "b", "c"), documents.stream().sorted().toList());
        assertEquals(
                4,
                search("harbour café", fusion, SearchRequest.HitLimits.chunks(10))
                        .size());
    }

    @Test
    void theSameTextUnderOtherHeadingsIsAnotherText() {
        for (String heading : List.of("delete > Parameters", "create > Parameters")) {
            String text = "None, harbour.";
            fixture.put(
                    BOOKS,
                    new NewDocument(
                            new DocumentDetails(heading, heading, "md", null, "hash", Json.object()),
                            text,
                            null,
                            List.of(Chunk.of(0, text.length()).below(heading, ""))));
        }
        assertEquals(
                2,
                search("harbour", KEYWORD, SearchRequest.HitLimits.varied(10, 2))
                        .size());
    }

    @ParameterizedTest
    @MethodSource("fusions")
    void copiesOfALongDocumentHaveNoPlacesOfTheirOwn(Fusion fusion) {
        List<String> lines = numbered("harbour harbour", 250);
        fixture.put(BOOKS, lines("copy", 0.9, lines));
        fixture.put(BOOKS, lines("copy of it", 0.9, lines));
        for (int i = 0; i < 5; i++) {
            fixture.put(BOOKS, lines("other" + i, 0.5, List.of("one harbour among other words " + i)));
        }
        List<Hit> hits = search("harbour", fusion, SearchRequest.HitLimits.varied(7, 2));
        List<String> sources = sources(hits);
        assertEquals(List.of("copy", "copy"), sources.subList(0, 2));
        assertEquals(List.of("copy of it"), copies(hits.get(0)));
        assertEquals(
                5, sources.stream().filter(source -> source.startsWith("other")).count(), sources::toString);
    }

    @ParameterizedTest
    @MethodSource("fusions")
    void hundredsOfCopiesLeaveRoomForOtherTexts(Fusion fusion) {
        List<Future<PutResult>> copies = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            copies.add(
                    fixture.store().put(BOOKS, lines("licence" + i, 0.9, List.of("harbour harbour harbour licence"))));
        }
        StoreFixture.await(Future.all(copies));
        fixture.put(BOOKS, lines("z", 0.5, List.of("one harbour and many other words that are in no licence")));
        List<Hit> hits = search("harbour", fusion, SearchRequest.HitLimits.varied(5, 2));
        assertEquals(2, hits.size());
        assertEquals("z", hits.get(1).chunk().document().source());
        assertEquals(Hit.MAX_COPIES, hits.getFirst().copies().size());
        assertEquals(Hit.MAX_COPIES, new HashSet<>(copies(hits.getFirst())).size());
    }

    @Test
    void whatADocumentRepeatsIsNoCopyOfIt() {
        fixture.put(BOOKS, lines("a", 0.9, List.of("harbour", "harbour", "harbour")));
        List<Hit> hits = search("harbour", KEYWORD, SearchRequest.HitLimits.varied(10, 0));
        assertEquals(3, hits.size());
        assertTrue(hits.stream().allMatch(hit -> hit.copies().isEmpty()));
        assertEquals(
                2,
                search("harbour", KEYWORD, SearchRequest.HitLimits.varied(10, 2))
                        .size());
    }

    @Test
    void aTextOfOtherLibrariesOrOutsideTheFilterIsNoCopy() {
        fixture.put(BOOKS, doc("a", "the harbour"));
        fixture.put(ARCHIVE, doc("b", "the harbour"));
        fixture.put(BOOKS, doc("c", "the harbour", Json.object().put("draft", true)));
        Filter finished = new Filter.Not(new Filter.Equal("metadata.draft", new Filter.Value.BooleanValue(true)));
        List<Hit> hits = fixture.search(new SearchRequest(
                        "harbour", List.of(), List.of(BOOKS), finished, SearchRequest.HitLimits.varied(10, 2), KEYWORD))
                .hits();
        assertEquals(List.of("a"), sources(hits));
        assertEquals(List.of(), hits.getFirst().copies());
    }

    @Test
    void aCopyThatIsRemovedOrChangedIsNamedNoMore() {
        fixture.put(BOOKS, doc("a", "the harbour"));
        fixture.put(BOOKS, doc("b", "the harbour"));
        assertEquals(
                List.of("b"),
                copies(search("harbour", KEYWORD, SearchRequest.HitLimits.varied(1, 1))
                        .getFirst()));
        fixture.put(BOOKS, doc("b", "the harbour at night"));
        assertEquals(
                2,
                search("harbour", KEYWORD, SearchRequest.HitLimits.varied(5, 1)).size());
    }

    @Test
    void limitsAreChecked() {
        for (int[] wrong : new int[][] {{0, 2}, {1001, 2}, {5, -1}}) {
            assertThrows(IllegalArgumentException.class, () -> SearchRequest.HitLimits.varied(wrong[0], wrong[1]));
        }
        assertEquals(
                Optional.empty(),
                search("nothing", KEYWORD, SearchRequest.HitLimits.varied(1000, 1)).stream()
                        .findFirst());
    }
}
