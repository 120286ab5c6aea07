package switchboard.store;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import switchboard.call.TermStatistics;

/**
 * What a search found.
 *
 * @param hits best first; ties in the order of source, then place in the document, then namespace
 * @param vectorsNotUsed why the vectors of some or all documents took no part, and what to do; safe to show. Empty when
 *     they did, or were not asked for
 * @param byRank whether the scores are of ranks, whatever was asked for, because vectors of several models took part
 * @param unreadable the namespaces that were not searched because their files are damaged
 * @param statistics of the query's words in what was searched, whatever was filtered out; none if none of them is there
 */
public record SearchResult(
        List<Hit> hits,
        Optional<String> vectorsNotUsed,
        boolean byRank,
        List<Namespace> unreadable,
        TermStatistics statistics) {
    public SearchResult {
        unreadable = List.copyOf(unreadable);
        hits = List.copyOf(hits);
    }

    /** What there is of the two, one after the other. */
    static Optional<String> sentences(Optional<String> first, Optional<String> second) {
        return first.isEmpty()
                ? second
                : first.map(text -> second.map(more -> text + " " + more).orElse(text));
    }

    /** Which namespaces were left out, in words for the caller; empty if none were. */
    public Optional<String> leftOut() {
        return leftOut(unreadable);
    }

    static Optional<String> leftOut(List<Namespace> unreadable) {
        return unreadable.isEmpty()
                ? Optional.empty()
                : Optional.of("Not searched, because their files are damaged: "
                        + unreadable.stream().map(Namespace::name).collect(Collectors.joining(", "))
                        + ". The operator finds out more with `switchboard doctor`.");
    }
}
