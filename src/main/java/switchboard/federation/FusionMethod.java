package switchboard.federation;

/** How the results of several sources are ranked. */
public sealed interface FusionMethod {
    /**
     * A weighted sum of the cosine of passage and query and the keyword score within all found passages.
     *
     * @param similarity the cosine's weight, 0 to 1; the keyword score has the rest
     */
    record WeightedSum(double similarity) implements FusionMethod {}

    /**
     * Reciprocal rank fusion: the sum of {@code 1 / (k + rank)} over the lists that contain the document (Cormack,
     * Clarke and Büttcher 2009).
     *
     * @param k higher values reduce the difference between ranks
     */
    record ReciprocalRank(int k) implements FusionMethod {}
}
