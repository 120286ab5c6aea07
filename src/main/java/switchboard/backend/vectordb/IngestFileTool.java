package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.BlockingLane;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.ToolReply;
import switchboard.convert.Source;
import switchboard.store.Space;

/** {@code ingest_file}. */
final class IngestFileTool implements ToolHandler<IngestFileTool.Args> {
    private final Libraries libraries;
    private final IngestFolders folders;
    private final BlockingLane lane;
    private final Ingestion ingestion;

    IngestFileTool(Libraries libraries, IngestFolders folders, BlockingLane lane, Ingestion ingestion) {
        this.libraries = libraries;
        this.folders = folders;
        this.lane = lane;
        this.ingestion = ingestion;
    }

    record Args(String path, String library, @Nullable ObjectNode metadata) {}

    @Override
    public String name() {
        return "ingest_file";
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Space space = libraries.forWriting(args.library(), context.caller());
        return lane.run(context, () -> folders.locate(args.path()))
                .compose(path -> ingestion.ingest(
                        new Ingestion.Target(space, path.toString()),
                        args.metadata(),
                        _ -> lane.run(context, () -> content(folders.read(path))),
                        context));
    }

    private static Incoming content(IngestFolders.ReadFile file) {
        Source source = new Source(file.bytes(), file.path().toString(), null);
        String extension = source.extension();
        return new Incoming.Document(
                source, extension.isEmpty() ? "unknown" : extension, Timestamps.seconds(file.modified()));
    }
}
