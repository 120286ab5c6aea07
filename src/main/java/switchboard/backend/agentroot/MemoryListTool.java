package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;

/** {@code memory_list}: memories, the latest first. */
record MemoryListTool(Memories memories) implements ToolHandler<MemoryListTool.Args> {
    record Args(@Nullable String category, int limit, int offset) {}

    @Override
    public String name() {
        return "memory_list";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return memories.list(Optional.ofNullable(args.category()), args.offset(), args.limit(), context.caller())
                .map(Memories::reply);
    }
}
