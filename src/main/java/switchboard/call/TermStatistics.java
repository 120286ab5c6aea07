package switchboard.call;

import java.util.HashMap;
import java.util.Map;

/**
 * Word statistics of a collection for the words of a query, as BM25 needs them. The whole collection says how rare a
 * word is; the few passages that were found don't.
 *
 * @param passages number of passages
 * @param terms number of terms in them, with repetitions
 * @param holders for each term of the query the number of passages that contain it; terms are those of the store's
 *     analysis
 */
public record TermStatistics(long passages, long terms, Map<String, Long> holders) {
    /** No statistics. */
    public static final TermStatistics NONE = new TermStatistics(0, 0, Map.of());

    public TermStatistics {
        holders = Map.copyOf(holders);
    }

    /** The sum of both collections. */
    public TermStatistics and(TermStatistics other) {
        Map<String, Long> both = new HashMap<>(holders);
        other.holders.forEach((term, count) -> both.merge(term, count, Long::sum));
        return new TermStatistics(passages + other.passages, terms + other.terms, both);
    }
}
