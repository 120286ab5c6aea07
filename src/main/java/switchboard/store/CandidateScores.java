package switchboard.store;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The keyword and vector scores of some chunks.
 *
 * @param chunks chunk numbers, ascending
 * @param words keyword scores
 * @param vectors vector scores of the chunks that have a vector
 * @param least the lowest similarity; 0 if there are none
 */
record CandidateScores(int[] chunks, WordScores words, Map<Integer, VectorScore> vectors, double least) {
    /**
     * How near a chunk is to the query.
     *
     * @param retriever the retriever of its model
     * @param cosine the cosine
     * @param similarity the cosine, on a scale that all models of the search have
     */
    record VectorScore(VectorRetriever retriever, double cosine, double similarity) {
        /** The normalized cosine; empty if the model's usual cosines are not known. */
        OptionalDouble normalized() {
            return retriever.normalized(cosine);
        }
    }

    /** Computes both scores of {@code chunks}. */
    static CandidateScores of(
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            int[] chunks,
            KeywordRetriever.WordScoring scoring)
            throws IOException {
        Map<Integer, VectorScore> vectors = vector.scores(chunks);
        return new CandidateScores(
                chunks,
                keyword.isPresent() ? scoring.of(keyword.get(), chunks) : WordScores.NONE,
                vectors,
                vectors.values().stream()
                        .mapToDouble(VectorScore::similarity)
                        .min()
                        .orElse(0));
    }

    /** The keyword score of a chunk; 0 if it has no word of the query. */
    double bm25(int chunk) {
        return words.bm25().getOrDefault(chunk, 0.0);
    }

    /** The similarity of a chunk. A chunk without a vector gets the lowest similarity of the others, not -1. */
    double similarity(int chunk) {
        VectorScore score = vectors.get(chunk);
        return score == null ? least : score.similarity();
    }
}
