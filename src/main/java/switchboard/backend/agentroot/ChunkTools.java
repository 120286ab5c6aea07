package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.Results.Detail;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.Namespace;
import switchboard.store.SearchRequest;
import switchboard.store.StoredChunk;

/** {@code search_chunks}, {@code get_chunk} and {@code navigate_chunks}. */
final class ChunkTools {
    private static final int SUMMARY = 200;

    private final Supplier<DocumentStore> store;
    private final CollectionRegistry registry;
    private final SessionDemotion sessionDemotion;

    ChunkTools(Supplier<DocumentStore> store, CollectionRegistry registry, SessionDemotion sessionDemotion) {
        this.store = store;
        this.registry = registry;
        this.sessionDemotion = sessionDemotion;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("search_chunks", SearchArgs.class, this::search),
                new Tool<>("get_chunk", GetArgs.class, this::get),
                new Tool<>("navigate_chunks", NavigateArgs.class, this::navigate));
    }

    record SearchArgs(
            String query,
            int limit,
            @Nullable Double minScore,
            @Nullable String collection,
            @Nullable String label,
            String detail,
            @Nullable String session_id) {}

    record GetArgs(String chunk_hash, boolean include_context) {}

    record NavigateArgs(String chunk_hash, String direction) {}

    /** A found chunk as a session sees it. */
    private record ChunkResult(StoredChunk chunk, double score) implements SessionDemotion.Demotable<ChunkResult> {
        @Override
        public String key() {
            return label(chunk, ChunkLabels.HASH);
        }

        @Override
        public ChunkResult scored(double other) {
            return new ChunkResult(chunk, other);
        }
    }

    private static String label(StoredChunk chunk, String key) {
        return chunk.labels().getOrDefault(key, "");
    }

    private Future<ToolReply> search(SearchArgs args, CallContext context) {
        SearchText text = SearchText.of(args.query());
        List<Filter> filters = new ArrayList<>(text.filters());
        if (args.label() != null) {
            filters.add(labelled(args.label()));
        }
        Filter filter = filters.isEmpty() ? new Filter.All() : new Filter.And(filters);
        double least = args.minScore() == null ? 0 : args.minScore();
        return registry.reading(args.collection(), context.caller())
                .compose(namespaces -> found(text.words(), namespaces, filter, args.limit()))
                .map(found -> new FoundChunks(
                        sessionDemotion.apply(
                                args.session_id(),
                                context.caller(),
                                args.query(),
                                found.items().stream()
                                        .filter(item -> item.score() >= least)
                                        .toList()),
                        found.reason()))
                .map(found -> reply(args, found));
    }

    /** Chunks, and how the search differed from what was asked. */
    private record FoundChunks(List<ChunkResult> items, Optional<String> reason) {}

    /** Finds chunks. Without a query, all that pass the filter, in the order of the documents. */
    private Future<FoundChunks> found(String words, List<Namespace> namespaces, Filter filter, int limit) {
        if (words.isBlank()) {
            return filter instanceof Filter.All
                    ? Future.succeededFuture(new FoundChunks(List.of(), Optional.empty()))
                    : store.get()
                            .chunks(namespaces, filter, limit)
                            .map(chunks -> new FoundChunks(
                                    chunks.stream()
                                            .map(chunk -> new ChunkResult(chunk, 0))
                                            .toList(),
                                    Optional.empty()));
        }
        return store.get()
                .search(new SearchRequest(words, Optional.empty(), namespaces, filter, limit, new Fusion.KeywordOnly()))
                .map(result -> new FoundChunks(
                        result.hits().stream().map(ChunkTools::item).toList(), result.differences()));
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

    private static ToolReply reply(SearchArgs args, FoundChunks found) {
        List<ChunkResult> items = found.items();
        String query = SearchText.shown(args.query());
        ObjectNode reply = Json.object().put("query", query).put("count", items.size());
        found.reason().ifPresent(reason -> reply.put("reason", reason));
        ArrayNode results = reply.putArray("results");
        for (ChunkResult item : items) {
            ObjectNode one = summary(item.chunk()).put("score", Results.rounded(item.score()));
            switch (Detail.of(args.detail())) {
                case L0 -> {}
                case L1 -> more(one, item.chunk());
                case L2 -> {
                    more(one, item.chunk());
                    one.put("content", item.chunk().text());
                }
            }
            results.add(one);
        }
        String line = "Found " + items.size() + " chunks for \"" + query + "\"";
        return new ToolReply.Ok(
                List.of(new ContentBlock.TextBlock(line), new ContentBlock.TextBlock(Json.text(reply))), reply);
    }

    private static ObjectNode summary(StoredChunk chunk) {
        ObjectNode summary = Json.object()
                .put("chunk_hash", label(chunk, ChunkLabels.HASH))
                .put("file", DocumentAddresses.file(chunk.document()))
                .put("breadcrumb", label(chunk, ChunkLabels.BREADCRUMB))
                .put("type", label(chunk, ChunkLabels.TYPE))
                .put("lines", label(chunk, ChunkLabels.LINES));
        if (!chunk.pages().isEmpty()) {
            summary.put("page", chunk.firstPage()).put("last_page", chunk.lastPage());
        }
        return summary;
    }

    private static void more(ObjectNode one, StoredChunk chunk) {
        one.put("summary", firstLine(chunk.text()));
        one.set("labels", DocumentMetadata.labels(chunk.labels()));
        DocumentMetadata.list(chunk.document(), "concepts").forEach(one.withArray("concepts")::add);
    }

    private static String firstLine(String text) {
        String line = text.lines()
                .filter(one -> !one.isBlank())
                .findFirst()
                .orElse("")
                .strip();
        return line.length() <= SUMMARY ? line : line.substring(0, line.offsetByCodePoints(0, SUMMARY / 2)) + "...";
    }

    private Future<StoredChunk> chunk(String hash, Caller caller) {
        Filter filter = Filter.equal("label." + ChunkLabels.HASH, hash.strip());
        return registry.reading(null, caller)
                .compose(namespaces -> store.get().chunks(namespaces, filter, 1))
                .map(found -> {
                    if (found.isEmpty()) {
                        throw new ToolException(
                                FailureKind.NOT_FOUND,
                                "Chunk not found: " + hash
                                        + ". A hash changes with its text; search_chunks gives those of now.");
                    }
                    return found.getFirst();
                });
    }

    /** The chunk of the same document at another place. */
    private Future<Optional<StoredChunk>> at(StoredChunk from, int index) {
        if (index < 0 || index >= from.document().chunkCount()) {
            return Future.succeededFuture(Optional.empty());
        }
        Filter place = new Filter.And(List.of(
                Filter.equal("doc_id", from.document().id()),
                new Filter.Equal("chunk_index", new Filter.Value.NumberValue(index))));
        return store.get()
                .chunks(List.of(from.document().namespace()), place, 1)
                .map(found -> found.stream().findFirst());
    }

    private Future<ToolReply> get(GetArgs args, CallContext context) {
        return chunk(args.chunk_hash(), context.caller()).compose(chunk -> {
            ObjectNode whole = whole(chunk);
            if (!args.include_context()) {
                return Future.succeededFuture(ToolReply.ok(whole));
            }
            return at(chunk, chunk.index() - 1)
                    .compose(previous -> at(chunk, chunk.index() + 1).map(next -> {
                        previous.ifPresent(found -> whole.set("previous_chunk", neighbour(found)));
                        next.ifPresent(found -> whole.set("next_chunk", neighbour(found)));
                        return ToolReply.ok(whole);
                    }));
        });
    }

    private static ObjectNode whole(StoredChunk chunk) {
        ObjectNode whole = summary(chunk)
                .put("document_hash", chunk.document().contentHash())
                .put("docid", Hashes.docid(chunk.document().contentHash()))
                .put("language", chunk.labels().getOrDefault(ChunkLabels.USER + "language", ""))
                .put("index", chunk.index())
                .put("chunks_in_document", chunk.document().chunkCount());
        more(whole, chunk);
        if (!chunk.columns().isEmpty()) {
            whole.put("columns", chunk.columns());
        }
        return whole.put("content", chunk.text());
    }

    private static ObjectNode neighbour(StoredChunk chunk) {
        return Json.object()
                .put("hash", label(chunk, ChunkLabels.HASH))
                .put("breadcrumb", label(chunk, ChunkLabels.BREADCRUMB))
                .put("lines", label(chunk, ChunkLabels.LINES));
    }

    private Future<ToolReply> navigate(NavigateArgs args, CallContext context) {
        boolean forward = args.direction().equals("next");
        return chunk(args.chunk_hash(), context.caller())
                .compose(from -> at(from, from.index() + (forward ? 1 : -1)))
                .map(
                        found -> found.<ToolReply>map(chunk -> ToolReply.ok(whole(chunk)))
                                .orElseGet(
                                        () -> ToolReply.failed(
                                                FailureKind.NOT_FOUND,
                                                forward
                                                        ? "No next chunk. This is the last one of its document; direction previous goes back."
                                                        : "No previous chunk. This is the first one of its document; direction next goes on.")));
    }
}
