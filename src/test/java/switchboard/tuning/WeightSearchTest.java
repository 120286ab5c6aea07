package switchboard.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.eval.PairedTest;
import switchboard.insight.ImplicitJudgments;
import switchboard.insight.JudgedHit;
import switchboard.insight.SimulatedReaders;
import switchboard.tuning.WeightSearch.FoundWeights;

/** Weights from people whose preferences are known: they like what is relevant, and relevance is in the scores in a known way. */
class WeightSearchTest {
    private static final double CONFIGURED = 0.7;
    private static final int QUERIES = 100;

    /**
     * A simulated team.
     *
     * @param handbook how much better documents of this source are than their scores say
     */
    private static final class Simulated {
        private final Random random;
        private final SimulatedReaders readers;
        private final Map<String, List<JudgedQuery.ScoredHit>> found = new LinkedHashMap<>();
        private final Map<String, Map<String, Double>> liked = new HashMap<>();

        Simulated(long seed, double handbook) {
            random = new Random(seed);
            readers = new SimulatedReaders(seed);
            for (int query = 0; query < QUERIES; query++) {
                add("query " + query, handbook);
            }
        }

        private void add(String query, double handbook) {
            List<JudgedQuery.ScoredHit> hits = new ArrayList<>();
            Map<String, Double> liking = new HashMap<>();
            for (int i = 0; i < 16; i++) {
                String source = i % 2 == 0 ? "v:handbook" : "v:mails";
                String address = source + "/" + query + "-" + i;
                double quality = random.nextDouble();
                hits.add(new JudgedQuery.ScoredHit(
                        address,
                        new TreeMap<>(Map.of(source, 1.0)),
                        quality + 0.3 * random.nextGaussian(),
                        quality + 0.3 * random.nextGaussian()));
                double real = Math.clamp(i % 2 == 0 ? quality * handbook : quality / handbook, 0, 1);
                liking.put(address, real * real * real);
            }
            found.put(query, hits);
            liked.put(query, liking);
        }

        /** What people are shown before anything is tuned: the first ten. */
        private List<String> shown(String query) {
            return found.get(query).stream()
                    .sorted(Comparator.comparingDouble(
                                    (JudgedQuery.ScoredHit hit) -> hit.score(RankingWeights.CONFIGURED, CONFIGURED))
                            .reversed())
                    .limit(10)
                    .map(JudgedQuery.ScoredHit::address)
                    .toList();
        }

        Simulated read(int people) {
            found.keySet().forEach(query -> IntStream.range(0, people)
                    .forEach(person -> readers.ask("k" + person, query, shown(query), address -> liked.get(query)
                            .get(address))));
            return this;
        }

        /** One key that reads all that it is shown of the mails, again and again. */
        Simulated spam() {
            found.keySet().forEach(query -> IntStream.range(0, 20)
                    .forEach(_ ->
                            readers.readAll("spam", query, shown(query), address -> address.startsWith("v:mails"))));
            return this;
        }

        /** One key that asks what nobody else asks, and reads all that it is shown of the mails. */
        Simulated spamOfItsOwn() {
            for (int query = 0; query < 3 * QUERIES; query++) {
                String own = "own " + query;
                add(own, 1);
                readers.readAll("spam", own, shown(own), address -> address.startsWith("v:mails"));
            }
            return this;
        }

        List<JudgedQuery> judged() {
            ImplicitJudgments judgments = new ImplicitJudgments();
            readers.lines().forEach(judgments::add);
            ImplicitJudgments.ReadJudgments read = judgments.judgments();
            Map<String, Map<String, Integer>> gains = new LinkedHashMap<>();
            for (JudgedHit hit : read.judged()) {
                gains.computeIfAbsent(hit.query(), _ -> new HashMap<>()).put(hit.address(), hit.gain());
            }
            List<JudgedQuery> queries = new ArrayList<>();
            gains.forEach((query, byAddress) -> {
                List<JudgedQuery.ScoredHit> known = found.get(query).stream()
                        .filter(hit -> byAddress.containsKey(hit.address()))
                        .toList();
                byAddress.values().removeIf(gain -> gain == 0);
                if (!byAddress.isEmpty()) {
                    queries.add(new JudgedQuery(
                            query, known, byAddress, read.reads().get(query).count()));
                }
            });
            return queries;
        }

        /** The true difference in nDCG@10 on what was held back, as people like it. */
        double truth(FoundWeights weights) {
            return judged().stream()
                    .filter(query -> !query.training())
                    .map(query -> {
                        Map<String, Integer> real = new HashMap<>();
                        liked.get(query.id())
                                .forEach((address, liking) -> real.put(address, (int) Math.round(1000 * liking)));
                        real.values().removeIf(gain -> gain == 0);
                        return new JudgedQuery(query.id(), found.get(query.id()), real, 1);
                    })
                    .mapToDouble(
                            query -> query.ndcg(weights.after(), CONFIGURED) - query.ndcg(weights.before(), CONFIGURED))
                    .average()
                    .orElse(0);
        }

        FoundWeights found() {
            return new WeightSearch(judged(), CONFIGURED).from(RankingWeights.CONFIGURED);
        }
    }

    private static double ratio(FoundWeights found) {
        return found.after().factor("v:handbook") / found.after().factor("v:mails");
    }

    @Test
    void aPlantedWeightIsFound() {
        for (int seed = 0; seed < 5; seed++) {
            Simulated team = new Simulated(seed, 1.5).read(8);
            FoundWeights found = team.found();
            assertTrue(found.better(), found::toString);
            assertTrue(ratio(found) > 1.3, found::toString);
            double truth = team.truth(found);
            assertTrue(truth > 0.12 && truth < 0.2, () -> truth + " " + found);
        }
    }

