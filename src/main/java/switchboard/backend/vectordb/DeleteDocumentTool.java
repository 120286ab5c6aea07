package switchboard.backend.vectordb;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.store.StoredDocument;

/** {@code delete_document}. */
record DeleteDocumentTool(CallerStore store, LibraryResolver libraryResolver)
        implements ToolHandler<DeleteDocumentTool.Args> {
    record Args(String doc_id) {}

    /** Component names are those on the wire. */
    record Reply(String status, String doc_id, int deleted_chunks, boolean found) {}

    @Override
    public String name() {
        return "delete_document";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.doc_id().isBlank()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT, "doc_id must not be empty. search and list_documents give the ids."));
        }
        return store.of(context.caller())
                .delete(libraryResolver.existing(context.caller()), args.doc_id())
                .map(removed -> ToolReply.ok(new Reply(
                        "deleted",
                        args.doc_id(),
                        removed.map(StoredDocument::chunkCount).orElse(0),
                        removed.isPresent())));
    }
}
