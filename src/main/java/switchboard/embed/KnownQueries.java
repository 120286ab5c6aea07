package switchboard.embed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Function;

/**
 * The vectors of recent queries. A search over many sources asks for one vector many times over, often before it is there:
 * whoever comes second waits for the first. Thread-safe.
 */
final class KnownQueries {
    private final Vertx vertx;
    private final Cache<String, Future<float[]>> vectors;

    /** Remembers {@code most} of them. */
    KnownQueries(Vertx vertx, int most) {
        this.vertx = vertx;
        this.vectors = Caffeine.newBuilder().maximumSize(most).build();
    }

    /**
     * A copy of the vector of {@code text}, on the caller's context; {@code embed} makes it if nobody has. A failure goes
     * to all who waited, and is not remembered.
     */
    Future<float[]> get(String text, Function<String, Future<float[]>> embed) {
        Promise<float[]> made = Promise.promise();
        Future<float[]> known = vectors.asMap().putIfAbsent(text, made.future());
        if (known != null) {
            return here(known).map(float[]::clone);
        }
        return Future.succeededFuture(text)
                .compose(embed)
                .onFailure(_ -> vectors.asMap().remove(text, made.future()))
                .onComplete(made)
                .map(float[]::clone);
    }

    /** The same future, but what follows does not run on the context of whoever asked first. */
    private Future<float[]> here(Future<float[]> known) {
        if (known.isComplete()) {
            return known;
        }
        Context context = vertx.getOrCreateContext();
        Promise<float[]> copy = Promise.promise();
        known.onComplete(done -> context.runOnContext(_ -> copy.handle(done)));
        return copy.future();
    }
}
