package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.Passage;
import switchboard.call.TermStatistics;
import switchboard.store.PooledKeywordScore;
import switchboard.store.Relevance;

class HitFusionTest {
    private static final HitFusion FUSION =
            new HitFusion(PooledKeywordScore::of, FederationFixture.MODELS, new FusionMethod.WeightedSum(0.7));
    private static final HitFusion BY_RANK =
            new HitFusion(PooledKeywordScore::of, FederationFixture.MODELS, new FusionMethod.ReciprocalRank(60));
    private static final List<String> WORDS =
            List.of("harbour", "tug", "vessel", "rope", "engine", "steam", "river", "captain", "cargo", "pilot");

    private static RankedPassages list(String backend, double weight, List<Passage> passages) {
        return new RankedPassages(
                new SearchSource(backend, Caller.unrestricted(), FederationFixture.source("all")),
                weight,
                passages,
                TermStatistics.NONE);
    }

    private static List<RankedPassages> random(Random random, int lists, boolean cosines) {
        List<RankedPassages> all = new ArrayList<>();
        for (int l = 0; l < lists; l++) {
            List<Passage> passages = new ArrayList<>();
            double cosine = 0.9;
            for (int p = 0; p < 12; p++) {
                StringBuilder text = new StringBuilder();
                for (int w = 0; w < 20; w++) {
                    text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
                }
                cosine -= random.nextDouble() * 0.05;
                passages.add(FederationFixture.passage("b" + l + "-" + p, text.toString(), cosines ? cosine : null));
            }
            all.add(list("b" + l, 1, passages));
        }
        return all;
    }

    private static List<String> order(List<FusedHit> fusedHit) {
        return fusedHit.stream().map(hit -> hit.best().address().toString()).toList();
    }

    @Property(tries = 60)
    void theOrderDoesNotDependOnWhoAnsweredFirst(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int lists, @ForAll boolean cosines) {
        Random random = new Random(seed);
        List<RankedPassages> answers = random(random, lists, cosines);
        List<RankedPassages> shuffled = new ArrayList<>(answers);
        Collections.shuffle(shuffled, random);
        assertEquals(order(FUSION.fuse("steam tug", answers)), order(FUSION.fuse("steam tug", shuffled)));
        assertEquals(order(BY_RANK.fuse("steam tug", answers)), order(BY_RANK.fuse("steam tug", shuffled)));
    }

    @Property(tries = 60)
    void aPassageThatIsNearerIsNeverRankedLower(@ForAll long seed) {
        List<RankedPassages> answers = random(new Random(seed), 3, true);
        RankedPassages first = answers.getFirst();
        Passage lifted = first.passages().get(5);
        int before = order(FUSION.fuse("steam tug", answers))
                .indexOf(first.address(lifted).toString());
        List<Passage> better = new ArrayList<>(first.passages());
        better.set(5, FederationFixture.passage(lifted.document(), lifted.text(), 0.99));
        answers.set(0, list("b0", 1, better));
        int after = order(FUSION.fuse("steam tug", answers))
                .indexOf(first.address(lifted).toString());
        assertTrue(after <= before, () -> before + " -> " + after);
    }

    @Property(tries = 60)
    void aPassageThatItsSourceRanksHigherIsNeverRankedLower(@ForAll long seed) {
        List<RankedPassages> answers = random(new Random(seed), 3, false);
        RankedPassages first = answers.getFirst();
        String lifted = first.address(first.passages().get(5)).toString();
        int before = order(BY_RANK.fuse("steam tug", answers)).indexOf(lifted);
        List<Passage> better = new ArrayList<>(first.passages());
        better.add(2, better.remove(5));
        answers.set(0, list("b0", 1, better));
        int after = order(BY_RANK.fuse("steam tug", answers)).indexOf(lifted);
        assertTrue(after <= before, () -> before + " -> " + after);
    }

    /** What is known of a text holds wherever it is, whatever the source without vectors thinks of it. */
    @Property(tries = 60)
    void copiesWithoutVectorsHaveTheCosinesOfTheOthers(@ForAll long seed) {
        Random random = new Random(seed);
        RankedPassages one = random(random, 1, true).getFirst();
        List<Passage> copies = new ArrayList<>();
        for (Passage passage : one.passages()) {
            copies.add(FederationFixture.passage(passage.document(), passage.text(), null));
        }
        Collections.shuffle(copies, random);
        List<FusedHit> alone = FUSION.fuse("steam tug", List.of(one));
        List<FusedHit> both = FUSION.fuse("steam tug", List.of(one, list("a", 1, copies)));
        assertEquals(
                alone.stream().map(hit -> hit.best().passage().document()).toList(),
                both.stream().map(hit -> hit.best().passage().document()).toList());
        assertEquals(
                alone.stream().map(FusedHit::score).toList(),
                both.stream().map(FusedHit::score).toList());
        assertEquals(
                alone.stream().map(FusedHit::relevance).toList(),
                both.stream().map(FusedHit::relevance).toList());
    }

