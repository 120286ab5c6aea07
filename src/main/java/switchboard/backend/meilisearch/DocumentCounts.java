package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Counts the documents of indexes in the best way that the key permits: statistics ({@code stats.get}), a fetch of no
 * documents ({@code documents.get}), a search for no hits ({@code search}). If documents are hidden from the caller,
 * only visible ones are counted. A count that is not available is null with a reason, never a failure.
 */
final class DocumentCounts {
    private static final int AT_A_TIME = 4;

    /**
     * Counts of documents.
     *
     * @param byUid documents by index; an index without a count is missing
     * @param unavailable why some are missing, or null
     */
    record Counts(Map<String, Long> byUid, @Nullable String unavailable) {}

    private record IndexCount(
            @Nullable Long documents, @Nullable String unavailable) {}

    private final MeilisearchApi meilisearchApi;

    DocumentCounts(MeilisearchApi meilisearchApi) {
        this.meilisearchApi = meilisearchApi;
    }

    /** The counts of {@code uids}. */
    Future<Counts> of(List<String> uids, TeamFilters teamFilters, CallContext context) {
        if (uids.isEmpty()) {
            return Future.succeededFuture(new Counts(Map.of(), null));
        }
        if (teamFilters.hideDocuments()) {
            return oneByOne(uids, teamFilters, context);
        }
        return meilisearchApi
                .stats(context)
                .map(stats -> fromStats(uids, stats))
                .recover(thrown -> denied(thrown) ? oneByOne(uids, teamFilters, context) : unavailable(thrown));
    }

    /** The count of one index. */
    Future<Counts> of(String uid, TeamFilters teamFilters, CallContext context) {
        return count(uid, teamFilters, true, context).map(count -> counts(List.of(uid), List.of(count)));
    }

    private static Counts fromStats(List<String> uids, JsonNode stats) {
        Map<String, Long> byUid = new LinkedHashMap<>();
        for (String uid : uids) {
            JsonNode documents = stats.path("indexes").path(uid).path("numberOfDocuments");
            if (documents.isIntegralNumber()) {
                byUid.put(uid, documents.asLong());
            }
        }
        return new Counts(byUid, byUid.size() == uids.size() ? null : "the engine's statistics lack some indexes");
    }

    private Future<Counts> oneByOne(List<String> uids, TeamFilters teamFilters, CallContext context) {
        List<IndexCount> found = new ArrayList<>();
        Future<Void> all = Future.succeededFuture();
        for (int from = 0; from < uids.size(); from += AT_A_TIME) {
            List<String> some = uids.subList(from, Math.min(uids.size(), from + AT_A_TIME));
            all = all.compose(_ -> Future.all(some.stream()
                            .map(uid -> count(uid, teamFilters, false, context))
                            .toList()))
                    .map(counted -> {
                        found.addAll(counted.list());
                        return null;
                    });
        }
        return all.map(_ -> counts(uids, found));
    }

    private static Counts counts(List<String> uids, List<IndexCount> found) {
        Map<String, Long> byUid = new LinkedHashMap<>();
        String unavailable = null;
        for (int i = 0; i < uids.size(); i++) {
            IndexCount count = found.get(i);
            if (count.documents() != null) {
                byUid.put(uids.get(i), count.documents());
            } else if (unavailable == null) {
                unavailable = count.unavailable();
            }
        }
        return new Counts(byUid, unavailable);
    }

    /** Tries one way after the other until the key allows one. */
    private Future<IndexCount> count(String uid, TeamFilters teamFilters, boolean withStats, CallContext context) {
        Future<JsonNode> answer;
        if (teamFilters.hideDocuments()) {
            answer = visible(uid, teamFilters, context);
        } else {
            Future<JsonNode> first = withStats
                    ? otherwise(meilisearchApi.stats(uid, context), () -> meilisearchApi.fetchNothing(uid, context))
                    : meilisearchApi.fetchNothing(uid, context);
            answer = otherwise(first, () -> visible(uid, teamFilters, context));
        }
        return answer.map(DocumentCounts::read).otherwise(DocumentCounts::reason);
    }

    private static Future<JsonNode> otherwise(
            Future<JsonNode> way, java.util.function.Supplier<Future<JsonNode>> another) {
        return way.recover(thrown -> denied(thrown) ? another.get() : Future.failedFuture(thrown));
    }

    /**
     * Counts with a search. With limit 0 the estimate is exact, whatever the index's maxTotalHits or distinct
     * attribute.
     */
    private Future<JsonNode> visible(String uid, TeamFilters teamFilters, CallContext context) {
        ObjectNode body = SearchBody.nothing(teamFilters.filter());
        return meilisearchApi.search(uid, body, teamFilters.rules(), context);
    }

    private static IndexCount read(JsonNode answer) {
        for (String field : List.of("numberOfDocuments", "total", "estimatedTotalHits")) {
            if (answer.path(field).isIntegralNumber()) {
                return new IndexCount(answer.path(field).asLong(), null);
            }
        }
        return new IndexCount(null, "the engine's answer holds no count");
    }

    private static IndexCount reason(Throwable thrown) {
        if (denied(thrown)) {
            return new IndexCount(
                    null, "the gateway's key has none of the actions stats.get, documents.get and search on the index");
        }
        if (thrown instanceof ToolException failure) {
            String code = failure.failed().code();
            return new IndexCount(
                    null,
                    MeilisearchErrors.INVALID_FILTER.equals(code)
                            ? "the team's filter can't be applied to the index"
                            : failure.failed().message());
        }
        throw new IllegalStateException(thrown);
    }

    private static Future<Counts> unavailable(Throwable thrown) {
        return Future.succeededFuture(new Counts(Map.of(), reason(thrown).unavailable()));
    }

    private static boolean denied(Throwable thrown) {
        return thrown instanceof ToolException failure && failure.failed().kind() == FailureKind.DENIED_UPSTREAM;
    }
}
