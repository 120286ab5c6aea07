package switchboard.call;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to a backend.
 *
 * @param id identifies the call in this process; its event and cancel addresses are derived from it
 * @param request the request
 * @param caller the caller
 * @param deadlineNanos deadline as a {@link System#nanoTime()} value
 * @param events which events are wanted
 * @param traceparent the W3C trace context, or null
 * @param session values that the caller's session keeps for this backend, or null without a session
 * @param client the MCP client of the call
 */
public record BackendCall(
        String id,
        BackendRequest request,
        Caller caller,
        long deadlineNanos,
        WantedEvents events,
        @Nullable String traceparent,
        @Nullable SessionValues session,
        CallingClient client) {
    /**
     * The events of a call that its caller wants.
     *
     * @param any whether progress and logs are wanted
     * @param logLevel the lowest level of wanted log events, or null for none
     * @param given whether the search log wants to know {@linkplain GivenDocuments which documents} the answer gives
     * @param steps is told of its steps; stays in this process
     */
    public record WantedEvents(
            boolean any,
            @Nullable LogLevel logLevel,
            boolean given,
            @JsonIgnore CallSteps steps) {
        public WantedEvents {
            steps = Objects.requireNonNullElse(steps, CallSteps.NONE); // of another process
        }

        /** Events of a call whose steps and documents nobody wants to know. */
        public WantedEvents(boolean any, @Nullable LogLevel logLevel) {
            this(any, logLevel, false, CallSteps.NONE);
        }
    }

    /** The id of the W3C trace; empty if there is none. */
    public String traceId() {
        return Objects.requireNonNullElse(Tracing.traceId(traceparent), "");
    }
}
