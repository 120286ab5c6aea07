package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import switchboard.backend.agentroot.Ranking.Ranked;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.StoredRefs;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.PassageRefs;
import switchboard.call.RefDetail;
import switchboard.concurrent.BlockingExecutor;
import switchboard.store.Filter;
import switchboard.store.Namespace;
import switchboard.store.StoredChunk;
import switchboard.store.TextWindows;

/** Finds the chunk of each found document that matches the query best. */
final class MatchedChunks {
    /** UTF-16 units of a chunk's text that are shown. */
    private static final int WINDOW = 400;

    private final String backend;
    private final CallerStore store;
    private final BlockingExecutor executor;

    /**
     * Reads chunks from {@code store}.
     *
     * @param backend the id of its backend
     * @param executor finds the part of a text that matched
     */
    MatchedChunks(String backend, CallerStore store, BlockingExecutor executor) {
        this.backend = backend;
        this.store = store;
        this.executor = executor;
    }

    /**
     * What matched in a document.
     *
     * @param members the members of a result that name it
     * @param text its whole text
     */
    record Matched(ObjectNode members, String text) {}

    /**
     * The members of a result that name its chunk, by the document's id. A document that has changed since it was found, or
     * was found without a query, has none.
     */
    Future<Map<String, Matched>> of(String query, List<Ranked> ranked, ResultFormatter.Detail detail, Caller caller) {
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
            case L0 -> chunks.map(found -> byDocument(found, Map.of()));
            case L2 -> chunks.map(found -> withRefs(found, byDocument(found, Map.of())));
            case L1 ->
                chunks.compose(found -> executor.run(() -> withRefs(found, byDocument(found, texts(query, found)))));
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

    /** {@code named} with the refs of the chunks. */
    private Map<String, Matched> withRefs(List<StoredChunk> chunks, Map<String, Matched> named) {
        // The answer has less of them, if less is wanted.
        PassageRefs refs = new PassageRefs(RefDetail.FULL, Instant.now());
        for (StoredChunk chunk : chunks) {
            Matched matched = named.get(chunk.document().id());
            if (matched != null) {
                ChunkView.cite(matched.members(), StoredRefs.of(backend, chunk, refs));
            }
        }
        return named;
    }

    private static Map<String, Matched> byDocument(List<StoredChunk> chunks, Map<String, String> texts) {
        Map<String, Matched> named = new HashMap<>();
        for (StoredChunk chunk : chunks) {
            ObjectNode one = Json.object()
                    .put("chunk_hash", chunk.labels().getOrDefault(ChunkLabels.HASH, ""))
                    .put("breadcrumb", chunk.labels().getOrDefault(ChunkLabels.BREADCRUMB, ""))
                    .put("lines", chunk.labels().getOrDefault(ChunkLabels.LINES, ""));
            String text = texts.get(chunk.document().id());
            named.put(chunk.document().id(), new Matched(text == null ? one : one.put("text", text), chunk.text()));
        }
        return named;
    }
}
