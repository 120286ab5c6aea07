package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;
import static switchboard.store.StoreFixture.doc;
import static switchboard.store.StoreFixture.vectorDoc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.TermStatistics;
import switchboard.call.ToolException;
import switchboard.embed.CosineCalibration;
import switchboard.embed.ModelLanguages;
import switchboard.embed.ModelTraits;
import switchboard.embed.TokenCounter;

@ExtendWith(VertxExtension.class)
class SnapshotSearchTest {
    private static final double WORDS_IN_CODE = 0.7;

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

    private static Optional<SearchRequest.QueryVector> vector(float... values) {
        return Optional.of(new SearchRequest.QueryVector("m", values));
    }

    private SearchResult search(String query, Optional<SearchRequest.QueryVector> vector, Fusion fusion) {
        return fixture.search(new SearchRequest(query, vector, List.of(BOOKS), new Filter.All(), 10, fusion));
    }

    private List<String> filtered(Filter filter) {
        return fixture.sources(fixture.search(
                new SearchRequest("word", Optional.empty(), List.of(BOOKS), filter, 10, new Fusion.KeywordOnly())));
    }

    /** Three documents of two words each: N is 3, every length the average, so a term's part is idf / 2.2. */
    private void threeFruits() {
        fixture.put(BOOKS, vectorDoc("d1", "apple banana", 0.6f, 0.8f));
        fixture.put(BOOKS, vectorDoc("d2", "apple cherry", 1, 0));
        fixture.put(BOOKS, vectorDoc("d3", "durian elder", 0.8f, 0.6f));
    }

    @Test
    void theLinearFusionIsTheOneComputedByHand() {
        threeFruits();
        double apple = Math.log(1 + 1.5 / 2.5);
        double banana = Math.log(1 + 2.5 / 1.5);
        SearchResult result = search("apple banana", vector(1, 0), new Fusion.WeightedSum(0.7));
        assertEquals(Optional.empty(), result.vectorsNotUsed());
        assertEquals(List.of("d2", "d3", "d1"), fixture.sources(result));
        List<Hit> hits = result.hits();
        assertEquals(0.7 + 0.3 * apple / (apple + banana) / 2.2, hits.get(0).score(), 1e-6);
        assertEquals(0.7 * 0.8, hits.get(1).score(), 1e-6);
        assertEquals(0.7 * 0.6 + 0.3 / 2.2, hits.get(2).score(), 1e-6);
        assertEquals(
                new Hit.Retriever(2, hits.get(0).keyword().orElseThrow().score()),
                hits.get(0).keyword().orElseThrow());
        assertEquals(apple / 2.2, hits.get(0).keyword().orElseThrow().score(), 1e-6);
        assertEquals(Optional.empty(), hits.get(1).keyword());
        assertEquals(3, hits.get(2).vector().orElseThrow().rank());
    }

    @Test
    void aWordThatNoChunkHasCountsAsTheRarest() {
        threeFruits();
        double apple = Math.log(1 + 1.5 / 2.5);
        double none = Math.log(1 + 3.5 / 0.5);
        SearchResult result = search("apple zebra", vector(1, 0), new Fusion.WeightedSum(0.7));
        assertEquals(List.of("d2", "d3", "d1"), fixture.sources(result));
        assertEquals(
                0.7 + 0.3 * apple / (apple + none) / 2.2,
                result.hits().getFirst().score(),
                1e-6);
        SearchResult inCode = search("apple zebra", vector(1, 0), new Fusion.WeightedSum(0.7, 0, 0, 0, 0, 0.1));
        assertEquals(result.hits(), inCode.hits(), "prose: the words of the document don't count again");
    }

    @Test
    void itSaysHowCommonTheWordsAreWhateverIsFilteredOut() {
        threeFruits();
        SearchResult result = fixture.search(new SearchRequest(
                "Apples, zebras; the durian",
                Optional.empty(),
                List.of(BOOKS),
                new Filter.Equal("source", new Filter.Value.TextValue("d1")),
                1,
                new Fusion.KeywordOnly()));
        assertEquals(List.of("d1"), fixture.sources(result));
        assertEquals(new TermStatistics(3, 6, Map.of("appl", 2L, "zebra", 0L, "durian", 1L)), result.statistics());
    }

