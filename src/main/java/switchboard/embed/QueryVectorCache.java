package switchboard.embed;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.concurrent.CurrentTeam;

/**
 * The vectors of recent queries. A search over many sources asks for one vector many times over, often before it is there:
 * whoever comes second waits for the first of the same team. Thread-safe.
 */
final class QueryVectorCache {
    /** A vector that is made, or was made, for a call of {@code team}. */
    private record CachedVector(String team, Future<float[]> vector) {}

    private final Cache<String, CachedVector> vectors;

    /** Remembers {@code most} of them. */
    QueryVectorCache(int most) {
        this.vectors = Caffeine.newBuilder().maximumSize(most).build();
    }

    /**
     * A copy of the vector of {@code text}, on the caller's context; {@code embed} makes it if nobody has. A failure goes
     * to all who waited, and is not remembered.
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
