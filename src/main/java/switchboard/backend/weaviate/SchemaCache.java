package switchboard.backend.weaviate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import switchboard.backend.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** The schemas of collections, read when first needed and again when they may have changed. Thread-safe. */
final class SchemaCache {
    private static final int MOST = 1_000;

    private final WeaviateApi api;
    private final Cache<String, CollectionSchema> known;

    SchemaCache(WeaviateApi api, Duration lifetime, Clock clock) {
        this.api = api;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(lifetime)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** The schema of {@code collection}, perhaps a little old; empty if there is no such collection. */
    Future<Optional<CollectionSchema>> find(String collection, CallContext context) {
        CollectionSchema cached = known.getIfPresent(collection);
        if (cached != null) {
            return Future.succeededFuture(Optional.of(cached));
        }
        return api.definition(collection, context).map(definition -> {
            Optional<CollectionSchema> schema = definition.map(CollectionSchema::of);
            schema.ifPresent(read -> known.put(collection, read));
            return schema;
        });
    }

    /** The schema of {@code collection}; fails with {@code NOT_FOUND} if there is no such collection. */
    Future<CollectionSchema> get(String collection, CallContext context) {
        return find(collection, context).map(schema -> schema.orElseThrow(() -> notFound(collection)));
    }

    /**
     * The schema where the gateway's key may read it; empty where it may not. Fails with {@code NOT_FOUND} if there is
     * no such collection.
     */
    Future<Optional<CollectionSchema>> readable(String collection, CallContext context) {
        return state(collection, context).map(state -> {
            if (state instanceof State.Absent) {
                throw notFound(collection);
            }
            return state.schema();
        });
    }

    /** What is known of {@code collection}, be it that it does not exist or that the key may not know. */
    Future<State> state(String collection, CallContext context) {
        return find(collection, context)
                .<State>map(found -> found.<State>map(State.Known::new).orElseGet(State.Absent::new))
                .recover(failure -> failure instanceof ToolException refused
                                && refused.failed().kind() == FailureKind.DENIED_UPSTREAM
                        ? Future.succeededFuture(new State.Unreadable())
                        : Future.failedFuture(failure));
    }

    /** What is known of a collection. */
    sealed interface State {
        /** It exists and looks like this. */
        record Known(CollectionSchema value) implements State {
            @Override
            public Optional<CollectionSchema> schema() {
                return Optional.of(value);
            }
        }

        /** It does not exist. */
        record Absent() implements State {}

        /** The gateway's key may not read it. */
        record Unreadable() implements State {}

        /** The schema, if known. */
        default Optional<CollectionSchema> schema() {
            return Optional.empty();
        }
    }

    /** Forgets what is known of {@code collection}. */
    void forget(String collection) {
        known.invalidate(collection);
    }

    static ToolException notFound(String collection) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "collection " + Names.quoted(collection) + " not found. " + EngineErrors.COLLECTIONS);
    }
}
