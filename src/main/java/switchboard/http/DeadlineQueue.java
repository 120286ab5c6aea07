package switchboard.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deadlines of equal length, so that the oldest is always the next to pass. One timer serves all of them; a timer for
 * each would be expensive. Used on one event loop only.
 */
final class DeadlineQueue {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineQueue.class);

    private final Vertx vertx;
    private final long nanos;
    private final Set<Deadline> open = new LinkedHashSet<>();
    private boolean watching;

    DeadlineQueue(Vertx vertx, Duration length) {
        this.vertx = vertx;
        this.nanos = length.toNanos();
    }

    /** The length of the deadlines, in milliseconds. */
    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /** Starts a deadline. {@code late} runs when it passes. */
    Deadline begin(Runnable late) {
        Deadline deadline = new Deadline(System.nanoTime() + nanos, late);
        open.add(deadline);
        if (!watching) {
            watch(nanos);
        }
        return deadline;
    }

    private void watch(long delayNanos) {
        watching = true;
        // Rounded up: a timer that comes early would find nothing.
        vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(delayNanos) + 1, _ -> look());
    }

    private void look() {
        List<Deadline> passed = new ArrayList<>();
        long now = System.nanoTime();
        watching = false;
        for (Deadline oldest : open) {
            if (oldest.at - now > 0) {
                watch(oldest.at - now);
                break;
            }
            passed.add(oldest);
        }
        for (Deadline deadline : passed) {
            if (open.remove(deadline)) { // not met by the action of an earlier one
                deadline.pass();
            }
        }
    }

    /** A deadline. */
    final class Deadline {
        private final long at;
        private final Runnable late;

        private Deadline(long at, Runnable late) {
            this.at = at;
            this.late = late;
        }

        /** Runs the action of a passed deadline. A failure does not affect other deadlines. */
        private void pass() {
            try {
                late.run();
            } catch (RuntimeException e) {
                LOG.error("the action of a passed deadline failed", e);
            }
        }

        /** Cancels the deadline, because it was met or no longer matters. */
        void met() {
            open.remove(this);
        }
    }
}