    @Test
    void passagesOfTheWholeIndexScoreAsTheIndexDoes() {
        threeFruits();
        SearchResult result = search("apple banana", Optional.empty(), new Fusion.KeywordOnly());
        double[] pooled = PooledKeywordScore.of(
                        "apple banana", List.of("apple banana", "apple cherry", "durian elder"), TermStatistics.NONE)
                .values();
        double most = Math.log(1 + 1.5 / 2.5) + Math.log(1 + 2.5 / 1.5);
        assertEquals(result.hits().get(0).keyword().orElseThrow().score() / most, pooled[0], 1e-6);
        assertEquals(result.hits().get(1).keyword().orElseThrow().score() / most, pooled[1], 1e-6);
        assertEquals(0, pooled[2]);
    }

    /** Both have the characters and pairs of the query equally often, but only one has the word for China. */
    @Test
    void aWordOfAScriptWithoutSpacesIsNotFoundAcrossWords() {
        fixture.put(BOOKS, doc("developing", "发展中国家的经济增长"));
        fixture.put(BOOKS, doc("kingdom", "古代中国城市的经济史"));
        SearchResult result = search("中国经济", Optional.empty(), new Fusion.KeywordOnly());
        assertEquals(List.of("kingdom", "developing"), fixture.sources(result));
        assertEquals(
                List.of("中", "中国", "国", "经", "经济", "济"),
                MatchedWords.in("古代中国城市的经济史", Set.copyOf(TextAnalysis.ofDocument("中国经济", Optional.empty()))));
    }

    @Test
    void neighboursInTheQueryThatAreNeighboursInTheTextCount() {
        fixture.put(BOOKS, vectorDoc("apart", "banana apple", 1, 0));
        fixture.put(BOOKS, vectorDoc("together", "apple banana", 1, 0));
        fixture.put(BOOKS, vectorDoc("neither", "durian elder", 1, 0));
        assertEquals(
                List.of("apart", "together", "neither"),
                fixture.sources(search("apple banana", vector(1, 0), new Fusion.WeightedSum(0.7))));
        SearchResult result = search("apple banana", vector(1, 0), new Fusion.WeightedSum(0.7, 0.1, 0, 0));
        assertEquals(List.of("together", "apart", "neither"), fixture.sources(result));
        // A phrase has the idf of both its terms, and here a frequency of one in a text of average length.
        assertEquals(
                0.1 / 2.2, result.hits().get(0).score() - result.hits().get(1).score(), 1e-6);
    }

    /** Two texts of forty words: in one the query's two words are next to each other, in the other they are far apart. */
    private void closeAndFar(String between) {
        String filler = filler(between);
        fixture.put(BOOKS, vectorDoc("far", "apple" + between + filler + between + "banana", 1, 0));
        fixture.put(BOOKS, vectorDoc("close", filler + between + "banana" + between + "apple", 1, 0));
    }

    private static String filler(String between) {
        return IntStream.range(0, 38)
                .mapToObj(i -> "q" + (char) ('a' + i / 26) + (char) ('a' + i % 26))
                .collect(Collectors.joining(between));
    }

    @Test
    void vectorsOfAWeakModelCountLess() {
        threeFruits();
        ModelTraits weak = new ModelTraits(ModelLanguages.ALL, Optional.empty()).withWeight(0.5);
        SearchRequest.QueryVector vector =
                new SearchRequest.QueryVector("m", new float[] {1, 0}, weak, Set.of("m"), text -> new int[] {0});
        SearchResult found = search("apple banana", Optional.of(vector), new Fusion.WeightedSum(0.6));
        SearchResult expected = search("apple banana", vector(1, 0), new Fusion.WeightedSum(0.3));
        assertEquals(
                expected.hits().stream().map(Hit::score).toList(),
                found.hits().stream().map(Hit::score).toList());
    }

    /** Or their cosines could not be compared. */
    @Test
    void theModelThatCountsMostDecidesWhatCosinesOfAllModelsCount() {
        fixture.put(BOOKS, vectorDoc("m", "apple banana", 0.6f, 0.8f));
        Chunk other = Chunk.of(0, 12).withVector(new float[] {0, 0.6f, 0.8f});
        fixture.put(
                BOOKS,
                new NewDocument(
                        new DocumentDetails("n", "", "md", null, "hash", Json.object()),
                        "apple cherry",
                        "n",
                        List.of(other)));
        for (double[] weights : new double[][] {{0.5, 1}, {1, 0.5}}) {
            assertEquals(byTwoModels(1, 1), byTwoModels(weights[0], weights[1]));
        }
        assertNotEquals(byTwoModels(1, 1), byTwoModels(0.5, 0.5));
    }

