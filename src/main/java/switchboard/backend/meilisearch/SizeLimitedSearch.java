package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.upstream.UpstreamClient;

/** A search whose answer may be too large for the gateway: it is repeated with half as many hits until they fit. */
final class SizeLimitedSearch {
    /**
     * The result.
     *
     * @param answer the engine's answer
     * @param next the offset to continue from, if fewer hits were requested than wanted
     */
    record Found(JsonNode answer, Optional<Long> next) {}

    private final MeilisearchApi meilisearchApi;
    private final String uid;
    private final @Nullable ObjectNode rules;
    private final CallContext context;

    SizeLimitedSearch(MeilisearchApi meilisearchApi, String uid, @Nullable ObjectNode rules, CallContext context) {
        this.meilisearchApi = meilisearchApi;
        this.uid = uid;
        this.rules = rules;
        this.context = context;
    }

    Future<Found> search(ObjectNode body, SearchTool.Args args) {
        return meilisearchApi
                .search(uid, body, rules, context)
                .map(answer -> new Found(answer, Optional.empty()))
                .recover(thrown -> UpstreamClient.answeredTooMuch(thrown) && args.most() > 1
                        ? fewer(body, args.skipped(), args.most() / 2)
                        : Future.failedFuture(thrown));
    }

    /** Requests fewer hits, by offset: smaller pages would move hits to other pages. */
    private Future<Found> fewer(ObjectNode body, long offset, int limit) {
        ObjectNode smaller = body.deepCopy();
        smaller.remove(List.of("page", "hitsPerPage"));
        smaller.put("offset", offset).put("limit", limit);
        return meilisearchApi
                .search(uid, smaller, rules, context)
                .map(answer -> new Found(
                        answer, Optional.of(offset + answer.path("hits").size())))
                .recover(thrown -> UpstreamClient.answeredTooMuch(thrown) && limit > 1
                        ? fewer(body, offset, limit / 2)
                        : Future.failedFuture(thrown));
    }
}
