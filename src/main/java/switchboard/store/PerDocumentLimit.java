package switchboard.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the number of hits per document. Hits are offered best first. A hit whose text is also in a document that has reached
 * its limit is refused, too: it would be one more of the same document. Not thread-safe.
 *
 * @param <D> identity of a document
 */
public final class PerDocumentLimit<D> {
    private final int perDocument;
    private final Map<D, Integer> taken = new HashMap<>();

    /**
     * Starts without hits.
     *
     * @param perDocument maximum number of hits of one document; 0 for no limit
     */
    public PerDocumentLimit(int perDocument) {
        this.perDocument = perDocument;
    }

    /**
     * Counts a hit of {@code document}; returns false, and counts nothing, if the document has reached its limit.
     *
     * @param copies other documents with the same text
     */
    public boolean take(D document, Collection<D> copies) {
        if (full(document) || copies.stream().anyMatch(this::full)) {
            return false;
        }
        taken.merge(document, 1, Integer::sum);
        return true;
    }

    /** The same limit with the hits that are counted so far; what is counted later is not in it. */
    public PerDocumentLimit<D> copy() {
        PerDocumentLimit<D> copy = new PerDocumentLimit<>(perDocument);
        copy.taken.putAll(taken);
        return copy;
    }

    /** Whether {@code document} has reached its limit. */
    public boolean full(D document) {
        return perDocument > 0 && taken.getOrDefault(document, 0) >= perDocument;
    }
}
