package switchboard.store;

import java.util.List;
import java.util.Optional;

/**
 * What a search found.
 *
 * @param hits best first; ties in the order of source, then place in the document, then space
 * @param vectorsNotUsed why the vectors of some or all documents took no part, and what to do; safe to show. Empty when
 *     they did, or were not asked for
 */
public record SearchResult(List<Hit> hits, Optional<String> vectorsNotUsed) {
    public SearchResult {
        hits = List.copyOf(hits);
    }
}
