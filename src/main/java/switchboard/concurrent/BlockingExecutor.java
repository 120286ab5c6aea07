package switchboard.concurrent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import switchboard.call.CallContext;
import switchboard.call.EngineWords;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.telemetry.MetricNames;

/**
 * Blocking work off the event loops: a few named threads of its own and a bounded queue before them. Work that finds the
 * queue full is refused with {@code OVERLOADED} instead of waiting; work that is cancelled before it begins never runs.
 * Where there are several teams, one has no more than its share of threads and queue, and they take turns.
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
     * @param vertx the runtime
     * @param meters where {@code switchboard_executor_*} metrics go
     * @param name of the executor: names its threads and labels its metrics
     * @param threads how much runs at once, at least 1
     * @param maxWaiting how much may wait besides, from 0
     * @param share how much of both one team may hold
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

    /** Runs work of the call under way, which gives a value and never null, on one of the executor's threads. */
    public <T> Future<T> run(Callable<T> work) {
        return run(() -> false, work);
    }

    /** The same unless {@code cancelled} by then. */
    public <T> Future<T> run(BooleanSupplier cancelled, Callable<T> work) {
        return run(CurrentTeam.get(), cancelled, work);
    }

    /** Runs {@code work} for a call unless that is taken back before it begins. */
    public <T> Future<T> run(CallContext context, Callable<T> work) {
        return run(context.caller().team(), context::cancelled, work);
    }

    /**
     * Runs {@code work} of a team on one of the executor's threads unless {@code cancelled} by then; the future fails with
     * {@code CANCELLED} then. Work that has begun must ask for itself.
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

    /** Work with what is needed to begin it later. */
    private record QueuedTask<T>(
            String team, BooleanSupplier cancelled, Callable<T> work, Context context, Promise<T> promise) {
        QueuedTask(String team, BooleanSupplier cancelled, Callable<T> work, Context context) {
            this(team, cancelled, work, context, Promise.promise());
        }
    }

    /** Has work that has a place done; called on its caller's context. */
    private <T> Future<T> begin(QueuedTask<T> waiting) {
        try {
            return workers.executeBlocking(() -> began(waiting), false)
                    .onComplete(_ -> release(waiting.team))
                    .map(Objects::requireNonNull);
        } catch (RejectedExecutionException ended) { // with the runtime, without a close
            release(waiting.team);
            return Future.failedFuture(closed());
        }
    }

    private <T> void beginLater(QueuedTask<T> waiting) {
        try {
            waiting.context.runOnContext(_ -> begin(waiting).onComplete(waiting.promise));
        } catch (RejectedExecutionException ended) { // with the runtime
            waiting.promise.tryFail(closed());
            release(waiting.team);
        }
    }

    private void release(String team) {
        List<QueuedTask<?>> next = new ArrayList<>(1);
        boolean last;
        synchronized (lock) {
            fairQueue.leave(team);
            for (Optional<QueuedTask<?>> one = fairQueue.next(); one.isPresent(); one = fairQueue.next()) {
                next.add(one.get());
            }
            last = closing && fairQueue.taken() == 0;
        }
        next.forEach(this::beginLater);
        if (last) {
            drained.tryComplete();
        }
    }

    private ToolException closed() {
        return new ToolException(FailureKind.UNAVAILABLE, "It is shut down (" + name + "). " + EngineWords.LATER);
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

    private int running() {
        synchronized (lock) {
            return fairQueue.taken();
        }
    }

    /** How much waits for a thread now. */
    public int waiting() {
        synchronized (lock) {
            return fairQueue.waiting();
        }
    }

    /**
     * Takes no more work. What waits for a thread fails with {@code UNAVAILABLE}; the future completes when what is under
     * way has ended, so that what it uses may be let go of then.
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
        } catch (RejectedExecutionException ended) { // with the runtime
            waiting.promise.tryFail(closed());
        }
    }
}
