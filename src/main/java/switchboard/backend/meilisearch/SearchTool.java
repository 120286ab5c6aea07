package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code meilisearch_search}: the engine's own answer, plus what it keeps silent about. */
final class SearchTool implements ToolHandler<SearchTool.Args> {
    record Args(
            String indexUid,
            @Nullable String q,
            @Nullable ArrayNode vector,
            @Nullable Hybrid hybrid,
            @Nullable JsonNode filter,
            @Nullable ArrayNode sort,
            int limit,
            int offset,
            @Nullable ArrayNode attributesToRetrieve,
            @Nullable ArrayNode attributesToHighlight,
            boolean showRankingScore,
            @Nullable JsonNode rankingScoreThreshold) {

        /** Whether there is text that could be turned into a vector. */
        boolean hasText() {
            return q != null && !q.isBlank();
        }

        /** Whether the search is to be by meaning at all. */
        boolean semantic() {
            return hybrid != null && hybrid.ratio() > 0 && (hasText() || vector != null);
        }
    }

    record Hybrid(String embedder, @Nullable Double semanticRatio) {
        double ratio() {
            return semanticRatio == null ? 0.5 : semanticRatio;
        }
    }

    private final Engine engine;
    private final IndexDirectory directory;
    private final QueryVectors vectors;
    private final EmbedderCheck embedders;

    SearchTool(Engine engine, IndexDirectory directory, QueryVectors vectors, EmbedderCheck embedders) {
        this.engine = engine;
        this.directory = directory;
        this.vectors = vectors;
        this.embedders = embedders;
    }

    @Override
    public String name() {
        return "meilisearch_search";
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Bindings bindings = Bindings.of(context.caller());
        IndexDirectory.check(args.indexUid(), bindings);
        if (args.vector() != null && args.hybrid() == null) {
            return Future.succeededFuture(new ToolReply.Failed(
                            FailureKind.INVALID_ARGUMENT,
                            "vector needs hybrid: name the embedder that the vector belongs to, such as \"hybrid\":"
                                    + " {\"embedder\": \"default\", \"semanticRatio\": 1}."
                                    + " meilisearch_get_index_info shows the index's embedders")
                    .withCode("missing_search_hybrid"));
        }
        return vectors.of(args, context)
                .compose(vector -> search(args, vector, bindings, context))
                .recover(thrown -> thrown instanceof ToolException failure
                        ? explain(failure.failed(), args, bindings, context)
                        : Future.failedFuture(thrown));
    }

    private Future<ToolReply> search(Args args, QueryVectors.Choice vector, Bindings bindings, CallContext context) {
        ObjectNode body = SearchBody.of(args, vector.vector(), bindings.filter());
        return engine.search(args.indexUid(), body, bindings.rules(), context).compose(answer -> {
            List<String> notes = notes(args, answer);
            vector.note().ifPresent(notes::add);
            boolean suspicious = args.semantic()
                    && vector.vector() == null
                    && answer.path("semanticHitCount").asInt() == 0;
            Future<Optional<String>> failure =
                    suspicious ? embedders.failure(args, bindings, context) : Future.succeededFuture(Optional.empty());
            return failure.map(reason -> reply(args, (ObjectNode) answer, notes, reason));
        });
    }

    private static ToolReply reply(Args args, ObjectNode answer, List<String> notes, Optional<String> failure) {
        ObjectNode shown = Json.object();
        shown.setAll(answer);
        if (args.semantic()) {
            shown.put("degraded", failure.isPresent());
        }
        failure.ifPresent(
                reason -> notes.add("The search by meaning failed; these hits are by keywords only. " + reason));
        if (!notes.isEmpty()) {
            ArrayNode list = shown.putArray("notes");
            notes.forEach(list::add);
        }
        return ToolReply.ok(shown);
    }

    private static List<String> notes(Args args, JsonNode answer) {
        List<String> notes = new ArrayList<>();
        int hits = answer.path("hits").size();
        if (hits < args.limit()
                && (long) args.offset() + hits
                        < answer.path("estimatedTotalHits").asLong()) {
            notes.add(
                    "There are no further hits to page to: estimatedTotalHits is an estimate, and an index gives no hits"
                            + " beyond its maxTotalHits (1000 unless set otherwise).");
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

    /** Turns failures into ones that name what exists, and tells the team's own filter from the caller's. */
    private Future<ToolReply> explain(ToolReply.Failed failure, Args args, Bindings bindings, CallContext context) {
        if (!EngineErrors.INVALID_FILTER.equals(failure.code()) || !bindings.hideDocuments()) {
            return directory.suggest(failure, args.indexUid(), bindings, context);
        }
        ObjectNode alone = SearchBody.nothing(bindings.filter());
        return engine.search(args.indexUid(), alone, bindings.rules(), context)
                .<ToolReply>map(_ -> failure)
                .recover(thrown -> Future.succeededFuture(
                        thrown instanceof ToolException again
                                        && EngineErrors.INVALID_FILTER.equals(
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
