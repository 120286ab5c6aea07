package switchboard.cluster;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;

/** Reads the messages that wait for this node, one page at a time, so that they stay in their order. Thread-safe. */
final class Inbox {
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private final Supplier<Future<List<NodeMessage>>> take;
    private final Consumer<NodeMessage> received;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final AtomicBoolean more = new AtomicBoolean();

    /**
     * Reads nothing yet.
     *
     * @param take removes the next page of messages from the table and returns it
     */
    Inbox(Supplier<Future<List<NodeMessage>>> take, Consumer<NodeMessage> received) {
        this.take = take;
        this.received = received;
    }

    /**
     * Reads until there are no messages. Nobody waits for the end: while others write faster than this node reads there is none, and it
     * has to say that it runs.
     */
    void read() {
        more.set(true);
        if (reading.compareAndSet(false, true)) {
            page();
        }
    }

    private void page() {
        more.set(false);
        Futures.finish(
                take.get().map(Futures.also(all -> all.forEach(received))),
                all -> {
                    if (all.isEmpty() && !more.get()) {
                        pause();
                    } else {
                        page();
                    }
                },
                lost -> {
                    LOG.debug("messages are read later", lost);
                    reading.set(false);
                });
    }

    private void pause() {
        reading.set(false);
        if (more.get()) {
            read();
        }
    }
}
