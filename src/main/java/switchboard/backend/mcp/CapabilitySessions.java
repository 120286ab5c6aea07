package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.CallContext;

/**
 * Runs requests on a server up to 2025-11-25 in sessions that declare what the client behind each can answer. Clients that can't
 * be asked share one; the others have their own, so that what the server asks on no call's stream reaches nobody else. A server
 * that makes only one session is used in that one. Requests to a modern server need no session. Thread-safe.
 */
record CapabilitySessions(PeerSessions sessions) implements UpstreamCalls {
    private static final Logger LOG = LoggerFactory.getLogger(CapabilitySessions.class);

    @Override
    public <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call) {
        return sessions.main().compose(main -> {
            Peer listing = main.peer().result();
            return listing.asksInReply() || sessions.refusedBeside(main)
                    ? call.apply(listing)
                    : sessions.use(key(context), main, main.transport(), context, call, failure -> {
                        LOG.debug("no further session: {}", failure.getMessage());
                        return call.apply(listing);
                    });
        });
    }

    private static PeerSessions.SessionKey key(CallContext context) {
        DeclaredCapabilities declared = DeclaredCapabilities.of(context.client());
        return new PeerSessions.SessionKey(
                declared.asks()
                        ? new PeerSessions.SessionOwner.OneCaller(
                                context.caller().identity())
                        : new PeerSessions.SessionOwner.Everybody(),
                declared);
    }

    @Override
    public Future<Void> close() {
        return sessions.close();
    }
}
