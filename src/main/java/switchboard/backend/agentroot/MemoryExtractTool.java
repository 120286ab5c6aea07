package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code memory_extract}: keeps what is worth remembering of a session. */
record MemoryExtractTool(Memories memories, SearchSessions sessions, MemoryExtraction extraction)
        implements ToolHandler<MemoryExtractTool.Args> {
    record Args(String sessionId) {}

    @Override
    public String name() {
        return "memory_extract";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.get(args.sessionId(), CollectionRegistry.person(context.caller()))
                .compose(session -> extraction.of(session, context))
                .compose(drafts -> {
                    List<ObjectNode> kept = new ArrayList<>();
                    Future<Void> done = Future.succeededFuture();
                    for (Memories.NewMemory draft : drafts) {
                        done = done.compose(_ -> memories.keep(draft, context.caller()))
                                .map(also(memory -> kept.add(Memories.json(memory, draft.content()))))
                                .mapEmpty();
                    }
                    return done.map(_ -> Memories.reply(kept));
                });
    }
}
