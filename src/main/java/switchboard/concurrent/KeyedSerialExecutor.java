package switchboard.concurrent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.async.Futures;

/**
 * Work on the same thing, one after the other in the order of arrival; on different things, at once. What waits is
 * bounded by the calls that are admitted.
 *
 * @param <K> names the things
 */
public final class KeyedSerialExecutor<K> {
    private final ConcurrentHashMap<K, Future<Void>> last = new ConcurrentHashMap<>();

    /** Runs {@code work} when all earlier work on {@code key} is done, however that ended. */
    public <T> Future<T> run(K key, Supplier<Future<T>> work) {
        Promise<Void> done = Promise.promise();
        Future<Void> before = last.put(key, done.future());
        Future<T> result = before == null ? start(work) : Futures.here(before).transform(_ -> start(work));
        return result.onComplete(_ -> {
            last.remove(key, done.future());
            done.complete();
        });
    }

    /** How many things have work. */
    public int busy() {
        return last.size();
    }

    private static <T> Future<T> start(Supplier<Future<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }
}
