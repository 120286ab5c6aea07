package switchboard.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import switchboard.async.Futures;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.replica.ChunkEngine;
import switchboard.store.EngineChunk;
import switchboard.store.EngineSearch.EngineFindings;
import switchboard.store.EngineSearch.EngineQuestion;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** Chunks in collections of a Weaviate cluster, version 1.35 or newer, over its REST and GraphQL interfaces. Thread-safe. */
public final class WeaviateChunks implements ChunkEngine {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration CHECK = Duration.ofSeconds(3);

    /** Maximum number of objects in a request. */
    private static final int BATCH = 100;

    /** About the most characters of a request. */
    private static final long BATCH_SIZE = 2 << 20;

    /** Weaviate deletes at most so many objects in one request. */
    private static final int MOST_DELETED = 10_000;

    private static final int QUESTIONS = 16;
    private static final int MOST_WAITING = 1_000;

    /** Another gateway may make or change the same collection. */
    private static final int ATTEMPTS = 5;

    private static final int MOST_KNOWN = 10_000;

    /** So much of a refusal is shown. */
    private static final int MOST_SAID = 500;

    /** So many chunks are looked at at once for their documents. */
    private static final int LISTED = 2_000;

    private static final String SCHEMA = "/v1/schema/";
    private static final String BATCHES = "/v1/batch/objects?consistency_level=QUORUM";

    private final UpstreamClient client;
    private final Shape shape;
    private final FairSemaphore questions;
    private final BlockingExecutor executor;

    /** The names of the vectors that collections have, as far as they were looked at. */
    private final Cache<ChunkCollection, Set<String>> vectors =
            Caffeine.newBuilder().maximumSize(MOST_KNOWN).build();

    /**
     * How a collection is laid out when it is made.
     *
     * @param shards the number of parts it is divided into, at least 1
     * @param replicationFactor how many nodes have each part, at least 1
     */
    public record Shape(int shards, int replicationFactor) {}

    /**
     * An engine.
     *
     * @param client a client of the cluster, which is closed with this
     * @param executor reads and writes what is large; is closed with this
     * @param share the part of what calls wait for that one team may use
     */
    public WeaviateChunks(UpstreamClient client, Shape shape, BlockingExecutor executor, TeamShare share) {
        this.client = client;
        this.executor = executor;
        this.shape = shape;
        this.questions = new FairSemaphore(QUESTIONS, MOST_WAITING, share);
    }

    @Override
    public Future<Void> write(UUID library, String document, List<EngineChunk> chunks) {
        ChunkCollection collection = ChunkCollection.of(library);
        return exists(collection, ChunkCollection.vectorNames(chunks), ATTEMPTS)
                .compose(
                        _ -> Futures.oneByOne(batches(chunks).iterator(), batch -> write(collection, document, batch)));
    }

