package switchboard.embed;

/** Whether an embedder can compute vectors. */
public sealed interface ModelReadiness {
    /** Not used yet. */
    record Idle() implements ModelReadiness {}

    /** The model is being loaded. */
    record Loading() implements ModelReadiness {}

    /** The model can be used. */
    record Ready() implements ModelReadiness {}

    /**
     * The model can't be used.
     *
     * @param reason the problem and what the operator can do; safe to show
     */
    record Failed(String reason) implements ModelReadiness {}
}
