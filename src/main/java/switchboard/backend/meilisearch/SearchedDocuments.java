package switchboard.backend.meilisearch;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import switchboard.async.ForwardClock;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.GivenDocuments;
import switchboard.call.ToolException;

/** What the search log should know of searches: which documents the hits are, which only the index's primary key tells. */
final class SearchedDocuments {
    private static final int MOST_REMEMBERED = 1_000;
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final MeilisearchApi meilisearchApi;
    private final Cache<String, String> primaryKeys;

    SearchedDocuments(MeilisearchApi meilisearchApi, Clock clock) {
        this.meilisearchApi = meilisearchApi;
        this.primaryKeys = Caffeine.newBuilder()
                .maximumSize(MOST_REMEMBERED)
                .expireAfterWrite(REMEMBERED)
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** The documents that {@code hits} are; nothing if nobody wants to know, or if documents were only listed. Never fails. */
    Future<GivenDocuments> given(SearchTool.Args args, JsonNode hits, CallContext context) {
        String query = args.q();
        return query == null || args.most() == 0 || !context.wantsGiven()
                ? Future.succeededFuture(GivenDocuments.NONE)
                : primaryKey(args.indexUid(), context)
                        .map(key -> GivenDocuments.found(new GivenDocuments.GivenSearch(
                                query,
                                List.of(args.indexUid()),
                                (int) Math.min(args.skipped(), Integer.MAX_VALUE),
                                hits.valueStream()
                                        .map(hit -> hit(args.indexUid(), hit, key))
                                        .toList())));
    }

    private static GivenDocuments.GivenHit hit(String uid, JsonNode hit, String key) {
        JsonNode id = hit.path(key);
        JsonNode score = hit.path("_rankingScore");
        return new GivenDocuments.GivenHit(
                new GivenDocuments.GivenDocument(uid, id.isValueNode() ? id.asText() : null),
                score.isNumber() ? score.asDouble() : null,
                null);
    }

    /** Empty if it is not known. An index that does not say, or that the gateway's key may not ask, is not asked again for a while. */
    private Future<String> primaryKey(String uid, CallContext context) {
        String known = primaryKeys.getIfPresent(uid);
        return known != null
                ? Future.succeededFuture(known)
                : meilisearchApi
                        .index(uid, context)
                        .map(index -> index.path("primaryKey").asText(""))
                        .recover(failure -> failure instanceof ToolException refused
                                        && refused.failed().kind() == FailureKind.DENIED_UPSTREAM
                                ? Future.succeededFuture("")
                                : Future.failedFuture(failure))
                        .map(also(key -> primaryKeys.put(uid, key)))
                        .otherwise("");
    }
}
