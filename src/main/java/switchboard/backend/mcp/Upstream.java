package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.mcp.peer.ClientInfo;
import switchboard.backend.mcp.peer.ClientProfile;
import switchboard.backend.mcp.peer.Connector;
import switchboard.backend.mcp.peer.DeclaredCapabilities;
import switchboard.backend.mcp.peer.InternalCallContext;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.backend.mcp.peer.Transport;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * The connection to one server: made, kept, and made again with growing pauses. Its state changes on one context only;
 * {@link #connection} may be called anywhere. All callers
 * share this connection, unless the {@link TransportFactory} has them use others.
 */
final class Upstream implements UpstreamCalls {
    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);
    private static final Duration CONNECT = Duration.ofSeconds(60);
    private static final Duration PING = Duration.ofSeconds(5);
    private static final long FIRST_PAUSE_MS = 500;
    /** The maximum pause between attempts, in milliseconds. */
    private static final long LAST_PAUSE_MS = 10_000;
    /** The minimum time between two readings of a list whose server declares it stale at once, in milliseconds. */
    private static final long SHORTEST_TTL_MS = 15_000;

    private static final ClientInfo IDENTITY = new ClientInfo("switchboard", "1");

    /** A listener for the connection; called on its context. */
    interface ConnectionListener {
        /** Connected. All lists must be read. The future completes when that is done. */
        Future<Long> connected(Peer peer);

        /** The server has announced a change. */
        void notified(Peer peer, ObjectNode notification);
    }

    /**
     * A connection.
     *
     * @param peer the server once it is known; fails with {@code ToolException} if it can't be reached
     */
    record PeerConnection(Transport transport, Future<Peer> peer) {}

    private final String id;
    private final Vertx vertx;
    private final Context context;
    private final TransportFactory transportFactory;
    private final Connector connector;
    private final long refreshMs;
    private final ConnectionListener owner;
    private volatile @Nullable PeerConnection current;
    private volatile Set<String> watched = Set.of();
    private volatile Connector era;
    private volatile boolean down;
    private volatile String trouble = "it was not contacted yet";
    private volatile boolean stopped;
    private long pauseMs = FIRST_PAUSE_MS;
    private long timer = -1;
    private long connectedNanos;

    Upstream(
            String id,
            Vertx vertx,
            TransportFactory transportFactory,
            Connector connector,
            Duration refresh,
            ConnectionListener owner) {
        this.id = id;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.transportFactory = transportFactory;
        this.connector = connector;
        this.era = connector;
        this.refreshMs = refresh.toMillis();
        this.owner = owner;
    }

    /** The current connection, or null. */
    @Nullable
    PeerConnection connection() {
        return current;
    }

    /** The failure while there is no connection. */
    ToolException unavailable() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                EngineMessageSanitizer.then(id + " can't be used now: " + trouble, EngineMessageSanitizer.LATER));
    }

    /** The problem of the connection, or an empty text. */
    String trouble() {
        return trouble;
    }

    /** Whether the server speaks 2026-07-28. If it was never connected, the attempt under way is waited for. */
    Future<Boolean> modern() {
        PeerConnection found = current;
        return era != Connector.AUTO || found == null
                ? Future.succeededFuture(era == Connector.MODERN)
                : found.peer().map(Peer::asksInReply);
    }

    /** Starts connecting. Completes after the first attempt, whatever its result. */
    Future<Void> start() {
        return Future.future(started -> onContext(() -> cycle().onComplete(_ -> started.complete())));
    }

    /** Checks whether the server still answers; never fails. */
    Future<Void> probe() {
        PeerConnection asked = current;
        if (asked == null || !asked.peer().isComplete()) {
            return Future.succeededFuture();
        }
        return asked.peer()
                .compose(known -> known.request(
                        Peer.Request.reading(known.asksInReply() ? "server/discover" : "ping", Json.object()),
                        InternalCallContext.within(PING)))
                .transform(answer -> {
                    if (answer.failed() && !(answer.cause() instanceof RpcFailure)) {
                        onContext(() -> lost(asked, answer.cause()));
                    }
                    return Future.succeededFuture();
                });
    }

    /** Closes the connection. An attempt under way is not waited for. */
    Future<Void> stop() {
        Promise<Void> over = Promise.promise();
        onContext(() -> {
            stopped = true;
            vertx.cancelTimer(timer);
            PeerConnection last = current;
            Future<Void> closed = last == null || !last.peer().succeeded()
                    ? Future.succeededFuture()
                    : last.peer().result().close().otherwiseEmpty();
            closed.compose(_ -> transportFactory.close()).otherwiseEmpty().onComplete(over);
        });
        return over.future();
    }

    private void onContext(Runnable action) {
        context.runOnContext(_ -> action.run());
    }

    /** Connects if necessary, then reads all lists. */
    private Future<Void> cycle() {
        if (stopped) {
            return Future.succeededFuture();
        }
        PeerConnection standing = current;
        if (standing == null) {
            try {
                standing = connect(connector);
            } catch (ToolException e) {
                failed(e);
                return Future.succeededFuture();
            }
        }
        return read(standing);
    }

    private Future<Void> read(PeerConnection which) {
        return which.peer().compose(owner::connected).transform(read -> {
            if (read.failed()) {
                lost(which, read.cause());
            } else if (which.equals(current)) {
                if (!trouble.isEmpty()) {
                    down = false;
                    LOG.info("{} can be used", id);
                }
                trouble = "";
                schedule(Math.clamp(read.result(), Math.min(SHORTEST_TTL_MS, refreshMs), refreshMs));
            }
            return Future.succeededFuture();
        });
    }

    private PeerConnection connect(Connector how) {
        PeerConnection found = open(how, transportFactory.listing());
        current = found;
        connectedNanos = System.nanoTime();
        found.transport()
                .broken()
                .onComplete(_ -> onContext(
                        () -> lost(found, new ToolException(FailureKind.UNAVAILABLE, "its program has ended"))));
        Futures.finish(
                found.peer(),
                known -> {
                    era = known.asksInReply() ? Connector.MODERN : Connector.LEGACY;
                    LOG.info("{} speaks MCP {}", id, known.version());
                    onContext(() -> {
                        if (!stopped && found.equals(current)) {
                            known.watch(watched);
                            new NotificationStream(id, vertx, () -> !stopped && found.equals(current), this::announced)
                                    .open(known);
                        }
                    });
                },
                _ -> {});
        return found;
    }

    private PeerConnection open(Connector how, DeclaredCapabilities declared) {
        Transport tried = transportFactory.open();
        ClientProfile client = ClientProfile.shared(IDENTITY, declared);
        return new PeerConnection(
                tried, how.connect(tried, client, CONNECT).recover(failure -> Future.failedFuture(explained(failure))));
    }

    /**
     * Makes another connection, in the era that the server speaks, that declares {@code declared}. The caller must close
     * it. Its notifications are handled here.
     *
     * @throws ToolException if that is not possible
     */
    PeerConnection another(DeclaredCapabilities declared) {
        PeerConnection found = open(era, declared);
        Futures.finish(
                found.peer(),
                known -> {
                    if (!known.asksInReply()) { // A modern server announces what it is asked for, once.
                        known.listen(this::announced, () -> {})
                                .onFailure(failure ->
                                        LOG.debug("{} sends no change notifications: {}", id, failure.getMessage()));
                    }
                },
                _ -> {});
        return found;
    }

    /**
     * The server on another transport, or in another session, in the era that it speaks. Nothing is listened to there. Fails as
     * {@link Connector#connect} does.
     *
     * @param ofOnePrincipal whether it serves one principal only
     */
    Future<Peer> meet(Transport transport, DeclaredCapabilities declared, boolean ofOnePrincipal) {
        return era.connect(transport, new ClientProfile(IDENTITY, declared, ofOnePrincipal), CONNECT);
    }

    /** Handles a notification of the server, of whatever session. */
    void announced(ObjectNode notification) {
        onContext(() -> {
            PeerConnection main = current;
            if (!stopped && main != null && main.peer().succeeded()) {
                owner.notified(main.peer().result(), notification);
            }
        });
    }

    /** Replaces the connection {@code old}, which stays open. Calls wait until the server is known again. */
    Future<Void> replace(PeerConnection old) {
        Promise<Void> done = Promise.promise();
        onContext(() -> {
            if (!stopped && old.equals(current)) {
                vertx.cancelTimer(timer);
                try {
                    read(connect(era));
                } catch (ToolException e) {
                    failed(e);
                }
            }
            done.complete();
        });
        return done.future();
    }

    /**
     * Has the server announce changes of these resources, on this connection and on each that replaces it. Completes when
     * it was asked; at once while there is no connection.
     */
    Future<Void> watch(Set<String> uris) {
        watched = uris;
        PeerConnection main = current;
        return main == null || !main.peer().succeeded()
                ? Future.succeededFuture()
                : main.peer().result().watch(uris);
    }

    /** What it was last asked to have announced. */
    Set<String> watched() {
        return watched;
    }

    /** The failure to connect, for whom a call fails by it. */
    static ToolException explained(Throwable failure) {
        return switch (failure) {
            case ToolException e -> e;
            case Peer.NoSession e -> e.explained();
            default ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        "it does not answer as an MCP server does"
                                + (failure instanceof RpcFailure error ? ": " + error.text() : ""));
        };
    }

    private void lost(PeerConnection which, Throwable why) {
        if (!stopped && which.equals(current)) {
            transportFactory.discard(which.transport());
            Futures.finish(which.peer(), Peer::leave, _ -> {});
            failed(why);
        }
    }

    private void failed(Throwable why) {
        current = null;
        trouble = text(why);
        if (!down) {
            down = true; // said once, not for each attempt
            LOG.warn("{} can't be used: {}", id, trouble);
        }
        // A connection that lasted for a while is made again at once; one that breaks repeatedly, after growing pauses.
        if (Duration.ofNanos(System.nanoTime() - connectedNanos).toMillis() > LAST_PAUSE_MS) {
            pauseMs = FIRST_PAUSE_MS;
        }
        schedule(pauseMs);
        pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
    }

    private void schedule(long delayMs) {
        vertx.cancelTimer(timer);
        timer = vertx.setTimer(delayMs, _ -> cycle());
    }

    /** The text of a failure for operators. */
    private static String text(Throwable why) {
        return switch (why) {
            case ToolException e -> e.failed().message();
            case RpcFailure e -> "it answers with error " + e.code() + ": " + e.text();
            default -> {
                LOG.error("an upstream failed", why);
                yield why.getClass().getSimpleName();
            }
        };
    }

    /** Runs a call. While the server is being connected, calls wait. */
    @Override
    public <T> Future<T> use(CallContext context, Function<Peer, Future<T>> call) {
        PeerConnection found = current;
        return found == null ? Future.failedFuture(unavailable()) : found.peer().compose(call::apply);
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
