package switchboard.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what other threads will make true. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

    private Eventually() {}

    /** The first of what {@code attempt} gives that is {@code wanted}; fails when there never is one. */
    public static <T> T first(Supplier<T> attempt, Predicate<T> wanted) {
        AtomicReference<T> last = new AtomicReference<>();
        that(
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
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new AssertionError("never: " + otherwise.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
