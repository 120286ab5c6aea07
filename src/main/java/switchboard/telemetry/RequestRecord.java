package switchboard.telemetry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;

/**
 * A finished MCP request: answered, refused or cancelled.
 *
 * @param method the MCP method, or {@code other} if the gateway does not know it
 * @param tool the published name of the tool, or null
 * @param error the kind of failure, never a number; null on success
 * @param code the JSON-RPC code of a protocol error, else null
 * @param origin where it came from
 * @param duration how long it took
 * @param resultBytes the size of the answer
 */
public record RequestRecord(
        String method,
        @Nullable String tool,
        @Nullable String error,
        @Nullable Integer code,
        RequestOrigin origin,
        Duration duration,
        long resultBytes) {
    /**
     * The origin of a request.
     *
     * @param transport {@code http} or {@code stdio}
     * @param version the MCP version of the request
     * @param view the view, {@code ""} for the default one
     * @param team the team, {@code ""} in a gateway without teams
     * @param principal the key's id or the token's subject
     * @param traceparent the W3C trace context of the request, or null
     */
    public record RequestOrigin(
            String transport,
            String version,
            String view,
            String team,
            String principal,
            @Nullable String traceparent) {
        /** A request without a trace. */
        public RequestOrigin(String transport, String version, String view, String team, String principal) {
            this(transport, version, view, team, principal, null);
        }

        /** The trace's id, or null. */
        @Nullable
        String traceId() {
            return Tracing.traceId(traceparent);
        }
    }
}
