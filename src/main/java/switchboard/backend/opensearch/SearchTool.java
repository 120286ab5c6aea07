package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.FilterConditions;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamClient;

/** {@code opensearch_search}. */
record SearchTool(VisibleIndices indices, IndexSearcher searcher) implements ToolHandler<SearchTool.Args> {
    /** The engine pages no further, unless an index is configured otherwise. */
    private static final int DEEPEST = 10_000;

    record Args(
            String index,
            @Nullable String query,
            @Nullable String mode,
            @Nullable ArrayNode vector,
            @Nullable List<String> fields,
            @Nullable ObjectNode filters,
            @Nullable List<String> sort,
            @Nullable List<String> return_fields,
            boolean highlight,
            int limit,
            int offset) {
        private IndexQuery query(int atMost) {
            return new IndexQuery(
                    index,
                    query == null ? "" : query,
                    mode == null ? SearchMode.HYBRID : SearchMode.of(mode),
                    mode != null,
                    Optional.ofNullable(vector),
                    FilterConditions.of(filters),
                    new IndexQuery.Page(offset, atMost),
                    new IndexQuery.SearchOptions(
                            fields == null ? List.of() : fields,
                            return_fields == null ? List.of() : return_fields,
                            false,
                            sort == null
                                    ? List.of()
                                    : sort.stream().map(IndexQuery.Order::of).toList(),
                            highlight));
        }

        private boolean byVector() {
            return vector != null || (mode != null && SearchMode.of(mode) != SearchMode.KEYWORD);
        }
    }

    @Override
    public String name() {
        return "opensearch_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        indices.names().check(args.index(), context.caller());
        check(args);
        return search(args, args.limit(), context).recover(thrown -> indices.suggest(thrown, args.index(), context));
    }

    private static void check(Args args) {
        if (args.byVector() && args.sort() != null) {
            throw invalid("sort is for searches by keyword: leave it out, or mode and vector");
        }
        if (args.mode() != null && SearchMode.of(args.mode()) == SearchMode.KEYWORD && args.vector() != null) {
            throw invalid("mode keyword uses no vector: leave one of them out");
        }
        if (args.offset() + args.limit() > DEEPEST) {
            throw invalid("offset and limit together must be at most " + DEEPEST + "; narrow the search with filters");
        }
    }

    /** An answer that is too large is asked for again with half as many hits. */
    private Future<ToolReply> search(Args args, int limit, CallContext context) {
        return searcher.search(args.query(limit), context)
                .map(found -> reply(args, limit, found, context))
                .recover(thrown -> UpstreamClient.answeredTooMuch(thrown) && limit > 1
                        ? search(args, limit / 2, context)
                        : Future.failedFuture(thrown));
    }

    private ToolReply reply(Args args, int limit, FoundHits found, CallContext context) {
        ObjectNode answer = Json.object();
        ArrayNode hits = answer.putArray("hits");
        for (FoundHits.EngineHit hit : found.hits()) {
            ObjectNode entry = hits.addObject().put("id", hit.id());
            if (!hit.index().equals(args.index()) && indices.names().allow(hit.index(), context.caller())) {
                entry.put("index", hit.index());
            }
            if (hit.score() != null) {
                entry.put("score", hit.score());
            }
            entry.set("fields", hit.source());
            if (!hit.highlights().isEmpty()) {
                entry.set("highlights", hit.highlights());
            }
        }
        answer.put("mode", found.mode().word()).put("offset", args.offset()).put("limit", args.limit());
        found.total().ifPresent(total -> answer.put("total", total.documents()).put("totalIsExact", total.exact()));
        List<String> notes = new ArrayList<>(found.notes());
        if (limit < args.limit()) {
            int next = args.offset() + hits.size();
            answer.put("nextOffset", next);
            notes.add("Only " + hits.size() + " of the requested hits fit into one answer. Continue with offset " + next
                    + ", or ask for fewer fields with return_fields.");
        }
        if (!notes.isEmpty()) {
            notes.forEach(answer.putArray("notes")::add);
        }
        return ToolReply.ok(answer).giving(context, () -> given(args, found));
    }

    /** A search without words asks nothing, and one for no hits only counts. */
    private static GivenDocuments given(Args args, FoundHits found) {
        return args.query() == null || args.limit() == 0
                ? GivenDocuments.NONE
                : GivenDocuments.found(new GivenDocuments.GivenSearch(
                        args.query(),
                        List.of(args.index()),
                        args.offset(),
                        found.hits().stream()
                                .map(hit -> new GivenDocuments.GivenHit(
                                        new GivenDocuments.GivenDocument(args.index(), hit.id()), hit.score(), null))
                                .toList()));
    }

    private static ToolException invalid(String what) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, what + ".");
    }
}
