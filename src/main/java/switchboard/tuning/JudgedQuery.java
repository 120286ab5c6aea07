package switchboard.tuning;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import switchboard.eval.Quality;

/**
 * A query with what its sources give for it, and what is known of these.
 *
 * @param id the same for the same query
 * @param hits in any order; only those of which something is known
 * @param gains how well documents answer, above 0, by address
 * @param weight how much it counts, above 0
 */
public record JudgedQuery(String id, List<ScoredHit> hits, Map<String, Integer> gains, double weight) {
    /** Among so many queries, seven of ten are of the training part. */
    private static final int PARTS = 10;

    private static final int TRAINING = 7;

    /**
     * A hit, with what its score is made of before weights.
     *
     * @param sources those that have it, with their configured weights
     * @param nearness of the vectors, or by the rank in its source
     * @param keyword the score by words
     */
    public record ScoredHit(String address, SortedMap<String, Double> sources, double nearness, double keyword) {
        public ScoredHit {
            sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
        }

        /** As {@code search_everywhere} scores it with the method {@code linear}. */
        double score(RankingWeights weights, double similarity) {
            double weight = 0;
            for (Map.Entry<String, Double> source : sources.entrySet()) {
                weight = Math.max(weight, source.getValue() * weights.factor(source.getKey()));
            }
            return weight * (similarity * nearness + (1 - similarity) * keyword);
        }
    }

    public JudgedQuery {
        hits = List.copyOf(hits);
        gains = Map.copyOf(gains);
    }

    /** Whether weights may be fitted to it; the others tell what these are worth. A query stays in its part. */
    boolean training() {
        return Math.floorMod((id.hashCode() * 0x9E3779B9) >>> 8, PARTS) < TRAINING;
    }

    /**
     * nDCG@10 of the ranking by {@code weights}.
     *
     * @param configured the cosine's weight where {@code weights} have none
     */
    double ndcg(RankingWeights weights, double configured) {
        double similarity = weights.similarity() == null ? configured : weights.similarity();
        Map<String, Double> best = new LinkedHashMap<>();
        for (ScoredHit hit : hits) {
            best.merge(hit.address(), hit.score(weights, similarity), Math::max);
        }
        List<Map.Entry<String, Double>> ranked = new ArrayList<>(best.entrySet());
        ranked.sort(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry::getKey));
        return Quality.of(ranked.stream().map(Map.Entry::getKey).toList(), gains)
                .ndcg10();
    }
}
