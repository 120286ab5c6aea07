package switchboard.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;

/**
 * A word of the query that is in the index. Its terms count as one, as in Lucene's {@link SynonymQuery}: as frequent in a
 * chunk as all together, and as rare as the most frequent one.
 *
 * @param name the word's name
 * @param times how often the query has the word
 * @param states the state of each of its terms that the index has; at least one
 */
record IndexedWord(String name, int times, Map<String, TermStates> states) {
    /** The word in an index that has the terms {@code known}; empty if it is not there. */
    static Optional<IndexedWord> of(Map<String, TermStates> known, QueryWord word, int times) {
        Map<String, TermStates> states = new LinkedHashMap<>();
        for (String text : word.terms()) {
            TermStates state = known.get(text);
            if (state != null) {
                states.put(text, state);
            }
        }
        return states.isEmpty() ? Optional.empty() : Optional.of(new IndexedWord(word.name(), times, states));
    }

    static Term term(String text) {
        return new Term(DocumentSchema.CONTENT, text);
    }

    /** The number of chunks that have the word, as far as scores need it. */
    int docFreq() {
        return states.values().stream().mapToInt(TermStates::docFreq).max().orElseThrow();
    }

    Query query() {
        Query one;
        if (states.size() == 1) {
            Map.Entry<String, TermStates> only = states.entrySet().iterator().next();
            one = new TermQuery(term(only.getKey()), only.getValue());
        } else {
            SynonymQuery.Builder synonyms = new SynonymQuery.Builder(DocumentSchema.CONTENT);
            states.keySet().forEach(text -> synonyms.addTerm(term(text)));
            one = synonyms.build();
        }
        return times == 1 ? one : new BoostQuery(one, times);
    }

    /** The word's statistics, as of a single term. */
    TermStatistics statistics() {
        long frequency =
                states.values().stream().mapToLong(TermStates::totalTermFreq).sum();
        return new TermStatistics(term(name).bytes(), docFreq(), frequency);
    }

    SimScorer scorer(CollectionStatistics all) {
        return KeywordRetriever.SIMILARITY.scorer(times, all, statistics());
    }
}
