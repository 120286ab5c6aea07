package switchboard.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One request while it is answered: what the observer will want to know. Used on one event loop only. */
public final class RunningOperation {
    private final Inbound inbound;
    private final String method;
    private final ProtocolVersion version;
    private final long startNanos = System.nanoTime();
    private @Nullable String tool;
    private @Nullable String error;

    RunningOperation(Inbound inbound, String method, ProtocolVersion version) {
        this.inbound = inbound;
        this.method = method;
        this.version = version;
    }

    /** The tool that is called, by its name in the view. */
    public void tool(String name) {
        tool = name;
    }

    /** It failed with {@code kind}: a {@code FailureKind} or a JSON-RPC code. */
    public void failed(String kind) {
        error = kind;
    }

    void finish(OperationObserver observer) {
        observer.finished(new OperationObserver.Operation(
                method,
                inbound.view(),
                tool,
                error,
                inbound.transport(),
                version.text(),
                inbound.principal().team(),
                inbound.principal().id(),
                Duration.ofNanos(System.nanoTime() - startNanos)));
    }
}