    private List<Hit> byTwoModels(double first, double second) {
        return fixture.search(new SearchRequest(
                        "apple",
                        List.of(queryVector("m", first, 1, 0), queryVector("n", second, 0, 1, 0)),
                        List.of(BOOKS),
                        new Filter.All(),
                        SearchRequest.HitLimits.chunks(10),
                        new Fusion.WeightedSum(0.6)))
                .hits();
    }

    private static SearchRequest.QueryVector queryVector(String model, double weight, float... values) {
        ModelTraits traits =
                new ModelTraits(ModelLanguages.ALL, Optional.of(new CosineCalibration(0.5, 0.9))).withWeight(weight);
        return new SearchRequest.QueryVector(model, values, traits, Set.of(model), text -> new int[] {0});
    }

    @Test
    void wordsOfTheQueryThatAreCloseTogetherCountMore() {
        closeAndFar(" ");
        Map<String, Double> plain = scores(new Fusion.WeightedSum(0.7));
        assertEquals(plain.get("far0"), plain.get("close0"), 1e-9);
        Map<String, Double> found = scores(new Fusion.WeightedSum(0.7, 0, 0.5, 0));
        // Both words are equally rare. Once in a chunk of average length, and once in a window of 16 of its 40 terms.
        double chunk = 1 / (1 + 1.2);
        double window = 1 / (1 + 1.2 * (0.25 + 0.75 * 16 / 40));
        assertEquals(0.7 + 0.3 * (0.5 * chunk + 0.5 * window), found.get("close0"), 1e-5);
        assertEquals(0.7 + 0.3 * (0.5 * chunk + 0.5 * window / 2), found.get("far0"), 1e-5);
    }

    /** Ten characters apart: each is a term by itself and with the next, so the words are more than 16 terms apart. */
    @Test
    void inScriptsWithoutSpacesSixteenCharactersAreCloseTogether() {
        String others = "山川草木日月星辰風雨雪雲花鳥魚虫石土火水金竹松梅";
        fixture.put(BOOKS, vectorDoc("far", "港口" + others + "灯台", 1, 0));
        fixture.put(BOOKS, vectorDoc("close", "港口" + others.substring(0, 10) + "灯台" + others.substring(10), 1, 0));
        Map<String, Double> found = new HashMap<>();
        search("灯台港口", vector(1, 0), new Fusion.WeightedSum(0.7, 0, 0.5, 0))
                .hits()
                .forEach(hit -> found.put(hit.chunk().document().source(), hit.score()));
        assertTrue(found.get("close") > found.get("far") + 0.01, found::toString);
    }

    @Test
    void inSourceCodeItDoesNotMatterHowCloseTogetherTheyAre() {
        closeAndFar("(); ");
        Map<String, Double> found = scores(new Fusion.WeightedSum(0.7, 0, 0.5, 0));
        double chunk = WORDS_IN_CODE / (1 + 1.2);
        assertEquals(0.7 + 0.3 * chunk, found.get("close0"), 1e-5);
        assertEquals(0.7 + 0.3 * chunk, found.get("far0"), 1e-5);
    }

    @Test
    void whatIsNearTheBestGainsByIt() {
        for (int i = 0; i < 3; i++) {
            fixture.put(BOOKS, vectorDoc("best" + i, "apple", 0.6f, 0.8f));
        }
        fixture.put(BOOKS, vectorDoc("near", "durian", 0, 1));
        fixture.put(BOOKS, vectorDoc("far", "elder", 0.6f, -0.8f));
        SearchResult without = search("apple", vector(1, 0), new Fusion.WeightedSum(0.7));
        assertEquals("far", fixture.sources(without).get(3));
        SearchResult with = search("apple", vector(1, 0), new Fusion.WeightedSum(0.7, 0, 0, 0.9));
        assertEquals("near", fixture.sources(with).get(3));
        assertEquals(0.7 * 0 + 0.9 * 0.8, with.hits().get(3).score(), 1e-5);
        assertEquals(0.7 * 0.6 + 0.9 * (0.36 - 0.64), with.hits().get(4).score(), 1e-5);
    }

