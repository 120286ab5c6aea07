package switchboard.backend.agentroot;

import io.vertx.core.Future;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code memory_delete}: forgets a memory. */
record MemoryDeleteTool(Memories memories) implements ToolHandler<MemoryDeleteTool.Args> {
    record Args(String id) {}

    /** Component names are those on the wire. */
    record Reply(String id, boolean deleted) {}

    @Override
    public String name() {
        return "memory_delete";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return memories.delete(args.id(), context.caller()).map(deleted -> {
            Reply reply = new Reply(args.id(), deleted);
            return deleted
                    ? ToolReply.ok(reply)
                    : ToolReply.failed(
                                    FailureKind.NOT_FOUND,
                                    "Memory not found: " + args.id() + ". memory_list shows the ids.")
                            .withDetails(Json.tree(reply));
        });
    }
}
