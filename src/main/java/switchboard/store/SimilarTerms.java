package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BoostAttribute;
import org.apache.lucene.search.FuzzyTermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Finds the terms of an index that differ from a term in a few letters, but not in the first. The letters that differ are counted as
 * Lucene's fuzzy queries do, where two exchanged neighbours are one. Among few terms each is compared: to make the automaton of a fuzzy
 * query takes ten times as long as to compare 30,000.
 */
final class SimilarTerms {
    /** In an index with more terms, counted segment by segment, an automaton finds them. */
    static final long MOST_COMPARED = 100_000;

    /** A longer term is found by an automaton as well: to compare long ones takes longer. */
    private static final int LONGEST_COMPARED = 32;

    private final IndexReader reader;
    private final Term term;
    private final int[] letters;
    private final int edits;

    /** The similarity of each term that was found. */
    private final Map<String, Float> found = new HashMap<>();

    private SimilarTerms(IndexReader reader, String term, int edits) {
        this.reader = reader;
        this.term = IndexedWord.term(term);
        this.letters = term.codePoints().toArray();
        this.edits = edits;
    }

    /**
     * A term of the index.
     *
     * @param similarity from 0 to 1, which equal terms have
     * @param chunks how many chunks have it
     */
    record SimilarTerm(String term, float similarity, int chunks) {
        /** The most similar first, of these the most frequent. */
        static final Comparator<SimilarTerm> ORDER = Comparator.comparingDouble((SimilarTerm one) -> -one.similarity)
                .thenComparing(one -> -one.chunks)
                .thenComparing(SimilarTerm::term);
    }

    /**
     * The terms in {@code reader} that are at most {@code edits} letters away from {@code term}; none if the term itself is there.
     *
     * @param edits 1 or 2
     */
    static List<SimilarTerm> of(IndexReader reader, String term, int edits) throws IOException {
        return of(reader, term, edits, MOST_COMPARED);
    }

    /** The same with another number of terms that are compared. */
    static List<SimilarTerm> of(IndexReader reader, String term, int edits, long mostCompared) throws IOException {
        if (reader.docFreq(IndexedWord.term(term)) > 0) {
            return List.of();
        }
        SimilarTerms similar = new SimilarTerms(reader, term, edits);
        similar.find(mostCompared);
        return similar.visible();
    }

    private void find(long mostCompared) throws IOException {
        List<Terms> segments = new ArrayList<>();
        long all = 0;
        for (LeafReaderContext segment : reader.leaves()) {
            // The terms that a caller sees are told apart below: to do that for each that is passed would take long.
            Terms terms = FilterLeafReader.unwrap(segment.reader()).terms(DocumentSchema.CONTENT);
            if (terms != null) {
                segments.add(terms);
                all += terms.size() < 0 ? mostCompared + 1 : terms.size();
            }
        }
        if (all > mostCompared || letters.length > LONGEST_COMPARED) {
            match();
            return;
        }
        for (Terms terms : segments) {
            compare(terms);
        }
    }

    private void compare(Terms terms) throws IOException {
        BytesRef first = new BytesRef(Character.toString(letters[0]));
        TermsEnum each = terms.iterator();
        EditDistance distance = new EditDistance(letters, edits);
        int[] other = new int[TextAnalysis.MAX_TERM];
        boolean there = each.seekCeil(first) != TermsEnum.SeekStatus.END;
        for (BytesRef at = there ? each.term() : null;
                at != null && StringHelper.startsWith(at, first);
                at = each.next()) {
            // A letter has one to four bytes.
            if (at.length >= letters.length - edits && at.length <= 4 * (letters.length + edits)) {
                other = at.length > other.length ? new int[at.length] : other;
                int length = UnicodeUtil.UTF8toUTF32(at, other);
                int away = distance.to(other, length);
                if (away <= edits) {
                    found.put(at.utf8ToString(), 1 - (float) away / Math.min(length, letters.length));
                }
            }
        }
    }

    private void match() throws IOException {
        Terms terms = MultiTerms.getTerms(reader, DocumentSchema.CONTENT);
        if (terms == null) {
            return;
        }
        FuzzyTermsEnum each = new FuzzyTermsEnum(terms, term, edits, 1, true);
        BoostAttribute similarity = each.attributes().getAttribute(BoostAttribute.class);
        for (BytesRef at = each.next(); at != null; at = each.next()) {
            found.put(at.utf8ToString(), similarity.getBoost());
        }
    }

    private List<SimilarTerm> visible() throws IOException {
        List<SimilarTerm> visible = new ArrayList<>();
        for (Map.Entry<String, Float> one : found.entrySet()) {
            int chunks = reader.docFreq(IndexedWord.term(one.getKey()));
            if (chunks > 0) {
                visible.add(new SimilarTerm(one.getKey(), one.getValue(), chunks));
            }
        }
        visible.sort(SimilarTerm.ORDER);
        return visible;
    }
}
