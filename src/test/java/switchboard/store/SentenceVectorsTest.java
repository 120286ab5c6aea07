package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.embed.ModelTraits;
import switchboard.embed.TokenCounter;
import switchboard.testing.CalculatedEmbedder;

/** Chunks with vectors of their sentences. */
@ExtendWith(VertxExtension.class)
class SentenceVectorsTest {
    private static final float[] ASKED = {1, 0, 0};
    private static final float[] AWAY = {0, 1, 0};

    @TempDir
    private Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open(Vertx vertx) {
        fixture = new StoreFixture(vertx, folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A vector with this cosine to {@link #ASKED}. */
    private static float[] near(double cosine) {
        return new float[] {(float) cosine, 0, (float) Math.sqrt(1 - cosine * cosine)};
    }

    private static NewDocument document(String source, float[] whole, float[]... sentences) {
        String text = "text of " + source;
        return new NewDocument(
                new DocumentDetails(source, "", "md", null, "hash", Json.object()),
                text,
                "m",
                List.of(Chunk.of(0, text.length()).withVector(new Chunk.ChunkVector(null, whole, List.of(sentences)))));
    }

    private static SearchRequest request(ModelTraits traits, int topK, Filter filter, Fusion fusion) {
        SearchRequest.QueryVector asked =
                new SearchRequest.QueryVector("m", ASKED, traits, Set.of("m"), TokenCounter.UNKNOWN);
        return new SearchRequest("wording", Optional.of(asked), List.of(BOOKS), filter, topK, fusion);
    }

    private Map<String, Double> found(ModelTraits traits, int topK, Filter filter) {
        Map<String, Double> found = new LinkedHashMap<>();
        fixture.search(request(traits, topK, filter, new Fusion.VectorOnly()))
                .hits()
                .forEach(hit -> found.put(hit.chunk().document().source(), Math.round(hit.score() * 1e4) / 1e4));
        return found;
    }

    private static final ModelTraits SENTENCES = ModelTraits.UNKNOWN.withSentences();

    private void putThree() {
        fixture.put(BOOKS, document("whole", near(.6)));
        fixture.put(BOOKS, document("sentence", near(.3), AWAY, near(.9), near(.2)));
        fixture.put(BOOKS, document("neither", near(.5), near(.1), AWAY));
    }

    @Test
    void aChunkIsAsNearAsItsNearestSentence() {
        putThree();
        Map<String, Double> expected = Map.of("sentence", .9, "whole", .6, "neither", .5);
        Map<String, Double> found = found(SENTENCES, 10, new Filter.All());
        assertEquals(List.of("sentence", "whole", "neither"), List.copyOf(found.keySet()));
        assertEquals(expected, found);
        assertEquals(
                List.of("whole", "neither", "sentence"),
                List.copyOf(found(ModelTraits.UNKNOWN, 10, new Filter.All()).keySet()));
        assertEquals(
                List.of("sentence"),
                List.copyOf(
                        found(SENTENCES, 10, Filter.equal("source", "sentence")).keySet()));
    }

    @Test
    void hybridSearchCountsTheNearestSentence() {
        putThree();
        SearchResult found = fixture.search(request(SENTENCES, 10, new Filter.All(), new Fusion.WeightedSum(1)));
        assertEquals(List.of("sentence", "whole", "neither"), fixture.sources(found));
    }

    /** The nearest sentence may be in a chunk that is not among the nearest as a whole: also where graphs find candidates. */
    @ParameterizedTest
    @ValueSource(ints = {6, 10_300})
    void theBestIsFoundThoughOthersAreNearerAsAWhole(int others) {
        List<String> texts = IntStream.range(0, others).mapToObj(i -> "t" + i).toList();
        NewDocument many = new NewDocument(
                new DocumentDetails("many", "", "md", null, "hash", Json.object()),
                String.join(" ", texts),
                "m",
                chunks(texts));
        fixture.put(BOOKS, many);
        fixture.put(BOOKS, document("sentence", near(.75), AWAY, near(.95)));
        assertEquals(Map.of("sentence", .95), found(SENTENCES, 2, Filter.equal("source", "sentence")));
        assertEquals(
                "sentence",
                found(SENTENCES, 2, new Filter.All()).keySet().iterator().next());
    }

    /** Some are nearer as a whole than the one that is best, most are not. */
    private static List<Chunk> chunks(List<String> texts) {
        List<Chunk> chunks = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < texts.size(); i++) {
            chunks.add(Chunk.of(from, from + texts.get(i).length())
                    .withVector(near(i < 5 ? .8 + i / 100. : i % 70 / 100.)));
            from += texts.get(i).length() + 1;
        }
        return chunks;
    }

    @Test
    void sentencesAreKeptWhenTheDocumentIsWrittenAgain() {
        putThree();
        StoredDocument document = await(fixture.store().find(BOOKS, "sentence")).orElseThrow();
        await(fixture.store()
                .describe(document, new DocumentDescription("other", Json.object(), AllowedReaders.ALL, "")));
        fixture.reopen();
        assertEquals(Map.of("sentence", .9, "whole", .6, "neither", .5), found(SENTENCES, 10, new Filter.All()));
    }

    @Test
    void aDocumentsFormHasThem() {
        NewDocument document = document("a", near(.3), AWAY, near(.9));
        DocumentForm form = DocumentForm.of(StoredDocument.of(BOOKS, document, Instant.EPOCH), document);
        float[] numbers = DocumentForm.vectorsOf(form.vectors()).getFirst().get(VectorFields.name("m", 3));
        assertEquals(9, numbers.length);
        assertArrayEquals(near(.3), VectorFields.whole(VectorFields.name("m", 3), numbers));
        assertArrayEquals(AWAY, Arrays.copyOfRange(numbers, 3, 6));
        assertEquals(2, form.vectors()[0], "earlier gateways say that they can't read it");
        assertEquals(
                1,
                DocumentForm.of(StoredDocument.of(BOOKS, document, Instant.EPOCH), document("a", AWAY))
                        .vectors()[0]);
        assertTrue(form.same(form.plain()));
    }

    @Test
    void aSentenceWithoutLengthOneIsRefused() {
        NewDocument wrong = document("a", AWAY, new float[] {2, 0, 0});
        assertThrows(ToolException.class, () -> fixture.put(BOOKS, wrong));
    }

    @Test
    void embeddersMakeThemAndTellOfChunks() {
        CalculatedEmbedder letters = CalculatedEmbedder.ofCharacters(5).withSentences();
        List<SearchedText> texts = List.of(
                new SearchedText("Ports", "The ferry leaves at nine. Tickets are sold on board."),
                new SearchedText("", "One sentence."),
                new SearchedText("", "It rains. It snows. It hails."));
        List<Integer> told = new ArrayList<>();
        EmbedListener listener = new EmbedListener() {
            @Override
            public void embedded(int chunks) {
                told.add(chunks);
            }
        };
        List<Chunk.ChunkVector> made = await(
                        ChunkEmbedders.of(Optional.of(letters)).embed(texts, listener))
                .stream()
                .map(Optional::orElseThrow)
                .toList();
        assertEquals(
                List.of(2, 0, 3),
                made.stream().map(one -> one.sentences().size()).toList());
        assertArrayEquals(letters.vector("It snows."), made.get(2).sentences().get(1));
        assertArrayEquals(
                letters.vector("Ports\nThe ferry leaves at nine. Tickets are sold on board."),
                made.getFirst().values());
        assertEquals(List.of(0, 0, 1, 2, 2, 2, 2, 3), told);
    }
}
