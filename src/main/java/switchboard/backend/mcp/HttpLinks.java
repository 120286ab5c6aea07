package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.HttpLink;
import switchboard.backend.mcp.peer.Link;

/** The same HTTP connections for every attempt. */
record HttpLinks(HttpLink link) implements Links {
    @Override
    public Link open() {
        return link;
    }

    @Override
    public void discard(Link broken) {}

    @Override
    public Future<Void> close() {
        return link.close();
    }
}
