package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.mcp.peer.Peer;

/**
 * The stream of a server's messages that belong to no request. It is opened again when it ends, with growing pauses, as long as
 * it is wanted and the server has one.
 *
 * @param id the backend's id, for logs
 * @param wanted whether it is still wanted
 * @param notifications receives them
 */
record NotificationStream(String id, Vertx vertx, BooleanSupplier wanted, Consumer<ObjectNode> notifications) {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationStream.class);
    private static final long FIRST_PAUSE_MS = 500;
    private static final long LAST_PAUSE_MS = 10_000;

    /** How long a request waits for the stream to open. */
    private static final long OPENING_MS = 1_000;

    /** Opens it. Completes when messages can come, when there is no such stream, or after a while; never fails. */
    Future<Void> open(Peer peer) {
        Promise<Void> opened = Promise.promise();
        long timer = vertx.setTimer(OPENING_MS, _ -> opened.tryComplete());
        listen(peer, FIRST_PAUSE_MS, opened::tryComplete);
        return opened.future().onComplete(_ -> vertx.cancelTimer(timer));
    }

    private void listen(Peer peer, long pause, Runnable opened) {
        long begun = System.nanoTime();
        Futures.settle(
                peer.listen(notifications, opened),
                end -> {
                    opened.run();
                    if (end.failed()) {
                        LOG.debug(
                                "{} sends no change notifications: {}",
                                id,
                                end.cause().getMessage());
                    }
                    if (!(end.cause() instanceof Peer.NoStream)) {
                        again(peer, begun, pause);
                    }
                },
                _ -> {});
    }

    private void again(Peer peer, long begun, long pause) {
        boolean stood = Duration.ofNanos(System.nanoTime() - begun).toMillis() > LAST_PAUSE_MS;
        long now = stood ? FIRST_PAUSE_MS : pause;
        long next = Math.min(2 * now, LAST_PAUSE_MS);
        if (wanted.getAsBoolean()) {
            vertx.setTimer(now, _ -> {
                if (wanted.getAsBoolean()) {
                    listen(peer, next, () -> {});
                }
            });
        }
    }
}
