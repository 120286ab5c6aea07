package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code ingest_text}: for agents with a text that is not a file on the gateway's host. */
record IngestTextTool(LibraryResolver libraryResolver, Ingestion ingestion)
        implements ToolHandler<IngestTextTool.Args> {
    record Args(
            String content,
            @Nullable String title,
            @Nullable String source,
            String library,
            @Nullable ObjectNode metadata,
            @Nullable List<String> allow) {}

    @Override
    public String name() {
        return "ingest_text";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.content().isBlank()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT, "content must not be empty. Give the text to keep."));
        }
        Namespace namespace = libraryResolver.forWriting(args.library(), context.caller());
        Ingestion.Description description = Ingestion.Description.of(args.metadata(), args.allow());
        FetchedSource.CallerText text = new FetchedSource.CallerText(args.content(), args.title());
        String source = args.source();
        if (source == null || source.isBlank()) {
            return ingestion.ingestNameless(namespace, description, text, context);
        }
        return ingestion.ingest(
                new Ingestion.DocumentTarget(namespace, source),
                description,
                _ -> Future.succeededFuture(text),
                context);
    }
}
