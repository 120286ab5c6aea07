package switchboard.fair;

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
public final class Gate {
    /** Guards the places. */
    private final Object lock = new Object();

    private final Places<Waiting> places;

    /** A gate for {@code most} at once, before which {@code mostWaiting} may wait. */
    public Gate(int most, int mostWaiting, TeamShare share) {
        this.places = new Places<>(() -> most, mostWaiting, share);
    }

    private record Waiting(@Nullable Context context, Runnable begin) {
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
        String team = CurrentTeam.get();
        Promise<T> promise = Promise.promise();
        synchronized (lock) {
            if (!places.enter(team)) {
                Waiting waiting = new Waiting(
                        Vertx.currentContext(), () -> begin(team, work).onComplete(promise));
                return places.queue(team, waiting) ? promise.future() : Future.failedFuture(full.get());
            }
        }
        return begin(team, work);
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
        List<Waiting> next = new ArrayList<>(1);
        synchronized (lock) {
            places.leave(team);
            for (Optional<Waiting> one = places.next(); one.isPresent(); one = places.next()) {
                next.add(one.get());
            }
        }
        next.forEach(Waiting::go);
    }
}
