package switchboard.protocol;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears of every request that was answered. Called on event loops: must not block. */
public interface OperationObserver {
    /** Hears nothing. */
    OperationObserver NONE = _ -> {};

    /**
     * One request, over. Every string but {@code team} and {@code principal} is from a fixed set and fit for a metric
     * label.
     *
     * @param method the MCP method, {@code other} where there is none of that name
     * @param view the view's name
     * @param tool the tool's name in the view, or null when no visible tool was called
     * @param resources what the arguments name: collections, indexes, libraries; client input, not fit for a label
     * @param error null for success; a {@code FailureKind} for a failed tool, {@code tool_error} where another
     *     server says so, a JSON-RPC code for a protocol error
     * @param transport {@code http} or {@code stdio}
     * @param protocolVersion such as {@code 2026-07-28}
     * @param team who called
     * @param principal the key or subject that called
     * @param duration from the message's arrival to its answer
     * @param resultBytes the size of the answer
     */
    record Operation(
            String method,
            String view,
            @Nullable String tool,
            List<String> resources,
            @Nullable String error,
            String transport,
            String protocolVersion,
            String team,
            String principal,
            Duration duration,
            long resultBytes) {}

    /** A request was answered, or its caller went away. */
    void finished(Operation operation);

    /** A legacy session of that age has ended, for whatever reason. */
    default void sessionEnded(Duration age) {}
}
