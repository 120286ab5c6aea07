package switchboard.backend.vectordb;

import switchboard.call.ToolReply;
import switchboard.store.StoredDocument;

/** The result of the ingesting tools. Component names are those on the wire. */
record IngestReply(String status, String doc_id, String source, String library, int chunk_count) {
    static ToolReply indexed(StoredDocument document) {
        return of("indexed", document);
    }

    static ToolReply replaced(StoredDocument document) {
        return of("replaced", document);
    }

    static ToolReply skipped(StoredDocument document) {
        return of("skipped", document);
    }

    private static ToolReply of(String status, StoredDocument document) {
        return ToolReply.ok(new IngestReply(
                status, document.id(), document.source(), document.namespace().name(), document.chunkCount()));
    }
}