    @Property(tries = 60)
    void aSecondSourceWithTheSameDocumentsChangesNothing(@ForAll long seed, @ForAll boolean cosines) {
        RankedPassages one = random(new Random(seed), 1, cosines).getFirst();
        List<FusedHit> alone = FUSION.fuse("steam tug", List.of(one));
        List<FusedHit> both = FUSION.fuse("steam tug", List.of(one, list("b9", 1, one.passages())));
        assertEquals(order(alone), order(both));
        assertEquals(
                alone.stream().map(FusedHit::score).toList(),
                both.stream().map(FusedHit::score).toList());
        assertTrue(both.stream().allMatch(hit -> hit.others().size() == 1));
    }

    /** Lists of two sources whose second document is the same. */
    private static List<RankedPassages> sharingTheSecond(double weightOfOther) {
        String text = "A tug is a strong small vessel that moves much larger ones by pushing or by towing them.";
        return List.of(
                list(
                        "a",
                        1,
                        List.of(
                                FederationFixture.passage("1", "only here", null),
                                FederationFixture.passage("2", text, null))),
                list(
                        "b",
                        weightOfOther,
                        List.of(
                                FederationFixture.passage("9", "only there", null),
                                FederationFixture.passage("8", text, null))));
    }

    @Test
    void wordsThatAreCloseTogetherRankHigherAndAreNotMoreRelevant() {
        String others = IntStream.range(0, 38)
                .mapToObj(i -> "q" + (char) ('a' + i / 26) + (char) ('a' + i % 26))
                .collect(Collectors.joining(" "));
        List<FusedHit> hits = FUSION.fuse(
                "steam tug",
                List.of(list(
                        "a",
                        1,
                        List.of(
                                FederationFixture.passage("1", "steam " + others + " tug", 0.5),
                                FederationFixture.passage("2", others + " tug steam", 0.5)))));
        assertEquals(List.of("switchboard://a/all/2", "switchboard://a/all/1"), order(hits));
        assertTrue(hits.getFirst().score() > hits.getLast().score() + 0.01);
        assertEquals(hits.getFirst().relevance(), hits.getLast().relevance());
    }

    @Test
    void byRankADocumentInTwoListsIsWorthBothPlaces() {
        List<RankedPassages> answers = sharingTheSecond(1);
        assertEquals(
                "switchboard://a/all/2", order(BY_RANK.fuse("tug", answers)).getFirst());
    }

    @Test
    void equalHitsAreOrderedByTheirAddress() {
        List<RankedPassages> answers = List.of(
                list("b", 1, List.of(FederationFixture.passage("2", "one two", 0.5))),
                list("a", 1, List.of(FederationFixture.passage("9", "three four", 0.5))));
        assertEquals(
                List.of("switchboard://a/all/9", "switchboard://b/all/2"), order(FUSION.fuse("nothing here", answers)));
    }

    @Test
    void aSourceWithoutVectorsBorrowsTheMedianOfItsRank() {
        List<RankedPassages> answers = List.of(
                list(
                        "a",
                        1,
                        List.of(FederationFixture.passage("1", "x", 0.8), FederationFixture.passage("2", "y", 0.4))),
                list(
                        "b",
                        1,
                        List.of(FederationFixture.passage("1", "u", null), FederationFixture.passage("2", "v", null))));
        assertEquals(
                List.of(
                        "switchboard://a/all/1",
                        "switchboard://b/all/1",
                        "switchboard://a/all/2",
                        "switchboard://b/all/2"),
                order(FUSION.fuse("nothing here", answers)));
    }

    /** Each document with its score, worked out by hand from the formulas in docs/architecture.md. */
    private static void assertScores(Map<String, Double> expected, List<FusedHit> fusedHit) {
        Map<String, Double> scores = new TreeMap<>();
        fusedHit.forEach(
                hit -> scores.put(hit.best().address().toString().substring("switchboard://".length()), hit.score()));
        assertEquals(expected.keySet(), scores.keySet());
        expected.forEach((document, score) -> assertEquals(score, scores.get(document), 1e-9, document));
        List<Double> inOrder = fusedHit.stream().map(FusedHit::score).toList();
        assertEquals(inOrder.stream().sorted(Comparator.reverseOrder()).toList(), inOrder);
    }

