package switchboard.backend;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Blocking work off the event loops: a few named threads of its own and a bounded queue before them. Work that finds the
 * queue full is refused with {@code OVERLOADED} instead of waiting; work that is cancelled before it begins never runs.
 *
 * <p>Thread-safe. Futures complete on the caller's context.
 */
public final class BlockingLane {
    private final String name;
    private final WorkerExecutor workers;
    private final int permits;
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final Promise<Void> drained = Promise.promise();
    private volatile boolean closing;
    private final Counter rejected;

    /**
     * A lane.
     *
     * @param vertx the runtime
     * @param meters where {@code switchboard_lane_*} metrics go
     * @param name of the lane: names its threads and labels its metrics
     * @param threads how much runs at once, at least 1
     * @param maxWaiting how much may wait besides, from 0
     */
    public BlockingLane(Vertx vertx, MeterRegistry meters, String name, int threads, int maxWaiting) {
        this.name = name;
        this.permits = Math.addExact(threads, maxWaiting);
        // Long work is normal here; the blocked-thread checker is for event loops.
        this.workers = vertx.createSharedWorkerExecutor("lane-" + name, threads, 1, TimeUnit.HOURS);
        this.rejected = Counter.builder("switchboard_lane_rejected")
                .description("Work refused because the lane's queue was full")
                .tag("lane", name)
                .register(meters);
        Gauge.builder("switchboard_lane_running", running, AtomicInteger::get)
                .description("Work under way on the lane's threads")
                .tag("lane", name)
                .register(meters);
        Gauge.builder("switchboard_lane_waiting", this, BlockingLane::waiting)
                .description("Work waiting for one of the lane's threads")
                .tag("lane", name)
                .register(meters);
    }

    /** Runs {@code work}, which gives a value and never null, on one of the lane's threads. */
    public <T> Future<T> run(Callable<T> work) {
        return run(() -> false, work);
    }

    /**
     * Runs {@code work} on one of the lane's threads unless {@code cancelled} by then; the future fails with {@code
     * CANCELLED} then. Work that has begun must ask for itself.
     */
    public <T> Future<T> run(BooleanSupplier cancelled, Callable<T> work) {
        int place = taken.incrementAndGet();
        if (closing) {
            release();
            return Future.failedFuture(closed());
        }
        if (place > permits) {
            release();
            rejected.increment();
            return Future.failedFuture(new ToolException(
                    FailureKind.OVERLOADED,
                    "Too much work is waiting (" + name + "). Try again in a moment, with fewer calls at once."));
        }
        try {
            return workers.executeBlocking(() -> began(cancelled, work), false)
                    .onComplete(_ -> release())
                    .map(Objects::requireNonNull);
        } catch (RejectedExecutionException ended) { // with the runtime, without a close
            release();
            return Future.failedFuture(closed());
        }
    }

    private void release() {
        if (taken.decrementAndGet() == 0 && closing) {
            drained.tryComplete();
        }
    }

    private ToolException closed() {
        return new ToolException(FailureKind.UNAVAILABLE, "It is shut down (" + name + ").");
    }

    private <T> T began(BooleanSupplier cancelled, Callable<T> work) throws Exception {
        if (cancelled.getAsBoolean()) {
            throw new ToolException(FailureKind.CANCELLED, "Cancelled before it began.");
        }
        if (closing) {
            throw closed();
        }
        running.incrementAndGet();
        try {
            return work.call();
        } finally {
            running.decrementAndGet();
        }
    }

    /** How much waits for a thread now. */
    public int waiting() {
        return Math.max(0, taken.get() - running.get());
    }

    /**
     * Takes no more work. What waits for a thread fails with {@code UNAVAILABLE}; the future completes when what is under
     * way has ended, so that what it uses may be let go of then.
     */
    public Future<Void> close() {
        closing = true;
        if (taken.get() == 0) {
            drained.tryComplete();
        }
        return drained.future().compose(_ -> workers.close());
    }
}
