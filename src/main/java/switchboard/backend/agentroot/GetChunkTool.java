package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code get_chunk}: a passage by its hash. */
record GetChunkTool(ChunkLookup lookup) implements ToolHandler<GetChunkTool.Args> {
    record Args(String chunk_hash, boolean include_context) {}

    @Override
    public String name() {
        return "get_chunk";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return lookup.byHash(args.chunk_hash(), context.caller()).compose(chunk -> {
            ObjectNode whole = ChunkView.whole(chunk);
            if (!args.include_context()) {
                return Future.succeededFuture(ToolReply.ok(whole));
            }
            return lookup.neighbour(chunk, -1, context.caller())
                    .compose(previous -> lookup.neighbour(chunk, 1, context.caller())
                            .map(next -> {
                                previous.ifPresent(found -> whole.set("previous_chunk", ChunkView.neighbour(found)));
                                next.ifPresent(found -> whole.set("next_chunk", ChunkView.neighbour(found)));
                                return ToolReply.ok(whole);
                            }));
        });
    }
}