    @Test
    void theScoreIsTheWeightedSumOfCosineAndWords() {
        HitFusion fusion = new HitFusion(
                (query, texts, known) -> PooledKeywordScore.Scores.of(0.5, 1, 0.25),
                FederationFixture.MODELS,
                new FusionMethod.WeightedSum(0.7));
        List<RankedPassages> answers = List.of(
                list(
                        "a",
                        1,
                        List.of(FederationFixture.passage("1", "x", 0.8), FederationFixture.passage("2", "y", 0.4))),
                list("b", 1.5, List.of(FederationFixture.passage("1", "u", 0.6))));
        assertScores(
                Map.of(
                        "a/all/1", 0.7 * 0.8 + 0.3 * 0.5,
                        "a/all/2", 0.7 * 0.4 + 0.3 * 1,
                        "b/all/1", 1.5 * (0.7 * 0.6 + 0.3 * 0.25)),
                fusion.fuse("q", answers));
    }

    @Test
    void whatHasNoCosineBorrowsTheMedianAndLaterRanksNeverRise() {
        List<RankedPassages> answers = List.of(
                list(
                        "a",
                        1,
                        List.of(FederationFixture.passage("1", "m", 0.9), FederationFixture.passage("2", "n", 0.5))),
                list(
                        "b",
                        1,
                        List.of(FederationFixture.passage("1", "o", 0.7), FederationFixture.passage("2", "p", 0.2))),
                list(
                        "c",
                        1,
                        List.of(
                                FederationFixture.passage("1", "r", 0.95),
                                FederationFixture.passage("2", "s", 0.9),
                                FederationFixture.passage("3", "t", 0.85))),
                list(
                        "d",
                        1,
                        List.of(
                                FederationFixture.passage("1", "u", null),
                                FederationFixture.passage("2", "v", null),
                                FederationFixture.passage("3", "w", null),
                                FederationFixture.passage("4", "x", null))));
        List<FusedHit> fusedHit = FUSION.fuse("nothing here", answers);
        Map<String, Double> scores = new TreeMap<>();
        fusedHit.forEach(hit -> scores.put(hit.best().address().toString(), hit.score()));
        assertEquals(0.7 * 0.9, scores.get("switchboard://d/all/1"), 1e-9);
        assertEquals(0.7 * 0.5, scores.get("switchboard://d/all/2"), 1e-9);
        assertEquals(0.7 * 0.5, scores.get("switchboard://d/all/3"), 1e-9);
        assertEquals(0.7 * 0.5, scores.get("switchboard://d/all/4"), 1e-9);
        assertEquals(0.7 * 0.85, scores.get("switchboard://c/all/3"), 1e-9);
    }

    @Test
    void withoutAnyCosineTheRankTakesItsPlace() {
        List<RankedPassages> answers = List.of(list(
                "a",
                1,
                List.of(
                        FederationFixture.passage("1", "x", null),
                        FederationFixture.passage("2", "y", null),
                        FederationFixture.passage("3", "z", null))));
        assertScores(
                Map.of("a/all/1", 0.7, "a/all/2", 0.7 * 61 / 62, "a/all/3", 0.7 * 61 / 63),
                FUSION.fuse("nothing here", answers));
    }

    @Test
    void byRankTheScoreIsTheSumOfTheWeightedReciprocals() {
        List<RankedPassages> answers = sharingTheSecond(2);
        List<FusedHit> fusedHit = BY_RANK.fuse("tug", answers);
        assertEquals(3, fusedHit.size());
        assertEquals(1.0 / 62 + 2.0 / 62, fusedHit.getFirst().score(), 1e-9);
        assertEquals(2.0 / 61, fusedHit.get(1).score(), 1e-9);
        assertEquals(1.0 / 61, fusedHit.get(2).score(), 1e-9);
    }

