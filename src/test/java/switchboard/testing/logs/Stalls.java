package switchboard.testing.logs;

import java.time.Duration;

/**
 * Tells whether this process got too little of the processor lately, as on a machine that is overloaded: a thread that only
 * sleeps woke up much too late. What says then that a thread was busy for long, says nothing.
 */
final class Stalls {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LATE = Duration.ofSeconds(1);
    private static final Duration LATELY = Duration.ofSeconds(30);

    /** When the thread woke up too late for the last time, as {@code System.nanoTime()} has it. */
    private static volatile long last = System.nanoTime() - LATELY.toNanos();

    static {
        Thread.ofPlatform().daemon().name("stalls").start(Stalls::watch);
    }

    private Stalls() {}

    private static void watch() {
        long before = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(STEP);
                long now = System.nanoTime();
                if (now - before > STEP.plus(LATE).toNanos()) {
                    last = now;
                }
                before = now;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it got too little in the last half minute. */
    static boolean lately() {
        return System.nanoTime() - last < LATELY.toNanos();
    }
}
