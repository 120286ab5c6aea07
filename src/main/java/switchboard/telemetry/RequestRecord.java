package switchboard.telemetry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;

/**
 * One MCP request that was answered, refused or given up.
 *
 * @param method the MCP method, if it is one that the gateway knows, else {@code other}
 * @param tool the published name of the tool that was called, or null
 * @param error why it failed: a kind of failure, never a number; null on success
 * @param code the JSON-RPC code that it was answered with, null unless it was an error of the protocol
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
     * Where a request came from.
     *
     * @param transport {@code http} or {@code stdio}
     * @param version the MCP version that it was served under
     * @param view the view, {@code ""} for the default one
     * @param team the team, {@code ""} in a gateway without teams
     * @param principal the key's id or the token's subject
     * @param traceparent the W3C trace context that it is served in, or null
     */
    public record RequestOrigin(
            String transport,
            String version,
            String view,
            String team,
            String principal,
            @Nullable String traceparent) {
        /** One that belongs to no trace. */
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
