package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;

/**
 * Chooses the query's vector: the caller's own, or, if the index's embedder is {@code userProvided} and the backend
 * has an embedder, one computed here from {@code q}.
 */
final class HybridQueryVectors {
    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 1_000;

    /**
     * The choice.
     *
     * @param vector the vector to send, or null for none
     * @param note why there is none although one is needed
     */
    record QueryVectorChoice(@Nullable JsonNode vector, Optional<String> note) {}

    private final MeilisearchApi meilisearchApi;
    private final SourceEmbedders models;
    private final Cache<String, JsonNode> embeddersByIndex;

    HybridQueryVectors(MeilisearchApi meilisearchApi, SourceEmbedders models, Clock clock) {
        this.meilisearchApi = meilisearchApi;
        this.models = models;
        this.embeddersByIndex = Caffeine.newBuilder()
                .maximumSize(MOST_REMEMBERED)
                .expireAfterWrite(REMEMBERED)
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The vector for {@code args}. Fails only if the search can't be semantic at all. */
    Future<QueryVectorChoice> of(SearchTool.Args args, CallContext context) {
        SearchTool.Hybrid hybrid = args.hybrid();
        Optional<Embedder> embedder = models.of(args.indexUid());
        if (args.vector() != null || hybrid == null || !args.semantic() || args.q() == null || embedder.isEmpty()) {
            return Future.succeededFuture(new QueryVectorChoice(args.vector(), Optional.empty()));
        }
        String text = args.q();
        return embedders(args.indexUid(), context).compose(embedders -> {
            JsonNode target = embedders.path(hybrid.embedder());
            if (!target.path("source").asText().equals("userProvided")) {
                return Future.succeededFuture(new QueryVectorChoice(null, Optional.empty()));
            }
            return own(embedder.get(), target, hybrid, args.indexUid(), text, context);
        });
    }

    private static Future<QueryVectorChoice> own(
            Embedder embedder,
            JsonNode target,
            SearchTool.Hybrid hybrid,
            String index,
            String text,
            CallContext context) {
        int wanted = target.path("dimensions").asInt();
        if (wanted != embedder.dimension()) {
            return without("The gateway's embedder gives " + embedder.dimension() + " numbers, the index's embedder \""
                    + hybrid.embedder() + "\" takes " + wanted + ", so q was not turned into a vector.");
        }
        if (!context.caller().may(Verb.EMBED, index)) {
            return without(
                    "Your team may not use the gateway's embedder (it lacks the verb embed on this index), so q was"
                            + " not turned into a vector.");
        }
        return embedder.embedQuery(text)
                .map(numbers -> new QueryVectorChoice(Json.array(numbers), Optional.empty()))
                .recover(thrown -> thrown instanceof ToolException failure && hybrid.ratio() < 1
                        ? without("q was not turned into a vector: "
                                + failure.failed().message())
                        : Future.failedFuture(thrown));
    }

    private static Future<QueryVectorChoice> without(String why) {
        return Future.succeededFuture(new QueryVectorChoice(null, Optional.of(why)));
    }

    /** The index's embedders; none if the key may not read settings (the engine decides then). */
    private Future<JsonNode> embedders(String uid, CallContext context) {
        JsonNode known = embeddersByIndex.getIfPresent(uid);
        if (known != null) {
            return Future.succeededFuture(known);
        }
        return meilisearchApi
                .settings(uid, context)
                .map(settings -> {
                    JsonNode embedders = settings.path("embedders");
                    embeddersByIndex.put(uid, embedders);
                    return embedders;
                })
                .otherwise(Json.object());
    }
}
