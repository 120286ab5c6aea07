package switchboard.store;

/** How keyword scores and vector scores are combined into one score. */
public sealed interface Fusion {
    /**
     * {@code weight · cosine + (1 - weight) · b}, for every candidate of keyword or vector retrieval. {@code b} is
     * BM25 divided by the sum of the query terms' idf, so it is always between 0 and 1 (convex combination with a
     * theoretical bound: Bruch, Gai, Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023). Terms that no
     * chunk has are part of the sum.
     *
     * <p>Two optional steps follow. First, {@code bigrams} times the BM25 of the query's neighbouring terms where
     * they are adjacent, divided by the same sum, is added. Second, by what the best {@value WeightedSumFusion#BEST} chunks are:
     * if they are prose, the fraction {@code proximity} of {@code b} is replaced by that of the chunk's {@link BestWindow}, and
     * then {@code feedback} times the mean cosine with the chunks that are best by now is added (pseudo-relevance feedback on
     * vectors). Both harm in source code. If they are source code, {@code b} and the neighbouring terms count
     * {@value WeightedSumFusion#WORDS_IN_CODE} of that, {@code document} times {@code b} of the whole document is added, in which
     * each term counts as in the chunk that has most of it, and then the fraction {@code neighbours} of a chunk's score is
     * replaced by the mean score of the chunks before and after it: code often continues in the next chunk.
     *
     * @param weight the cosine's weight, 0 to 1
     * @param bigrams weight of neighbouring terms, 0 to 1; 0 skips the step
     * @param proximity weight of the best window in prose, 0 to 1; 0 skips the step
     * @param feedback weight of nearness to the best chunks in prose, 0 to 1; 0 skips the step
     * @param neighbours weight of the neighbouring chunks in source code, 0 to 1; 0 skips the step
     * @param document weight of the whole document in source code, 0 to 1; 0 skips the step
     */
    record WeightedSum(
            double weight, double bigrams, double proximity, double feedback, double neighbours, double document)
            implements Fusion {
        public WeightedSum {
            for (double share : new double[] {weight, bigrams, proximity, feedback, neighbours, document}) {
                if (!(share >= 0 && share <= 1)) {
                    throw new IllegalArgumentException("A weight must be between 0 and 1: " + share);
                }
            }
        }

        /** Combines the two scores without further steps. */
        public WeightedSum(double weight) {
            this(weight, 0, 0, 0);
        }

        /** Without the steps for source code. */
        public WeightedSum(double weight, double bigrams, double proximity, double feedback) {
            this(weight, bigrams, proximity, feedback, 0, 0);
        }
    }

    /**
     * Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): the sum of {@code 1 / (k + rank)} over the retrievers
     * that found the chunk, rank from 1.
     *
     * @param k at least 1; usually 60
     */
    record ReciprocalRank(int k) implements Fusion {
        public ReciprocalRank {
            if (k < 1) {
                throw new IllegalArgumentException("k must be at least 1: " + k);
            }
        }
    }

    /** Keyword scores only. */
    record KeywordOnly() implements Fusion {}

    /** Vector scores only. */
    record VectorOnly() implements Fusion {}

    /** Reciprocal rank fusion with the usual constant, 60. */
    static ReciprocalRank byRank() {
        return new ReciprocalRank(60);
    }

    /** The default, which measured best over prose and source code. */
    static WeightedSum standard() {
        return new WeightedSum(0.7, 0.06, 0.4, 0.3, 0.2, 0.1);
    }
}
