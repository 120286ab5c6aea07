package switchboard.concurrent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.async.Futures;

/**
 * Runs work with the same key one after the other, in order of arrival; work with different keys runs at once. The
 * number of waiting calls is bounded by admission.
 *
 * @param <K> the type of keys
 */
public final class KeyedSerialExecutor<K> {
    private final ConcurrentHashMap<K, Future<Void>> last = new ConcurrentHashMap<>();

    /** Runs {@code work} when all earlier work on {@code key} has ended, whatever its result. */
    public <T> Future<T> run(K key, Supplier<Future<T>> work) {
        Promise<Void> done = Promise.promise();
        Future<Void> before = last.put(key, done.future());
        Future<T> result = before == null ? start(work) : Futures.here(before).transform(_ -> start(work));
        return result.onComplete(_ -> {
            last.remove(key, done.future());
            done.complete();
        });
    }

    /** The number of keys with work. */
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
