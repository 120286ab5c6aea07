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
 * What a server said, kept for a while because asking for it costs more than the work it is needed for. When the outcome
 * of that work casts doubt on it, the server is asked again. Only answers are kept, no failures. Thread-safe.
 *
 * @param <K> all that an answer depends on
 * @param <V> an answer
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
     * Does {@code work} with the answer for {@code key}. An outcome in doubt counts if the server says the same again; if
     * not, the work is done once more with what it says now.
     *
     * @param ask asks the server
     * @param doubtful whether a result, or else a failure, may come of an answer that is no longer true
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
