package switchboard.cluster;

import io.vertx.core.AsyncResult;
import java.time.Duration;

/**
 * Whether this node has reached the database for a while without a pause. After an outage, or a pause of this process, the rows of all
 * nodes are old, which says nothing about them. Thread-safe.
 */
final class Steadiness {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(6);

    private long since;
    private long last;
    private boolean steady;

    /** The node has tried to refresh its row. */
    synchronized void beaten(AsyncResult<?> outcome) {
        long now = System.nanoTime();
        if (outcome.failed()) {
            steady = false;
            return;
        }
        if (!steady || now - last > LONGEST_PAUSE.toNanos()) {
            since = now;
        }
        steady = true;
        last = now;
    }

    /** Whether it is steady for longer than a node may be silent. */
    synchronized boolean lasts() {
        long now = System.nanoTime();
        return steady && now - last <= LONGEST_PAUSE.toNanos() && now - since >= LONG.toNanos();
    }
}
