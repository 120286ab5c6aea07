package switchboard.backend.mcp;

import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.Transport;
import switchboard.call.CallContext;
import switchboard.call.CallerToken;
import switchboard.call.ToolException;
import switchboard.upstream.Authorization;
import switchboard.upstream.OAuthTokens;

/**
 * Runs each caller's requests as the caller: with a token that is given in exchange for its own, in a session of its own that
 * nobody else's requests are in. Sessions are found by the digest of the caller's token. Thread-safe.
 *
 * @param transports makes a transport whose requests are authorized for one caller
 * @param underWay the tokens of the calls under way, by call
 */
record CallerSessions(
        OAuthTokens tokens,
        Function<Authorization, Transport> transports,
        PeerSessions sessions,
        Map<String, CallerToken> underWay)
        implements UpstreamCalls {
    CallerSessions(OAuthTokens tokens, Function<Authorization, Transport> transports, PeerSessions sessions) {
        this(tokens, transports, sessions, new ConcurrentHashMap<>());
    }

    @Override
    public <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call) {
        CallerToken caller;
        try {
            caller = tokens.caller(context.callId());
        } catch (ToolException e) {
            return Future.failedFuture(e);
        }
        underWay.put(context.callId(), caller);
        Authorization authorization = tokens.of(caller);
        // First, so that a caller for whom there is no token makes no session.
        return authorization
                .headers()
                .compose(_ -> sessions.main())
                .compose(main -> sessions.use(
                        new PeerSessions.SessionKey(
                                new PeerSessions.SessionOwner.TokenHolder(caller.digest()),
                                declared(main.peer().result(), context)),
                        main,
                        transports.apply(authorization),
                        context,
                        call,
                        Future::failedFuture))
                .onComplete(_ -> underWay.remove(context.callId(), caller));
    }

    /** The client may have a new token; the session goes on with that when the first one ends. */
    @Override
    public void goesOn(CallContext kept, CallContext round) {
        CallerToken first = underWay.get(kept.callId());
        CallerToken fresh = tokens.caller(round.callId());
        if (first != null && !first.digest().equals(fresh.digest())) {
            tokens.renew(first, fresh);
        }
    }

    @Override
    public boolean asCallers() {
        return true;
    }

    /** A modern server hears with each request what the client can do. */
    private static DeclaredCapabilities declared(Peer main, CallContext context) {
        return main.asksInReply() ? DeclaredCapabilities.NOTHING : DeclaredCapabilities.of(context.client());
    }

    @Override
    public Future<Void> close() {
        return sessions.close();
    }
}
