package switchboard.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How well passages fit a query by their words, when all that is known of the collections they are from is the passages
 * themselves: BM25 with the statistics of the pool, divided by the most that the query could reach, so that scores are
 * from 0 to below 1. Same analysis and constants as the store's own keyword search.
 */
public final class PooledKeywordScore {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private PooledKeywordScore() {}

    /** The score of each of {@code passages}, in their order. */
    public static double[] of(String query, List<String> passages) {
        List<String> wanted = Analysis.ofQuery(query);
        List<Map<String, Integer>> counts = passages.stream()
                .map(passage -> counts(Analysis.ofDocument(passage)))
                .toList();
        double[] lengths = counts.stream()
                .mapToDouble(terms ->
                        terms.values().stream().mapToInt(Integer::intValue).sum())
                .toArray();
        double mean = Math.max(1, java.util.Arrays.stream(lengths).average().orElse(1));
        double[] scores = new double[passages.size()];
        double most = 0;
        for (String term : wanted) {
            long holders =
                    counts.stream().filter(terms -> terms.containsKey(term)).count();
            double idf = Math.log(1 + (passages.size() - holders + 0.5) / (holders + 0.5));
            most += idf;
            for (int i = 0; i < scores.length; i++) {
                int count = counts.get(i).getOrDefault(term, 0);
                scores[i] += idf * count / (count + K1 * (1 - B + B * lengths[i] / mean));
            }
        }
        for (int i = 0; i < scores.length && most > 0; i++) {
            scores[i] /= most;
        }
        return scores;
    }

    private static Map<String, Integer> counts(List<String> terms) {
        Map<String, Integer> counts = new HashMap<>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        return counts;
    }
}