    @Test
    void aKeyThatReadsAllOfASourceDoesNotDecide() {
        int better = 0;
        for (int seed = 0; seed < 5; seed++) {
            Simulated team = new Simulated(seed, 1.5).read(8).spam();
            FoundWeights found = team.found();
            better += found.better() ? 1 : 0;
            assertTrue(ratio(found) > 1.3, found::toString);
            assertTrue(team.truth(found) > 0.03, found::toString);
            Simulated besides = new Simulated(seed, 1.5).read(8).spamOfItsOwn();
            assertTrue(ratio(besides.found()) > 1.3, () -> besides.found().toString());
            Simulated alike = new Simulated(seed, 1).read(8).spam();
            FoundWeights spammed = alike.found();
            double truth = alike.truth(spammed);
            assertTrue(!spammed.better() || truth > -0.01, () -> truth + " " + spammed);
        }
        assertTrue(better >= 4, "" + better);
    }

    /** A library of yesterday, of which nobody was shown anything yet. */
    @Test
    void aSourceThatWasNeverShownKeepsItsWeight() {
        Simulated team = new Simulated(3, 1).read(8);
        List<JudgedQuery> queries = team.judged().stream()
                .map(query -> new JudgedQuery(
                        query.id(),
                        query.hits().stream()
                                .filter(hit -> hit.sources().containsKey("v:mails"))
                                .toList(),
                        query.gains(),
                        query.weight()))
                .toList();
        assertEquals(
                1,
                new WeightSearch(queries, CONFIGURED)
                        .from(RankingWeights.CONFIGURED)
                        .after()
                        .factor("v:handbook"));
    }

    /** What is near says nothing here, and words say all. */
    @Test
    void aPlantedWeightOfTheVectorsIsFound() {
        Random random = new Random(3);
        List<JudgedQuery> queries = new ArrayList<>();
        for (int query = 0; query < QUERIES; query++) {
            List<JudgedQuery.ScoredHit> hits = new ArrayList<>();
            Map<String, Integer> gains = new HashMap<>();
            for (int i = 0; i < 10; i++) {
                double quality = random.nextDouble();
                hits.add(new JudgedQuery.ScoredHit(
                        "d" + i, new TreeMap<>(Map.of("v:only", 1.0)), random.nextDouble(), quality));
                gains.put("d" + i, 1 + (int) (20 * quality * quality));
            }
            queries.add(new JudgedQuery("q" + query, hits, gains, 1));
        }
        FoundWeights found = new WeightSearch(queries, CONFIGURED).from(RankingWeights.CONFIGURED);
        assertTrue(found.better(), found::toString);
        assertEquals(
                new RankingWeights(new TreeMap<>(), 0.3), found.after(), "of one source there is nothing to weigh");
        FoundWeights fixed = new WeightSearch(queries, 1).from(RankingWeights.CONFIGURED);
        assertEquals(RankingWeights.CONFIGURED, fixed.after(), "the words had no weight, so nothing is known of them");
    }

    /** Where nothing is to be found, what is proposed by chance does no harm. */
    @Test
    void whatIsHeldBackNeverGetsWorseByMoreThanNoise() {
        int proposed = 0;
        for (int seed = 0; seed < 20; seed++) {
            Simulated team = new Simulated(100 + seed, 1).read(6);
            FoundWeights found = team.found();
            if (found.better()) {
                proposed++;
                double truth = team.truth(found);
                assertTrue(truth > -0.01, () -> truth + " " + found);
            }
        }
        int much = proposed;
        assertTrue(proposed <= 6, () -> "proposed " + much);
    }

    @Test
    void withoutQueriesOrSourcesOrJudgmentsThereIsNothingToPropose() {
        FoundWeights nothing = new WeightSearch(List.of(), CONFIGURED).from(RankingWeights.CONFIGURED);
        assertFalse(nothing.better());
        assertTrue(nothing.tooFew());
        assertEquals(new PairedTest(0, 0, 0, 1), nothing.test());
        List<JudgedQuery> one = IntStream.range(0, 100)
                .mapToObj(i -> new JudgedQuery("q" + i, List.of(), Map.of("gone", 3), 1))
                .toList();
        FoundWeights gone = new WeightSearch(one, CONFIGURED).from(RankingWeights.CONFIGURED);
        assertFalse(gone.better(), gone::toString);
        assertEquals(RankingWeights.CONFIGURED, gone.after());
        int training = gone.trained().queries();
        assertTrue(training > 60 && training < 80, () -> "" + training);
        assertEquals(100, training + gone.heldBack().queries());
    }

    @Test
    void aConfiguredWeightOfNothingStaysNothing() {
        JudgedQuery.ScoredHit hit =
                new JudgedQuery.ScoredHit("a", new TreeMap<>(Map.of("v:off", 0.0, "v:on", 2.0)), 0.5, 0.25);
        RankingWeights weights =
                RankingWeights.CONFIGURED.times("v:off", 100).times("v:on", 0.5).withSimilarity(0.0);
        assertEquals(0.25, hit.score(weights, 0), 1e-9);
        assertEquals(1, hit.score(RankingWeights.CONFIGURED, 1), 1e-9);
        assertEquals(100, RankingWeights.CONFIGURED.times("v", 1e9).factor("v"), "within what is allowed");
    }
}
