package switchboard.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * An index as it is seen by a caller that may not read all documents: as if the others had never been stored. They are like
 * deleted ones, and, unlike those, do not count in the statistics of words either, so that neither a score nor a suggested
 * word tells of them.
 */
final class ReadableDocuments extends FilterDirectoryReader {
    /** Of all stores, because a segment's key is the only one of its kind. */
    private static final Cache<VisibleKey, SegmentView> VISIBLE = Caffeine.newBuilder()
            .maximumWeight(32 << 20)
            .weigher((VisibleKey key, SegmentView view) -> key.bytes() + view.bytes())
            .expireAfterAccess(Duration.ofMinutes(10))
            .build();

    private ReadableDocuments(DirectoryReader all, DocumentAccess access) throws IOException {
        super(all, new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader segment) {
                return readable(segment, access);
            }
        });
    }

    /** A segment with its deletions, for callers with the same of the names that its documents have. */
    private record VisibleKey(Object segment, DocumentAccess access) {
        int bytes() {
            return switch (access) {
                case DocumentAccess.Everything _ -> 0;
                case DocumentAccess.ForReaders(Set<String> names) ->
                    names.stream().mapToInt(String::length).sum();
            };
        }
    }

    /** What is visible of a segment, and counts of it. */
    private record SegmentView(VisibleSegment visible, VisibleCounts counts) {
        static SegmentView of(LeafReader segment, DocumentAccess access) throws IOException {
            return new SegmentView(VisibleSegment.of(segment, access), new VisibleCounts(segment.maxDoc()));
        }

        int bytes() {
            return visible.bytes() + counts.bytes();
        }
    }

    /** What {@code access} permits of {@code all}, of which the result takes over the caller's reference. */
    static DirectoryReader of(DirectoryReader all, DocumentAccess access) throws IOException {
        if (access instanceof DocumentAccess.Everything || !restricted(all)) {
            return all;
        }
        try {
            return new ReadableDocuments(all, access);
        } catch (UncheckedIOException e) {
            all.decRef();
            throw e.getCause();
        } catch (Throwable e) {
            all.decRef();
            throw e;
        }
    }

    /** Whether {@code all} has, or had until a merge, documents that not everyone may read. */
    static boolean restricted(DirectoryReader all) {
        return all.leaves().stream()
                .anyMatch(leaf -> leaf.reader().getFieldInfos().fieldInfo(DocumentSchema.READER) != null);
    }

    private static LeafReader readable(LeafReader segment, DocumentAccess access) {
        SegmentView view = view(segment, access);
        return view.visible().whole() ? segment : new Segment(segment, view);
    }

    private static SegmentView view(LeafReader segment, DocumentAccess access) {
        CacheHelper helper = segment.getReaderCacheHelper();
        DocumentAccess named = unchecked(() -> VisibleSegment.named(segment, access));
        return helper == null
                ? unchecked(() -> SegmentView.of(segment, named))
                : VISIBLE.get(
                        new VisibleKey(helper.getKey(), named), _ -> unchecked(() -> SegmentView.of(segment, named)));
    }

    /** Reads something of a segment. */
    private interface Reading<T> {
        T result() throws IOException;
    }

    private static <T> T unchecked(Reading<T> reading) {
        try {
            return reading.result();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The visible documents of {@code reader}, which {@link #of} has given. */
    static VisibleSegment.Totals totals(DirectoryReader reader) throws IOException {
        VisibleSegment.Totals sum = VisibleSegment.Totals.NONE;
        for (LeafReaderContext leaf : reader.leaves()) {
            sum = sum.and(
                    leaf.reader() instanceof Segment segment
                            ? segment.visible.totals()
                            : view(leaf.reader(), DocumentAccess.EVERYTHING)
                                    .visible()
                                    .totals());
        }
        return sum;
    }

    /**
     * How many visible documents of {@code segment} have a vector in {@code field}. Beyond {@code most} they are not counted on,
     * unless the number is kept.
     */
    static int vectors(LeafReader segment, String field, int most) throws IOException {
        return segment instanceof Segment hiding ? hiding.vectors(field) : live(segment, field, most);
    }

    /** How many vectors in {@code field} the caller may not see, deleted ones among them; 0 if it may see all of the segment. */
    static int hiddenVectors(LeafReader segment, String field) throws IOException {
        FloatVectorValues values = segment instanceof Segment ? segment.getFloatVectorValues(field) : null;
        return values == null ? 0 : values.size() - vectors(segment, field, values.size());
    }

    private static int live(LeafReader segment, String field, int most) throws IOException {
        FloatVectorValues values = segment.getFloatVectorValues(field);
        Bits live = segment.getLiveDocs();
        if (values == null || live == null) {
            return values == null ? 0 : values.size();
        }
        int count = 0;
        KnnVectorValues.DocIndexIterator having = values.iterator();
        while (count < most && having.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            count += live.get(having.docID()) ? 1 : 0;
        }
        return count;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader newer) {
        throw new UnsupportedOperationException("each search makes one of its own");
    }

    @Override
    protected void doClose() throws IOException {
        in.decRef(); // it is the index' own, which others read
    }

    @Override
    public @Nullable CacheHelper getReaderCacheHelper() {
        return null;
    }

    /** A segment with hidden or deleted documents; for one search. */
    private static final class Segment extends FilterLeafReader {
        private final VisibleSegment visible;
        private final VisibleCounts kept;
        private final Map<String, Map<BytesRef, Integer>> counts = new ConcurrentHashMap<>();

        Segment(LeafReader in, SegmentView view) {
            super(in);
            this.visible = view.visible();
            this.kept = view.counts();
        }

        @Override
        public Bits getLiveDocs() {
            return visible.bits().asReadOnlyBits();
        }

        @Override
        public int numDocs() {
            return visible.count();
        }

        int vectors(String field) throws IOException {
            return kept.vectors(field, () -> live(this, field, Integer.MAX_VALUE));
        }

        /** Says how many vectors are visible: where few are, the graph is searched in another way. */
        @Override
        public void searchNearestVectors(String field, float[] target, KnnCollector found, AcceptDocs accepted)
                throws IOException {
            boolean filtered = accepted.cost() < maxDoc();
            in.searchNearestVectors(
                    field, target, found, filtered ? accepted : new VisibleVectors(visible.bits(), vectors(field)));
        }

        @Override
        public @Nullable Terms terms(String field) throws IOException {
            Terms terms = super.terms(field);
            if (terms == null) {
                return null;
            }
            ReadableTerms.TermCounts counted = new ReadableTerms.TermCounts(
                    field, counts.computeIfAbsent(field, _ -> new ConcurrentHashMap<>()), kept);
            return field.equals(DocumentSchema.CONTENT)
                    ? new ReadableTerms.Scored(terms, visible.bits(), counted, visible.totals())
                    : new ReadableTerms(terms, visible.bits(), counted);
        }

        @Override
        public @Nullable CacheHelper getCoreCacheHelper() {
            return null;
        }

        @Override
        public @Nullable CacheHelper getReaderCacheHelper() {
            return null;
        }
    }

    /** The visible vectors of a segment, as its graph is told of them. */
    private static final class VisibleVectors extends AcceptDocs {
        private final FixedBitSet visible;
        private final int count;

        VisibleVectors(FixedBitSet visible, int count) {
            this.visible = visible;
            this.count = count;
        }

        @Override
        public Bits bits() {
            return visible;
        }

        @Override
        public DocIdSetIterator iterator() {
            return new BitSetIterator(visible, count);
        }

        @Override
        public int cost() {
            return count;
        }
    }
}
