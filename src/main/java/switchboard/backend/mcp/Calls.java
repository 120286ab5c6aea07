package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.backend.CallContext;
import switchboard.backend.mcp.peer.Peer;

/** Makes callers' requests of a server. Thread-safe. */
interface Calls {
    /**
     * Runs {@code call} with the server, on behalf of {@code context}.
     *
     * @return what comes of it; fails with {@code ToolException} where the server can't be used
     */
    <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call);

    /** Nothing is to be called any more. */
    void close();
}