    /** By words alone the three with the words far apart come first; their vectors are at a right angle to that of the fourth. */
    @Test
    void theBestAreThoseWithTheWordsCloseTogether() {
        String filler = filler(" ");
        for (int i = 0; i < 3; i++) {
            fixture.put(BOOKS, vectorDoc("a" + i, "apple " + filler + " banana", 1, 0));
        }
        fixture.put(BOOKS, vectorDoc("z", filler + " banana apple", 0, 1));
        Map<String, Double> without = scores(new Fusion.WeightedSum(0, 0, 0.5, 0));
        Map<String, Double> with = scores(new Fusion.WeightedSum(0, 0, 0.5, 0.9));
        assertEquals(without.get("z0") + 0.9 * 1 / 3, with.get("z0"), 1e-5);
        assertEquals(without.get("a00") + 0.9 * 2 / 3, with.get("a00"), 1e-5);
    }

    @Test
    void inSourceCodeWhatIsNearTheBestGainsNothingByIt() {
        for (int i = 0; i < 3; i++) {
            fixture.put(BOOKS, vectorDoc("best" + i, "apple();", 0.6f, 0.8f));
        }
        fixture.put(BOOKS, vectorDoc("near", "durian", 0, 1));
        fixture.put(BOOKS, vectorDoc("far", "elder", 0.6f, -0.8f));
        SearchResult found = search("apple", vector(1, 0), new Fusion.WeightedSum(0.7, 0, 0, 0.9));
        assertEquals("far", fixture.sources(found).get(3));
        assertEquals(0.7 * 0.6, found.hits().get(3).score(), 1e-5);
    }

    @Test
    void inSourceCodeWhatItsDocumentHasOfTheQueryCountsForAChunk() {
        fixture.put(BOOKS, twoChunks("both", "apple();", "banana();"));
        fixture.put(BOOKS, twoChunks("one", "apple();", "cherry();"));
        Map<String, Double> alone = scores(new Fusion.WeightedSum(0));
        Map<String, Double> inDocument = scores(new Fusion.WeightedSum(0, 0, 0, 0, 0, 0.5));
        assertEquals(alone.get("both0"), alone.get("one0"), 1e-6);
        // The document "both" has both words, each in one of its chunks.
        double both = alone.get("both0") + alone.get("both1");
        assertEquals(WORDS_IN_CODE * alone.get("both0") + 0.5 * both, inDocument.get("both0"), 1e-6);
        assertEquals(WORDS_IN_CODE * alone.get("both1") + 0.5 * both, inDocument.get("both1"), 1e-6);
        assertEquals((WORDS_IN_CODE + 0.5) * alone.get("one0"), inDocument.get("one0"), 1e-6);
    }

    private Map<String, Double> scores(Fusion fusion) {
        Map<String, Double> scores = new HashMap<>();
        search("apple banana", vector(1, 0), fusion)
                .hits()
                .forEach(hit ->
                        scores.put(hit.chunk().document().source() + hit.chunk().index(), hit.score()));
        return scores;
    }

    private static NewDocument twoChunks(String source, String first, String second) {
        return new NewDocument(
                new DocumentDetails(source, "", "md", null, source, Json.object()),
                first + second,
                null,
                List.of(Chunk.of(0, first.length()), Chunk.of(first.length(), first.length() + second.length())));
    }

    @Test
    void reciprocalRanksAreAddedUp() {
        threeFruits();
        List<Hit> hits = search("apple banana", vector(1, 0), new Fusion.ReciprocalRank(60))
                .hits();
        assertEquals(
                List.of("d2", "d1", "d3"),
                hits.stream().map(hit -> hit.chunk().document().source()).toList());
        assertEquals(1 / 61.0 + 1 / 62.0, hits.get(0).score(), 1e-9);
        assertEquals(1 / 61.0 + 1 / 63.0, hits.get(1).score(), 1e-9);
        assertEquals(1 / 62.0, hits.get(2).score(), 1e-9);
    }

    @Test
    void aTermThatIsAskedForTwiceCountsTwice() {
        threeFruits();
        double once = search("apple", Optional.empty(), new Fusion.KeywordOnly())
                .hits()
                .get(0)
                .score();
        double twice = search("apple apple", Optional.empty(), new Fusion.KeywordOnly())
                .hits()
                .get(0)
                .score();
        assertEquals(2 * once, twice, 1e-6);
    }

    @Test
    void withoutAVectorTheWordsAreSearchedAndTheAnswerSaysSo() {
        threeFruits();
        SearchResult result = search("apple", Optional.empty(), Fusion.standard());
        assertEquals(List.of("d1", "d2"), fixture.sources(result));
        assertEquals(Optional.of("The query has no vector."), result.vectorsNotUsed());
    }

