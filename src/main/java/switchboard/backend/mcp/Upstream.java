package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.mcp.peer.Connector;
import switchboard.backend.mcp.peer.Identity;
import switchboard.backend.mcp.peer.Link;
import switchboard.backend.mcp.peer.OwnCall;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * The connection to one server: found, kept, and found again with growing pauses. Its state changes on one context only;
 * {@link #peer} may be asked anywhere.
 */
final class Upstream {
    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);
    private static final Duration CONNECT = Duration.ofSeconds(60);
    private static final Duration PING = Duration.ofSeconds(5);
    private static final long FIRST_PAUSE_MS = 500;
    /** As long as between two questions of how it is, so that a server that is back is not waited for any longer. */
    private static final long LAST_PAUSE_MS = 10_000;
    /** Lists that a server calls stale at once are not read again and again. */
    private static final long SHORTEST_TTL_MS = 15_000;

    private static final Identity IDENTITY = new Identity("switchboard", "1");

    /** Who wants to know of the connection; called on its context. */
    interface Owner {
        /** It stands: everything is to be read. The future says when that is done. */
        Future<Long> connected(Peer peer);

        /** The server says that something has changed. */
        void notified(Peer peer, ObjectNode notification);
    }

    private final String id;
    private final Vertx vertx;
    private final Context context;
    private final Links links;
    private final Connector connector;
    private final long refreshMs;
    private final Owner owner;
    private volatile @Nullable Future<Peer> peer;
    private volatile String trouble = "it was not asked yet";
    private volatile boolean stopped;
    private long pauseMs = FIRST_PAUSE_MS;
    private long timer = -1;
    private long connectedNanos;
    private @Nullable Link link;

    Upstream(String id, Vertx vertx, Links links, Connector connector, Duration refresh, Owner owner) {
        this.id = id;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.links = links;
        this.connector = connector;
        this.refreshMs = refresh.toMillis();
        this.owner = owner;
    }

    /** The server, once it is known; fails with {@code ToolException} while it can't be reached. */
    Future<Peer> peer() {
        Future<Peer> current = peer;
        return current == null
                ? Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, id + " can't be used now: " + trouble))
                : current;
    }

    /** What keeps it from being used, or an empty text. */
    String trouble() {
        return trouble;
    }

    /** Connects from now on; completes with the first attempt, however that ends. */
    Future<Void> start() {
        return Future.future(started -> onContext(() -> cycle().onComplete(_ -> started.complete())));
    }

    /** Asks whether the server still answers; never fails. */
    Future<Void> probe() {
        Future<Peer> current = peer;
        if (current == null || !current.isComplete()) {
            return Future.succeededFuture();
        }
        return current.compose(known -> known.request(
                        Peer.Request.reading(known.asksInReply() ? "server/discover" : "ping", Json.object()),
                        OwnCall.within(PING)))
                .transform(answer -> {
                    if (answer.failed() && !(answer.cause() instanceof RpcFailure)) {
                        onContext(() -> lost(current, answer.cause()));
                    }
                    return Future.succeededFuture();
                });
    }

    /** Ends the connection. */
    Future<Void> stop() {
        stopped = true;
        onContext(() -> vertx.cancelTimer(timer));
        Future<Peer> current = peer;
        Future<Void> closed = current == null
                ? Future.succeededFuture()
                : current.compose(Peer::close).otherwiseEmpty();
        return closed.compose(_ -> links.close()).otherwiseEmpty();
    }

    private void onContext(Runnable action) {
        context.runOnContext(_ -> action.run());
    }

    /** Connects if need be, then reads everything. */
    private Future<Void> cycle() {
        if (stopped) {
            return Future.succeededFuture();
        }
        Future<Peer> current = peer == null ? connect() : peer();
        return current.compose(known -> owner.connected(known)).transform(read -> {
            if (read.failed()) {
                lost(current, read.cause());
            } else {
                if (!trouble.isEmpty()) {
                    LOG.info("{} can be used", id);
                }
                trouble = "";
                schedule(Math.clamp(read.result(), Math.min(SHORTEST_TTL_MS, refreshMs), refreshMs));
            }
            return Future.succeededFuture();
        });
    }

    private Future<Peer> connect() {
        Link tried;
        try {
            tried = links.open();
        } catch (ToolException e) {
            Future<Peer> none = Future.failedFuture(e);
            peer = none;
            return none;
        }
        link = tried;
        Future<Peer> found = connector.connect(tried, IDENTITY, CONNECT).recover(Upstream::explained);
        peer = found;
        connectedNanos = System.nanoTime();
        tried.broken()
                .onComplete(_ -> onContext(
                        () -> lost(found, new ToolException(FailureKind.UNAVAILABLE, "its program has ended"))));
        found.onSuccess(known -> {
            LOG.info("{} speaks MCP {}", id, known.version());
            listen(found, known, FIRST_PAUSE_MS);
        });
        return found;
    }

    private static Future<Peer> explained(Throwable failure) {
        return Future.failedFuture(
                failure instanceof ToolException
                        ? failure
                        : new ToolException(
                                FailureKind.UNAVAILABLE,
                                "it does not answer as an MCP server does"
                                        + (failure instanceof RpcFailure error ? ": " + error.text() : "")));
    }

    /** A stream that ends is opened again, as long as the server has one. */
    private void listen(Future<Peer> found, Peer known, long pause) {
        long opened = System.nanoTime();
        known.listen(notification -> onContext(() -> owner.notified(known, notification)))
                .onSuccess(_ -> again(found, known, opened, pause))
                .onFailure(failure -> {
                    LOG.debug("{} has no stream of changes: {}", id, failure.getMessage());
                    if (!(failure instanceof Peer.NoStream)) {
                        again(found, known, opened, pause);
                    }
                });
    }

    private void again(Future<Peer> found, Peer known, long opened, long pause) {
        boolean stood = Duration.ofNanos(System.nanoTime() - opened).toMillis() > LAST_PAUSE_MS;
        long next = stood ? FIRST_PAUSE_MS : Math.min(2 * pause, LAST_PAUSE_MS);
        vertx.setTimer(pause, _ -> {
            if (!stopped && found.equals(peer)) {
                listen(found, known, next);
            }
        });
    }

    private void lost(Future<Peer> which, Throwable why) {
        if (stopped || !which.equals(peer)) {
            return;
        }
        Link broken = link;
        peer = null;
        trouble = text(why);
        LOG.warn("{} can't be used: {}", id, trouble);
        if (broken != null) {
            links.discard(broken);
        }
        link = null;
        // One that stood for a while is tried again at once; one that falls over and over, less and less often.
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

    /** What an operator may read of a failure. */
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

    /** Calls the server on behalf of a caller; whoever calls while it is being found waits for that. */
    <T> Future<T> use(Function<Peer, Future<T>> call) {
        return peer().compose(call::apply);
    }

    /** Runs {@code action} with the server, if there is one now. */
    void ifConnected(Consumer<Peer> action) {
        Future<Peer> current = peer;
        if (current != null) {
            current.onSuccess(action::accept);
        }
    }
}
