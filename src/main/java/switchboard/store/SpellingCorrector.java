package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import switchboard.call.SpellingSuggestion;
import switchboard.store.SimilarTerms.SimilarTerm;

/**
 * Corrects words of a query that are in no searched chunk to similar ones that are. Only words of chunks that pass the filter
 * are offered. Words that exist, abbreviations, identifiers and numbers stay as they are.
 */
final class SpellingCorrector {
    /** At most so many words of a query are corrected, because each costs a walk through the terms of the index. */
    static final int MOST = 3;

    /** Shorter words have too many neighbours. */
    static final int SHORTEST = 5;

    /** From this length on two letters may be wrong; before, one. Two exchanged neighbours count as one. */
    static final int TWO_EDITS = 8;

    /** So many similar terms are looked at, because some may be in chunks that don't pass the filter. */
    private static final int SUGGESTIONS = 200;

    private static final Pattern NOT_LETTERS = Pattern.compile("[^\\p{L}\\p{M}]+");

    private final Snapshot snapshot;
    private final Optional<Query> filter;

    /** Corrects to words of {@code snapshot}'s chunks that pass {@code filter}. */
    SpellingCorrector(Snapshot snapshot, Optional<Query> filter) {
        this.snapshot = snapshot;
        this.filter = filter;
    }

    /**
     * The words of a query after correction.
     *
     * @param words all words, in order; the corrected ones have other terms
     * @param similar what was corrected
     */
    record Corrected(List<QueryWord> words, List<SpellingSuggestion> similar) {}

    /** Corrects those of {@code asked} that are missing. */
    Corrected correct(QueryWords asked) throws IOException {
        Map<QueryWord, QueryWord> corrected = new HashMap<>();
        List<SpellingSuggestion> corrections = new ArrayList<>();
        List<QueryWord> candidates = asked.missing().stream()
                .filter(word -> word.written().length() >= SHORTEST)
                .limit(MOST)
                .toList();
        for (QueryWord word : candidates) {
            for (SimilarTerm other : similar(word)) {
                Optional<String> visible = asWritten(other.term());
                if (visible.isPresent()) {
                    corrected.put(word, word.corrected(other.term()));
                    corrections.add(
                            new SpellingSuggestion(word.written(), word.name(), visible.get(), other.similarity()));
                    break;
                }
            }
        }
        return new Corrected(
                asked.words().stream()
                        .map(word -> corrected.getOrDefault(word, word))
                        .toList(),
                corrections);
    }

    /** Terms of the index that are similar to a word, the most similar first. */
    private List<SimilarTerm> similar(QueryWord word) throws IOException {
        int edits = word.written().length() < TWO_EDITS ? 1 : 2;
        List<SimilarTerm> found = new ArrayList<>();
        for (String term : word.unabbreviated()) {
            // A term has lost its ending.
            if (term.codePointCount(0, term.length()) >= SHORTEST - 2) {
                found.addAll(SimilarTerms.of(snapshot.searcher().getIndexReader(), term, edits));
            }
        }
        Set<String> distinct = new HashSet<>();
        return found.stream()
                .sorted(SimilarTerm.ORDER)
                .filter(one -> distinct.add(one.term()))
                .limit(SUGGESTIONS)
                .toList();
    }

    /** The word that has a term, as a visible chunk writes it; empty if none has it as a word of letters. */
    private Optional<String> asWritten(String term) throws IOException {
        BooleanQuery.Builder query =
                new BooleanQuery.Builder().add(new TermQuery(IndexedWord.term(term)), Occur.FILTER);
        filter.ifPresent(visible -> query.add(visible, Occur.FILTER));
        ScoreDoc[] found = snapshot.searcher().search(query.build(), 1).scoreDocs;
        if (found.length == 0) {
            return Optional.empty();
        }
        String text = snapshot.chunk(found[0].doc).searched();
        Optional<Language> language = LanguageDetector.of(text);
        return Stream.concat(NOT_LETTERS.splitAsStream(text), Stream.of(term))
                .filter(word -> !word.isEmpty()
                        && TextAnalysis.ofDocument(word, language).contains(term))
                .findFirst();
    }
}
