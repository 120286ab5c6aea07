package switchboard.call;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way to a backend.
 *
 * @param id names the call in this process: its event and cancel addresses derive from it
 * @param request what is asked
 * @param caller for whom
 * @param deadlineNanos {@link System#nanoTime()} value at which the answer is no longer wanted
 * @param wantsEvents whether progress and logs have a reader
 * @param logLevel the least level of log events with a reader, or null for none
 * @param traceparent the W3C trace context, or null
 * @param session what the caller's session keeps for this backend, or null when the call belongs to no session
 * @param client the client at the far end
 */
public record BackendCall(
        String id,
        BackendRequest request,
        Caller caller,
        long deadlineNanos,
        boolean wantsEvents,
        @Nullable LogLevel logLevel,
        @Nullable String traceparent,
        @Nullable SessionValues session,
        ClientSide client) {
    /** The id of the W3C trace; empty if it belongs to none. */
    public String traceId() {
        return Objects.requireNonNullElse(Tracing.traceId(traceparent), "");
    }
}
