package switchboard.store;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * What both legs say of some chunks.
 *
 * @param chunks ascending
 * @param bm25 of those that have a term of the query
 * @param cosines of those that have a vector
 * @param least the least of the cosines, 0 if there are none
 */
record CandidateScores(int[] chunks, Map<Integer, Double> bm25, Map<Integer, Double> cosines, double least) {
    /** Asks both legs about {@code chunks}. */
    static CandidateScores of(Optional<KeywordRetriever> keyword, VectorRetrievers vector, int[] chunks)
            throws IOException {
        Map<Integer, Double> cosines = vector.cosines(chunks);
        return new CandidateScores(
                chunks,
                keyword.isPresent() ? keyword.get().scores(chunks) : Map.of(),
                cosines,
                cosines.values().stream().mapToDouble(Double::doubleValue).min().orElse(0));
    }

    /** A chunk without a vector counts as the least near of the others, not as the opposite of the query. */
    double cosine(int chunk) {
        return cosines.getOrDefault(chunk, least);
    }
}
