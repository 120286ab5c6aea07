package switchboard.protocol;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Budget;

/** One request while it is answered: what the observer will want to know. Used on one event loop only. */
public final class RunningOperation {
    /** What a token is taken for: exact counts depend on the reader's model. */
    private static final int BYTES_PER_TOKEN = 4;

    private final Inbound inbound;
    private final String method;
    private final ProtocolVersion version;
    private final long startNanos = System.nanoTime();
    private @Nullable String tool;
    private @Nullable String error;
    private List<String> resources = List.of();
    private Budget.Lease lease = (_, _) -> {};

    RunningOperation(Inbound inbound, String method, ProtocolVersion version) {
        this.inbound = inbound;
        this.method = method;
        this.version = version;
    }

    /** The tool that is called, by its name in the view. */
    public void tool(String name) {
        tool = name;
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

    /** It is over, and was answered with that many bytes. */
    void finish(OperationObserver observer, int resultBytes) {
        lease.end(resultBytes, Math.ceilDiv(resultBytes, BYTES_PER_TOKEN));
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
                resultBytes));
    }
}
