package switchboard.backend.agentroot;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code memory_store}: keeps a memory. */
record MemoryStoreTool(Memories memories) implements ToolHandler<MemoryStoreTool.Args> {
    record Args(
            String content,
            String category,
            double confidence,
            @Nullable String sessionId,
            @Nullable String sourceQuery) {}

    @Override
    public String name() {
        return "memory_store";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Memories.NewMemory draft = new Memories.NewMemory(
                args.content(), args.category(), args.confidence(), args.sessionId(), args.sourceQuery());
        return memories.keep(draft, context.caller())
                .map(kept -> ToolReply.ok(Json.object()
                        .put("id", kept.source())
                        .put("category", kept.metadata().path("category").asText())
                        .put("confidence", kept.metadata().path("confidence").asDouble())
                        .put("stored", true)));
    }
}
