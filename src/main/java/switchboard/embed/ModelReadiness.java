package switchboard.embed;

/** Whether an embedder can give vectors. */
public sealed interface ModelReadiness {
    /** Nothing has asked for vectors yet. */
    record Idle() implements ModelReadiness {}

    /** The model is being loaded. */
    record Loading() implements ModelReadiness {}

    /** Vectors can be had. */
    record Ready() implements ModelReadiness {}

    /**
     * No vectors.
     *
     * @param reason what is wrong and what the operator can do; safe to show
     */
    record Failed(String reason) implements ModelReadiness {}
}
