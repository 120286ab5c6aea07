package switchboard.convert;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Calls of native code that nothing can stop. Each runs in a thread of its own, so that its caller waits for a limited
 * time only. While too many run on that nobody waits for, none is begun. Thread-safe; callers block.
 */
final class UnstoppableCalls {
    private final String name;
    private final int most;
    private final AtomicInteger abandoned = new AtomicInteger();

    /**
     * Calls in threads called {@code name}.
     *
     * @param most how many calls that nobody waits for may run before no other is begun, 1 or more
     */
    UnstoppableCalls(String name, int most) {
        this.name = name;
        this.most = most;
    }

    /**
     * What {@code work} returns.
     *
     * @return empty if it was not begun, was not done within {@code limit}, or the caller was interrupted, which it
     *     stays
     * @throws RuntimeException or an {@link Error}: what {@code work} throws
     */
    <T> Optional<T> call(Supplier<T> work, Duration limit) {
        if (abandoned.get() >= most) {
            return Optional.empty();
        }
        CompletableFuture<T> result = CompletableFuture.supplyAsync(
                work, task -> Thread.ofPlatform().name(name).daemon().start(task));
        try {
            return Optional.of(result.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            abandon(result);
            return Optional.empty();
        } catch (InterruptedException e) {
            abandon(result);
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new CompletionException(e.getCause());
        }
    }

    private void abandon(CompletableFuture<?> result) {
        abandoned.incrementAndGet();
        result.whenComplete((_, _) -> abandoned.decrementAndGet());
    }
}
