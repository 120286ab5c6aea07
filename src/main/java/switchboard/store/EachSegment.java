package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.lucene.index.LeafReaderContext;
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

    private static <T> List<T> part(IndexSearcher.LeafSlice slice, SegmentRead<T> reading) throws IOException {
        List<T> part = new ArrayList<>();
        for (IndexSearcher.LeafReaderContextPartition segment : slice.partitions) {
            part.add(reading.from(segment.ctx));
        }
        return part;
    }
}
