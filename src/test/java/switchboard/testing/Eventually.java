package switchboard.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits for what other threads will make true: ten seconds, so that what should be prompt is seen to be. Who waits for more
 * than a thread of this process says how long.
 */
public final class Eventually {
    /** As long as a process, an engine or a model may take to start, to answer or to end on a busy machine. */
    public static final Duration OF_A_PROCESS = Duration.ofMinutes(2);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** What is waited for needs the processor more than who looks for it: pauses get longer with the wait. */
    private static final long SHORTEST_PAUSE = Duration.ofMillis(2).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMillis(100).toNanos();

    /** A pause is the wait so far divided by this. */
    private static final int PAUSES_IN_A_WAIT = 16;

    private Eventually() {}

    /** The first of what {@code attempt} gives that is {@code wanted}; fails when there never is one. */
    public static <T> T first(Supplier<T> attempt, Predicate<T> wanted) {
        return first(PATIENCE, attempt, wanted);
    }

    /** The same for what takes long. */
    public static <T> T first(Duration patience, Supplier<T> attempt, Predicate<T> wanted) {
        AtomicReference<T> last = new AtomicReference<>();
        within(
                patience,
                () -> {
                    last.set(attempt.get());
                    return wanted.test(last.get());
                },
                () -> "what is wanted; there is " + last.get());
        return last.get();
    }

    /** Returns as soon as {@code condition} holds; fails when it never does. */
    public static void that(BooleanSupplier condition, Supplier<String> otherwise) {
        within(PATIENCE, condition, otherwise);
    }

    /** The same for what takes long, such as the start of a process. */
    public static void within(Duration patience, BooleanSupplier condition, Supplier<String> otherwise) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long waited = System.nanoTime() - start;
            if (waited > patience.toNanos()) {
                throw new AssertionError("never: " + otherwise.get());
            }
            LockSupport.parkNanos(Math.clamp(waited / PAUSES_IN_A_WAIT, SHORTEST_PAUSE, LONGEST_PAUSE));
        }
    }
}
