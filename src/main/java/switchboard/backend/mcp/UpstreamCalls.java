package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;

/** Runs callers' requests on a server. Thread-safe. */
interface UpstreamCalls {
    /**
     * Runs {@code call} on the server for {@code context}.
     *
     * @return its result; fails with {@code ToolException} if the server can't be used
     */
    <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call);

    /**
     * The call of {@code kept} goes on with {@code round}, a later request of the same caller.
     *
     * @throws switchboard.call.ToolException if it can't, because of what came with that request
     */
    default void goesOn(CallContext kept, CallContext round) {}

    /** Whether each request is made as its caller, so that only the server knows what one may read. */
    default boolean asCallers() {
        return false;
    }

    /**
     * Accepts no more calls.
     *
     * @return completes when the sessions that were opened for calls are over, so that the connection may be closed; never fails
     */
    Future<Void> close();
}
