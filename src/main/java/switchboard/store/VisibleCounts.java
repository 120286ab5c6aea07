package switchboard.store;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.Term;

/**
 * How many visible documents of a segment have a frequent term, or a vector: each is counted once and kept for later searches
 * of the same callers, if the segment is large. Thread-safe.
 */
final class VisibleCounts {
    /** About the most memory that they take, in bytes. */
    static final int BYTES = 16 << 10;

    /** Segments with fewer Lucene documents are counted anew each time. */
    private static final int LARGE = 8192;

    /** Maximum number of terms. */
    private static final int MOST = 64;

    /** Longer terms are not kept; in bytes. */
    private static final int LONGEST = 64;

    private final boolean kept;
    private final Map<Term, Integer> terms = new ConcurrentHashMap<>();
    private final Map<String, Integer> vectors = new ConcurrentHashMap<>();

    /** Counts for a segment with so many Lucene documents. */
    VisibleCounts(int documents) {
        kept = documents >= LARGE;
    }

    /** Counts the visible documents in the index's files; may read the disk. */
    interface Counting {
        int count() throws IOException;
    }

    /** How many visible documents have {@code term}, which is frequent. */
    int documents(Term term, Counting counting) throws IOException {
        return term.bytes().length <= LONGEST ? counted(terms, term, counting) : counting.count();
    }

    /** How many visible documents have a vector in {@code field}. */
    int vectors(String field, Counting counting) throws IOException {
        return counted(vectors, field, counting);
    }

    private <K> int counted(Map<K, Integer> counts, K key, Counting counting) throws IOException {
        Integer known = counts.get(key);
        if (known != null) {
            return known;
        }
        int counted = counting.count();
        if (kept && counts.size() < MOST) {
            counts.put(key, counted);
        }
        return counted;
    }

    /** About how much memory they may take, in bytes. */
    int bytes() {
        return kept ? BYTES : 0;
    }
}
