package switchboard.dispatch;

import switchboard.call.BackendReply;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** What calls are answered when the gateway stops before they are done. */
public final class StopReply {
    private static final long RETRY_AFTER_MS = 5_000;

    /** For a call that has not begun. */
    static final ToolReply.Failed NOT_BEGUN = new ToolReply.Failed(
                    FailureKind.UNAVAILABLE,
                    "The gateway is stopping and has not begun this call. Try again in a moment.")
            .withRetryAfterMs(RETRY_AFTER_MS);

    /** For a call that was under way. */
    static final ToolReply.Failed GIVEN_UP = new ToolReply.Failed(
                    FailureKind.UNAVAILABLE,
                    "The gateway is stopping and has not finished this call. Retry it in a moment;"
                            + " if it changes something, look first whether it was carried out.")
            .withRetryAfterMs(RETRY_AFTER_MS);

    private StopReply() {}

    /** Whether {@code reply} says that the gateway stops and has not begun the call. */
    public static boolean notBegun(BackendReply reply) {
        return reply.equals(NOT_BEGUN);
    }

    /** Whether {@code reply} says that the gateway stops and has given the call up while it ran. */
    public static boolean givenUp(BackendReply reply) {
        return reply.equals(GIVEN_UP);
    }
}
