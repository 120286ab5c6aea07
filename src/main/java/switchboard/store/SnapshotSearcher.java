package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/** The searcher of one snapshot, for one search. Each field's statistics are added up once, however many words ask for them. */
class SnapshotSearcher extends IndexSearcher {
    /** The least number of segments that are worth another thread. */
    private static final int SEGMENTS = 8;

    /** The least number of Lucene documents that are worth another thread, even in few segments. */
    private static final int DOCUMENTS = 50_000;

    /** More parts would take longer to put together. */
    private static final int MOST_PARTS = 8;

    private final Map<String, @Nullable CollectionStatistics> statistics = new HashMap<>();

    /**
     * A searcher of {@code all}.
     *
     * @param segments may read several of its segments at once; null for the caller's thread only
     */
    SnapshotSearcher(IndexReader all, @Nullable Executor segments) {
        super(all, segments);
        setSimilarity(KeywordRetriever.SIMILARITY);
        setQueryCache(null);
    }

    /**
     * Few parts of about the same size, because the best of each part are compared with those of the others.
     */
    @Override
    protected LeafSlice[] slices(List<LeafReaderContext> segments) {
        int all =
                segments.stream().mapToInt(segment -> segment.reader().maxDoc()).sum();
        int parts = Math.clamp(Math.max(segments.size() / SEGMENTS, all / DOCUMENTS), 1, MOST_PARTS);
        List<LeafSlice> slices = new ArrayList<>();
        List<LeafReaderContextPartition> part = new ArrayList<>();
        long done = 0;
        for (LeafReaderContext segment : segments) {
            part.add(LeafReaderContextPartition.createForEntireSegment(segment));
            done += segment.reader().maxDoc();
            if (done * parts >= (long) all * (slices.size() + 1)) {
                slices.add(new LeafSlice(part));
                part = new ArrayList<>();
            }
        }
        return slices.toArray(LeafSlice[]::new);
    }

    @Override
    public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
        if (!statistics.containsKey(field)) {
            statistics.put(field, counted(field));
        }
        return statistics.get(field);
    }

    @Nullable
    CollectionStatistics counted(String field) throws IOException {
        return super.collectionStatistics(field);
    }
}
