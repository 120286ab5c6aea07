package switchboard.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/**
 * An index as it is seen by a caller that may not read all documents: as if the others had never been stored. They are like
 * deleted ones, and, unlike those, do not count in the statistics of words either, so that neither a score nor a suggested
 * word tells of them.
 */
final class ReadableDocuments extends FilterDirectoryReader {
    private final Set<String> names;

    private ReadableDocuments(DirectoryReader all, Set<String> names) throws IOException {
        super(all, new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader segment) {
                try {
                    return readable(segment, names);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        this.names = names;
    }

    /** What {@code access} permits of {@code all}, of which the result takes over the caller's reference. */
    static DirectoryReader of(DirectoryReader all, DocumentAccess access) throws IOException {
        return switch (access) {
            case DocumentAccess.Everything _ -> all;
            case DocumentAccess.As(Set<String> names) -> of(all, names);
        };
    }

    private static DirectoryReader of(DirectoryReader all, Set<String> names) throws IOException {
        if (all.leaves().stream().noneMatch(leaf -> hasRestricted(leaf.reader()))) {
            return all;
        }
        try {
            return new ReadableDocuments(all, names);
        } catch (UncheckedIOException e) {
            all.decRef();
            throw e.getCause();
        } catch (IOException | RuntimeException e) {
            all.decRef();
            throw e;
        }
    }

    private static boolean hasRestricted(LeafReader segment) {
        return segment.getFieldInfos().fieldInfo(DocumentSchema.READER) != null;
    }

    /** Whether documents of {@code segment} are hidden. */
    static boolean hides(LeafReader segment) {
        return segment instanceof Segment;
    }

    private static LeafReader readable(LeafReader segment, Set<String> names) throws IOException {
        PostingsEnum restricted = postings(segment, DocumentSchema.RESTRICTED);
        if (restricted == null) {
            return segment;
        }
        Bits live = segment.getLiveDocs();
        FixedBitSet visible = all(segment.maxDoc(), live);
        for (int at = restricted.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = restricted.nextDoc()) {
            visible.clear(at);
        }
        for (String name : names) {
            PostingsEnum allowed = postings(segment, name);
            while (allowed != null && allowed.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                if (live == null || live.get(allowed.docID())) {
                    visible.set(allowed.docID());
                }
            }
        }
        int count = visible.cardinality();
        return count == segment.numDocs() ? segment : new Segment(segment, visible, count);
    }

    private static FixedBitSet all(int documents, @Nullable Bits live) {
        if (live != null) {
            return FixedBitSet.copyOf(live);
        }
        FixedBitSet all = new FixedBitSet(documents);
        all.set(0, documents);
        return all;
    }

    private static @Nullable PostingsEnum postings(LeafReader segment, String name) throws IOException {
        return segment.postings(new Term(DocumentSchema.READER, name), PostingsEnum.NONE);
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader newer) throws IOException {
        return new ReadableDocuments(newer, names);
    }

    @Override
    protected void doClose() throws IOException {
        in.decRef(); // it is the index' own, which others read
    }

    @Override
    public @Nullable CacheHelper getReaderCacheHelper() {
        return null;
    }

    /** A segment with hidden documents. */
    private static final class Segment extends FilterLeafReader {
        private final FixedBitSet visible;
        private final int count;

        Segment(LeafReader in, FixedBitSet visible, int count) {
            super(in);
            this.visible = visible;
            this.count = count;
        }

        @Override
        public Bits getLiveDocs() {
            return visible.asReadOnlyBits();
        }

        @Override
        public int numDocs() {
            return count;
        }

        @Override
        public @Nullable Terms terms(String field) throws IOException {
            Terms terms = super.terms(field);
            if (terms == null) {
                return null;
            }
            return field.equals(DocumentSchema.CONTENT)
                    ? new ReadableTerms.Counted(terms, visible, contents())
                    : new ReadableTerms(terms, visible);
        }

        /** The visible chunks with words, and their words. Those of chunks that an earlier version wrote are rounded. */
        private ReadableTerms.Contents contents() throws IOException {
            int chunks = 0;
            long words = 0;
            NumericDocValues lengths = DocValues.getNumeric(in, DocumentSchema.LENGTH);
            NumericDocValues rounded = in.getNormValues(DocumentSchema.CONTENT);
            while (rounded != null && rounded.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                if (visible.get(rounded.docID())) {
                    long length = lengths.advanceExact(rounded.docID())
                            ? lengths.longValue()
                            : SmallFloat.byte4ToInt((byte) rounded.longValue());
                    chunks += length > 0 ? 1 : 0;
                    words += length;
                }
            }
            return new ReadableTerms.Contents(chunks, words);
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
