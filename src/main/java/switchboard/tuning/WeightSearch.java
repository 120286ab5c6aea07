package switchboard.tuning;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import switchboard.eval.PairedTest;

/**
 * Looks for weights that rank better what was read: one weight after the other, on the training part of the queries, as long as
 * one helps. What comes out is then measured on the part that was held back. Deterministic.
 *
 * @param queries all of them
 * @param configured the cosine's weight in the configuration, 0 to 1; it is only changed if it is neither
 */
public record WeightSearch(List<JudgedQuery> queries, double configured) {
    /** With fewer held back, no interval means anything. */
    public static final int FEWEST_HELD_BACK = 10;

    /** With fewer that rank differently, chance decides. */
    public static final int FEWEST_CHANGED = 6;

    private static final double[] CHANGES = {0.25, 0.5, 0.7, 1.4, 2, 4};
    private static final double[] SIMILARITIES = {0.3, 0.5, 0.7, 0.9};
    private static final int ROUNDS = 3;

    /** Of more sources, those with most of what was read. */
    private static final int MOST_SOURCES = 20;

    /** A change that helps less is not made. */
    private static final double LEAST_GAIN = 0.001;

    /**
     * What was found.
     *
     * @param before the weights in use
     * @param after what is best on the training part; the same if nothing is better
     * @param trained on the training part
     * @param heldBack on the part that was held back
     * @param changed how many queries of that part rank differently
     * @param test of the difference there
     */
    public record FoundWeights(
            RankingWeights before,
            RankingWeights after,
            Measured trained,
            Measured heldBack,
            int changed,
            PairedTest test) {
        /** Whether it is better for queries that it was not fitted to, beyond chance. */
        public boolean better() {
            return !after.equals(before) && !tooFew() && changed >= FEWEST_CHANGED && test.low() > 0;
        }

        /** Whether there is too little to say anything. */
        public boolean tooFew() {
            return heldBack.queries() < FEWEST_HELD_BACK;
        }
    }

    /**
     * The mean nDCG@10 over queries, by their weights.
     *
     * @param queries how many
     */
    public record Measured(int queries, double before, double after) {}

    public WeightSearch {
        queries = List.copyOf(queries);
    }

    /** Starts from the weights in use. */
    public FoundWeights from(RankingWeights start) {
        List<JudgedQuery> training =
                queries.stream().filter(JudgedQuery::training).toList();
        List<JudgedQuery> held =
                queries.stream().filter(query -> !query.training()).toList();
        RankingWeights found = best(training, start);
        double usual = weight(held) / Math.max(1, held.size());
        double[] differences = held.stream()
                .mapToDouble(query ->
                        query.weight() / usual * (query.ndcg(found, configured) - query.ndcg(start, configured)))
                .toArray();
        return new FoundWeights(
                start,
                found,
                new Measured(training.size(), mean(training, start), mean(training, found)),
                new Measured(held.size(), mean(held, start), mean(held, found)),
                (int) Arrays.stream(differences)
                        .filter(difference -> difference != 0)
                        .count(),
                PairedTest.of(differences));
    }

    private RankingWeights best(List<JudgedQuery> training, RankingWeights start) {
        RankingWeights best = start;
        double quality = mean(training, start);
        List<String> sources = sources(training);
        for (int round = 0; round < ROUNDS; round++) {
            RankingWeights before = best;
            for (int i = 0; i <= sources.size(); i++) {
                RankingWeights known = best;
                Stream<RankingWeights> tries =
                        i < sources.size() ? factors(known, sources.get(i)) : similarities(known);
                for (RankingWeights tried : tries.toList()) {
                    double other = mean(training, tried);
                    if (other > quality + LEAST_GAIN) {
                        best = tried;
                        quality = other;
                    }
                }
            }
            if (best.equals(before)) {
                break;
            }
        }
        return best;
    }

    private static Stream<RankingWeights> factors(RankingWeights known, String source) {
        return Arrays.stream(CHANGES).mapToObj(change -> known.times(source, change));
    }

    /** None where one of the two parts of scores is not known, because it had no weight. */
    private Stream<RankingWeights> similarities(RankingWeights known) {
        return configured > 0 && configured < 1
                ? Arrays.stream(SIMILARITIES).mapToObj(known::withSimilarity)
                : Stream.empty();
    }

    private double mean(List<JudgedQuery> some, RankingWeights weights) {
        return some.isEmpty()
                ? 0
                : some.stream()
                                .mapToDouble(query -> query.weight() * query.ndcg(weights, configured))
                                .sum()
                        / weight(some);
    }

    private static double weight(List<JudgedQuery> some) {
        return some.stream().mapToDouble(JudgedQuery::weight).sum();
    }

    /** Those with most of what was read come first. With a single one there is nothing to weigh. */
    private static List<String> sources(List<JudgedQuery> training) {
        Map<String, Integer> read = new HashMap<>();
        for (JudgedQuery query : training) {
            for (JudgedQuery.ScoredHit hit : query.hits()) {
                int gain = query.gains().getOrDefault(hit.address(), 0);
                hit.sources().keySet().forEach(source -> read.merge(source, gain, Integer::sum));
            }
        }
        return read.size() < 2
                ? List.of()
                : read.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(MOST_SOURCES)
                        .map(Map.Entry::getKey)
                        .toList();
    }
}
