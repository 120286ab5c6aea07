package switchboard.store;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The terms of visible documents. A term counts those only, and one that none of them has is not there. */
class ReadableTerms extends FilterLeafReader.FilterTerms {
    private final Bits visible;

    ReadableTerms(Terms in, Bits visible) {
        super(in);
        this.visible = visible;
    }

    @Override
    public TermsEnum iterator() throws IOException {
        return new Each(in.iterator(), visible);
    }

    @Override
    public long size() {
        return -1;
    }

    /**
     * What a field's visible documents have.
     *
     * @param documents how many have terms
     * @param terms their terms
     */
    record Contents(int documents, long terms) {}

    /** The terms of a field whose documents are scored. */
    static final class Counted extends ReadableTerms {
        private final Contents contents;

        Counted(Terms in, Bits visible, Contents contents) {
            super(in, visible);
            this.contents = contents;
        }

        @Override
        public int getDocCount() {
            return contents.documents();
        }

        @Override
        public long getSumTotalTermFreq() {
            return contents.terms();
        }

        /** At most that: BM25 does not need it. */
        @Override
        public long getSumDocFreq() {
            return contents.terms();
        }
    }

    private static final class Each extends FilterLeafReader.FilterTermsEnum {
        private final Bits visible;
        private @Nullable PostingsEnum postings;
        private int documents;
        private long frequency;
        private boolean counted;

        Each(TermsEnum in, Bits visible) {
            super(in);
            this.visible = visible;
        }

        @Override
        public @Nullable BytesRef next() throws IOException {
            counted = false;
            BytesRef term = in.next();
            while (term != null && !seen()) {
                term = in.next();
            }
            return term;
        }

        @Override
        public SeekStatus seekCeil(BytesRef wanted) throws IOException {
            counted = false;
            SeekStatus status = in.seekCeil(wanted);
            if (status == SeekStatus.END || seen()) {
                return status;
            }
            return next() == null ? SeekStatus.END : SeekStatus.NOT_FOUND;
        }

        @Override
        public boolean seekExact(BytesRef term) throws IOException {
            counted = false;
            return in.seekExact(term) && seen();
        }

        @Override
        public void seekExact(BytesRef term, TermState state) throws IOException {
            counted = false;
            in.seekExact(term, state);
        }

        @Override
        public void seekExact(long ord) throws IOException {
            counted = false;
            in.seekExact(ord);
        }

        @Override
        public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef term) throws IOException {
            counted = false;
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
            count();
            return documents;
        }

        @Override
        public long totalTermFreq() throws IOException {
            count();
            return frequency;
        }

        private void count() throws IOException {
            if (counted) {
                return;
            }
            documents = 0;
            frequency = 0;
            postings = in.postings(postings, PostingsEnum.FREQS);
            for (int at = postings.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = postings.nextDoc()) {
                if (visible.get(at)) {
                    documents++;
                    frequency += postings.freq();
                }
            }
            counted = true;
        }
    }
}
