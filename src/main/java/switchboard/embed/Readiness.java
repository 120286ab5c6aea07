package switchboard.embed;

/** Whether an embedder can give vectors. */
public sealed interface Readiness {
    /** Nothing has asked for vectors yet. */
    record Idle() implements Readiness {}

    /** The model is being loaded. */
    record Loading() implements Readiness {}

    /** Vectors can be had. */
    record Ready() implements Readiness {}

    /**
     * No vectors.
     *
     * @param reason what is wrong and what the operator can do; safe to show
     */
    record Failed(String reason) implements Readiness {}
}
