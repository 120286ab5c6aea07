package switchboard.call;

import java.util.HashMap;
import java.util.Map;

/**
 * How common the words of a query are where it was looked for, as BM25 needs to know: what a word is worth can be told from
 * a collection, and hardly from the few passages that were found for it.
 *
 * @param passages how many there are
 * @param terms how many terms they hold together, repeated ones too
 * @param holders how many of them hold each term of the query, by the term as the store's analysis makes it
 */
public record TermStatistics(long passages, long terms, Map<String, Long> holders) {
    /** Of a source that does not say. */
    public static final TermStatistics NONE = new TermStatistics(0, 0, Map.of());

    public TermStatistics {
        holders = Map.copyOf(holders);
    }

    /** Of both collections together. */
    public TermStatistics and(TermStatistics other) {
        Map<String, Long> both = new HashMap<>(holders);
        other.holders.forEach((term, count) -> both.merge(term, count, Long::sum));
        return new TermStatistics(passages + other.passages, terms + other.terms, both);
    }
}
