package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallStep;
import switchboard.call.Tracing;

/**
 * A finished MCP request: answered, refused or cancelled. Metrics, the request log, the audit log and the trace are
 * made from this record.
 *
 * @param source where it came from
 * @param caller who sent it
 * @param channel how it was sent
 * @param subject what was requested
 * @param outcome how it ended
 * @param duration from the message's arrival to its answer
 * @param resultBytes the size of the answer
 * @param work who did it
 */
public record FinishedRequest(
        RequestSource source,
        RequestCaller caller,
        Channel channel,
        Subject subject,
        Outcome outcome,
        Duration duration,
        long resultBytes,
        RequestWork work) {
    /** A request of which nobody knows who did it. */
    public FinishedRequest(
            RequestSource source,
            RequestCaller caller,
            Channel channel,
            Subject subject,
            Outcome outcome,
            Duration duration,
            long resultBytes) {
        this(source, caller, channel, subject, outcome, duration, resultBytes, new RequestWork("", List.of(), 0));
    }

    /**
     * Who did the work of a request.
     *
     * @param backend whose tool was called; empty if none was
     * @param steps the steps that have ended, if an observer wants to know them
     * @param omitted how many more there were
     */
    public record RequestWork(String backend, List<CallStep> steps, int omitted) {
        public RequestWork {
            steps = List.copyOf(steps);
        }
    }

    /**
     * How a request was sent. Both values are from a fixed set and fit for metric labels.
     *
     * @param transport {@code http} or {@code stdio}
     * @param version the MCP version of the request, such as {@code 2026-07-28}
     */
    public record Channel(String transport, String version) {
        /** The value of {@code network.transport} in the OpenTelemetry conventions. */
        String network() {
            return transport.equals("http") ? "tcp" : "pipe";
        }
    }

    /**
     * The subject of a request.
     *
     * @param method the MCP method, or {@code other} if the gateway does not know it; fit for a metric label
     * @param tool the tool's name in the view, or null if no visible tool was called; fit for a metric label
     * @param unknownTool the requested name of a tool that does not exist for the caller, or null; client input
     * @param resources collections, indexes and libraries that the arguments name; client input
     * @param arguments the tool's arguments, or null; must not be changed
     */
    public record Subject(
            String method,
            @Nullable String tool,
            @Nullable String unknownTool,
            List<String> resources,
            @Nullable ObjectNode arguments) {
        public Subject {
            resources = List.copyOf(resources);
        }
    }

    /**
     * How a request ended.
     *
     * @param decision the decision of the access rules
     * @param limit the name of the limit that is reached, as in the teams file, or null
     * @param error null for success; a {@code FailureKind} for a failed tool, {@code tool_error} if another server
     *     reports a failure, the name of the error for a protocol error; never a number; fit for a metric label
     * @param code the JSON-RPC code of a protocol error, else null
     */
    public record Outcome(
            AccessDecision decision,
            @Nullable String limit,
            @Nullable String error,
            @Nullable Integer code) {
        /** Success. */
        public static final Outcome OK = new Outcome(AccessDecision.ALLOWED, null, null, null);
    }

    /** The decision of the access rules for a request. */
    public enum AccessDecision {
        /** The caller may. */
        ALLOWED,
        /** The caller may use the tool, but not on that resource. */
        DENIED,
        /** There is no such tool for this caller. */
        UNKNOWN,
        /** The arguments are not valid; no further checks were made. */
        INVALID,
        /** A limit of the team or of the key is reached. */
        LIMITED
    }

    /** The request's span, with the names of the OpenTelemetry conventions for MCP servers. */
    public Tracing.FinishedSpan span() {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("mcp.method.name", subject.method());
        attributes.put("mcp.protocol.version", channel.version());
        attributes.put("network.transport", channel.network());
        attributes.put("client.address", source.address());
        attributes.put("switchboard.view", source.view());
        attributes.put("switchboard.team", caller.team());
        attributes.put("switchboard.request.id", source.requestId());
        if (outcome.code() != null) {
            attributes.put("rpc.response.status_code", outcome.code().toString());
        }
        if (subject.tool() == null) {
            return new Tracing.FinishedSpan(subject.method(), attributes, outcome.error());
        }
        attributes.put("gen_ai.tool.name", subject.tool());
        attributes.put("gen_ai.operation.name", "execute_tool");
        return new Tracing.FinishedSpan(subject.method() + " " + subject.tool(), attributes, outcome.error());
    }
}
