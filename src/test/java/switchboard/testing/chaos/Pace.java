package switchboard.testing.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Spreads the calls of several callers evenly over time. Thread-safe. */
final class Pace {
    private static final long MOST_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private long periodNanos;
    private long next = System.nanoTime();

    /** From now on {@code perSecond} calls; infinity for as many as there are. */
    synchronized void set(double perSecond) {
        periodNanos = Double.isInfinite(perSecond) ? 0 : (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
        next = System.nanoTime();
    }

    /** Returns when the next call is due; what could not be sent in time is not made up for. */
    void await() {
        long due = place();
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    private synchronized long place() {
        long now = System.nanoTime();
        next = Math.max(next, now - MOST_BEHIND_NANOS) + periodNanos;
        return next - periodNanos;
    }
}
