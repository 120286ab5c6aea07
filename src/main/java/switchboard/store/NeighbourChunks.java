package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.IndexSearcher;

/**
 * Finds the chunks directly before and after chunks in their documents. The chunks of a document are consecutive in
 * the index.
 */
final class NeighbourChunks {
    private final Map<Integer, List<Integer>> byChunk = new HashMap<>();

    private NeighbourChunks() {}

    /** The neighbours of {@code chunks} (ascending). */
    static NeighbourChunks of(IndexSearcher searcher, int[] chunks) throws IOException {
        NeighbourChunks found = new NeighbourChunks();
        EachSegment.read(searcher, chunks, (segment, there) -> {
            NumericDocValues up = DocValues.getNumeric(segment.reader(), DocumentSchema.UP);
            NumericDocValues next = DocValues.getNumeric(segment.reader(), DocumentSchema.UP); // they only go forward
            for (int chunk : there) {
                found.add(chunk, segment.docBase, up, next);
            }
        });
        return found;
    }

    /**
     * Adds the neighbours of a chunk. {@link DocumentSchema#UP} decreases by one from chunk to chunk and is 1 for the
     * last. Where chunks are left out, something without it is between the others.
     */
    private void add(int chunk, int base, NumericDocValues up, NumericDocValues next) throws IOException {
        int local = chunk - base;
        long before = local > 0 && up.advanceExact(local - 1) ? up.longValue() : 0;
        long own = up.advanceExact(local) ? up.longValue() : 0;
        List<Integer> found = new ArrayList<>(2);
        if (before == own + 1) {
            found.add(chunk - 1);
        }
        if (own > 1 && next.advanceExact(local + 1) && next.longValue() == own - 1) {
            found.add(chunk + 1);
        }
        byChunk.put(chunk, found);
    }

    /** The chunks and their neighbours, in ascending order. */
    int[] withThem() {
        TreeSet<Integer> all = new TreeSet<>(byChunk.keySet());
        byChunk.values().forEach(all::addAll);
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The neighbours of one chunk: two, one, or none if the document has only this chunk. */
    List<Integer> of(int chunk) {
        return byChunk.getOrDefault(chunk, List.of());
    }
}
