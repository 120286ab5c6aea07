package switchboard.store;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The keyword and vector scores of some chunks.
 *
 * @param chunks chunk numbers, ascending
 * @param bm25 keyword scores of the chunks that contain a term of the query
 * @param cosines cosines of the chunks that have a vector
 * @param least the lowest cosine; 0 if there are none
 */
record CandidateScores(int[] chunks, Map<Integer, Double> bm25, Map<Integer, Double> cosines, double least) {
    /** Computes both scores of {@code chunks}. */
    static CandidateScores of(Optional<KeywordRetriever> keyword, VectorRetrievers vector, int[] chunks)
            throws IOException {
        Map<Integer, Double> cosines = vector.cosines(chunks);
        return new CandidateScores(
                chunks,
                keyword.isPresent() ? keyword.get().scores(chunks) : Map.of(),
                cosines,
                cosines.values().stream().mapToDouble(Double::doubleValue).min().orElse(0));
    }

    /** The cosine of a chunk. A chunk without a vector gets the lowest cosine of the others, not -1. */
    double cosine(int chunk) {
        return cosines.getOrDefault(chunk, least);
    }
}
