package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * Whether an index's embedder works. In a hybrid search the engine says nothing when its embedder fails: it answers with
 * keyword hits and {@code semanticHitCount: 0}, which is also what very good keyword hits give. Only a search by meaning
 * alone fails aloud; so one of those, for a single hit without fields, tells the two apart.
 */
final class EmbedderCheck {
    private static final Duration REMEMBERED = Duration.ofSeconds(30);
    private static final int MOST_REMEMBERED = 1_000;

    /** What can be said of a search by meaning that used no vectors. */
    sealed interface Outcome {
        /** The embedder works: keywords alone found better hits. */
        record Works() implements Outcome {}

        /** It failed, because of {@code reason}. */
        record CheckFailed(String reason) implements Outcome {}

        /** That can't be told, because of {@code reason}. */
        record Undetermined(String reason) implements Outcome {}
    }

    private record EmbedderKey(String index, String embedder) {}

    private final MeilisearchApi meilisearchApi;
    private final Cache<EmbedderKey, Outcome> known;

    EmbedderCheck(MeilisearchApi meilisearchApi, Clock clock) {
        this.meilisearchApi = meilisearchApi;
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST_REMEMBERED)
                .expireAfterWrite(REMEMBERED)
                .ticker(() -> Duration.ofMillis(clock.millis()).toNanos())
                .build();
    }

    /** How the search by meaning that {@code args} asked for went. */
    Future<Outcome> outcome(SearchTool.Args args, TeamFilters teamFilters, CallContext context) {
        SearchTool.Hybrid hybrid = args.hybrid();
        if (hybrid == null || args.q() == null) {
            return Future.succeededFuture(new Outcome.Undetermined("there is no text to try the embedder with."));
        }
        EmbedderKey key = new EmbedderKey(args.indexUid(), hybrid.embedder());
        Outcome remembered = known.getIfPresent(key);
        if (remembered != null) {
            return Future.succeededFuture(remembered);
        }
        ObjectNode body = Json.object().put("q", args.q()).put("limit", 1);
        body.putArray("attributesToRetrieve");
        body.putObject("hybrid").put("embedder", hybrid.embedder()).put("semanticRatio", 1.0);
        return meilisearchApi
                .search(args.indexUid(), body, teamFilters.rules(), context)
                .map(_ -> remember(key, new Outcome.Works()))
                .recover(thrown -> thrown instanceof ToolException failure
                        ? Future.succeededFuture(outcome(key, failure.failed()))
                        : Future.failedFuture(thrown));
    }

    /** Another failure than the embedder's says nothing of the embedder, and may be gone with the next call. */
    private Outcome outcome(EmbedderKey key, ToolReply.Failed failure) {
        return MeilisearchErrors.EMBEDDING_FAILED.equals(failure.code())
                ? remember(key, new Outcome.CheckFailed(failure.message()))
                : new Outcome.Undetermined(failure.message());
    }

    private Outcome remember(EmbedderKey key, Outcome outcome) {
        known.put(key, outcome);
        return outcome;
    }
}
