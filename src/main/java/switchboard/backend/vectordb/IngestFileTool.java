package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.convert.RawDocument;
import switchboard.fetch.HttpValidators;
import switchboard.files.UploadedFiles;
import switchboard.store.Namespace;

/** {@code ingest_file}. A path may also be the reference of a file that was uploaded, which is ingested once. */
record IngestFileTool(
        LibraryResolver libraryResolver,
        IngestFolders folders,
        UploadedFiles uploads,
        BlockingExecutor executor,
        Ingestion ingestion)
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
        if (UploadedFiles.isReference(args.path())) {
            return uploaded(args, namespace, context);
        }
        return executor.run(context, () -> folders.locate(args.path()))
                .compose(path -> ingestion.ingest(
                        new Ingestion.DocumentTarget(namespace, path.toString()),
                        Ingestion.Description.of(args.metadata(), args.allow()),
                        _ -> executor.run(context, () -> content(folders.read(path))),
                        context));
    }

    private Future<ToolReply> uploaded(Args args, Namespace namespace, CallContext context) {
        String team = context.caller().team();
        return executor.run(context, () -> uploads.find(team, args.path()).orElseThrow(IngestFileTool::gone))
                .compose(upload -> ingestion
                        .ingest(
                                new Ingestion.DocumentTarget(namespace, upload.name()),
                                Ingestion.Description.of(args.metadata(), args.allow()),
                                _ -> executor.run(context, () -> content(folders.read(upload))),
                                context)
                        .eventually(() -> executor.run(team, () -> false, () -> removed(upload))));
    }

    private UploadedFiles.UploadedFile removed(UploadedFiles.UploadedFile upload) throws IOException {
        uploads.remove(upload);
        return upload;
    }

    private static ToolException gone() {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "Ingestion failed: there is no such upload, or none any more. Upload the file again.");
    }

    private static FetchedSource content(IngestFolders.ReadFile file) {
        RawDocument rawDocument = new RawDocument(file.bytes(), file.source(), null);
        String extension = rawDocument.extension();
        return new FetchedSource.Document(
                rawDocument,
                extension.isEmpty() ? "unknown" : extension,
                Timestamps.seconds(file.modified()),
                file.readers(),
                HttpValidators.NONE);
    }
}
