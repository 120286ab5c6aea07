package switchboard.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives hits their places among the results, best first, so that one document has at most some of them. A text that is
 * also in a document that has its places gets none: it would be one more of the same document. Not thread-safe.
 *
 * @param <D> identity of a document
 */
public final class DocumentPlaces<D> {
    private final int perDocument;
    private final Map<D, Integer> taken = new HashMap<>();

    /**
     * No place is taken.
     *
     * @param perDocument maximum number of hits of one document; 0 for no limit
     */
    public DocumentPlaces(int perDocument) {
        this.perDocument = perDocument;
    }

    /**
     * Takes a place for a hit of {@code document} if there is one.
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

    /** Whether {@code document} has all its places. */
    public boolean full(D document) {
        return perDocument > 0 && taken.getOrDefault(document, 0) >= perDocument;
    }
}
