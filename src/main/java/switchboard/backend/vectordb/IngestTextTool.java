package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.Namespace;

/** {@code ingest_text}: for agents with a text that is not a file on the gateway's host. */
record IngestTextTool(LibraryResolver libraryResolver, Ingestion ingestion)
        implements ToolHandler<IngestTextTool.Args> {
    private static final int HASH_SHOWN = 32;

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
        String source = args.source() == null || args.source().isBlank() ? nameOf(args.content()) : args.source();
        return ingestion.ingest(
                new Ingestion.DocumentTarget(namespace, source),
                Ingestion.Description.of(args.metadata(), args.allow()),
                _ -> Future.succeededFuture(new FetchedSource.CallerText(args.content(), args.title())),
                context);
    }

    /** The text alone: the same for other readers is the same document. */
    private static String text(String content) {
        try {
            return FrontMatterPermission.of(content).text();
        } catch (IllegalArgumentException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "content: " + e.getMessage() + ".");
        }
    }

    /** The name of a text without one: derived from its content, so that the same text is the same document. */
    private static String nameOf(String content) {
        String hash = DigestUtils.sha256Hex(text(content).getBytes(StandardCharsets.UTF_8));
        return "text:" + hash.substring(0, HASH_SHOWN);
    }
}
