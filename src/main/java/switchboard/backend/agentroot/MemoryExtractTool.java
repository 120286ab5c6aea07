package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** {@code memory_extract}: keeps what is worth remembering of a session. */
record MemoryExtractTool(Memories memories, SearchSessions sessions, MemoryExtraction extraction)
        implements ToolHandler<MemoryExtractTool.Args> {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryExtractTool.class);

    record Args(String sessionId) {}

    @Override
    public String name() {
        return "memory_extract";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return sessions.get(args.sessionId(), CollectionRegistry.person(context.caller()))
                .compose(session -> extraction.of(session, context))
                .compose(drafts -> kept(drafts, context.caller()));
    }

    /** If one can't be kept, the answer has those before it. */
    Future<ToolReply> kept(List<Memories.NewMemory> drafts, Caller caller) {
        List<ObjectNode> kept = new ArrayList<>();
        return Futures.oneByOne(drafts.iterator(), draft -> memories.keep(draft, caller)
                        .map(also(memory -> kept.add(Memories.json(memory, draft.content())))))
                .<ToolReply>map(_ -> ToolReply.ok(Memories.listed(kept).put("complete", true)))
                .recover(failure -> kept.isEmpty()
                        ? Future.failedFuture(failure)
                        : Future.succeededFuture(ToolReply.ok(Memories.listed(kept)
                                .put("complete", false)
                                .put(
                                        "reason",
                                        kept.size() + " of " + drafts.size()
                                                + " memories were stored, the rest was not. " + reason(failure)))));
    }

    private static String reason(Throwable failure) {
        if (failure instanceof ToolException known) {
            return known.failed().message();
        }
        LOG.error("Storing a memory failed", failure);
        return "It failed because of a defect; see the gateway's log.";
    }
}
