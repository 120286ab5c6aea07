package switchboard.store;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a search found.
 *
 * @param hits best first; ties in the order of source, then place in the document, then space
 * @param vectorsNotUsed why the vectors of some or all documents took no part, and what to do; safe to show. Empty when
 *     they did, or were not asked for
 * @param unreadable the spaces that were not searched because their files are damaged
 */
public record SearchResult(List<Hit> hits, Optional<String> vectorsNotUsed, List<Space> unreadable) {
    public SearchResult {
        unreadable = List.copyOf(unreadable);
        hits = List.copyOf(hits);
    }

    /** Which spaces were left out, in words for the caller; empty if none were. */
    public Optional<String> leftOut() {
        return unreadable.isEmpty()
                ? Optional.empty()
                : Optional.of("Not searched, because their files are damaged: "
                        + unreadable.stream().map(Space::name).collect(Collectors.joining(", "))
                        + ". The operator finds out more with `switchboard doctor`.");
    }
}
