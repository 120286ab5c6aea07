package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/**
 * Looks up terms of the chunks' texts in an index: all terms in one segment, then all in the next, because opening a segment's
 * list of terms takes longer than finding one term in it.
 */
final class TermLookup {
    private final IndexSearcher searcher;

    /** The terms with their states, which are empty before the lookup; in the order in which segments have terms. */
    private final TreeMap<BytesRef, TermStates> terms = new TreeMap<>();

    private TermLookup(IndexSearcher searcher, Collection<String> texts) {
        this.searcher = searcher;
        texts.forEach(text -> terms.put(new BytesRef(text), new TermStates(searcher.getTopReaderContext())));
    }

    /** A term, whose states are {@code of}, in one segment. */
    private record SegmentTerm(TermStates of, TermState state, int segment, int docFreq, long totalTermFreq) {}

    /** The states of those of {@code texts} that the index has. */
    static Map<String, TermStates> of(IndexSearcher searcher, Collection<String> texts) throws IOException {
        TermLookup lookup = new TermLookup(searcher, texts);
        lookup.lookUp();
        Map<String, TermStates> states = new HashMap<>();
        for (String text : texts) {
            TermStates state = lookup.terms.get(new BytesRef(text));
            if (state != null && state.docFreq() > 0) {
                states.put(text, state);
            }
        }
        return states;
    }

    private void lookUp() throws IOException {
        for (List<SegmentTerm> segment : EachSegment.read(searcher, this::found)) {
            segment.forEach(one -> one.of().register(one.state(), one.segment(), one.docFreq(), one.totalTermFreq()));
        }
    }

    private List<SegmentTerm> found(LeafReaderContext segment) throws IOException {
        List<SegmentTerm> found = new ArrayList<>();
        Terms all = segment.reader().terms(DocumentSchema.CONTENT);
        TermsEnum at = all == null ? TermsEnum.EMPTY : all.iterator();
        for (Map.Entry<BytesRef, TermStates> term : terms.entrySet()) {
            if (at.seekExact(term.getKey())) {
                found.add(new SegmentTerm(
                        term.getValue(), at.termState(), segment.ord, at.docFreq(), at.totalTermFreq()));
            }
        }
        return found;
    }
}