    private static List<List<EngineChunk>> batches(List<EngineChunk> chunks) {
        List<List<EngineChunk>> batches = new ArrayList<>();
        List<EngineChunk> batch = new ArrayList<>();
        long size = 0;
        for (EngineChunk chunk : chunks) {
            long own = size(chunk);
            if (!batch.isEmpty() && (batch.size() == BATCH || size + own > BATCH_SIZE)) {
                batches.add(batch);
                batch = new ArrayList<>();
                size = 0;
            }
            batch.add(chunk);
            size += own;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    /** A number takes about 12 characters as a decimal, and 6 as bits. */
    private static long size(EngineChunk chunk) {
        long numbers = chunk.vectors().values().stream()
                .mapToLong(vector -> vector.length)
                .sum();
        return (long) chunk.words().length() + chunk.content().length() + 18 * numbers;
    }

    private Future<Void> write(ChunkCollection collection, String document, List<EngineChunk> batch) {
        return executor.run(() -> {
                    ObjectNode body = Json.object();
                    ArrayNode objects = body.putArray("objects");
                    batch.forEach(chunk -> objects.add(collection.object(document, chunk)));
                    return UpstreamRequest.withBody(HttpMethod.POST, BATCHES, body, true);
                })
                .compose(this::send)
                .compose(response -> executor.run(() -> {
                    for (JsonNode one : json(response)) {
                        if (!one.path("result").path("status").asText().equals("SUCCESS")) {
                            throw refused("Writing chunks", one.path("result").path("errors"));
                        }
                    }
                    return true;
                }))
                .mapEmpty();
    }

    /** Makes the collection if it is missing, and adds the vectors that it lacks. */
    private Future<Void> exists(ChunkCollection collection, Set<String> vectorNames, int left) {
        String path = SCHEMA + collection.name();
        return send(UpstreamRequest.get(path)).compose(response -> {
            if (response.status() == 404) {
                ObjectNode made = collection.definition(vectorNames, shape.shards(), shape.replicationFactor());
                return changed(
                        UpstreamRequest.withBody(HttpMethod.POST, "/v1/schema", made, true),
                        collection,
                        vectorNames,
                        left);
            }
            ObjectNode definition = known(collection, response);
            return ChunkCollection.addVectors(definition, vectorNames)
                    ? changed(
                            UpstreamRequest.withBody(HttpMethod.PUT, path, definition, true),
                            collection,
                            vectorNames,
                            left)
                    : Future.succeededFuture();
        });
    }

    /** What is refused because another gateway was faster is looked at again. */
    private Future<Void> changed(
            UpstreamRequest request, ChunkCollection collection, Set<String> vectorNames, int left) {
        return send(request)
                .compose(response -> response.status() == 422 && left > 1
                        ? exists(collection, vectorNames, left - 1)
                        : Future.succeededFuture(json(response)).mapEmpty());
    }

    @Override
    public Future<Void> remove(UUID library, List<String> documents) {
        ChunkCollection collection = ChunkCollection.of(library);
        return send(UpstreamRequest.get(SCHEMA + collection.name()))
                .compose(response -> response.status() == 404
                        ? Future.succeededFuture()
                        : Future.succeededFuture(json(response)).compose(_ -> remove(collection, documents)));
    }

    private Future<Void> remove(ChunkCollection collection, List<String> documents) {
        ObjectNode body = Json.object().put("dryRun", false).put("output", "minimal");
        ObjectNode match = body.putObject("match").put("class", collection.name());
        ObjectNode where = match.putObject("where").put("operator", "ContainsAny");
        where.putArray("path").add(ChunkCollection.DOCUMENT);
        documents.forEach(where.putArray("valueTextArray")::add);
        return call(UpstreamRequest.withBody(HttpMethod.DELETE, BATCHES, body, true))
                .compose(answer -> {
                    JsonNode results = answer.path("results");
                    if (results.path("failed").intValue() > 0) {
                        return Future.failedFuture(refused("Removing chunks", results));
                    }
                    return results.path("matches").intValue() >= MOST_DELETED
                            ? remove(collection, documents)
                            : Future.succeededFuture();
                });
    }

    @Override
    public Future<Void> drop(UUID library) {
        String path = SCHEMA + ChunkCollection.of(library).name();
        return send(new UpstreamRequest(HttpMethod.DELETE, path, null, Map.of(), true))
                .map(response -> {
                    if (!response.success() && response.status() != 404) {
                        throw new ToolException(response.unexplained());
                    }
                    return null;
                });
    }

    @Override
    public Future<EngineFound> find(UUID library, EngineQuestion question, int depth) {
        ChunkCollection collection = ChunkCollection.of(library);
        return comparable(collection, question).compose(possible -> {
            ChunkQuery query = new ChunkQuery(collection, possible, depth);
            return query.isEmpty()
                    ? Future.succeededFuture(new EngineFound(new EngineFindings(Map.of(), Map.of()), false))
                    : ask(collection, query::body, query::found);
        });
    }

    /** The question without vectors of models that the collection has no vectors of. */
    private Future<EngineQuestion> comparable(ChunkCollection collection, EngineQuestion question) {
        Set<String> known = vectors.getIfPresent(collection);
        if (question.vectors().isEmpty() || (known != null && known.containsAll(names(question)))) {
            return Future.succeededFuture(question);
        }
        return send(UpstreamRequest.get(SCHEMA + collection.name())).map(response -> {
            if (response.status() == 404) {
                throw missing();
            }
            known(collection, response);
            Set<String> there = Objects.requireNonNull(vectors.getIfPresent(collection));
            Map<String, float[]> possible = new LinkedHashMap<>(question.vectors());
            possible.keySet().removeIf(field -> !there.contains(ChunkCollection.vectorName(field)));
            return question.with(possible);
        });
    }

    private static Set<String> names(EngineQuestion question) {
        return question.vectors().keySet().stream()
                .map(ChunkCollection::vectorName)
                .collect(Collectors.toSet());
    }

    /** Notes what a definition says. */
    private ObjectNode known(ChunkCollection collection, UpstreamResponse response) {
        ObjectNode definition = (ObjectNode) json(response);
        Set<String> names = new HashSet<>();
        definition.path("vectorConfig").properties().forEach(one -> names.add(one.getKey()));
        vectors.put(collection, Set.copyOf(names));
        return definition;
    }

    /** What {@code read} makes of the {@code data} of an answer. */
    private <T> Future<T> ask(ChunkCollection collection, Supplier<ObjectNode> body, Function<JsonNode, T> read) {
        return questions.run(
                () -> executor.run(() -> UpstreamRequest.query("/v1/graphql", body.get()))
                        .compose(this::send)
                        .compose(response -> executor.run(() -> {
                                    JsonNode answer = response.success() ? response.json() : Json.object();
                                    return response.success()
                                                    && answer.path("errors").isEmpty()
                                            ? Optional.of(read.apply(answer.path("data")))
                                            : Optional.<T>empty();
                                })
                                .compose(result -> result.isPresent()
                                        ? Future.succeededFuture(result.get())
                                        : failed(collection, response))),
                () -> new ToolException(
                        FailureKind.OVERLOADED, "Too many searches are waiting for Weaviate. Try again in a moment."));
    }

    /** Says why a question failed; the words of GraphQL don't say that a collection is missing. */
    private <T> Future<T> failed(ChunkCollection collection, UpstreamResponse response) {
        vectors.invalidate(collection);
        return send(UpstreamRequest.get(SCHEMA + collection.name())).map(definition -> {
            if (definition.status() == 404) {
                throw missing();
            }
            throw refused("The search", response.success() ? response.json().path("errors") : json(response));
        });
    }

    private static ToolException missing() {
        return new ToolException(new ToolReply.Failed(
                        FailureKind.UNAVAILABLE,
                        "Weaviate does not have the chunks of the library. The operator writes them again with `switchboard"
                                + " reindex`.")
                .withCode(MISSING));
    }

    @Override
    public Future<Map<String, Long>> counts(UUID library, List<String> documents) {
        ChunkCollection collection = ChunkCollection.of(library);
        Map<String, Long> counts = new HashMap<>();
        documents.forEach(document -> counts.put(document, 0L));
        return send(UpstreamRequest.get(SCHEMA + collection.name())).compose(response -> {
            if (response.status() == 404 || documents.isEmpty()) {
                return Future.succeededFuture(counts);
            }
            known(collection, response);
            return ask(collection, () -> ChunkQuery.counts(collection, documents), data -> {
                for (int i = 0; i < documents.size(); i++) {
                    counts.put(documents.get(i), ChunkQuery.count(data, i));
                }
                return counts;
            });
        });
    }

    @Override
    public Future<DocumentsPage> documents(UUID library, String after) {
        ChunkCollection collection = ChunkCollection.of(library);
        return ask(
                        collection,
                        () -> ChunkQuery.documents(collection, after, LISTED),
                        data -> ChunkQuery.documents(data, LISTED))
                .recover(failure -> ChunkEngine.missing(failure)
                        ? Future.succeededFuture(new DocumentsPage(Set.of(), ""))
                        : Future.failedFuture(failure));
    }

    @Override
    public boolean tooLarge(Throwable failure) {
        return UpstreamClient.answeredTooMuch(failure);
    }

    @Override
    public Future<Health> health() {
        return client.probe(UpstreamRequest.get("/v1/meta"), CHECK);
    }

    private Future<UpstreamResponse> send(UpstreamRequest request) {
        return client.send(request, Lifetime.within(LIMIT));
    }

    private Future<JsonNode> call(UpstreamRequest request) {
        return send(request).map(this::json);
    }

    private JsonNode json(UpstreamResponse response) {
        if (!response.success()) {
            throw response.claimsJson()
                    ? refused("The request", response.json().path("error"))
                    : new ToolException(response.unexplained());
        }
        return response.json();
    }

    /** The engine's own words say what is wrong with its configuration. */
    private ToolException refused(String what, JsonNode why) {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                what + " was refused by Weaviate, which keeps the chunks of this backend: "
                        + SourceQuery.beginning(EngineMessageSanitizer.plain(client.scrub(Json.text(why))), MOST_SAID));
    }

    @Override
    public Future<Void> close() {
        return client.close().eventually(executor::close);
    }
}
