package switchboard.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.call.TermStatistics;

/**
 * Scores passages of several collections by keyword: BM25 with the pooled statistics of the collections and the
 * passages, divided by the highest possible score, so that scores are from 0 to below 1. Analysis and constants are
 * those of the store's own keyword search.
 */
public final class PooledKeywordScore {
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private PooledKeywordScore() {}

    /**
     * The score of each of {@code passages}, in their order.
     *
     * @param more statistics of the collections that {@code passages} come from
     */
    public static double[] of(String query, List<String> passages, TermStatistics more) {
        List<String> wanted = TextAnalysis.ofQuery(query);
        List<Map<String, Integer>> counts = counts(passages);
        TermStatistics known = more.and(statistics(wanted, counts));
        double mean = Math.max(1, (double) known.terms() / Math.max(1, known.passages()));
        double[] norms = counts.stream()
                .mapToDouble(terms -> K1 * (1 - B + B * length(terms) / mean))
                .toArray();
        double[] scores = new double[passages.size()];
        double most = 0;
        for (String term : wanted) {
            long holders = known.holders().getOrDefault(term, 0L);
            double idf = Math.log(1 + (known.passages() - holders + 0.5) / (holders + 0.5));
            most += idf;
            for (int i = 0; i < scores.length; i++) {
                int count = counts.get(i).getOrDefault(term, 0);
                scores[i] += idf * count / (count + norms[i]);
            }
        }
        for (int i = 0; i < scores.length && most > 0; i++) {
            scores[i] /= most;
        }
        return scores;
    }

    /** The statistics of the query's words in {@code passages}. */
    public static TermStatistics statistics(String query, List<String> passages) {
        return statistics(TextAnalysis.ofQuery(query), counts(passages));
    }

    private static TermStatistics statistics(List<String> wanted, List<Map<String, Integer>> counts) {
        Map<String, Long> holders = new HashMap<>();
        for (String term : wanted) {
            holders.put(
                    term,
                    counts.stream().filter(terms -> terms.containsKey(term)).count());
        }
        return new TermStatistics(
                counts.size(),
                counts.stream().mapToLong(PooledKeywordScore::length).sum(),
                holders);
    }

    private static int length(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static List<Map<String, Integer>> counts(List<String> passages) {
        return passages.stream()
                .map(passage -> termCounts(TextAnalysis.ofDocument(passage)))
                .toList();
    }

    private static Map<String, Integer> termCounts(List<String> terms) {
        Map<String, Integer> counts = new HashMap<>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        return counts;
    }
}
