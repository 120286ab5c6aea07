package switchboard.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads will make true. */
public final class Eventually {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

    private Eventually() {}

    /** Returns as soon as {@code condition} holds; fails when it never does. */
    public static void that(BooleanSupplier condition, Supplier<String> otherwise) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("never: " + otherwise.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
