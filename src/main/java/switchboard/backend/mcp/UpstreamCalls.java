package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;

/** Makes callers' requests of a server. Thread-safe. */
interface UpstreamCalls {
    /**
     * Runs {@code call} with the server, on behalf of {@code context}.
     *
     * @return what comes of it; fails with {@code ToolException} where the server can't be used
     */
    <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call);

    /** Nothing is to be called any more. */
    void close();
}
