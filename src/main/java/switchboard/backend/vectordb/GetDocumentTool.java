package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.store.DocumentText;
import switchboard.text.SurrogatePairs;

/** {@code get_document}. */
record GetDocumentTool(CallerStore store, LibraryResolver libraryResolver)
        implements ToolHandler<GetDocumentTool.Args> {
    /** Maximum length of one answer. It contains the text twice, and JSON may double that again. */
    private static final int MAX_CHARS = 4_000_000;

    record Args(String doc_id, int offset, @Nullable Integer max_chars) {}

    /** Component names are those on the wire. */
    record Reply(
            String doc_id,
            String source,
            String title,
            String library,
            String content,
            int chunk_count,
            ObjectNode metadata,
            int total_chars,
            @Nullable Integer next_offset,
            @Nullable List<?> allow) {}

    @Override
    public String name() {
        return "get_document";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.doc_id().isBlank()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT, "doc_id must not be empty. search and list_documents give the ids."));
        }
        return store.of(context.caller())
                .read(libraryResolver.existing(context.caller()), args.doc_id())
                .map(found -> found.map(document -> reply(args, document, context))
                        .orElseGet(() -> ToolReply.failed(
                                FailureKind.NOT_FOUND,
                                "Document not found: " + args.doc_id() + ". search and list_documents give the ids.")));
    }

    private static ToolReply reply(Args args, DocumentText found, CallContext context) {
        String text = found.text();
        int start = SurrogatePairs.after(text, Math.min(args.offset(), text.length()));
        int wanted =
                args.max_chars() == null ? text.length() - start : Math.min(args.max_chars(), text.length() - start);
        if (wanted > MAX_CHARS) {
            return ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "The document has " + text.length() + " characters; one answer holds " + MAX_CHARS
                            + ". Ask for parts with offset and max_chars.");
        }
        int end = SurrogatePairs.after(text, start + wanted);
        var document = found.document();
        return ToolReply.ok(new Reply(
                        document.id(),
                        document.source(),
                        document.title(),
                        document.namespace().name(),
                        text.substring(start, end),
                        document.chunkCount(),
                        document.metadata(),
                        text.length(),
                        end < text.length() ? end : null,
                        document.allow().shown()))
                .giving(context, () -> StoredDocumentsGiven.read(List.of(document)));
    }
}
