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
     * A finished request. All strings except {@code team}, {@code principal} and {@code resources} are from a fixed
     * set and fit for metric labels.
     *
     * @param method the MCP method, {@code other} for an unknown one
     * @param view the view's name
     * @param tool the tool's name in the view, or null if no visible tool was called
     * @param resources the resources that the arguments name: collections, indexes, libraries; client input, not fit
     *     for a label
     * @param error null for success; a {@code FailureKind} for a failed tool, {@code tool_error} if another server
     *     reports a failure, an {@link RpcError} for a protocol error; never a number
     * @param code the JSON-RPC code of a protocol error, else null
     * @param transport {@code http} or {@code stdio}
     * @param protocolVersion such as {@code 2026-07-28}
     * @param team the caller's team
     * @param principal the key's id or the token's subject
     * @param duration from the message's arrival to its answer
     * @param resultBytes the size of the answer
     * @param trail data for records of single requests
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
     * Data of a request that is not for metrics.
     *
     * @param requestId the gateway's unique id of the request, which the log also has
     * @param traceparent the W3C trace context of the request, or null
     * @param address the caller's address
     * @param decision the decision of the access rules
     * @param limit the name of the limit that is reached, as in the teams file, or null
     * @param asked the requested name of an unknown tool, or null; client input
     * @param arguments the tool's arguments, or null; must not be changed
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
