package switchboard.store;

/** How a keyword score and a vector's nearness become one score. */
public sealed interface Fusion {
    /**
     * {@code weight · cosine + (1 - weight) · b}, both for every candidate of either leg; {@code b} is BM25 over the
     * sum of the query terms' idf, so it lies in 0 to 1 whatever else was found (convex combination with a
     * theoretical bound, as in Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
     *
     * @param weight the cosine's share, 0 to 1
     */
    record Linear(double weight) implements Fusion {
        public Linear {
            if (!(weight >= 0 && weight <= 1)) {
                throw new IllegalArgumentException("A weight is between 0 and 1: " + weight);
            }
        }
    }

    /**
     * Reciprocal rank fusion: the sum of {@code 1 / (k + rank)} over the legs that found it, rank from 1.
     *
     * @param k at least 1; usually 60
     */
    record Rrf(int k) implements Fusion {
        public Rrf {
            if (k < 1) {
                throw new IllegalArgumentException("k is at least 1: " + k);
            }
        }
    }

    /** By the words alone. */
    record KeywordOnly() implements Fusion {}

    /** By the vectors alone. */
    record VectorOnly() implements Fusion {}

    /** What measured best: {@link Linear} with weight 0.7. */
    static Fusion standard() {
        return new Linear(0.7);
    }
}
