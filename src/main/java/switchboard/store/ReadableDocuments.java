package switchboard.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * An index as it is seen by a caller that may not read all documents: as if the others had never been stored. They are like
 * deleted ones, and, unlike those, do not count in the statistics of words either, so that neither a score nor a suggested
 * word tells of them.
 */
final class ReadableDocuments extends FilterDirectoryReader {
    /** Of all stores, because a segment's key is the only one of its kind. */
    private static final Cache<VisibleKey, VisibleSegment> VISIBLE = Caffeine.newBuilder()
            .maximumWeight(32 << 20)
            .weigher((VisibleKey key, VisibleSegment segment) -> key.bytes() + segment.bytes())
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
        VisibleSegment visible = visible(segment, access);
        return visible.whole() ? segment : new Segment(segment, visible);
    }

    private static VisibleSegment visible(LeafReader segment, DocumentAccess access) {
        CacheHelper helper = segment.getReaderCacheHelper();
        DocumentAccess named = unchecked(() -> VisibleSegment.named(segment, access));
        return helper == null
                ? unchecked(() -> VisibleSegment.of(segment, named))
                : VISIBLE.get(
                        new VisibleKey(helper.getKey(), named),
                        _ -> unchecked(() -> VisibleSegment.of(segment, named)));
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
                            : visible(leaf.reader(), DocumentAccess.EVERYTHING).totals());
        }
        return sum;
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
        private final Map<String, Map<BytesRef, Integer>> counts = new HashMap<>();

        Segment(LeafReader in, VisibleSegment visible) {
            super(in);
            this.visible = visible;
        }

        @Override
        public Bits getLiveDocs() {
            return visible.bits().asReadOnlyBits();
        }

        @Override
        public int numDocs() {
            return visible.count();
        }

        @Override
        public @Nullable Terms terms(String field) throws IOException {
            Terms terms = super.terms(field);
            if (terms == null) {
                return null;
            }
            Map<BytesRef, Integer> counted = counts.computeIfAbsent(field, _ -> new HashMap<>());
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
}
