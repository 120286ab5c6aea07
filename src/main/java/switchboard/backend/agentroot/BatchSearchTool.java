package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

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
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.PassageRefs;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code batch_search}: several keyword searches, each with its own results or error. */
record BatchSearchTool(CollectionRegistry registry, Ranking ranking, SearchAnswers answers)
        implements ToolHandler<BatchSearchTool.Args> {
    private static final int MAX_QUERIES = 20;
    private static final int USUAL_LIMIT = 5;

    /** What is known of a query that failed. */
    private static final GivenDocuments.GivenSearch NO_SEARCH =
            new GivenDocuments.GivenSearch("", List.of(), List.of());

    record BatchQuery(
            @Nullable String query,
            @Nullable Integer limit,
            @Nullable String collection) {}

    record Args(
            List<BatchQuery> queries,
            String detail,
            @Nullable String session_id) {}

    @Override
    public String name() {
        return "batch_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.queries().size() > MAX_QUERIES) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "At most " + MAX_QUERIES + " queries in one call. Send the rest in another.");
        }
        ArrayNode batches = Json.array();
        List<GivenDocuments.GivenSearch> given = new ArrayList<>();
        Future<Void> done = Future.succeededFuture();
        for (BatchQuery query : args.queries()) {
            done = done.compose(_ -> found(query, args, context))
                    .recover(failure -> failure instanceof ToolException known
                            ? Future.succeededFuture(failed(query, known))
                            : Future.failedFuture(failure))
                    .map(also(answer -> {
                        batches.add(answer.reply());
                        given.add(answer.given());
                    }))
                    .mapEmpty();
        }
        return done.map(_ -> {
            ObjectNode reply = Json.object().put("count", batches.size()).set("batches", batches);
            PassageRefs refs = PassageRefs.of(context);
            int results = 0;
            for (JsonNode batch : batches) {
                results += batch.path("results").size();
                refs.reduce(batch.path("results"), reply);
            }
            return ToolReply.ok(ResultSignals.fenced(reply, results))
                    .giving(context, () -> new GivenDocuments.SeveralSearches(given));
        });
    }

    private Future<SearchAnswers.FoundAnswer> found(BatchQuery one, Args args, CallContext context) {
        String query = one.query();
        if (query == null || query.isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "Missing query");
        }
        int limit = one.limit() == null ? USUAL_LIMIT : one.limit();
        var asked = new SearchAnswers.Asked(query, args.detail(), args.session_id());
        return registry.reading(one.collection(), context.caller()).compose(namespaces -> ranking.byWords(
                        Ranking.Query.of(query, List.of(), namespaces, limit, 0, context.caller()))
                .compose(found -> answers.of(asked, namespaces, "keyword", found, context)));
    }

    private static SearchAnswers.FoundAnswer failed(BatchQuery query, ToolException failure) {
        ObjectNode one = Json.object()
                .put("query", query.query() == null ? "" : query.query())
                .put("count", 0);
        one.putArray("results");
        return new SearchAnswers.FoundAnswer(one.put("error", failure.failed().message()), NO_SEARCH);
    }
}