    /** Copies are scored again without each other; of the copies the one counts that is worth most with its weight. */
    @Test
    void aDocumentInTwoSourcesHasTheScoreOfItsBestCopyAndWordsCountItOnce() {
        String text = "A tug is a strong small vessel that moves much larger ones by pushing or by towing them.";
        List<Integer> asked = new ArrayList<>();
        HitFusion fusion = new HitFusion(
                (query, texts, known) -> {
                    asked.add(texts.size());
                    return texts.size() == 3
                            ? PooledKeywordScore.Scores.of(0.1, 0.2, 0.3)
                            : PooledKeywordScore.Scores.of(0.5, 1);
                },
                FederationFixture.MODELS,
                new FusionMethod.WeightedSum(0.6));
        List<FusedHit> fused = fusion.fuse(
                "tug",
                List.of(
                        list("a", 1, List.of(FederationFixture.passage("1", text, 0.9))),
                        list(
                                "b",
                                1.5,
                                List.of(
                                        FederationFixture.passage("1", "only here", 0.8),
                                        FederationFixture.passage("2", text, 0.4)))));
        assertEquals(List.of(3, 2), asked);
        // With all three texts b/1 has 0.84, a/1 0.58 and its copy b/2 0.54, so b/1 and a/1 are scored again, in this
        // order.
        assertScores(Map.of("b/all/1", 1.5 * (0.6 * 0.8 + 0.4 * 0.5), "a/all/1", 1.5 * (0.6 * 0.4 + 0.4 * 1)), fused);
        assertEquals(0.96, fused.getLast().score(), 1e-9, "its copy is worth more than the 0.94 of a/1");
        List<OptionalDouble> relevance = List.of(relevance(0.8, 0.5), relevance(0.9, 1));
        assertEquals(relevance, fused.stream().map(FusedHit::relevance).toList(), "of the words that are counted once");
        assertEquals(
                List.of("b:all"),
                fused.getLast().others().stream().map(Candidate::source).toList());
    }

    private static OptionalDouble relevance(double cosine, double byWords) {
        Passage.Similarity similarity =
                FederationFixture.passage("1", "x", cosine).similarity();
        return Relevance.of(FederationFixture.MODELS.normalized(similarity.model(), cosine), byWords, true);
    }

    private static Passage of(String id, String model, double cosine) {
        return new Passage(
                id,
                "title of " + id,
                null,
                model + id + cosine,
                null,
                new Passage.Similarity(model, cosine),
                switchboard.call.Json.object());
    }

    @Test
    void cosinesOfTheModelThatMostSourcesUseCount() {
        List<RankedPassages> answers = List.of(
                list("a", 1, List.of(of("1", "small", 0.9), of("2", "small", 0.8), of("3", "small", 0.7))),
                list("b", 1, List.of(of("1", "large", 0.6), of("2", "large", 0.2))),
                list("c", 1, List.of(of("1", "large", 0.4))));
        // Of the first rank the median of 0.6 and 0.4; of the second the only one, also for what comes after it.
        assertScores(
                Map.of(
                        "a/all/1", 0.7 * 0.5,
                        "a/all/2", 0.7 * 0.2,
                        "a/all/3", 0.7 * 0.2,
                        "b/all/1", 0.7 * 0.6,
                        "b/all/2", 0.7 * 0.2,
                        "c/all/1", 0.7 * 0.4),
                FUSION.fuse("nothing here", answers));
    }

    @Test
    void ofTwoModelsThatAsManySourcesUseTheLastByNameCounts() {
        List<RankedPassages> answers =
                List.of(list("a", 1, List.of(of("1", "x", 0.9))), list("b", 1, List.of(of("1", "y", 0.3))));
        assertScores(Map.of("a/all/1", 0.7 * 0.3, "b/all/1", 0.7 * 0.3), FUSION.fuse("nothing here", answers));
    }

    @Test
    void aCollectionThatSaysHowCommonAWordIsDecidesWhatItIsWorth() {
        RankedPassages river = list("a", 1, List.of(FederationFixture.passage("1", "river mud", null)));
        RankedPassages tugs = list(
                "b",
                1,
                List.of(
                        FederationFixture.passage("1", "tug rope", null),
                        FederationFixture.passage("2", "tug pilot", null),
                        FederationFixture.passage("3", "tug cargo", null)));
        assertEquals(
                "switchboard://a/all/1",
                order(FUSION.fuse("tug river", List.of(river, tugs))).getFirst());
        RankedPassages known = new RankedPassages(
                tugs.source(), 1, tugs.passages(), new TermStatistics(1000, 2000, Map.of("tug", 3L, "river", 900L)));
        assertEquals(
                "switchboard://b/all/1",
                order(FUSION.fuse("tug river", List.of(river, known))).getFirst());
    }

    @Test
    void aWeightLiftsASource() {
        List<RankedPassages> answers = List.of(
                list("a", 1, List.of(FederationFixture.passage("1", "x", 0.8))),
                list("b", 1.5, List.of(FederationFixture.passage("1", "u", 0.7))));
        assertEquals(
                "switchboard://b/all/1", order(FUSION.fuse("nothing", answers)).getFirst());
    }

