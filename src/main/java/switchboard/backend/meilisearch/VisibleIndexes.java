package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.text.ClosestName;

/** The indexes that a caller may see. */
final class VisibleIndexes {
    private static final int PAGE = 1_000;
    private static final int MOST_PAGES = 20;

    /**
     * A part of the list.
     *
     * @param indexes objects with uid, primaryKey, createdAt, updatedAt, sorted by uid
     * @param total how many the caller may see
     * @param complete whether all indexes of the engine were read
     */
    record IndexPage(List<JsonNode> indexes, long total, boolean complete) {
        List<String> uids() {
            return indexes.stream().map(index -> index.path("uid").asText()).toList();
        }
    }

    private final MeilisearchApi meilisearchApi;

    VisibleIndexes(MeilisearchApi meilisearchApi) {
        this.meilisearchApi = meilisearchApi;
    }

    /** The indexes {@code offset} to {@code offset + limit} of those the caller may see. */
    Future<IndexPage> page(int limit, int offset, TeamFilters teamFilters, CallContext context) {
        if (teamFilters.everyIndex()) {
            return meilisearchApi
                    .indexes(limit, offset, context)
                    .map(answer ->
                            new IndexPage(list(answer), answer.path("total").asLong(), true));
        }
        return collect(0, new ArrayList<>(), teamFilters, context).map(all -> {
            List<JsonNode> visible = all.indexes();
            int from = Math.min(offset, visible.size());
            int to = Math.min(visible.size(), from + limit);
            return new IndexPage(visible.subList(from, to), visible.size(), all.complete());
        });
    }

    private Future<IndexPage> collect(int page, List<JsonNode> visible, TeamFilters teamFilters, CallContext context) {
        return meilisearchApi.indexes(PAGE, page * PAGE, context).compose(answer -> {
            List<JsonNode> indexes = list(answer);
            for (JsonNode index : indexes) {
                if (teamFilters.allows(index.path("uid").asText())) {
                    visible.add(index);
                }
            }
            boolean last = (page + 1L) * PAGE >= answer.path("total").asLong() || indexes.isEmpty();
            return last || page + 1 == MOST_PAGES
                    ? Future.succeededFuture(new IndexPage(visible, visible.size(), last))
                    : collect(page + 1, visible, teamFilters, context);
        });
    }

    private static List<JsonNode> list(JsonNode answer) {
        List<JsonNode> indexes = new ArrayList<>();
        answer.path("results").forEach(indexes::add);
        return indexes;
    }

    /**
     * Checks that the caller may name {@code uid}, before it becomes part of a path.
     *
     * @throws ToolException if not
     */
    static void check(String uid, TeamFilters teamFilters) {
        if (!uid.matches("[A-Za-z0-9_-]{1,400}")) {
            throw new ToolException(new ToolReply.Failed(
                            FailureKind.INVALID_ARGUMENT,
                            "indexUid must be 1 to 400 of letters, digits, - and _; meilisearch_list_indexes shows what"
                                    + " there is")
                    .withCode("invalid_index_uid"));
        }
        if (!teamFilters.allows(uid)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "The index \"" + uid
                            + "\" is not among those your team may use; meilisearch_list_indexes shows them");
        }
    }

    /**
     * {@code failure} with the most similar name that the caller may see, if it says that {@code uid} does not exist.
     */
    Future<ToolReply> suggest(ToolReply.Failed failure, String uid, TeamFilters teamFilters, CallContext context) {
        if (!MeilisearchErrors.INDEX_NOT_FOUND.equals(failure.code())) {
            return Future.succeededFuture(failure);
        }
        return collect(0, new ArrayList<>(), teamFilters, context)
                .map(all -> ClosestName.of(uid, all.uids()))
                .otherwise(Optional.empty())
                .map(near -> near.map(name -> failure.suggesting(List.of(name)))
                        .orElse(failure.withMessage(
                                failure.message() + " meilisearch_list_indexes shows what there is.")));
    }
}
