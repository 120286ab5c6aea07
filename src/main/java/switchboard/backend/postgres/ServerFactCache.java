package switchboard.backend.postgres;

import static switchboard.async.Futures.also;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of facts about a server that are expensive to get. If the result of work with a fact raises doubts, the
 * server is asked again. Failures are not cached. Thread-safe.
 *
 * @param <K> everything that a fact depends on
 * @param <V> a fact
 */
final class ServerFactCache<K, V> {
    private static final int MOST = 256;

    private final Cache<K, V> answers;

    /** A memory that keeps an answer for {@code kept} by {@code ticker}. */
    ServerFactCache(Duration kept, Ticker ticker) {
        this.answers = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(kept)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Runs {@code work} with the fact for {@code key}. A doubtful result is accepted if the server returns the same
     * fact again; otherwise the work is repeated once with the new fact.
     *
     * @param ask reads the fact from the server
     * @param doubtful whether a result, or else a failure, may come from an outdated fact
     */
    <R> Future<R> with(
            K key,
            Supplier<Future<V>> ask,
            Function<V, Future<R>> work,
            BiPredicate<@Nullable R, @Nullable Throwable> doubtful) {
        V known = answers.getIfPresent(key);
        if (known == null) {
            return asked(key, ask).compose(work);
        }
        Future<R> outcome = Future.succeededFuture(known).compose(work);
        return outcome.transform((result, failure) -> {
            if (!doubtful.test(result, failure)) {
                return outcome;
            }
            answers.asMap().remove(key, known);
            return asked(key, ask).compose(now -> now.equals(known) ? outcome : work.apply(now));
        });
    }

    private Future<V> asked(K key, Supplier<Future<V>> ask) {
        return ask.get().map(also(answer -> answers.put(key, answer)));
    }
}
