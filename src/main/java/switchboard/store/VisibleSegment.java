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
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may read of a segment. Immutable.
 *
 * @param bits the numbers of the visible Lucene documents; must not be changed
 * @param count how many they are
 * @param totals what they are
 */
record VisibleSegment(FixedBitSet bits, int count, Totals totals) {
    /** Besides the bits, in bytes. */
    private static final int OVERHEAD = 200;

    /**
     * What is visible.
     *
     * @param documents number of documents
     * @param chunks number of their chunks
     * @param newest when the newest document was stored, in milliseconds since 1970; 0 if there is none
     * @param withWords number of chunks with words
     * @param words number of words of these chunks together; rounded for chunks that an earlier version stored
     */
    record Totals(long documents, long chunks, long newest, int withWords, long words) {
        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        Totals and(Totals other) {
            return new Totals(
                    documents + other.documents,
                    chunks + other.chunks,
                    Math.max(newest, other.newest),
                    withWords + other.withWords,
                    words + other.words);
        }

        /** When the newest document was stored; null if there is none. */
        @Nullable
        Instant changed() {
            return documents == 0 ? null : Instant.ofEpochMilli(newest);
        }
    }

    /** {@code access} with those names only that documents of {@code segment} have, so that most callers have the same. */
    static DocumentAccess named(LeafReader segment, DocumentAccess access) throws IOException {
        return switch (access) {
            case DocumentAccess.Everything all -> all;
            case DocumentAccess.ForReaders(Set<String> names) -> {
                Set<String> found = new HashSet<>();
                find(segment, DocumentSchema.READER, names, found);
                for (int place = 0; has(segment, DocumentSchema.reader(place)); place++) {
                    find(segment, DocumentSchema.reader(place), names, found);
                }
                yield new DocumentAccess.ForReaders(found);
            }
        };
    }

    private static boolean has(LeafReader segment, String field) {
        return segment.getFieldInfos().fieldInfo(field) != null;
    }

    /** Adds those of {@code names} to {@code found} that {@code field} has. */
    private static void find(LeafReader segment, String field, Set<String> names, Set<String> found)
            throws IOException {
        Terms readers = segment.terms(field);
        TermsEnum each = readers == null ? TermsEnum.EMPTY : readers.iterator();
        for (String name : names) {
            if (each.seekExact(new BytesRef(name))) {
                found.add(name);
            }
        }
    }

    /** What {@code access} permits of {@code segment}, which may have deleted documents. */
    static VisibleSegment of(LeafReader segment, DocumentAccess access) throws IOException {
        Bits live = segment.getLiveDocs();
        FixedBitSet bits = all(segment.maxDoc(), live);
        switch (access) {
            case DocumentAccess.Everything _ -> {}
            case DocumentAccess.ForReaders(Set<String> names) -> hide(segment, live, names, bits);
        }
        return new VisibleSegment(bits, bits.cardinality(), totals(segment, bits));
    }

    private static void hide(LeafReader segment, @Nullable Bits live, Set<String> names, FixedBitSet bits)
            throws IOException {
        bits.andNot(having(segment, DocumentSchema.READER, DocumentSchema.RESTRICTED));
        for (String name : names) {
            show(having(segment, DocumentSchema.READER, name), live, bits);
        }
        if (has(segment, DocumentSchema.reader(0))) {
            FixedBitSet inEach = inEach(segment, names);
            show(new BitSetIterator(inEach, 0), live, bits);
        }
    }

    private static void show(DocIdSetIterator allowed, @Nullable Bits live, FixedBitSet bits) throws IOException {
        for (int at = allowed.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = allowed.nextDoc()) {
            if (live == null || live.get(at)) {
                bits.set(at);
            }
        }
    }

    /**
     * The Lucene documents, deleted ones among them, that several places restrict and each of these places allows one of
     * {@code names}.
     */
    private static FixedBitSet inEach(LeafReader segment, Set<String> names) throws IOException {
        FixedBitSet allowed = new FixedBitSet(segment.maxDoc());
        allowed.or(having(segment, DocumentSchema.reader(0), DocumentSchema.RESTRICTED));
        for (int place = 0; has(segment, DocumentSchema.reader(place)); place++) {
            String field = DocumentSchema.reader(place);
            FixedBitSet kept = new FixedBitSet(segment.maxDoc());
            kept.or(having(segment, field, DocumentSchema.RESTRICTED));
            for (String name : names) {
                kept.andNot(having(segment, field, name));
            }
            allowed.andNot(kept);
        }
        return allowed;
    }

    private static FixedBitSet all(int documents, @Nullable Bits live) {
        if (live != null) {
            return FixedBitSet.copyOf(live);
        }
        FixedBitSet all = new FixedBitSet(documents);
        all.set(0, documents);
        return all;
    }

    private static DocIdSetIterator having(LeafReader segment, String field, String term) throws IOException {
        PostingsEnum postings = segment.postings(new Term(field, term), PostingsEnum.NONE);
        return postings == null ? DocIdSetIterator.empty() : postings;
    }

    /** Whether nothing of the segment is hidden, or deleted: terms of a hidden document stay after it is deleted. */
    boolean whole() {
        return count == bits.length();
    }

    /** About how much memory it takes, in bytes. */
    int bytes() {
        return Math.toIntExact(bits.ramBytesUsed()) + OVERHEAD;
    }

    private static Totals totals(LeafReader segment, FixedBitSet visible) throws IOException {
        long documents = 0;
        long newest = 0;
        NumericDocValues created = DocValues.getNumeric(segment, DocumentSchema.BY_CREATED);
        while (created.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            if (visible.get(created.docID())) {
                documents++;
                newest = Math.max(newest, created.longValue());
            }
        }
        long chunks = 0;
        int withWords = 0;
        long words = 0;
        NumericDocValues ofChunks = DocValues.getNumeric(segment, DocumentSchema.UP);
        NumericDocValues lengths = DocValues.getNumeric(segment, DocumentSchema.LENGTH);
        NumericDocValues rounded = segment.getNormValues(DocumentSchema.CONTENT);
        while (ofChunks.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            if (visible.get(ofChunks.docID())) {
                long length = length(ofChunks.docID(), lengths, rounded);
                chunks++;
                withWords += length > 0 ? 1 : 0;
                words += length;
            }
        }
        return new Totals(documents, chunks, newest, withWords, words).and(elsewhere(segment, visible));
    }

    /** The visible chunks that are in an engine. */
    private static Totals elsewhere(LeafReader segment, FixedBitSet visible) throws IOException {
        NumericDocValues counts = DocValues.getNumeric(segment, EngineFacts.CHUNKS);
        NumericDocValues lengths = DocValues.getNumeric(segment, EngineFacts.WORDS);
        int chunks = 0;
        long words = 0;
        while (counts.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
            if (visible.get(counts.docID()) && lengths.advanceExact(counts.docID())) {
                chunks += (int) counts.longValue();
                words += lengths.longValue();
            }
        }
        return new Totals(0, chunks, 0, chunks, words);
    }

    private static long length(int chunk, NumericDocValues lengths, @Nullable NumericDocValues rounded)
            throws IOException {
        if (lengths.advanceExact(chunk)) {
            return lengths.longValue();
        }
        return rounded != null && rounded.advanceExact(chunk) ? SmallFloat.byte4ToInt((byte) rounded.longValue()) : 0;
    }
}
