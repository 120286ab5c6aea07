package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.Link;

/** Makes connections to a server. */
interface LinkFactory {
    /** A connection to try. */
    Link open();

    /** Discards a connection that failed or is broken. */
    void discard(Link link);

    /** Runs callers' requests on the server that {@code upstream} has connected. */
    UpstreamCalls calls(Upstream upstream);

    /** Closes everything. */
    Future<Void> close();
}
