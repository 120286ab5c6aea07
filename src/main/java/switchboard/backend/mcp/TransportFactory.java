package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Transport;

/** Makes connections to a server. */
interface TransportFactory {
    /** A connection to try. */
    Transport open();

    /** What the connection declares that lists are read by. */
    DeclaredCapabilities listing();

    /** Discards a connection that failed or is broken. */
    void discard(Transport transport);

    /** Runs callers' requests on the server that {@code upstream} has connected. */
    UpstreamCalls calls(Upstream upstream);

    /** Closes everything. */
    Future<Void> close();
}
