package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;

/** Reads something of each segment of an index; several segments at once if the searcher has threads for that. */
final class EachSegment {
    private EachSegment() {}

    /** What is read of one segment, by one thread at a time. */
    interface SegmentRead<T> {
        T from(LeafReaderContext segment) throws IOException;
    }

    /** What {@code reading} reads of each of {@code searcher}'s segments, in the order of the searcher's slices. */
    static <T> List<T> read(IndexSearcher searcher, SegmentRead<T> reading) throws IOException {
        List<Callable<List<T>>> parts = new ArrayList<>();
        for (IndexSearcher.LeafSlice slice : searcher.getSlices()) {
            parts.add(() -> part(slice, reading));
        }
        List<T> all = new ArrayList<>();
        searcher.getTaskExecutor().invokeAll(parts).forEach(all::addAll);
        return all;
    }

    /** Reads some chunks of one segment. */
    interface ChunksRead {
        /**
         * Reads of {@code segment}.
         *
         * @param chunks Lucene document numbers of the index, ascending
         */
        void of(LeafReaderContext segment, int[] chunks) throws IOException;
    }

    /**
     * Reads {@code chunks} segment by segment, on the caller's thread, because what Lucene reads by only goes forward.
     *
     * @param chunks Lucene document numbers of the index, ascending
     */
    static void read(IndexSearcher searcher, int[] chunks, ChunksRead reading) throws IOException {
        List<LeafReaderContext> segments = searcher.getLeafContexts();
        int from = 0;
        while (from < chunks.length) {
            LeafReaderContext segment = segments.get(ReaderUtil.subIndex(chunks[from], segments));
            int end = segment.docBase + segment.reader().maxDoc();
            int to = from;
            while (to < chunks.length && chunks[to] < end) {
                to++;
            }
            reading.of(segment, Arrays.copyOfRange(chunks, from, to));
            from = to;
        }
    }

    private static <T> List<T> part(IndexSearcher.LeafSlice slice, SegmentRead<T> reading) throws IOException {
        List<T> part = new ArrayList<>();
        for (IndexSearcher.LeafReaderContextPartition segment : slice.partitions) {
            part.add(reading.from(segment.ctx));
        }
        return part;
    }
}
