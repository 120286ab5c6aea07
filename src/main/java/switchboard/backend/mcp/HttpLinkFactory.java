package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.HttpLink;
import switchboard.backend.mcp.peer.Link;

/**
 * Uses the same HTTP connections for every attempt, but forgets the failures of earlier calls. The pauses between
 * attempts protect the server, and an open circuit breaker would prevent reconnecting to a server that is back.
 */
record HttpLinkFactory(HttpLink link) implements LinkFactory {
    @Override
    public Link open() {
        link.beginAnew();
        return link;
    }

    @Override
    public void discard(Link broken) {}

    @Override
    public UpstreamCalls calls(Upstream upstream) {
        return upstream;
    }

    @Override
    public Future<Void> close() {
        return link.close();
    }
}
