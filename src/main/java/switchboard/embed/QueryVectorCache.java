package switchboard.embed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.concurrent.CurrentTeam;

/**
 * A cache of the vectors of recent queries. A search over many sources needs the same vector many times at once: the
 * first call computes it and the others of the same team wait for it. Thread-safe.
 */
final class QueryVectorCache {
    /** A vector that a call of {@code team} has computed or is computing. */
    private record CachedVector(String team, Future<float[]> vector) {}

    private final Cache<String, CachedVector> vectors;

    /** A cache of {@code most} vectors. */
    QueryVectorCache(int most) {
        this.vectors = Caffeine.newBuilder().maximumSize(most).build();
    }

    /**
     * A copy of the vector of {@code text}, on the caller's context. {@code embed} computes it if it is not cached. A
     * failure is passed to all who wait, and is not cached.
     */
    Future<float[]> get(String text, Function<String, Future<float[]>> embed) {
        Promise<float[]> made = Promise.promise();
        CachedVector mine = new CachedVector(CurrentTeam.get(), made.future());
        CachedVector known = vectors.asMap().putIfAbsent(text, mine);
        if (known != null) {
            // Another team's turn may come much later.
            boolean near = known.vector.isComplete() || known.team.equals(mine.team);
            return (near
                            ? Futures.here(known.vector)
                            : Future.succeededFuture(text).compose(embed))
                    .map(float[]::clone);
        }
        return Future.succeededFuture(text)
                .compose(embed)
                .onFailure(_ -> vectors.asMap().remove(text, mine))
                .onComplete(made)
                .map(float[]::clone);
    }
}
