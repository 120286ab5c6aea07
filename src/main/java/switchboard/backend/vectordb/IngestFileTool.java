package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.convert.RawDocument;
import switchboard.fetch.HttpValidators;
import switchboard.store.Namespace;

/** {@code ingest_file}. */
record IngestFileTool(
        LibraryResolver libraryResolver, IngestFolders folders, BlockingExecutor executor, Ingestion ingestion)
        implements ToolHandler<IngestFileTool.Args> {
    record Args(
            String path,
            String library,
            @Nullable ObjectNode metadata,
            @Nullable List<String> allow) {}

    @Override
    public String name() {
        return "ingest_file";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Namespace namespace = libraryResolver.forWriting(args.library(), context.caller());
        return executor.run(context, () -> folders.locate(args.path()))
                .compose(path -> ingestion.ingest(
                        new Ingestion.DocumentTarget(namespace, path.toString()),
                        Ingestion.Description.of(args.metadata(), args.allow()),
                        _ -> executor.run(context, () -> content(folders.read(path))),
                        context));
    }

    private static FetchedSource content(IngestFolders.ReadFile file) {
        RawDocument rawDocument = new RawDocument(file.bytes(), file.path().toString(), null);
        String extension = rawDocument.extension();
        return new FetchedSource.Document(
                rawDocument,
                extension.isEmpty() ? "unknown" : extension,
                Timestamps.seconds(file.modified()),
                file.readers(),
                HttpValidators.NONE);
    }
}
