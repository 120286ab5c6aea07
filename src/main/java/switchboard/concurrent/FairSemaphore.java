package switchboard.concurrent;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits asynchronous work that runs at once. More work may wait, of which each team has its share. Thread-safe; never
 * blocks. Work begins on the context of its caller.
 */
public final class FairSemaphore {
    /** Guards the permits. */
    private final Object lock = new Object();

    private final FairQueue<Waiter> fairQueue;

    /** A semaphore with {@code most} permits, for which {@code mostWaiting} may wait. */
    public FairSemaphore(int most, int mostWaiting, TeamShare share) {
        this.fairQueue = new FairQueue<>(() -> most, mostWaiting, share);
    }

    private record Waiter(@Nullable Context context, Runnable begin) {
        void go() {
            if (context == null) {
                begin.run();
                return;
            }
            try {
                context.runOnContext(_ -> begin.run());
            } catch (RejectedExecutionException ended) { // when Vert.x is closed
                begin.run();
            }
        }
    }

    /**
     * Runs {@code work} for the team of the current call as soon as there is a permit.
     *
     * @param full the failure if too much work waits
     */
    public <T> Future<T> run(Supplier<Future<T>> work, Supplier<? extends Throwable> full) {
        return run(work, full, Future.future(never -> {}));
    }

    /**
     * The same for {@code work} that is only needed until {@code over} completes. If it has not begun by then, it
     * leaves the queue, does not run, and fails as if too much work waited.
     */
    public <T> Future<T> run(Supplier<Future<T>> work, Supplier<? extends Throwable> full, Future<?> over) {
        String team = CurrentTeam.get();
        Promise<T> promise = Promise.promise();
        Waiter waiting =
                new Waiter(Vertx.currentContext(), () -> begin(team, work).onComplete(promise));
        boolean entered;
        synchronized (lock) {
            entered = fairQueue.enter(team);
            if (!entered && !fairQueue.queue(team, waiting)) {
                return Future.failedFuture(full.get());
            }
        }
        if (entered) {
            return begin(team, work);
        }
        over.onComplete(_ -> {
            if (leaveQueue(team, waiting)) {
                promise.fail(full.get());
            }
        });
        return promise.future();
    }

    private boolean leaveQueue(String team, Waiter waiting) {
        synchronized (lock) {
            return fairQueue.leaveQueue(team, waiting);
        }
    }

    private <T> Future<T> begin(String team, Supplier<Future<T>> work) {
        Future<T> running;
        try {
            running = work.get();
        } catch (RuntimeException e) {
            running = Future.failedFuture(e);
        }
        // The future completes when the permit is free again.
        return running.andThen(_ -> leave(team));
    }

    private void leave(String team) {
        List<Waiter> next;
        synchronized (lock) {
            fairQueue.leave(team);
            next = fairQueue.grant();
        }
        next.forEach(Waiter::go);
    }
}
