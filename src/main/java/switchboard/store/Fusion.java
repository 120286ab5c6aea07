package switchboard.store;

/** How a keyword score and a vector's nearness become one score. */
public sealed interface Fusion {
    /**
     * {@code weight · cosine + (1 - weight) · b}, both for every candidate of either leg; {@code b} is BM25 over the
     * sum of the query terms' idf, so it lies in 0 to 1 whatever else was found (convex combination with a
     * theoretical bound, as in Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
     *
     * <p>Three steps may follow. {@code bigrams} times the BM25 of the query's neighbouring terms where they stand side by
     * side, over the same sum, is added. Then the best {@value WeightedSumFusion#FEEDBACK} are taken for what was meant: {@code
     * feedback} times the mean cosine with them is added (pseudo relevance feedback on vectors; helps prose, harms code).
     * Last, a chunk gives {@code neighbours} of its score for as much of the mean of the chunks before and after it in its
     * document: what a question asks about often goes over where a text was cut, in source code above all.
     *
     * @param weight the cosine's share, 0 to 1
     * @param bigrams the weight of neighbouring terms, 0 to 1; 0 leaves the step out
     * @param feedback the weight of nearness to the best, 0 to 1; 0 leaves the step out
     * @param neighbours the share of the chunks around, 0 to 1; 0 leaves the step out
     */
    record WeightedSum(double weight, double bigrams, double feedback, double neighbours) implements Fusion {
        public WeightedSum {
            for (double share : new double[] {weight, bigrams, feedback, neighbours}) {
                if (!(share >= 0 && share <= 1)) {
                    throw new IllegalArgumentException("A weight is between 0 and 1: " + share);
                }
            }
        }

        /** The two scores alone. */
        public WeightedSum(double weight) {
            this(weight, 0, 0);
        }

        /** Without the chunks around. */
        public WeightedSum(double weight, double bigrams, double feedback) {
            this(weight, bigrams, feedback, 0);
        }
    }

    /**
     * Reciprocal rank fusion: the sum of {@code 1 / (k + rank)} over the legs that found it, rank from 1.
     *
     * @param k at least 1; usually 60
     */
    record ReciprocalRank(int k) implements Fusion {
        public ReciprocalRank {
            if (k < 1) {
                throw new IllegalArgumentException("k is at least 1: " + k);
            }
        }
    }

    /** By the words alone. */
    record KeywordOnly() implements Fusion {}

    /** By the vectors alone. */
    record VectorOnly() implements Fusion {}

    /** By ranks alone, with the usual constant. */
    static ReciprocalRank byRank() {
        return new ReciprocalRank(60);
    }

    /** What measured best over prose and code: {@link WeightedSum} with weight 0.7 and neighbouring terms, without feedback. */
    static Fusion standard() {
        return new WeightedSum(0.7, 0.06, 0);
    }
}
