package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * Checks whether an index's embedder works. In a hybrid search the engine hides a failure of its embedder: it answers
 * with keyword hits and {@code semanticHitCount: 0}, which very good keyword hits cause, too. Only a purely semantic
 * search fails visibly, so one for a single hit without fields distinguishes the two.
 */
final class EmbedderCheck {
    private static final Duration REMEMBERED = Duration.ofSeconds(30);
    private static final int MOST_REMEMBERED = 1_000;

    /** The possible results for a semantic search without vector hits. */
    sealed interface Outcome {
        /** The embedder works; keywords found better hits. */
        record Works() implements Outcome {}

        /** The embedder failed. */
        record CheckFailed(String reason) implements Outcome {}

        /** It can't be determined. */
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
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The result for the search that {@code args} asked for. */
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

    /** Interprets a failure. One that is not the embedder's says nothing about it, and may be temporary. */
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
