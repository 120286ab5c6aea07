package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.ResultFormatter.Detail;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.GivenDocuments;
import switchboard.call.Json;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.Namespace;
import switchboard.store.SearchRequest;
import switchboard.store.StoredChunk;

/** {@code search_chunks}: passages of documents by their words and labels. */
record SearchChunksTool(
        String backend,
        CallerStore store,
        CollectionRegistry registry,
        SessionDemotion sessionDemotion,
        BlockingExecutor executor)
        implements ToolHandler<SearchChunksTool.Args> {
    record Args(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            @Nullable String label,
            String detail,
            @Nullable String session_id) {}

    /** A found chunk as a session sees it. */
    private record ChunkResult(StoredChunk chunk, double score) implements SessionDemotion.Demotable<ChunkResult> {
        @Override
        public String key() {
            return chunk.labels().getOrDefault(ChunkLabels.HASH, "");
        }

        @Override
        public ChunkResult scored(double other) {
            return new ChunkResult(chunk, other);
        }
    }

    /** Chunks, and how the search differed from what was asked. */
    private record FoundChunks(List<ChunkResult> items, Optional<String> reason) {}

    @Override
    public String name() {
        return "search_chunks";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        SearchQuery text = SearchQuery.of(args.query());
        Filter filter = text.filter(args.label() == null ? List.of() : List.of(labelled(args.label())));
        double least = args.minScore() == null ? 0 : args.minScore();
        return registry.reading(args.collection(), context.caller())
                .compose(namespaces -> found(text.words(), namespaces, filter, args.limit(), context.caller())
                        .compose(found -> sessionDemotion
                                .apply(
                                        args.session_id(),
                                        context.caller(),
                                        args.query(),
                                        found.items().stream()
                                                .filter(item -> item.score() >= least)
                                                .toList())
                                .map(items -> new FoundChunks(items, found.reason())))
                        .compose(found -> executor.run(context, () -> reply(args, found, PassageRefs.of(context))
                                .giving(
                                        context,
                                        () -> StoredDocumentsGiven.found(
                                                args.query(), namespaces, found.items(), SearchChunksTool::given)))));
    }

    /** Finds chunks. Without a query, all that pass the filter, in the order of the documents. */
    private Future<FoundChunks> found(
            String words, List<Namespace> namespaces, Filter filter, int limit, Caller caller) {
        if (words.isBlank()) {
            return filter instanceof Filter.All
                    ? Future.succeededFuture(new FoundChunks(List.of(), Optional.empty()))
                    : store.of(caller)
                            .chunks(namespaces, filter, limit)
                            .map(chunks -> new FoundChunks(
                                    chunks.stream()
                                            .map(chunk -> new ChunkResult(chunk, 0))
                                            .toList(),
                                    Optional.empty()));
        }
        return store.of(caller)
                .search(new SearchRequest(words, Optional.empty(), namespaces, filter, limit, new Fusion.KeywordOnly()))
                .map(result -> new FoundChunks(
                        result.hits().stream().map(SearchChunksTool::item).toList(), result.differences()));
    }

    private static ChunkResult item(Hit hit) {
        return new ChunkResult(hit.chunk(), hit.score() / (1 + hit.score()));
    }

    private static Filter labelled(String label) {
        int colon = label.indexOf(':');
        if (colon < 1 || colon == label.length() - 1) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT, "label has the form key:value, such as type:method or layer:service");
        }
        return Filter.equal(
                "label." + ChunkLabels.USER + label.substring(0, colon).strip(),
                label.substring(colon + 1).strip());
    }

    private static GivenDocuments.GivenHit given(ChunkResult item) {
        return new GivenDocuments.GivenHit(
                StoredDocumentsGiven.document(item.chunk().document()), ResultFormatter.rounded(item.score()), null);
    }

    private ToolReply.Ok reply(Args args, FoundChunks found, PassageRefs refs) {
        ObjectNode reply = Json.object()
                .put("query", SearchQuery.shown(args.query()))
                .put("count", found.items().size());
        found.reason().ifPresent(reason -> reply.put("reason", reason));
        ArrayNode results = reply.putArray("results");
        Detail detail = Detail.of(args.detail());
        found.items()
                .forEach(item -> results.add(
                        ChunkView.found(backend, item.chunk(), ResultFormatter.rounded(item.score()), detail, refs)));
        String time = refs.time(detail != Detail.L0 && !results.isEmpty());
        if (time != null) {
            reply.put(PassageRef.TIME, time);
        }
        return SearchAnswers.counted("chunks", ResultSignals.fenced(reply, results.size()));
    }
}
