package switchboard.backend.mcp;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.Transport;
import switchboard.call.CallContext;
import switchboard.call.CallerToken;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.upstream.Authorization;
import switchboard.upstream.OAuthTokens;

/**
 * Runs each caller's requests as the caller: with a token that is given in exchange for its own, in a session of its own that
 * nobody else's requests are in. Sessions are found by the digest of the caller's token. They end when they are idle, when
 * there are too many, and when the connection that lists are read by was made anew; with a call under way, after that call.
 * Thread-safe.
 */
final class CallerSessions implements UpstreamCalls {
    private final Vertx vertx;
    private final Upstream upstream;
    private final OAuthTokens tokens;
    private final Function<Authorization, Transport> transports;
    private final Cache<String, CallerSession> sessions;
    private final long timer;
    private volatile boolean closed;

    /** A session and its calls, which this object guards. */
    private static final class CallerSession {
        private final Upstream.PeerConnection beside;
        private final Future<Peer> peer;
        private int calls;
        private boolean retired;

        CallerSession(Upstream.PeerConnection beside, Future<Peer> peer) {
            this.beside = beside;
            this.peer = peer;
        }

        synchronized void begin() {
            calls++;
        }

        void release() {
            if (endsWithCall()) {
                leave();
            }
        }

        /** Accepts no more calls. */
        void retire() {
            if (endsNow()) {
                leave();
            }
        }

        private synchronized boolean endsWithCall() {
            calls--;
            return retired && calls == 0;
        }

        private synchronized boolean endsNow() {
            retired = true;
            return calls == 0;
        }

        private void leave() {
            Futures.finish(peer, Peer::leave, _ -> {});
        }
    }

    /**
     * Sessions beside the connection of {@code upstream}.
     *
     * @param transports makes a transport whose requests are authorized for one caller
     */
    CallerSessions(
            Vertx vertx,
            Upstream upstream,
            OAuthTokens tokens,
            Function<Authorization, Transport> transports,
            McpSettings.SessionBounds bounds) {
        this.vertx = vertx;
        this.upstream = upstream;
        this.tokens = tokens;
        this.transports = transports;
        this.sessions = Caffeine.newBuilder()
                .maximumSize(bounds.most())
                .expireAfterAccess(bounds.idle())
                .executor(Runnable::run)
                .removalListener((@Nullable String _, @Nullable CallerSession session, RemovalCause _) -> {
                    if (session != null) {
                        session.retire();
                    }
                })
                .build();
        this.timer = vertx.setPeriodic(period(bounds.idle()).toMillis(), _ -> sessions.cleanUp());
    }

    /** How often idle sessions are looked for. */
    private static Duration period(Duration idle) {
        return idle.compareTo(Duration.ofMinutes(1)) < 0 ? idle.dividedBy(2) : Duration.ofSeconds(30);
    }

    @Override
    public <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call) {
        CallerToken caller;
        try {
            caller = tokens.caller(context.callId());
        } catch (ToolException e) {
            return Future.failedFuture(e);
        }
        Authorization authorization = tokens.of(caller);
        // First, so that a caller for whom there is no token makes no session.
        return authorization.headers().compose(_ -> run(caller, authorization, context, call));
    }

    private <T> Future<T> run(
            CallerToken caller, Authorization authorization, CallContext context, Function<Peer, Future<T>> call) {
        Upstream.PeerConnection main = upstream.connection();
        if (closed || main == null) {
            return Future.failedFuture(upstream.unavailable());
        }
        return Futures.here(main.peer()).compose(_ -> {
            String digest = caller.digest();
            CallerSession session = session(digest, main, authorization);
            if (closed) { // meanwhile, and so nobody else ends it
                sessions.invalidate(digest);
            }
            return Futures.here(session.peer)
                    .compose(peer -> context.cancelled()
                            ? Future.<T>failedFuture(
                                    new ToolException(FailureKind.CANCELLED, "Cancelled before it began."))
                            : call.apply(peer))
                    .onComplete(_ -> session.release());
        });
    }

    /** The session for the token with this digest, with one more call. */
    private CallerSession session(String digest, Upstream.PeerConnection main, Authorization authorization) {
        return sessions.asMap().compute(digest, (_, known) -> {
            CallerSession session = known == null || known.peer.failed() || !known.beside.equals(main)
                    ? new CallerSession(main, upstream.meet(transports.apply(authorization)))
                    : known;
            session.begin();
            return session;
        });
    }

    @Override
    public void close() {
        closed = true;
        vertx.cancelTimer(timer);
        sessions.invalidateAll();
    }
}
