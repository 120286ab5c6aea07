package switchboard.backend.mcp;

import io.vertx.core.Future;
import switchboard.backend.mcp.peer.HttpLink;
import switchboard.backend.mcp.peer.Link;

/**
 * The same HTTP connections for every attempt. What calls of before came to does not count in a new one: the pauses between
 * attempts are the server's rest, and with a breaker that is still open, or that callers' calls take the trials of, a server
 * that is back could not be connected.
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
