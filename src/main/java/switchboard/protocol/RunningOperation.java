package switchboard.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Budget;

/** One request while it is answered: what the observer will want to know. Used on one event loop only. */
public final class RunningOperation {
    private final Inbound inbound;
    private final String method;
    private final ProtocolVersion version;
    private final long startNanos = System.nanoTime();
    private @Nullable String tool;
    private @Nullable String error;
    private List<String> resources = List.of();
    private final String requestId = UUID.randomUUID().toString();
    private @Nullable String traceId;
    private Decision decision = Decision.ALLOWED;
    private @Nullable String limit;
    private @Nullable String asked;
    private @Nullable ObjectNode arguments;
    private Budget.Lease lease = _ -> {};

    RunningOperation(Inbound inbound, String method, ProtocolVersion version) {
        this.inbound = inbound;
        this.method = method;
        this.version = version;
    }

    /** The tool that is called, by its name in the view. */
    public void tool(String name) {
        tool = name;
    }

    /** A tool of that name is asked for, which is none to this caller. */
    public void unknownTool(String name) {
        asked = name;
        decision = Decision.UNKNOWN;
    }

    /** What the gateway's rules said; {@link Decision#ALLOWED} unless something else is. */
    public void decided(Decision said) {
        decision = said;
    }

    /** The limit of that name, as in the teams file, is reached. */
    public void limited(String name) {
        limit = name;
        decision = Decision.LIMITED;
    }

    /** The tool's arguments; they will not be changed. */
    public void arguments(ObjectNode given) {
        arguments = given;
    }

    /** The W3C trace context that it came with, or null. */
    void trace(@Nullable String traceparent) {
        traceId = traceparent == null ? null : traceparent.split("-", 3)[1];
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

    /** It failed with {@code kind}: a {@code FailureKind} or a JSON-RPC code. */
    public void failed(String kind) {
        error = kind;
    }

    /** It is over, and was answered with {@code answer}. */
    void finish(OperationObserver observer, byte[] answer) {
        lease.end(answer);
        observer.finished(new OperationObserver.Operation(
                method,
                inbound.view(),
                tool,
                resources,
                error,
                inbound.transport(),
                version.text(),
                inbound.principal().team(),
                inbound.principal().id(),
                Duration.ofNanos(System.nanoTime() - startNanos),
                answer.length,
                new OperationObserver.Trail(requestId, traceId, inbound.address(), decision, limit, asked, arguments)));
    }
}
