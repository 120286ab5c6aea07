package switchboard.backend.weaviate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * A cache of collections' schemas. Reads use the cached schema and check it in the background, because other clients
 * may change it at any time. Writes read the schema first. Thread-safe.
 */
final class SchemaCache {
    /** The error code for an unknown collection. */
    static final String NOT_FOUND = "collection_not_found";

    private static final int MOST = 1_000;

    private final WeaviateApi api;
    private final Cache<String, CollectionSchema> known;

    SchemaCache(WeaviateApi api, Duration lifetime, Clock clock) {
        this.api = api;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(lifetime)
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The current schema of {@code collection}; empty if there is no such collection. */
    Future<Optional<CollectionSchema>> find(String collection, CallContext context) {
        return api.definition(collection, context).map(definition -> {
            Optional<CollectionSchema> schema = definition.map(CollectionSchema::of);
            schema.ifPresentOrElse(read -> known.put(collection, read), () -> forget(collection));
            return schema;
        });
    }

    /**
     * The current schema; empty if the gateway's key may not read it. Fails with {@code NOT_FOUND} if there is no such
     * collection.
     */
    Future<Optional<CollectionSchema>> readable(String collection, CallContext context) {
        return state(collection, context).map(state -> state.readable(collection));
    }

    /**
     * The current state of {@code collection}: its schema, or that it does not exist, or that the key may not read it.
     */
    Future<Lookup> state(String collection, CallContext context) {
        return find(collection, context)
                .<Lookup>map(found -> found.<Lookup>map(Lookup.Present::new).orElseGet(Lookup.Absent::new))
                .recover(failure -> failure instanceof ToolException refused
                                && refused.failed().kind() == FailureKind.DENIED_UPSTREAM
                        ? Future.succeededFuture(new Lookup.Unreadable(refused.failed()))
                        : Future.failedFuture(failure));
    }

    /**
     * Runs {@code read} with the schema. A cached schema is used at once and checked in the background. If it has
     * changed, {@code read} runs again with the new one and only that result counts, so {@code read} must not change
     * anything.
     */
    <T> Future<T> with(String collection, CallContext context, Function<Lookup, Future<T>> read) {
        CollectionSchema cached = known.getIfPresent(collection);
        if (cached == null) {
            return state(collection, context).compose(read);
        }
        Lookup before = new Lookup.Present(cached);
        Future<Lookup> now = state(collection, context);
        Future<T> early = Future.succeededFuture(before).compose(read);
        return now.transform(
                state -> state.failed() || state.result().equals(before) ? early : read(state.result(), read));
    }

    private static <T> Future<T> read(Lookup state, Function<Lookup, Future<T>> read) {
        return Future.succeededFuture(state).compose(read);
    }

    /** The state of a collection. */
    sealed interface Lookup {
        /** It exists and looks like this. */
        record Present(CollectionSchema value) implements Lookup {}

        /** It does not exist. */
        record Absent() implements Lookup {}

        /** The gateway's key may not read it; {@code reason} is Weaviate's message. */
        record Unreadable(ToolReply.Failed reason) implements Lookup {}

        /** The schema, if known. */
        default Optional<CollectionSchema> schema() {
            return this instanceof Present known ? Optional.of(known.value()) : Optional.empty();
        }

        /**
         * The schema of {@code collection}, if the key may read it.
         *
         * @throws ToolException {@code NOT_FOUND}
         */
        default Optional<CollectionSchema> readable(String collection) {
            if (this instanceof Absent) {
                throw notFound(collection);
            }
            return schema();
        }

        /**
         * The schema of {@code collection}.
         *
         * @throws ToolException {@code NOT_FOUND}, or that the key may not read it
         */
        default CollectionSchema required(String collection) {
            return switch (this) {
                case Present known -> known.value();
                case Absent _ -> throw notFound(collection);
                case Unreadable unreadable -> throw new ToolException(unreadable.reason());
            };
        }
    }

    /** Removes {@code collection} from the cache. */
    void forget(String collection) {
        known.invalidate(collection);
    }

    static ToolException notFound(String collection) {
        return new ToolException(new ToolReply.Failed(
                        FailureKind.NOT_FOUND,
                        "collection " + WeaviateIdentifiers.quoted(collection) + " not found. "
                                + WeaviateErrors.COLLECTIONS)
                .withCode(NOT_FOUND)
                .withDetails(Json.object().put("collection", collection)));
    }
}
