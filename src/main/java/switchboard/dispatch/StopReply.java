package switchboard.dispatch;

import switchboard.call.BackendReply;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** What calls are answered when the gateway stops before they are done, or has not started their backend yet. */
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

    /** For a call of a backend that has stopped, or is not started yet. */
    static ToolReply.Failed notRunning(String backendId) {
        return new ToolReply.Failed(
                FailureKind.UNAVAILABLE,
                "The backend \"" + backendId
                        + "\" is not running. Try again in a moment; if it fails again, ask the operator.");
    }

    /** Whether {@code reply} says that the call of {@code backendId} has not begun. */
    public static boolean notBegun(BackendReply reply, String backendId) {
        return reply.equals(NOT_BEGUN) || reply.equals(notRunning(backendId));
    }

    /** Whether {@code reply} says that the gateway stops and has given the call up while it ran. */
    public static boolean givenUp(BackendReply reply) {
        return reply.equals(GIVEN_UP);
    }
}
