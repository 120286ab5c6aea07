package switchboard.federation;

/** What a place in one order is made of. */
public sealed interface FusionMethod {
    /**
     * The cosine of the passage's vector and the query's, and the keyword score within the pool, added.
     *
     * @param similarity the cosine's weight, 0 to 1; keywords have the rest
     */
    record WeightedSum(double similarity) implements FusionMethod {}

    /**
     * The sum of {@code 1 / (k + rank)} over the lists that have the document (Cormack, Clarke and Büttcher 2009).
     *
     * @param k how slowly the worth of a place falls
     */
    record ReciprocalRank(int k) implements FusionMethod {}
}
