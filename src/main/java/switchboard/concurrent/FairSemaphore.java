package switchboard.concurrent;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so much asynchronous work run at once, and some more wait, of which each team has its share. Thread-safe; never
 * blocks. Work begins on the context of whoever asked for it.
 */
public final class FairSemaphore {
    /** Guards the places. */
    private final Object lock = new Object();

    private final FairQueue<Waiter> fairQueue;

    /** A gate for {@code most} at once, before which {@code mostWaiting} may wait. */
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
            } catch (RejectedExecutionException ended) { // with the runtime
                begin.run();
            }
        }
    }

    /**
     * Runs {@code work} for the team of the call under way, as soon as there is room.
     *
     * @param full what it fails with when too much waits
     */
    public <T> Future<T> run(Supplier<Future<T>> work, Supplier<? extends Throwable> full) {
        return run(work, full, Future.future(never -> {}));
    }

    /**
     * The same for {@code work} that nobody waits for any more once {@code over} has an outcome: if it has not begun then, it
     * gives its place among those who wait back, is not run, and fails as if too much waited.
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
        // Whoever asked hears of the end when the place is free again.
        return running.andThen(_ -> leave(team));
    }

    private void leave(String team) {
        List<Waiter> next = new ArrayList<>(1);
        synchronized (lock) {
            fairQueue.leave(team);
            for (Optional<Waiter> one = fairQueue.next(); one.isPresent(); one = fairQueue.next()) {
                next.add(one.get());
            }
        }
        next.forEach(Waiter::go);
    }
}