    @Test
    void anotherModelsVectorsAreNotComparedAndTheAnswerNamesThem() {
        threeFruits();
        SearchResult result = search("apple", vector(1, 0, 0), Fusion.standard());
        assertEquals(List.of("d1", "d2"), fixture.sources(result));
        String why = result.vectorsNotUsed().orElseThrow();
        assertTrue(why.contains("No document has vectors of the model m (3 dimensions)"), why);
        assertTrue(why.contains("there are vectors of m (2 dimensions)"), why);
        assertTrue(why.contains("switchboard reindex"), why);
    }

    @Test
    void documentsWithoutVectorsAreFoundByTheirWordsAmongOthers() {
        threeFruits();
        fixture.put(BOOKS, doc("plain", "durian durian durian fig"));
        SearchResult result = search("fig", vector(1, 0), Fusion.standard());
        assertTrue(fixture.sources(result).contains("plain"));
        String why = result.vectorsNotUsed().orElseThrow();
        assertTrue(why.startsWith("Some documents have no vectors of the model m"), why);
        assertTrue(why.contains(". Those were searched by keyword only. "), why);
        SearchResult nearest = search("fig", vector(1, 0), new Fusion.VectorOnly());
        assertFalse(fixture.sources(nearest).contains("plain"));
        String without = nearest.vectorsNotUsed().orElseThrow();
        assertTrue(without.contains(". Those were not searched. "), without);
    }

    @Test
    void vectorsOfMoreThanAThousandDimensionsAreKept() {
        float[] one = new float[3072];
        one[3000] = 1;
        fixture.put(BOOKS, vectorDoc("big", "text", one));
        fixture.reopen();
        assertEquals(
                1.0,
                search("", vector(one), new Fusion.VectorOnly()).hits().get(0).score(),
                1e-6);
    }

