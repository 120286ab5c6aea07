package switchboard.store;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/** What of a segment with restricted documents a caller may read. Thread-safe. */
final class VisibleSegment {
    private final FixedBitSet bits;
    private final int count;
    private volatile @Nullable Contents contents;
    private volatile @Nullable Totals totals;

    private VisibleSegment(FixedBitSet bits) {
        this.bits = bits;
        this.count = bits.cardinality();
    }

    /**
     * The visible chunks with words.
     *
     * @param chunks how many
     * @param words their words together
     */
    record Contents(int chunks, long words) {}

    /**
     * The visible documents.
     *
     * @param documents how many
     * @param chunks their chunks
     * @param newest when the newest was stored, in milliseconds since 1970; 0 if there is none
     */
    record Totals(long documents, long chunks, long newest) {
        static final Totals NONE = new Totals(0, 0, 0);

        Totals and(Totals other) {
            return new Totals(documents + other.documents, chunks + other.chunks, Math.max(newest, other.newest));
        }

        @Nullable
        Instant changed() {
            return documents == 0 ? null : Instant.ofEpochMilli(newest);
        }
    }

    /** {@code access} with those names only that documents of {@code segment} have, so that most callers have the same. */
    static DocumentAccess named(LeafReader segment, DocumentAccess access) throws IOException {
        return switch (access) {
            case DocumentAccess.Everything all -> all;
            case DocumentAccess.As(Set<String> names) -> {
                Set<String> found = new HashSet<>();
                Terms readers = segment.terms(DocumentSchema.READER);
                TermsEnum each = readers == null ? TermsEnum.EMPTY : readers.iterator();
                for (String name : names) {
                    if (each.seekExact(new BytesRef(name))) {
                        found.add(name);
                    }
                }
                yield new DocumentAccess.As(found);
            }
        };
    }

    /** What {@code access} permits of {@code segment}, which may have deleted documents. */
    static VisibleSegment of(LeafReader segment, DocumentAccess access) throws IOException {
        Bits live = segment.getLiveDocs();
        FixedBitSet bits = all(segment.maxDoc(), live);
        switch (access) {
            case DocumentAccess.Everything _ -> {}
            case DocumentAccess.As(Set<String> names) -> hide(segment, live, names, bits);
        }
        return new VisibleSegment(bits);
    }

    private static void hide(LeafReader segment, @Nullable Bits live, Set<String> names, FixedBitSet bits)
            throws IOException {
        PostingsEnum restricted = postings(segment, DocumentSchema.RESTRICTED);
        if (restricted != null) {
            bits.andNot(restricted);
        }
        for (String name : names) {
            PostingsEnum allowed = postings(segment, name);
            while (allowed != null && allowed.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                if (live == null || live.get(allowed.docID())) {
                    bits.set(allowed.docID());
                }
            }
        }
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

    /** The numbers of what is visible; must not be changed. */
    FixedBitSet bits() {
        return bits;
    }

    /** How many Lucene documents are visible. */
    int count() {
        return count;
    }

    /** Whether nothing of the segment is hidden, or deleted: terms of a hidden document stay after it is deleted. */
    boolean whole() {
        return count == bits.length();
    }

    /** The size in memory. */
    int bytes() {
        return Math.toIntExact(bits.ramBytesUsed()) + 200;
    }

    /** The visible chunks of {@code segment}. Words of chunks that an earlier version wrote are rounded. */
    Contents contents(LeafReader segment) throws IOException {
        Contents known = contents;
        if (known == null) {
            known = counted(segment);
            contents = known;
        }
        return known;
    }

    private Contents counted(LeafReader segment) throws IOException {
        int chunks = 0;
        long words = 0;
        NumericDocValues lengths = DocValues.getNumeric(segment, DocumentSchema.LENGTH);
        NumericDocValues rounded = segment.getNormValues(DocumentSchema.CONTENT);
        while (rounded != null && rounded.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            if (bits.get(rounded.docID())) {
                long length = lengths.advanceExact(rounded.docID())
                        ? lengths.longValue()
                        : SmallFloat.byte4ToInt((byte) rounded.longValue());
                chunks += length > 0 ? 1 : 0;
                words += length;
            }
        }
        return new Contents(chunks, words);
    }

    /** The visible documents of {@code segment}. */
    Totals totals(LeafReader segment) throws IOException {
        Totals known = totals;
        if (known == null) {
            known = summed(segment);
            totals = known;
        }
        return known;
    }

    private Totals summed(LeafReader segment) throws IOException {
        long documents = 0;
        long chunks = 0;
        long newest = 0;
        NumericDocValues created = DocValues.getNumeric(segment, DocumentSchema.BY_CREATED);
        while (created.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            if (bits.get(created.docID())) {
                documents++;
                newest = Math.max(newest, created.longValue());
            }
        }
        NumericDocValues above = DocValues.getNumeric(segment, DocumentSchema.UP);
        while (above.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            chunks += bits.get(above.docID()) ? 1 : 0;
        }
        return new Totals(documents, chunks, newest);
    }
}
