package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import switchboard.backend.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * Whether an index's embedder works. In a hybrid search the engine says nothing when its embedder fails: it answers with
 * keyword hits and {@code semanticHitCount: 0}, which is also what very good keyword hits give. Only a search by meaning
 * alone fails aloud; so one of those, for a single hit without fields, tells the two apart.
 */
final class EmbedderCheck {
    private static final Duration REMEMBERED = Duration.ofSeconds(30);
    private static final int MOST_REMEMBERED = 1_000;

    private record Key(String index, String embedder) {}

    private final Engine engine;
    private final Cache<Key, Optional<String>> known;

    EmbedderCheck(Engine engine, Clock clock) {
        this.engine = engine;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST_REMEMBERED)
                .expireAfterWrite(REMEMBERED)
                .ticker(() -> Duration.ofMillis(clock.millis()).toNanos())
                .build();
    }

    /** Why the search by meaning that {@code args} asked for failed; empty if it did not, or if that can't be told. */
    Future<Optional<String>> failure(SearchTool.Args args, Bindings bindings, CallContext context) {
        SearchTool.Hybrid hybrid = args.hybrid();
        if (hybrid == null || args.q() == null) {
            return Future.succeededFuture(Optional.empty());
        }
        Key key = new Key(args.indexUid(), hybrid.embedder());
        Optional<String> remembered = known.getIfPresent(key);
        if (remembered != null) {
            return Future.succeededFuture(remembered);
        }
        ObjectNode body = Json.object().put("q", args.q()).put("limit", 1);
        body.putArray("attributesToRetrieve");
        body.putObject("hybrid").put("embedder", hybrid.embedder()).put("semanticRatio", 1.0);
        return engine.search(args.indexUid(), body, bindings.rules(), context)
                .map(_ -> remember(key, Optional.empty()))
                .recover(thrown -> Future.succeededFuture(
                        thrown instanceof ToolException failure
                                        && EngineErrors.EMBEDDING_FAILED.equals(
                                                failure.failed().code())
                                ? remember(key, Optional.of(failure.failed().message()))
                                : Optional.empty()));
    }

    private Optional<String> remember(Key key, Optional<String> failure) {
        known.put(key, failure);
        return failure;
    }
}
