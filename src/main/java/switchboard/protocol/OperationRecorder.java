package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Budget;
import switchboard.call.Tracing;

/** Collects data about a request while it is answered, for the observer. Used on one event loop only. */
public final class OperationRecorder {
    private final InboundMessage inboundMessage;
    private final String method;
    private final ProtocolVersion version;
    private final long startNanos = System.nanoTime();
    private @Nullable String tool;
    private @Nullable String error;
    private @Nullable Integer code;
    private List<String> resources = List.of();
    private final String requestId = unique();
    private Tracing.Span span = new Tracing.Untraced(null);
    private AuthorizationDecision decision = AuthorizationDecision.ALLOWED;
    private @Nullable String limit;
    private @Nullable String asked;
    private @Nullable ObjectNode arguments;
    private Budget.@Nullable Lease lease;

    OperationRecorder(InboundMessage inboundMessage, String method, ProtocolVersion version) {
        this.inboundMessage = inboundMessage;
        this.method = method;
        this.version = version;
    }

    /** 122 random bits, from a generator that is no secret's: the name is shown, and guessing it opens nothing. */
    private static String unique() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long version = (random.nextLong() & ~0xF000L) | 0x4000L;
        long variant = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(version, variant).toString();
    }

    /** The tool that is called, by its name in the view. */
    public void tool(String name) {
        tool = name;
    }

    /** A tool was requested that does not exist for this caller. */
    public void unknownTool(String name) {
        asked = name;
        decision = AuthorizationDecision.UNKNOWN;
    }

    /** Sets the decision of the access rules; {@link AuthorizationDecision#ALLOWED} by default. */
    public void decided(AuthorizationDecision said) {
        decision = said;
    }

    /** The limit of that name, as in the teams file, is reached. */
    public void limited(String name) {
        limit = name;
        decision = AuthorizationDecision.LIMITED;
    }

    /** The tool's arguments; they will not be changed. */
    public void arguments(ObjectNode given) {
        arguments = given;
    }

    /** It is {@code whole}, of which everything done for it is a part. */
    void trace(Tracing.Span whole) {
        span = whole;
    }

    /** The W3C trace context for the request's work, or null. */
    @Nullable
    String traceparent() {
        return span.traceparent();
    }

    /** The gateway's own name for it. */
    String requestId() {
        return requestId;
    }

    /** The resources that the arguments name. */
    public void resources(List<String> names) {
        resources = List.copyOf(names);
    }

    /** It uses up a part of the team's budget until it is over. */
    public void lease(Budget.Lease granted) {
        lease = granted;
    }

    /** It failed with {@code kind}, a {@code FailureKind}. */
    public void failed(String kind) {
        error = kind;
        code = null;
    }

    /** It is answered with an error of the protocol, which has the JSON-RPC code {@code shown}. */
    void refused(RpcError why, int shown) {
        error = why.name();
        code = shown;
    }

    /** It is over, and was answered with {@code answer}. */
    void finish(OperationObserver observer, JsonChunks answer) {
        if (lease != null) {
            lease.end(answer.bytes());
        }
        span.end(this::facts);
        observer.finished(new OperationObserver.Finished(
                method,
                inboundMessage.view(),
                tool,
                resources,
                error,
                code,
                inboundMessage.transport(),
                version.text(),
                inboundMessage.principal().team(),
                inboundMessage.principal().id(),
                Duration.ofNanos(System.nanoTime() - startNanos),
                answer.length(),
                new OperationObserver.Trail(
                        requestId, span.traceparent(), inboundMessage.address(), decision, limit, asked, arguments)));
    }

    /** As the OpenTelemetry conventions for MCP servers name them. */
    private Tracing.Facts facts() {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("mcp.method.name", method);
        attributes.put("mcp.protocol.version", version.text());
        attributes.put("network.transport", inboundMessage.transport().equals("http") ? "tcp" : "pipe");
        attributes.put("client.address", inboundMessage.address());
        attributes.put("switchboard.view", inboundMessage.view());
        attributes.put("switchboard.team", inboundMessage.principal().team());
        attributes.put("switchboard.request.id", requestId);
        if (code != null) {
            attributes.put("rpc.response.status_code", code.toString());
        }
        if (tool != null) {
            attributes.put("gen_ai.tool.name", tool);
            attributes.put("gen_ai.operation.name", "execute_tool");
        }
        return new Tracing.Facts(tool == null ? method : method + " " + tool, attributes, error);
    }
}
