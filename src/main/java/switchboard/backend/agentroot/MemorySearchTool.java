package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code memory_search}: memories by their words. */
record MemorySearchTool(Memories memories) implements ToolHandler<MemorySearchTool.Args> {
    record Args(String query, @Nullable String category, int limit) {}

    @Override
    public String name() {
        return "memory_search";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return memories.search(args.query(), Optional.ofNullable(args.category()), args.limit(), context.caller())
                .map(found -> {
                    ObjectNode reply = Memories.listed(found.memories());
                    found.reason().ifPresent(reason -> reply.put("reason", reason));
                    return ToolReply.ok(reply);
                });
    }
}
