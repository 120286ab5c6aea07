package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.StoredDocumentsGiven;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.store.StoredChunk;

/** {@code get_chunk}: a passage by its hash. */
record GetChunkTool(ChunkLookup lookup) implements ToolHandler<GetChunkTool.Args> {
    record Args(String chunk_hash, boolean include_context) {}

    @Override
    public String name() {
        return "get_chunk";
    }

    /** The reply with a whole chunk. */
    static ToolReply read(ObjectNode whole, StoredChunk chunk, CallContext context) {
        return ToolReply.ok(whole).giving(context, () -> StoredDocumentsGiven.read(List.of(chunk.document())));
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return lookup.byHash(args.chunk_hash(), context.caller()).compose(chunk -> {
            ObjectNode whole = ChunkView.whole(chunk);
            if (!args.include_context()) {
                return Future.succeededFuture(read(whole, chunk, context));
            }
            return lookup.neighbour(chunk, -1, context.caller())
                    .compose(previous -> lookup.neighbour(chunk, 1, context.caller())
                            .map(next -> {
                                previous.ifPresent(found -> whole.set("previous_chunk", ChunkView.neighbour(found)));
                                next.ifPresent(found -> whole.set("next_chunk", ChunkView.neighbour(found)));
                                return read(whole, chunk, context);
                            }));
        });
    }
}
