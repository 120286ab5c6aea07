package switchboard.app;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.cluster.CallMessages;
import switchboard.console.AllCalls;
import switchboard.console.CallSender;
import switchboard.console.CallSource;
import switchboard.console.RecentCalls;

/**
 * The calls of all gateways for the console of this one, and those of this one for the consoles of others. Nothing is sent while nobody
 * watches. Thread-safe.
 */
final class SharedCalls implements CallSource, CallMessages.CallListener {
    private static final Logger LOG = LoggerFactory.getLogger(SharedCalls.class);

    private static final long SEND_MS = 500;
    private static final long LOOK_MS = 1_000;

    /** Others send for three times as long. */
    private static final long WATCH_NANOS = CallSender.LASTS.toNanos() / 3;

    /** How long others may take for their first answer. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Vertx vertx;
    private final LiveCalls calls;
    private final CallMessages messages;
    private final AllCalls all;
    private final CallSender sender;
    private long sendTimer = -1;
    private long watchTimer = -1;
    private long begun;
    private long said = System.nanoTime() - WATCH_NANOS;
    private boolean due;
    private boolean closed;

    private SharedCalls(Vertx vertx, CallMessages messages, LiveCalls calls) {
        this.vertx = vertx;
        this.calls = calls;
        this.messages = messages;
        this.all = new AllCalls(calls.recent(), messages.name(), System::nanoTime);
        this.sender =
                new CallSender(calls.recent(), messages.node(), messages.name(), messages::send, System::nanoTime);
    }

    /** The calls that the console of a gateway shows, which has {@code calls}. */
    static CallSource of(LiveCalls calls, ConfiguredCluster cluster, Vertx vertx) {
        if (cluster.node() == null) {
            return CallSource.alone(calls.recent());
        }
        SharedCalls shared = new SharedCalls(vertx, cluster.node().calls(), calls);
        shared.messages.listen(shared);
        calls.recent().atEnd(shared::close);
        return shared;
    }

    @Override
    public RecentCalls now() {
        return all.now();
    }

    @Override
    public boolean missing() {
        boolean heard = all.heard(messages.others());
        synchronized (this) {
            boolean waits = System.nanoTime() - begun < PATIENCE_NANOS;
            return !messages.reachable() || !(heard || waits);
        }
    }

    @Override
    public synchronized void watched(boolean somebody) {
        vertx.cancelTimer(watchTimer);
        if (somebody && !closed) {
            begun = System.nanoTime();
            due = true;
            watchTimer = vertx.setPeriodic(LOOK_MS, _ -> watch());
            watch();
        }
    }

    /** Says that somebody watches; again after a moment if that fails. */
    private synchronized void watch() {
        long now = System.nanoTime();
        long pause = due ? TimeUnit.MILLISECONDS.toNanos(LOOK_MS) : WATCH_NANOS;
        if (closed || now - said < pause || !messages.reachable()) {
            return;
        }
        due = false;
        said = now;
        Futures.finish(messages.watch(all.watch()), _ -> {}, lost -> {
            LOG.debug("other gateways do not know that somebody watches calls", lost);
            again();
        });
    }

    private synchronized void again() {
        due = true;
    }

    @Override
    public void watched(String node, String body) {
        if (!calls.wantsSteps()) {
            return; // it keeps none
        }
        sender.watched(node, body);
        synchronized (this) {
            if (sendTimer < 0 && !closed) {
                sendTimer = vertx.setPeriodic(SEND_MS, _ -> send());
            }
        }
        send();
    }

    private synchronized void send() {
        if (!sender.send()) {
            vertx.cancelTimer(sendTimer);
            sendTimer = -1;
        }
    }

    @Override
    public void calls(String node, String body) {
        all.received(node, body);
    }

    private synchronized void close() {
        closed = true;
        vertx.cancelTimer(watchTimer);
        vertx.cancelTimer(sendTimer);
        sender.stop();
        all.close();
    }
}
