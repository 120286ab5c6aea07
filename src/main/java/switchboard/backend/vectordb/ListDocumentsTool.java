package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.DocumentPage;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.NamespaceStats;
import switchboard.store.StoredDocument;

/** {@code list_documents}. */
record ListDocumentsTool(CallerStore store, LibraryResolver libraryResolver)
        implements ToolHandler<ListDocumentsTool.Args> {
    record Args(@Nullable String library, int limit, int offset) {}

    /** One document; component names are those on the wire. */
    record DocumentItem(
            String doc_id,
            String source,
            String title,
            String library,
            String content_hash,
            String created_at,
            ObjectNode metadata,
            int chunk_count,
            String file_type,
            String last_modified,
            @Nullable List<?> allow) {
        static DocumentItem of(StoredDocument document) {
            return new DocumentItem(
                    document.id(),
                    document.source(),
                    document.title(),
                    document.namespace().name(),
                    document.contentHash(),
                    Timestamps.text(document.createdAt()),
                    document.metadata(),
                    document.chunkCount(),
                    document.fileType(),
                    document.lastModified() == null ? "" : document.lastModified(),
                    document.allow().shown());
        }
    }

    record Reply(
            List<DocumentItem> documents,
            int count,
            long total,
            @Nullable String reason) {
        static Reply of(DocumentPage page, @Nullable String reason) {
            List<DocumentItem> items =
                    page.documents().stream().map(DocumentItem::of).toList();
            return new Reply(items, items.size(), page.total(), reason);
        }
    }

    @Override
    public String name() {
        return "list_documents";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        ListRequest request = new ListRequest(
                libraryResolver.forReading(args.library(), context.caller()),
                new Filter.All(),
                ListRequest.Order.NEWEST_FIRST,
                args.offset(),
                args.limit());
        DocumentStore readable = store.of(context.caller());
        return readable.list(request)
                .compose(page -> readable.stats(request.namespaces()).compose(stats -> reason(args, stats, context)
                        .map(reason -> ToolReply.ok(Reply.of(page, reason.orElse(null))))));
    }

    private Future<Optional<String>> reason(Args args, List<NamespaceStats> stats, CallContext context) {
        return args.library() != null && stats.isEmpty()
                ? libraryResolver.unknown(args.library(), context.caller())
                : Future.succeededFuture(leftOut(stats));
    }

    private static Optional<String> leftOut(List<NamespaceStats> stats) {
        String damaged = stats.stream()
                .filter(space -> space.damage() != null)
                .map(space -> "\"" + space.namespace().name() + "\"")
                .collect(Collectors.joining(", "));
        return damaged.isEmpty()
                ? Optional.empty()
                : Optional.of("Not listed, because their files are damaged: " + damaged
                        + ". The operator can restore them from a backup.");
    }
}
