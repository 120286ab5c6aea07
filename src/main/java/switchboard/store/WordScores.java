package switchboard.store;

import java.util.Map;

/**
 * Scores of some chunks by the words of a query. Each map has the chunks whose score is above 0.
 *
 * @param bm25 by the words
 * @param pairs BM25 of the query's pairs of neighbouring words, where they are neighbours; empty if only frequencies were read
 * @param windows BM25 of each chunk's {@link BestWindow}; empty if only frequencies were read
 */
record WordScores(Map<Integer, Double> bm25, Map<Integer, Double> pairs, Map<Integer, Double> windows) {
    /** The scores by a query without a word that is in the index. */
    static final WordScores NONE = new WordScores(Map.of(), Map.of(), Map.of());
}
