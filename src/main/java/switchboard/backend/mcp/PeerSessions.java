package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.backend.mcp.peer.Transport;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Sessions with a server beside the connection that lists are read by: one for each owner and what the client behind it declares.
 * They end when they are idle, when there are too many, when a call ended early after which questions can't be told apart, and
 * when the connection that lists are read by was made anew; with a call under way, after that call. Thread-safe.
 */
final class PeerSessions {
    /** How long a server that made no further session is not asked for one. */
    private static final Duration REFUSED = Duration.ofMinutes(5);

    /** How long a stop waits for calls that were cancelled, and for the server to be told. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(5);

    private final String id;
    private final Vertx vertx;
    private final Upstream upstream;
    private final Cache<SessionKey, PeerSession> sessions;
    /** All that have not ended, including those that only finish their calls. */
    private final Set<PeerSession> live = ConcurrentHashMap.newKeySet();

    private final Consumer<ObjectNode> notifications;
    private final long timer;
    private volatile @Nullable RefusedSession refused;
    private volatile boolean closed;

    /** The server made no session beside {@code main}. */
    private record RefusedSession(Upstream.PeerConnection main, long sinceNanos) {}

    /**
     * What a session is for.
     *
     * @param owner whose it is
     * @param declared what it declares
     */
    record SessionKey(SessionOwner owner, DeclaredCapabilities declared) {}

    /** Who may use a session at the server. */
    sealed interface SessionOwner {
        /** Everybody's; nobody is asked in it. */
        record Everybody() implements SessionOwner {}

        /** This caller alone, because the server may ask its client something. */
        record OneCaller(Caller.Identity identity) implements SessionOwner {}

        /** Whose token has this digest. */
        record TokenHolder(String digest) implements SessionOwner {}
    }

    /** A session and its calls, which this object guards. */
    private static final class PeerSession {
        private final Upstream.PeerConnection beside;
        private final Future<Peer> peer;
        private final Promise<Void> ended = Promise.promise();
        private int calls;
        private boolean retired;

        PeerSession(Upstream.PeerConnection beside, Function<PeerSession, Future<Peer>> open) {
            this.beside = beside;
            this.peer = open.apply(this);
        }

        /** Whether it can't serve further calls. */
        boolean spent() {
            return peer.failed() || (peer.succeeded() && peer.result().doubtful());
        }

        synchronized boolean wanted() {
            return !retired || calls > 0;
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
            peer.compose(Peer::leave).otherwiseEmpty().onComplete(ended);
        }

        /** Completes when the server was told that the session is over; never fails. */
        Future<Void> ended() {
            return ended.future();
        }
    }

    /**
     * Sessions beside the connection of {@code upstream}.
     *
     * @param notifications receives what the server announces in them
     */
    PeerSessions(
            String id,
            Vertx vertx,
            Upstream upstream,
            McpSettings.SessionBounds bounds,
            Consumer<ObjectNode> notifications) {
        this.notifications = notifications;
        this.id = id;
        this.vertx = vertx;
        this.upstream = upstream;
        this.sessions = Caffeine.newBuilder()
                .maximumSize(bounds.most())
                .expireAfterAccess(bounds.idle())
                .executor(Runnable::run)
                .removalListener((@Nullable SessionKey _, @Nullable PeerSession session, RemovalCause _) -> {
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

    /** The connection that sessions are beside; fails if the server can't be used. */
    Future<Upstream.PeerConnection> main() {
        Upstream.PeerConnection main = upstream.connection();
        return closed || main == null
                ? Future.failedFuture(upstream.unavailable())
                : Futures.here(main.peer()).map(main);
    }

    /** Whether the server has lately made no session beside {@code main}. */
    boolean refusedBeside(Upstream.PeerConnection main) {
        RefusedSession last = refused;
        return last != null && last.main().equals(main) && System.nanoTime() - last.sinceNanos() < REFUSED.toNanos();
    }

    /**
     * Runs {@code call} in the session for {@code key}.
     *
     * @param transport what a new one is on
     * @param unable runs it if the server refuses to make such a session
     */
    <T> Future<T> use(
            SessionKey key,
            Upstream.PeerConnection main,
            Transport transport,
            CallContext context,
            Function<Peer, Future<T>> call,
            Function<ToolException, Future<T>> unable) {
        PeerSession session = session(key, main, transport);
        if (closed) { // meanwhile, and so nobody else ends it
            sessions.invalidate(key);
        }
        return Futures.here(session.peer)
                .transform(made -> {
                    if (context.cancelled()) {
                        return Future.failedFuture(
                                new ToolException(FailureKind.CANCELLED, "Cancelled before it began."));
                    }
                    return switch (made.cause()) {
                        case null -> call.apply(made.result());
                        case RpcFailure failure -> {
                            refused = new RefusedSession(main, System.nanoTime());
                            yield unable.apply(Upstream.explained(failure));
                        }
                        case Peer.NoSession failure -> {
                            refused = new RefusedSession(main, System.nanoTime());
                            yield unable.apply(failure.explained());
                        }
                        default -> Future.failedFuture(Upstream.explained(made.cause()));
                    };
                })
                .onComplete(_ -> session.release());
    }

    /** The session for {@code key}, with one more call. */
    private PeerSession session(SessionKey key, Upstream.PeerConnection main, Transport transport) {
        return sessions.asMap().compute(key, (_, known) -> {
            PeerSession session =
                    known == null || known.spent() || !known.beside.equals(main) ? opened(key, main, transport) : known;
            session.begin();
            return session;
        });
    }

    private PeerSession opened(SessionKey key, Upstream.PeerConnection main, Transport transport) {
        PeerSession session = new PeerSession(main, made -> open(key, made, transport));
        live.add(session);
        session.ended().onComplete(_ -> live.remove(session));
        return session;
    }

    private Future<Peer> open(SessionKey key, PeerSession session, Transport transport) {
        return upstream.meet(transport, key.declared(), !(key.owner() instanceof SessionOwner.Everybody))
                .compose(peer -> peer.asksInReply() || !key.declared().asks()
                        ? Future.succeededFuture(peer) // There is nothing to hear in this session only.
                        : new NotificationStream(id, vertx, session::wanted, notifications)
                                .open(peer)
                                .map(peer));
    }

    /**
     * Accepts no more calls.
     *
     * @return completes when the sessions are over, which wait for their calls; after {@link #LAST_CALLS} in any case
     */
    Future<Void> close() {
        closed = true;
        vertx.cancelTimer(timer);
        sessions.invalidateAll();
        return Future.join(live.stream().map(PeerSession::ended).toList())
                .<Void>mapEmpty()
                .timeout(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty();
    }
}
