package switchboard.testing.logs;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Tells whether this process got too little of the processor lately, as on a machine that is overloaded: a thread that only
 * sleeps woke up much too late, or far more threads want to run than there are processors. A sleeping thread alone does not tell,
 * since the scheduler prefers it to one that computes. What says then that a thread was busy for long, says nothing.
 */
final class Stalls {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LATE = Duration.ofSeconds(1);
    private static final Duration LATELY = Duration.ofSeconds(30);
    /** Threads of all processes that want to run, for each processor, in the last minute; 1 to 2 while tests run alone. */
    private static final double OVERLOAD = 3;

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
        return System.nanoTime() - last < LATELY.toNanos() || isOverloaded();
    }

    /** Never on a system that has no load average. */
    private static boolean isOverloaded() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load > OVERLOAD * Runtime.getRuntime().availableProcessors();
    }
}
