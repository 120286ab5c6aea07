package switchboard.store;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/** Candidates whose words say how many of all chunks have them. Its one segment has been written at once. */
final class CandidateReader extends FilterDirectoryReader {
    private CandidateReader(DirectoryReader in, Map<String, Long> holders) throws IOException {
        super(in, new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader segment) {
                return new Segment(segment, holders);
            }
        });
    }

    /** The candidates of {@code in}, of whose words {@code holders} chunks have each. */
    static DirectoryReader of(DirectoryReader in, Map<String, Long> holders) throws IOException {
        return new CandidateReader(in, holders);
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader newer) {
        throw new UnsupportedOperationException("each search makes one of its own");
    }

    @Override
    public @Nullable CacheHelper getReaderCacheHelper() {
        return null;
    }

    private static final class Segment extends FilterLeafReader {
        private final Map<String, Long> holders;

        Segment(LeafReader in, Map<String, Long> holders) {
            super(in);
            this.holders = holders;
        }

        @Override
        public @Nullable Terms terms(String field) throws IOException {
            Terms terms = super.terms(field);
            return terms == null || !field.equals(DocumentSchema.CONTENT) ? terms : new CountedTerms(terms, holders);
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

    private static final class CountedTerms extends FilterLeafReader.FilterTerms {
        private final Map<String, Long> holders;

        CountedTerms(Terms in, Map<String, Long> holders) {
            super(in);
            this.holders = holders;
        }

        @Override
        public TermsEnum iterator() throws IOException {
            return new CountedTermsEnum(in.iterator(), holders);
        }

        @Override
        public TermsEnum intersect(CompiledAutomaton compiled, @Nullable BytesRef startTerm) throws IOException {
            return new CountedTermsEnum(in.intersect(compiled, startTerm), holders);
        }
    }

    private static final class CountedTermsEnum extends FilterLeafReader.FilterTermsEnum {
        private final Map<String, Long> holders;

        CountedTermsEnum(TermsEnum in, Map<String, Long> holders) {
            super(in);
            this.holders = holders;
        }

        @Override
        public int docFreq() throws IOException {
            Long all = holders.get(in.term().utf8ToString());
            return all == null ? in.docFreq() : Math.clamp(all, 1, Integer.MAX_VALUE);
        }

        /** No more than the true sum; BM25 does not need it. */
        @Override
        public long totalTermFreq() throws IOException {
            return Math.max(docFreq(), in.totalTermFreq());
        }
    }
}