    @Test
    void aVectorThatIsNoDirectionIsRefused() {
        for (float[] bad :
                List.of(new float[] {2, 0}, new float[] {0, 0}, new float[] {Float.NaN, 0}, new float[5000])) {
            ToolException refused =
                    assertThrows(ToolException.class, () -> fixture.put(BOOKS, vectorDoc("bad", "text", bad)));
            assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a AND (b", "field:x", "[1 TO", "~0.5", "-- ; drop"})
    void queriesAreTextWhateverIsInThem(String query) {
        threeFruits();
        SearchResult byWords = search(query, Optional.empty(), new Fusion.KeywordOnly());
        assertTrue(byWords.hits().isEmpty());
        assertEquals(Optional.of("No searched document has a word of the query."), byWords.nothing());
        SearchResult byBoth = search(query, vector(1, 0), Fusion.standard());
        assertEquals(3, byBoth.hits().size());
        assertEquals(Optional.empty(), byBoth.nothing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "the", "\"", "(((", "*:*", "\\", "\0", "🙂", "\uD800"})
    void aQueryWithoutWordsFindsNothingAndTheResultSaysSo(String query) {
        threeFruits();
        for (Fusion fusion : List.of(new Fusion.KeywordOnly(), Fusion.standard(), Fusion.byRank())) {
            SearchResult found = search(query, vector(1, 0), fusion);
            assertTrue(found.hits().isEmpty());
            assertEquals(
                    Optional.of("The query has no word to look for: only spaces, symbols, or words such as \"the\"."),
                    found.nothing());
        }
        assertEquals(
                3, search(query, vector(1, 0), new Fusion.VectorOnly()).hits().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"apple zebra", "zebra"})
    void aSearchByVectorsSaysHowCommonTheWordsAre(String query) {
        threeFruits();
        TermStatistics statistics =
                search(query, vector(1, 0), new Fusion.KeywordOnly()).statistics();
        assertEquals(
                statistics, search(query, vector(1, 0), new Fusion.VectorOnly()).statistics());
        assertEquals(query.equals("zebra"), statistics.equals(TermStatistics.NONE));
    }

    /** The cosines of the three texts with the query are 1, .8 and 0. */
    private SearchResult relevant(String query, double least) {
        return relevant(query, least, text -> new int[] {0});
    }

    private SearchResult relevant(String query, double least, TokenCounter tokens) {
        SearchRequest.QueryVector vector = new SearchRequest.QueryVector(
                "m",
                new float[] {1, 0},
                new ModelTraits(ModelLanguages.ALL, Optional.of(new CosineCalibration(0.5, 0.9))),
                Set.of("m"),
                tokens);
        return fixture.search(new SearchRequest(
                query,
                List.of(vector),
                List.of(BOOKS),
                new Filter.All(),
                SearchRequest.HitLimits.chunks(10).relevant(least),
                Fusion.standard()));
    }

    private static List<Long> percent(SearchResult found) {
        return found.hits().stream()
                .map(hit -> Math.round(hit.relevance().orElseThrow() * 100))
                .toList();
    }

    private void nearAndFar() {
        fixture.put(BOOKS, vectorDoc("near", "red stone", 1, 0));
        fixture.put(BOOKS, vectorDoc("middle", "blue stone", 0.8f, 0.6f));
        fixture.put(BOOKS, vectorDoc("far", "green stone", 0, 1));
    }

    @Test
    void eachHitHasItsRelevance() {
        nearAndFar();
        assertEquals(List.of(95L, 50L, 0L), percent(relevant("what colour does a rock formation have", 0)));
    }

    @Test
    void onlyHitsOfTheRequestedRelevanceAreGivenAndTheResultSaysIfThereAreNone() {
        nearAndFar();
        assertEquals(List.of(95L), percent(relevant("what colour does a rock formation have", 0.51)));
        assertEquals(List.of(95L, 50L), percent(relevant("what colour does a rock formation have", 0.49)));
        SearchResult none = relevant("what colour does a rock formation have", 0.96);
        assertEquals(List.of(), none.hits());
        assertEquals(
                Optional.of(
                        "No result reaches min_relevance 0.96: the best result has 0.953. Ask in other words, or with a"
                                + " lower min_relevance."),
                none.nothing());
    }

    @Test
    void aNameThatNoDocumentHasFindsNothingThatIsOnlyNearByChance() {
        fixture.put(BOOKS, vectorDoc("far", "green stone", 0.5f, 0.8660254f));
        assertEquals(
                Optional.of(
                        "No searched document has a word of the query or a similar one, and none is near it in meaning."),
                relevant("zxqwvbn", 0).nothing());
        assertEquals(List.of(1L), percent(relevant("zxqwvbn pump broken again", 0)));
        fixture.put(BOOKS, vectorDoc("near", "red stone", 1, 0));
        assertEquals(List.of(95L), percent(relevant("zxqwvbn", 0)));
    }

    /** A model has a vector for a slip of the keyboard, too, and it is as near to a text as that of a word is to a distant one. */
    @Test
    void aWordThatTheModelOnlySpellsFindsOnlyWhatIsNear() {
        fixture.put(BOOKS, vectorDoc("distant", "blue stone", 0.68f, 0.733212f));
        TokenCounter letters = text -> IntStream.range(0, text.length()).toArray();
        assertEquals(List.of(14L), percent(relevant("zxqwvbn", 0)));
        assertEquals(List.of(), percent(relevant("zxqwvbn", 0, letters)));
        assertEquals(List.of(14L), percent(relevant("zxqwvbn pump broken", 0, letters)), "a longer query says more");
        fixture.put(BOOKS, vectorDoc("near", "red stone", 0.8f, 0.6f));
        assertEquals(List.of(50L), percent(relevant("zxqwvbn", 0, letters)));
    }

    @Test
    void relevanceIsNotKnownWhereOnlyACosineOfUnknownMeaningCouldTell() {
        nearAndFar();
        SearchResult found = search("green", vector(1, 0), Fusion.standard());
        assertEquals(3, found.hits().size());
        for (Hit hit : found.hits()) {
            assertEquals(
                    hit.chunk().document().source().equals("far"),
                    hit.relevance().isPresent());
        }
        SearchResult none = fixture.search(new SearchRequest(
                "what colour does a rock formation have",
                List.of(new SearchRequest.QueryVector("m", new float[] {1, 0})),
                List.of(BOOKS),
                new Filter.All(),
                SearchRequest.HitLimits.chunks(10).relevant(0.1),
                Fusion.standard()));
        assertEquals(List.of(), none.hits());
        assertTrue(none.nothing().orElseThrow().contains("embedders.<name>.cosines"));
    }

    @Test
    void aPastedPageIsAQueryToo() {
        threeFruits();
        StringBuilder page = new StringBuilder("apple ");
        IntStream.range(0, 20_000).forEach(i -> page.append("word").append(i).append(' '));
        assertEquals(
                2,
                search(page.toString(), Optional.empty(), new Fusion.KeywordOnly())
                        .hits()
                        .size());
    }

    @Test
    void aFilterRestrictsBeforeTheBestAreTaken() {
        Random random = new Random(7);
        List<Future<PutResult>> writes = IntStream.range(0, 1000)
                .mapToObj(i -> {
                    boolean rare = i % 100 == 0;
                    double angle = rare ? 3 + random.nextDouble() / 10 : random.nextDouble();
                    ObjectNode metadata = Json.object().put("tag", rare ? "rare" : "common");
                    String text = rare ? "word and many other things besides it, at some length" : "word";
                    Chunk chunk = Chunk.of(0, text.length())
                            .withVector(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)});
                    return fixture.store()
                            .put(
                                    BOOKS,
                                    new NewDocument(
                                            new DocumentDetails("s" + i, "", "md", null, "h", metadata),
                                            text,
                                            "m",
                                            List.of(chunk)));
                })
                .toList();
        await(Future.all(writes));
        for (Fusion fusion : List.of(
                Fusion.standard(), new Fusion.ReciprocalRank(60), new Fusion.KeywordOnly(), new Fusion.VectorOnly())) {
            SearchResult result = fixture.search(new SearchRequest(
                    "word", vector(1, 0), List.of(BOOKS), Filter.equal("metadata.tag", "rare"), 10, fusion));
            assertEquals(10, result.hits().size(), fusion.toString());
            result.hits()
                    .forEach(hit -> assertEquals(
                            "rare", hit.chunk().document().metadata().get("tag").textValue()));
        }
    }

    @Test
    void tiesAreInTheOrderOfSources() {
        for (int i : new int[] {5, 3, 9, 1, 7}) {
            fixture.put(BOOKS, vectorDoc("s" + i, "same words", 1, 0));
        }
        for (Fusion fusion : List.of(Fusion.standard(), new Fusion.KeywordOnly(), new Fusion.VectorOnly())) {
            assertEquals(List.of("s1", "s3", "s5", "s7", "s9"), fixture.sources(search("words", vector(1, 0), fusion)));
        }
    }

    @Test
    void theBestOfManyEqualsAreTheSameHoweverTheyWereWritten() {
        List<Integer> order =
                IntStream.range(0, 300).map(i -> i * 7 % 300).boxed().toList();
        for (int i : order.subList(0, 20)) {
            fixture.put(BOOKS, doc(String.format("s%03d", i), "same words"));
        }
        await(Future.all(order.subList(20, 300).stream()
                .map(i -> fixture.store().put(BOOKS, doc(String.format("s%03d", i), "same words")))
                .toList()));
        assertEquals(
                IntStream.range(0, 10).mapToObj(i -> String.format("s%03d", i)).toList(),
                fixture.sources(fixture.search("words", BOOKS)));
    }

    /** Values of several types in one field: a range finds those of its own, also where it is open. */
    @Test
    void aRangeIsOfOneType() {
        fixture.put(BOOKS, doc("bool", "word", Json.object().put("v", false)));
        fixture.put(BOOKS, doc("number", "word", Json.object().put("v", 9)));
        fixture.put(BOOKS, doc("text", "word", Json.object().put("v", "9")));
        fixture.put(BOOKS, doc("empty", "word", Json.object().put("v", "")));
        fixture.put(BOOKS, doc("longer name", "word", Json.object().put("va", 9).put("v.n", 9)));
        Filter.Value nine = new Filter.Value.NumberValue(9);
        assertEquals(List.of("number"), filtered(new Filter.Between("metadata.v", null, nine)));
        assertEquals(List.of("number"), filtered(new Filter.Between("metadata.v", nine, null)));
        assertEquals(List.of("number"), filtered(new Filter.Between("metadata.v", nine, nine)));
        Filter.Value text = new Filter.Value.TextValue("9");
        assertEquals(List.of("empty", "text"), filtered(new Filter.Between("metadata.v", null, text)));
        assertEquals(List.of("text"), filtered(new Filter.Between("metadata.v", text, null)));
        Filter.Value no = new Filter.Value.BooleanValue(false);
        assertEquals(List.of("bool"), filtered(new Filter.Between("metadata.v", no, null)));
        assertEquals(List.of("bool"), filtered(new Filter.Between("metadata.v", null, no)));
    }

    @Test
    void filtersCompareValuesOfTheirType() {
        fixture.put(
                BOOKS,
                doc("a", "word", Json.object().put("n", 9).put("s", "alpha").put("b", true)));
        fixture.put(
                BOOKS,
                doc("b", "word", Json.object().put("n", 10.5).put("s", "9").put("b", false)));
        ObjectNode nested = Json.object();
        nested.putArray("tags").add("x").add("y");
        nested.putObject("deep").put("key", -3);
        fixture.put(BOOKS, doc("c", "word", nested));
        Filter.Value nine = new Filter.Value.NumberValue(9);
        assertEquals(List.of("a"), filtered(new Filter.Equal("metadata.n", nine)));
        assertEquals(List.of("b"), filtered(Filter.equal("metadata.s", "9")));
        assertEquals(List.of("a"), filtered(new Filter.Equal("metadata.b", new Filter.Value.BooleanValue(true))));
        assertEquals(List.of("c"), filtered(Filter.equal("metadata.tags", "y")));
        assertEquals(
                List.of("c"),
                filtered(new Filter.Between(
                        "metadata.deep.key", new Filter.Value.NumberValue(-4), new Filter.Value.NumberValue(-3))));
        assertEquals(List.of("a", "b"), filtered(new Filter.Between("metadata.n", nine, null)));
        assertEquals(List.of("a"), filtered(new Filter.Between("metadata.n", null, nine)));
        assertEquals(List.of("a"), filtered(new Filter.Contains("metadata.s", "lph")));
        assertEquals(List.of(), filtered(new Filter.Contains("metadata.s", "LPH")));
        assertEquals(List.of("a", "b"), filtered(new Filter.Exists("metadata.s")));
        assertEquals(List.of("c"), filtered(new Filter.Not(new Filter.Exists("metadata.n"))));
        assertEquals(
                List.of("a", "c"),
                filtered(new Filter.Or(List.of(Filter.equal("source", "a"), Filter.equal("source", "c")))));
        assertEquals(
                List.of(), filtered(new Filter.And(List.of(Filter.equal("source", "a"), Filter.equal("source", "c")))));
        assertEquals(List.of("a", "b", "c"), filtered(new Filter.And(List.of())));
        assertEquals(List.of(), filtered(new Filter.Or(List.of())));
        assertEquals(
                List.of("a", "b", "c"), filtered(new Filter.Equal("chunk_index", new Filter.Value.NumberValue(0))));
    }

    @Test
    void anUnknownFilterFieldIsNamed() {
        threeFruits();
        ToolException refused = assertThrows(ToolException.class, () -> filtered(Filter.equal("colour", "red")));
        assertEquals(FailureKind.INVALID_ARGUMENT, refused.failed().kind());
        assertTrue(refused.getMessage().startsWith("Unknown filter field: colour. Fields are chunk_index,"));
    }

    @Test
    void longFactsAreComparedWhole() {
        String base = "x".repeat(10_000);
        fixture.put(BOOKS, doc("a", "word", Json.object().put("k", base + "a")));
        fixture.put(BOOKS, doc("b", "word", Json.object().put("k", base + "b")));
        assertEquals(List.of("b"), filtered(Filter.equal("metadata.k", base + "b")));
    }

    @Test
    void termStatisticsOfOtherSpacesDoNotShow() {
        Namespace other = Namespace.of("other");
        threeFruits();
        double alone = fixture.search("apple", BOOKS).hits().get(0).score();
        IntStream.range(0, 5).forEach(i -> fixture.put(other, doc("o" + i, "apple apple pie")));
        assertEquals(alone, fixture.search("apple", BOOKS).hits().get(0).score(), 0);
    }

    @Test
    void theGraphFindsWhatComparingAllFinds() {
        int dimension = 16;
        Random random = new Random(3);
        float[][] vectors = new float[12_000][];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = StoreFixture.unit(random, dimension);
        }
        // All in one document: what matters here is how many chunks there are.
        List<Chunk> chunks = IntStream.range(0, vectors.length)
                .mapToObj(i -> Chunk.of(0, 1).withVector(vectors[i]))
                .toList();
        fixture.put(
                BOOKS, new NewDocument(new DocumentDetails("s", "", "md", null, "h", Json.object()), "x", "m", chunks));
        int found = 0;
        for (int q = 0; q < 20; q++) {
            float[] query = StoreFixture.unit(random, dimension);
            List<Integer> exact = IntStream.range(0, vectors.length)
                    .boxed()
                    .sorted(java.util.Comparator.comparingDouble((Integer i) -> -StoreFixture.dot(query, vectors[i])))
                    .limit(10)
                    .toList();
            for (Hit hit : search("", vector(query), new Fusion.VectorOnly()).hits()) {
                int number = hit.chunk().index();
                assertEquals(StoreFixture.dot(query, vectors[number]), hit.score(), 1e-5);
                found += exact.contains(number) ? 1 : 0;
            }
        }
        assertTrue(found >= 198, found + " of 200");
    }
}
