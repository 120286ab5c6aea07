package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.function.Function;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.StreamableHttpTransport;
import switchboard.backend.mcp.peer.Transport;

/**
 * Uses the same HTTP connections for every attempt, but forgets the failures of earlier calls. The pauses between
 * attempts protect the server, and an open circuit breaker would prevent reconnecting to a server that is back.
 *
 * @param callers runs callers' requests, in sessions beside the connection that lists are read by
 */
record HttpTransportFactory(StreamableHttpTransport transport, Function<Upstream, UpstreamCalls> callers)
        implements TransportFactory {
    @Override
    public Transport open() {
        transport.beginAnew();
        return transport;
    }

    @Override
    public DeclaredCapabilities listing() {
        return DeclaredCapabilities.LISTING;
    }

    @Override
    public void discard(Transport broken) {}

    @Override
    public UpstreamCalls calls(Upstream upstream) {
        return callers.apply(upstream);
    }

    @Override
    public Future<Void> close() {
        return transport.close();
    }
}
