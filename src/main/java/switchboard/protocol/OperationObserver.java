package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;

/** Hears of every request that was answered. Called on event loops: must not block. */
public interface OperationObserver {
    /** Hears nothing. */
    OperationObserver NONE = _ -> {};

    /** All of {@code observers}, in this order. */
    static OperationObserver all(List<OperationObserver> observers) {
        return new OperationObserver() {
            @Override
            public void finished(Finished operation) {
                observers.forEach(observer -> observer.finished(operation));
            }

            @Override
            public void limited(InboundMessage inboundMessage, String limit, int calls) {
                observers.forEach(observer -> observer.limited(inboundMessage, limit, calls));
            }

            @Override
            public void sessionEnded(Duration age) {
                observers.forEach(observer -> observer.sessionEnded(age));
            }
        };
    }

    /**
     * One request, over. Every string but {@code team} and {@code principal} is from a fixed set and fit for a metric
     * label.
     *
     * @param method the MCP method, {@code other} where there is none of that name
     * @param view the view's name
     * @param tool the tool's name in the view, or null when no visible tool was called
     * @param resources what the arguments name: collections, indexes, libraries; client input, not fit for a label
     * @param error null for success; a {@code FailureKind} for a failed tool, {@code tool_error} where another
     *     server says so, an {@link RpcError} for a protocol error; never a number
     * @param code the JSON-RPC code of a protocol error, else null
     * @param transport {@code http} or {@code stdio}
     * @param protocolVersion such as {@code 2026-07-28}
     * @param team who called
     * @param principal the key or subject that called
     * @param duration from the message's arrival to its answer
     * @param resultBytes the size of the answer
     * @param trail what only a record of single requests wants to know
     */
    record Finished(
            String method,
            String view,
            @Nullable String tool,
            List<String> resources,
            @Nullable String error,
            @Nullable Integer code,
            String transport,
            String protocolVersion,
            String team,
            String principal,
            Duration duration,
            long resultBytes,
            Trail trail) {}

    /**
     * What belongs into no metric.
     *
     * @param requestId the gateway's own name for the request, unique; the log has it beside what went wrong
     * @param traceparent the W3C trace context that it is served in, or null
     * @param address where it came from
     * @param decision what the gateway's rules said
     * @param limit the name of the limit that is reached, as in the teams file, or null
     * @param asked the name of a tool that was asked for and is none, or null; client input
     * @param arguments the tool's, or null; must not be changed
     */
    record Trail(
            String requestId,
            @Nullable String traceparent,
            String address,
            AuthorizationDecision decision,
            @Nullable String limit,
            @Nullable String asked,
            @Nullable ObjectNode arguments) {
        /** The W3C trace that it belongs to, or null. */
        public @Nullable String traceId() {
            return Tracing.traceId(traceparent);
        }
    }

    /** A request was answered, or its caller went away. */
    void finished(Finished operation);

    /** The rate {@code limit} of its team or key refused the message, of so many {@code calls}, before any work. */
    default void limited(InboundMessage inboundMessage, String limit, int calls) {}

    /** A legacy session of that age has ended, for whatever reason. */
    default void sessionEnded(Duration age) {}
}
