package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code meilisearch_search}: the engine's answer, with notes about what it does not report. */
record SearchTool(
        MeilisearchApi meilisearchApi,
        VisibleIndexes directory,
        HybridQueryVectors vectors,
        EmbedderCheck embedders,
        SearchedDocuments documents)
        implements ToolHandler<SearchTool.Args> {
    record Args(
            String indexUid,
            @Nullable String q,
            @Nullable ArrayNode vector,
            @Nullable Hybrid hybrid,
            @Nullable JsonNode filter,
            @Nullable ArrayNode sort,
            @Nullable ArrayNode facets,
            @Nullable String distinct,
            @Nullable Integer limit,
            @Nullable Integer offset,
            @Nullable Integer page,
            @Nullable Integer hitsPerPage,
            @Nullable ArrayNode attributesToRetrieve,
            @Nullable ArrayNode attributesToSearchOn,
            @Nullable ArrayNode attributesToHighlight,
            boolean showRankingScore,
            @Nullable JsonNode rankingScoreThreshold) {

        private static final int USUAL = 20;

        /** Whether hits are paged with exact totals, instead of by offset. */
        boolean paged() {
            return page != null || hitsPerPage != null;
        }

        /** Maximum number of hits. */
        int most() {
            Integer wanted = paged() ? hitsPerPage : limit;
            return wanted == null ? USUAL : wanted;
        }

        /** How many hits are skipped. */
        long skipped() {
            if (paged()) {
                return page == null ? 0 : (page - 1L) * most();
            }
            return offset == null ? 0 : offset;
        }

        /** Whether there is text that can be embedded. */
        boolean hasText() {
            return q != null && !q.isBlank();
        }

        /** Whether the search is semantic. */
        boolean semantic() {
            return hybrid != null && hybrid.ratio() > 0 && (hasText() || vector != null);
        }
    }

    record Hybrid(String embedder, @Nullable Double semanticRatio) {
        double ratio() {
            return semanticRatio == null ? 0.5 : semanticRatio;
        }
    }

    @Override
    public String name() {
        return "meilisearch_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TeamFilters teamFilters = TeamFilters.of(context.caller());
        VisibleIndexes.check(args.indexUid(), teamFilters);
        if (args.vector() != null && args.hybrid() == null) {
            return Future.succeededFuture(new ToolReply.Failed(
                            FailureKind.INVALID_ARGUMENT,
                            "vector needs hybrid: name the embedder that the vector belongs to, such as \"hybrid\":"
                                    + " {\"embedder\": \"default\", \"semanticRatio\": 1}."
                                    + " meilisearch_get_index_info shows the index's embedders")
                    .withCode("missing_search_hybrid"));
        }
        if (args.paged() && (args.limit() != null || args.offset() != null)) {
            return Future.succeededFuture(
                    ToolReply.failed(
                            FailureKind.INVALID_ARGUMENT,
                            (args.page() == null ? "hitsPerPage" : "page") + " and "
                                    + (args.offset() == null ? "limit" : "offset")
                                    + " contradict each other: give page and hitsPerPage for exact totals, or offset and limit"));
        }
        return vectors.of(args, context)
                .compose(vector -> search(args, vector, teamFilters, context))
                .recover(thrown -> thrown instanceof ToolException failure
                        ? explain(failure.failed(), args, teamFilters, context)
                        : Future.failedFuture(thrown));
    }

    private Future<ToolReply> search(
            Args args, HybridQueryVectors.QueryVectorChoice vector, TeamFilters teamFilters, CallContext context) {
        ObjectNode body = SearchBody.of(args, vector.vector(), teamFilters.filter());
        return new SizeLimitedSearch(meilisearchApi, args.indexUid(), teamFilters.rules(), context)
                .search(body, args)
                .compose(found -> {
                    JsonNode answer = found.answer();
                    List<String> notes = notes(args, found);
                    vector.note().ifPresent(notes::add);
                    boolean suspicious = args.semantic()
                            && vector.vector() == null
                            && answer.path("semanticHitCount").asInt() == 0;
                    Future<EmbedderCheck.Outcome> outcome = suspicious
                            ? embedders.outcome(args, teamFilters, context)
                            : Future.succeededFuture(new EmbedderCheck.Outcome.Works());
                    return new AttributeNames(meilisearchApi)
                            .unknown(args, answer, teamFilters, context)
                            .compose(unknown -> {
                                unknown.ifPresent(notes::add);
                                return outcome.compose(told -> documents
                                        .given(args, answer.path("hits"), context)
                                        .map(given ->
                                                reply(args, found, notes, told).giving(context, () -> given)));
                            });
                });
    }

    private static ToolReply.Ok reply(
            Args args, SizeLimitedSearch.Found found, List<String> notes, EmbedderCheck.Outcome outcome) {
        ObjectNode shown = Json.object();
        shown.setAll((ObjectNode) found.answer());
        found.next().ifPresent(next -> shown.put("nextOffset", next));
        if (args.semantic()) {
            switch (outcome) {
                case EmbedderCheck.Outcome.Works _ -> shown.put("degraded", false);
                case EmbedderCheck.Outcome.CheckFailed(String reason) -> {
                    shown.put("degraded", true);
                    notes.add("The search by meaning failed; these hits are by keywords only. " + reason);
                }
                case EmbedderCheck.Outcome.Undetermined(String reason) ->
                    notes.add("No hit came from vectors, and it is not known whether the semantic search worked: "
                            + reason);
            }
        }
        if (!notes.isEmpty()) {
            ArrayNode list = shown.putArray("notes");
            notes.forEach(list::add);
        }
        return ToolReply.ok(shown);
    }

    private static List<String> notes(Args args, SizeLimitedSearch.Found found) {
        List<String> notes = new ArrayList<>();
        JsonNode answer = found.answer();
        int hits = answer.path("hits").size();
        found.next()
                .ifPresent(next ->
                        notes.add("Only " + hits + " of the requested hits fit into one answer. Continue with offset "
                                + next + ", or ask for fewer fields with attributesToRetrieve."));
        if (args.paged()
                && answer.has("totalPages")
                && args.page() != null
                && args.page() > Math.max(1, answer.path("totalPages").asInt())) {
            notes.add("There is no such page: the last one is "
                    + answer.path("totalPages").asInt() + ".");
        }
        String total = args.paged() ? "totalHits" : "estimatedTotalHits";
        if (found.next().isEmpty()
                && hits < args.most()
                && args.skipped() + hits < answer.path(total).asLong()) {
            notes.add("There are no further hits to page to: " + total
                    + (args.paged() ? " counts all" : " is an estimate")
                    + ", and an index gives no hits beyond its maxTotalHits (1000 unless set otherwise).");
        }
        if (args.hybrid() != null && args.hybrid().ratio() > 0 && !args.semantic()) {
            notes.add(
                    "hybrid had no effect: there is neither q nor vector to search by, so documents are just listed.");
        }
        if (args.semantic()
                && args.sort() != null
                && args.hybrid() != null
                && args.hybrid().ratio() == 1) {
            notes.add("sort had no effect: a search by meaning only (semanticRatio 1) is ordered by similarity.");
        }
        return notes;
    }

    /** Adds to failures what exists, and distinguishes the team's filter from the caller's. */
    private Future<ToolReply> explain(
            ToolReply.Failed failure, Args args, TeamFilters teamFilters, CallContext context) {
        if (!MeilisearchErrors.INVALID_FILTER.equals(failure.code()) || !teamFilters.hideDocuments()) {
            return new AttributeNames(meilisearchApi)
                    .suggest(failure, args, context)
                    .compose(named -> directory.suggest(named, args.indexUid(), teamFilters, context));
        }
        ObjectNode alone = SearchBody.nothing(teamFilters.filter());
        return meilisearchApi
                .search(args.indexUid(), alone, teamFilters.rules(), context)
                .<ToolReply>map(_ -> failure)
                .recover(thrown -> Future.succeededFuture(
                        thrown instanceof ToolException again
                                        && MeilisearchErrors.INVALID_FILTER.equals(
                                                again.failed().code())
                                ? unfilterable(args.indexUid())
                                : failure));
    }

    private static ToolReply.Failed unfilterable(String uid) {
        return new ToolReply.Failed(
                FailureKind.DENIED,
                "The index \"" + uid
                        + "\" is closed to your team: the filter that keeps the team to its own documents can't"
                        + " be applied to it. The operator has to make that filter's attributes filterable there");
    }
}
