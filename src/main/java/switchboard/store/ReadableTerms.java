package switchboard.store;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOBooleanSupplier;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/** The terms of visible documents. A term counts those only, and one that none of them has is not there. */
class ReadableTerms extends FilterLeafReader.FilterTerms {
    private final FixedBitSet visible;
    private final TermCounts counts;

    /**
     * How many documents have which term of {@code field}, as far as they were counted. Is added to.
     *
     * @param search the terms of one search
     * @param kept the frequent terms
     */
    record TermCounts(String field, Map<BytesRef, Integer> search, VisibleCounts kept) {}

    /** The terms of {@code in}. */
    ReadableTerms(Terms in, FixedBitSet visible, TermCounts counts) {
        super(in);
        this.visible = visible;
        this.counts = counts;
    }

    @Override
    public TermsEnum iterator() throws IOException {
        return new VisibleTermsEnum(in.iterator());
    }

    @Override
    public TermsEnum intersect(CompiledAutomaton compiled, @Nullable BytesRef startTerm) throws IOException {
        return new VisibleTermsEnum(in.intersect(compiled, startTerm));
    }

    @Override
    public long size() {
        return -1;
    }

    /** The terms of the field whose documents are scored. */
    static final class Scored extends ReadableTerms {
        private final VisibleSegment.Totals totals;

        Scored(Terms in, FixedBitSet visible, TermCounts counts, VisibleSegment.Totals totals) {
            super(in, visible, counts);
            this.totals = totals;
        }

        @Override
        public int getDocCount() {
            return totals.withWords();
        }

        @Override
        public long getSumTotalTermFreq() {
            return totals.words();
        }

        /** No less than the true sum; BM25 does not need it. */
        @Override
        public long getSumDocFreq() {
            return totals.words();
        }
    }

    /** The terms that visible documents have, each with the number of these. */
    private final class VisibleTermsEnum extends FilterLeafReader.FilterTermsEnum {
        /** Terms that one in so many documents has, or more, are counted by bits. */
        private static final int OFTEN = 64;

        private @Nullable PostingsEnum postings;

        VisibleTermsEnum(TermsEnum in) {
            super(in);
        }

        @Override
        public @Nullable BytesRef next() throws IOException {
            BytesRef term = in.next();
            while (term != null && !seen()) {
                term = in.next();
            }
            return term;
        }

        @Override
        public SeekStatus seekCeil(BytesRef wanted) throws IOException {
            SeekStatus status = in.seekCeil(wanted);
            if (status == SeekStatus.END || seen()) {
                return status;
            }
            return next() == null ? SeekStatus.END : SeekStatus.NOT_FOUND;
        }

        @Override
        public boolean seekExact(BytesRef term) throws IOException {
            return in.seekExact(term) && seen();
        }

        @Override
        public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef term) throws IOException {
            IOBooleanSupplier prepared = in.prepareSeekExact(term);
            return prepared == null ? null : () -> prepared.get() && seen();
        }

        /** Whether a visible document has the term. */
        private boolean seen() throws IOException {
            postings = in.postings(postings, PostingsEnum.NONE);
            int at = postings.nextDoc();
            while (at != DocIdSetIterator.NO_MORE_DOCS && !visible.get(at)) {
                at = postings.nextDoc();
            }
            return at != DocIdSetIterator.NO_MORE_DOCS;
        }

        @Override
        public int docFreq() throws IOException {
            Integer known = counts.search().get(in.term());
            if (known != null) {
                return known;
            }
            int documents = in.docFreq() > visible.length() / OFTEN
                    ? counts.kept().documents(new Term(counts.field(), in.term()), this::intersection)
                    : count();
            counts.search().put(BytesRef.deepCopyOf(in.term()), documents);
            return documents;
        }

        private int intersection() throws IOException {
            PostingsEnum having = postings();
            FixedBitSet all = new FixedBitSet(visible.length());
            if (having.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                having.intoBitSet(DocIdSetIterator.NO_MORE_DOCS, all, 0);
            }
            return Math.toIntExact(FixedBitSet.intersectionCount(all, visible));
        }

        private int count() throws IOException {
            PostingsEnum having = postings();
            int count = 0;
            for (int at = having.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = having.nextDoc()) {
                count += visible.get(at) ? 1 : 0;
            }
            return count;
        }

        private PostingsEnum postings() throws IOException {
            PostingsEnum found = in.postings(postings, PostingsEnum.NONE);
            postings = found;
            return found;
        }

        /** No more than the true sum; BM25 does not need it, and frequencies take long to read. */
        @Override
        public long totalTermFreq() throws IOException {
            return docFreq();
        }
    }
}
