package switchboard.auth;

import java.util.concurrent.TimeUnit;

/**
 * The exchanges that have failed since the last answer. They are made again for a second before a gateway goes by itself: a connection that broke is
 * no database that is away. Time in which the process stood still is not the database's. Exchanges are made one after another; anybody may look.
 */
final class FailedExchanges {
    /** For so long at most who waits for the database waits for it. */
    static final long LONGEST_MS = 1_000;

    /** The pause before the next one. */
    static final long PAUSE_MS = 50;

    /** An exchange that took so much longer than it was waited for shows that the process stood still. */
    private static final long STILL_MS = 250;

    /** So many of these are too many. */
    private static final int MOST_STILL = 4;

    private volatile long leftMs = LONGEST_MS;

    /** Whether the last one failed. */
    boolean any() {
        return leftMs < LONGEST_MS;
    }

    /** How long this gateway does not yet go by itself; 0 if it does. */
    long leftMs() {
        return leftMs;
    }

    /** How long the next one is waited for. */
    long waitMs() {
        long left = leftMs;
        return left > 0 ? left : LONGEST_MS;
    }

    void answered() {
        leftMs = LONGEST_MS;
    }

    /** One has failed that took {@code nanos}. */
    void failed(long nanos) {
        long took = TimeUnit.NANOSECONDS.toMillis(nanos);
        long counted = took > waitMs() + STILL_MS ? LONGEST_MS / MOST_STILL : took + PAUSE_MS;
        leftMs = Math.max(0, leftMs - counted);
    }
}
