package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.Link;

/** Makes the way to a server. */
interface LinkFactory {
    /** A way that can be tried. */
    Link open();

    /** The way has led to nothing, or is broken. */
    void discard(Link link);

    /** How callers' requests reach the server, which {@code upstream} has found. */
    UpstreamCalls calls(Upstream upstream);

    /** Ends all. */
    Future<Void> close();
}
