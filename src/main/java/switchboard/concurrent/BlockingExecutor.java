package switchboard.concurrent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.telemetry.MetricNames;

/**
 * Runs blocking work outside the event loops, on a few named threads with a bounded queue. If the queue is full, work
 * is refused with {@code OVERLOADED} instead of waiting. Work that is cancelled before it begins never runs. If there
 * are several teams, each may only use its share of threads and queue, and they take turns.
 *
 * <p>Thread-safe. Futures complete on the caller's context.
 */
public final class BlockingExecutor {
    private final Vertx vertx;
    private final String name;
    private final WorkerExecutor workers;
    private final Promise<Void> drained = Promise.promise();
    private final Counter rejected;

    /** Guards the fields below. */
    private final Object lock = new Object();

    private final FairQueue<QueuedTask<?>> fairQueue;
    private boolean closing;

    /**
     * An executor.
     *
     * @param vertx completes the futures
     * @param meters for {@code switchboard_executor_*} metrics
     * @param name names its threads and labels its metrics
     * @param threads number of threads, at least 1
     * @param maxWaiting how much work may wait, from 0
     * @param share the part of both that one team may use
     */
    public BlockingExecutor(
            Vertx vertx, MeterRegistry meters, String name, int threads, int maxWaiting, TeamShare share) {
        this.vertx = vertx;
        this.name = name;
        this.fairQueue = new FairQueue<>(() -> threads, maxWaiting, share);
        // Long work is normal here; the blocked-thread checker is for event loops.
        this.workers = vertx.createSharedWorkerExecutor("executor-" + name, threads, 1, TimeUnit.HOURS);
        this.rejected = Counter.builder(MetricNames.EXECUTOR_REJECTED)
                .description("Work refused because the executor's queue was full")
                .tag("executor", name)
                .register(meters);
        Gauge.builder(MetricNames.EXECUTOR_RUNNING, this, BlockingExecutor::running)
                .description("Work under way on the executor's threads")
                .tag("executor", name)
                .register(meters);
        Gauge.builder(MetricNames.EXECUTOR_WAITING, this, BlockingExecutor::waiting)
                .description("Work waiting for one of the executor's threads")
                .tag("executor", name)
                .register(meters);
    }

    /** Runs work of the current call on one of the executor's threads. It must not return null. */
    public <T> Future<T> run(Callable<T> work) {
        return run(() -> false, work);
    }

    /** The same, unless it is {@code cancelled} before it begins. */
    public <T> Future<T> run(BooleanSupplier cancelled, Callable<T> work) {
        return run(CurrentTeam.get(), cancelled, work);
    }

    /** Runs {@code work} for a call, unless the call is cancelled before the work begins. */
    public <T> Future<T> run(CallContext context, Callable<T> work) {
        return run(context.caller().chargedTeam(), context::cancelled, work);
    }

    /**
     * Runs {@code work} of a team on one of the executor's threads. If it is {@code cancelled} before it begins, the
     * future fails with {@code CANCELLED}. Running work must check for cancellation itself.
     */
    public <T> Future<T> run(String team, BooleanSupplier cancelled, Callable<T> work) {
        QueuedTask<T> waiting;
        synchronized (lock) {
            if (closing) {
                return Future.failedFuture(closed());
            }
            waiting = new QueuedTask<>(team, cancelled, work, vertx.getOrCreateContext());
            if (!fairQueue.enter(team)) {
                if (fairQueue.queue(team, waiting)) {
                    return waiting.promise.future();
                }
                rejected.increment();
                return Future.failedFuture(new ToolException(
                        FailureKind.OVERLOADED,
                        "Too much work is waiting (" + name + "). Try again in a moment, with fewer calls at once."));
            }
        }
        return begin(waiting);
    }

    /** Waiting work with everything needed to start it later. */
    private record QueuedTask<T>(
            String team, BooleanSupplier cancelled, Callable<T> work, Context context, Promise<T> promise) {
        QueuedTask(String team, BooleanSupplier cancelled, Callable<T> work, Context context) {
            this(team, cancelled, work, context, Promise.promise());
        }
    }

    /** Starts work that has a permit; called on its caller's context. */
    private <T> Future<T> begin(QueuedTask<T> waiting) {
        try {
            return workers.executeBlocking(() -> began(waiting), false)
                    .onComplete(_ -> release(waiting.team))
                    .map(Objects::requireNonNull);
        } catch (RejectedExecutionException ended) { // when Vert.x is closed, without close()
            release(waiting.team);
            return Future.failedFuture(closed());
        }
    }

    private <T> void beginLater(QueuedTask<T> waiting) {
        try {
            waiting.context.runOnContext(_ -> begin(waiting).onComplete(waiting.promise));
        } catch (RejectedExecutionException ended) { // when Vert.x is closed
            waiting.promise.tryFail(closed());
            release(waiting.team);
        }
    }

    private void release(String team) {
        List<QueuedTask<?>> next;
        boolean last;
        synchronized (lock) {
            fairQueue.leave(team);
            next = fairQueue.grant();
            last = closing && fairQueue.taken() == 0;
        }
        next.forEach(this::beginLater);
        if (last) {
            drained.tryComplete();
        }
    }

    private ToolException closed() {
        return new ToolException(
                FailureKind.UNAVAILABLE, "It is shut down (" + name + "). " + EngineMessageSanitizer.LATER);
    }

    private <T> T began(QueuedTask<T> waiting) throws Exception {
        if (waiting.cancelled.getAsBoolean()) {
            throw new ToolException(FailureKind.CANCELLED, "Cancelled before it began.");
        }
        synchronized (lock) {
            if (closing) {
                throw closed();
            }
        }
        return waiting.work.call();
    }

    /** How much work is under way. */
    public int running() {
        synchronized (lock) {
            return fairQueue.taken();
        }
    }

    /** How much work waits for a thread. */
    public int waiting() {
        synchronized (lock) {
            return fairQueue.waiting();
        }
    }

    /**
     * Accepts no more work. Work that waits for a thread fails with {@code UNAVAILABLE}. The future completes when the
     * work under way has ended, so that its resources can be closed then.
     */
    public Future<Void> close() {
        List<QueuedTask<?>> refused;
        boolean last;
        synchronized (lock) {
            closing = true;
            refused = fairQueue.clearQueue();
            last = fairQueue.taken() == 0;
        }
        refused.forEach(this::refuse);
        if (last) {
            drained.tryComplete();
        }
        return drained.future().compose(_ -> workers.close());
    }

    private <T> void refuse(QueuedTask<T> waiting) {
        try {
            waiting.context.runOnContext(_ -> waiting.promise.tryFail(closed()));
        } catch (RejectedExecutionException ended) { // when Vert.x is closed
            waiting.promise.tryFail(closed());
        }
    }
}