    @Test
    void twoDocumentsOfOneSourceStayTwo() {
        String text = "The same words stand in both of these documents, and the engine keeps them apart for a reason.";
        List<RankedPassages> answers = List.of(
                list(
                        "a",
                        1,
                        List.of(FederationFixture.passage("1", text, 0.8), FederationFixture.passage("2", text, 0.7))),
                list("b", 1, List.of(FederationFixture.passage("1", "Copy: " + text, 0.6))));
        List<FusedHit> fusedHit = FUSION.fuse("words", answers);
        assertEquals(2, fusedHit.size());
        assertEquals(1, fusedHit.getFirst().others().size());
    }

    private static Passage similar(String id, String model, double cosine) {
        return new Passage(
                id,
                "",
                null,
                "text " + id,
                null,
                new Passage.Similarity(model, cosine),
                Json.object(),
                List.of(),
                List.of(),
                null);
    }

    private static Passage german(String id, String model, double cosine) {
        Passage text = similar(id, model, cosine);
        return text.with("", null, "Die Schiffe sind in der Nacht mit dem Lotsen in den Hafen gekommen " + id);
    }

    /** By vectors alone there is nothing else that could count more. */
    @Test
    void cosinesOfAModelForEnglishCountLessForAQuestionInAnotherLanguage() {
        for (String model : List.of("english", "measured")) {
            List<RankedPassages> lists =
                    List.of(list("a", 1, List.of(german("eins", model, 0.9), german("zwei", model, 0.6))));
            for (double[] weights : new double[][] {{0.8, model.equals("english") ? 0.4 : 0.8}, {1, 1}, {0, 0}}) {
                assertEquals(
                        scores("Wie sind die Schiffe in den Hafen gekommen", lists, weights[1], "plain"),
                        scores("Wie sind die Schiffe in den Hafen gekommen", lists, weights[0], model),
                        model);
            }
            assertEquals(scores("harbour", lists, 0.8, "plain"), scores("harbour", lists, 0.8, model), "English");
        }
    }

    /** The scores, and those of the other ranking in a trial, where all cosines are said to be of {@code model}. */
    private static List<Double> scores(String query, List<RankedPassages> lists, double weight, String model) {
        List<RankedPassages> same = lists.stream()
                .map(list -> list(
                        "a",
                        1,
                        list.passages().stream().map(one -> of(one, model)).toList()))
                .toList();
        FusionMethod.WeightedSum method = new FusionMethod.WeightedSum(weight);
        List<FusedHit> hits = FUSION.by(method).fuse(query, same);
        HitFusion.BothRankings both = FUSION.both(query, same, method, method, Candidate::weight);
        assertEquals(hits, both.current());
        assertEquals(hits, both.proposed());
        return hits.stream().map(FusedHit::score).toList();
    }

    private static Passage of(Passage passage, String model) {
        return similar(passage.document(), model, passage.similarity().cosine()).with("", null, passage.text());
    }

    /** By hand: a cosine of 0.9 has place 1 in the range from 0.5 to 0.9. */
    @Test
    void relevanceRestsOnCosinesOfKnownMeaningAndOnWords() {
        List<RankedPassages> lists = List.of(
                list("a", 1, List.of(similar("near", "measured", 0.9), similar("far", "measured", 0.5))),
                list("b", 1, List.of(similar("word", "other", 0.9), similar("none", "other", 0.9))),
                list("c", 3, List.of(FederationFixture.passage("plain", "plain", null))));
        Map<String, Double> words = Map.of("near", 0.0, "far", 0.0, "word", 0.2, "none", 0.0, "plain", 0.16);
        KeywordScore scores = (query, texts, known) -> PooledKeywordScore.Scores.of(texts.stream()
                .mapToDouble(text -> words.getOrDefault(text.replaceAll(".*\\s", ""), 0.0))
                .toArray());
        for (FusionMethod method : List.of(new FusionMethod.WeightedSum(0.7), new FusionMethod.ReciprocalRank(60))) {
            Map<String, OptionalDouble> found = new HashMap<>();
            new HitFusion(scores, FederationFixture.MODELS, method)
                    .fuse("any", lists)
                    .forEach(hit -> found.put(hit.best().passage().document(), hit.relevance()));
            assertEquals(0.818, found.get("near").getAsDouble());
            assertEquals(0.011, found.get("far").getAsDouble());
            assertEquals(0.731, found.get("word").getAsDouble());
            assertEquals(0.5, found.get("plain").getAsDouble(), "the weight of a source is no relevance");
            assertTrue(found.get("none").isEmpty());
        }
    }
}
