package switchboard.call;

import org.jspecify.annotations.Nullable;

/**
 * A step of a request that is over.
 *
 * @param depth 1 for calls that the request makes, 2 for what these need, and so on
 * @param backend whose step it is
 * @param name the tool's name at its backend, or the HTTP method of a request to an engine
 * @param startNanos when it began, from the beginning of the request
 * @param waitedNanos how long it waited for room at the backend
 * @param tookNanos how long it took, with the wait
 * @param error why it failed, from a fixed set of words; null for success
 */
public record CallStep(
        StepKind kind,
        int depth,
        String backend,
        String name,
        long startNanos,
        long waitedNanos,
        long tookNanos,
        @Nullable String error) {
    /** What a step is. */
    public enum StepKind {
        /** A call of a backend. */
        CALL,
        /** A backend's request to its engine. */
        ENGINE
    }
}
