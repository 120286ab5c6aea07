package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.backend.agentroot.Ranking.Ranked;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.Filter;
import switchboard.store.Namespace;
import switchboard.store.StoredChunk;
import switchboard.store.TextWindows;

/** Finds the chunk of each found document that matches the query best. */
final class MatchedChunks {
    /** UTF-16 units of a chunk's text that are shown. */
    private static final int WINDOW = 400;

    private final CallerStore store;
    private final BlockingExecutor executor;

    /**
     * Reads chunks from {@code store}.
     *
     * @param executor finds the part of a text that matched
     */
    MatchedChunks(CallerStore store, BlockingExecutor executor) {
        this.store = store;
        this.executor = executor;
    }

    /**
     * The members of a result that name its chunk, by the document's id. A document that has changed since it was found, or
     * was found without a query, has none.
     */
    Future<Map<String, ObjectNode>> of(
            String query, List<Ranked> ranked, ResultFormatter.Detail detail, Caller caller) {
        List<Filter> places = ranked.stream()
                .filter(one -> one.chunk().isPresent())
                .<Filter>map(MatchedChunks::place)
                .toList();
        if (places.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        List<Namespace> namespaces = ranked.stream()
                .map(one -> one.document().namespace())
                .distinct()
                .toList();
        Future<List<StoredChunk>> chunks = store.of(caller).chunks(namespaces, new Filter.Or(places), places.size());
        return switch (detail) {
            case L0, L2 -> chunks.map(found -> byDocument(found, Map.of()));
            case L1 -> chunks.compose(found -> executor.run(() -> byDocument(found, texts(query, found))));
        };
    }

    private static Filter place(Ranked one) {
        return new Filter.And(List.of(
                Filter.equal("doc_id", one.document().id()),
                new Filter.Equal(
                        "chunk_index", new Filter.Value.NumberValue(one.chunk().getAsInt()))));
    }

    /** The parts of the chunks around what matched, by the documents' ids. */
    private static Map<String, String> texts(String query, List<StoredChunk> chunks) {
        TextWindows windows =
                TextWindows.of(query, chunks.stream().map(StoredChunk::text).toList());
        Map<String, String> texts = new HashMap<>();
        for (StoredChunk chunk : chunks) {
            texts.put(chunk.document().id(), windows.cut(chunk.text(), WINDOW));
        }
        return texts;
    }

    private static Map<String, ObjectNode> byDocument(List<StoredChunk> chunks, Map<String, String> texts) {
        Map<String, ObjectNode> named = new HashMap<>();
        for (StoredChunk chunk : chunks) {
            ObjectNode one = Json.object()
                    .put("chunk_hash", chunk.labels().getOrDefault(ChunkLabels.HASH, ""))
                    .put("breadcrumb", chunk.labels().getOrDefault(ChunkLabels.BREADCRUMB, ""))
                    .put("lines", chunk.labels().getOrDefault(ChunkLabels.LINES, ""));
            String text = texts.get(chunk.document().id());
            named.put(chunk.document().id(), text == null ? one : one.put("text", text));
        }
        return named;
    }
}
