package switchboard.backend.agentroot;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** {@code navigate_chunks}: the passage before or after another one. */
record NavigateChunksTool(ChunkLookup lookup) implements ToolHandler<NavigateChunksTool.Args> {
    record Args(String chunk_hash, String direction) {}

    @Override
    public String name() {
        return "navigate_chunks";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        boolean forward = args.direction().equals("next");
        return lookup.byHash(args.chunk_hash(), context.caller())
                .compose(from -> lookup.neighbour(from, forward ? 1 : -1, context.caller()))
                .map(
                        found -> found.<ToolReply>map(
                                        chunk -> GetChunkTool.read(ChunkView.whole(chunk), chunk, context))
                                .orElseGet(
                                        () -> ToolReply.failed(
                                                FailureKind.NOT_FOUND,
                                                forward
                                                        ? "No next chunk. This is the last one of its document; direction previous goes back."
                                                        : "No previous chunk. This is the first one of its document; direction next goes on.")));
    }
}
