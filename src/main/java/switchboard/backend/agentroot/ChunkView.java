package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.ResultFormatter.Detail;
import switchboard.backend.embedded.StoredRefs;
import switchboard.call.Json;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.store.StoredChunk;

/** Formats a chunk for agents. */
final class ChunkView {
    private static final int SUMMARY = 200;

    private ChunkView() {}

    /** A chunk that was found in {@code backend}, with its score. */
    static ObjectNode found(String backend, StoredChunk chunk, double score, Detail detail, PassageRefs refs) {
        ObjectNode found = summary(chunk).put("score", score);
        switch (detail) {
            case L0 -> {}
            case L1 -> {
                describe(found, chunk);
                cite(found, StoredRefs.of(backend, chunk, refs));
            }
            case L2 -> {
                describe(found, chunk);
                found.put("content", chunk.text());
                cite(found, StoredRefs.of(backend, chunk, refs));
            }
        }
        ResultSignals.mark(found, "content", chunk.text());
        return found;
    }

    /** Adds its ref to a result, if it has one. */
    static void cite(ObjectNode found, @Nullable PassageRef ref) {
        if (ref != null) {
            found.set(PassageRef.FIELD, Json.tree(ref));
        }
    }

    /** A whole chunk with its text. */
    static ObjectNode whole(StoredChunk chunk) {
        ObjectNode whole = summary(chunk)
                .put("document_hash", chunk.document().contentHash())
                .put("docid", Hashes.docid(chunk.document().contentHash()))
                .put("language", label(chunk, ChunkLabels.USER + "language"))
                .put("index", chunk.index())
                .put("chunks_in_document", chunk.document().chunkCount());
        describe(whole, chunk);
        if (!chunk.columns().isEmpty()) {
            whole.put("columns", chunk.columns());
        }
        return whole.put("content", chunk.text());
    }

    /** The chunk before or after another one. */
    static ObjectNode neighbour(StoredChunk chunk) {
        return Json.object()
                .put("hash", label(chunk, ChunkLabels.HASH))
                .put("breadcrumb", label(chunk, ChunkLabels.BREADCRUMB))
                .put("lines", label(chunk, ChunkLabels.LINES));
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

    private static void describe(ObjectNode one, StoredChunk chunk) {
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

    private static String label(StoredChunk chunk, String key) {
        return chunk.labels().getOrDefault(key, "");
    }
}
