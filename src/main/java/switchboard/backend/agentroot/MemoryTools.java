package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;

/** {@code memory_store}, {@code memory_search}, {@code memory_list}, {@code memory_delete}, {@code memory_extract}. */
final class MemoryTools {
    private final Memories memories;
    private final Sessions sessions;
    private final MemoryExtraction extraction;

    MemoryTools(Memories memories, Sessions sessions, MemoryExtraction extraction) {
        this.memories = memories;
        this.sessions = sessions;
        this.extraction = extraction;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("memory_store", StoreArgs.class, this::store),
                new Tool<>("memory_search", MemorySearchArgs.class, this::search),
                new Tool<>("memory_list", ListArgs.class, this::list),
                new Tool<>("memory_extract", ExtractArgs.class, this::extract),
                new Tool<>("memory_delete", DeleteArgs.class, this::delete));
    }

    record StoreArgs(
            String content,
            String category,
            double confidence,
            @Nullable String sessionId,
            @Nullable String sourceQuery) {}

    record MemorySearchArgs(String query, @Nullable String category, int limit) {}

    record ListArgs(@Nullable String category, int limit, int offset) {}

    record ExtractArgs(String sessionId) {}

    record DeleteArgs(String id) {}

    private Future<ToolReply> store(StoreArgs args, CallContext context) {
        Memories.NewMemory draft = new Memories.NewMemory(
                args.content(), args.category(), args.confidence(), args.sessionId(), args.sourceQuery());
        return memories.keep(draft, context.caller())
                .map(kept -> ToolReply.ok(Json.object()
                        .put("id", kept.source())
                        .put("category", kept.metadata().path("category").asText())
                        .put("confidence", kept.metadata().path("confidence").asDouble())
                        .put("stored", true)));
    }

    private Future<ToolReply> search(MemorySearchArgs args, CallContext context) {
        return memories.search(args.query(), Optional.ofNullable(args.category()), args.limit(), context.caller())
                .map(MemoryTools::reply);
    }

    private Future<ToolReply> list(ListArgs args, CallContext context) {
        return memories.list(Optional.ofNullable(args.category()), args.offset(), args.limit(), context.caller())
                .map(MemoryTools::reply);
    }

    private static ToolReply reply(List<ObjectNode> found) {
        ObjectNode reply = Json.object().put("count", found.size());
        ArrayNode array = reply.putArray("memories");
        found.forEach(array::add);
        return ToolReply.ok(reply);
    }

    private Future<ToolReply> extract(ExtractArgs args, CallContext context) {
        Sessions.SessionView session = sessions.get(args.sessionId(), CollectionRegistry.person(context.caller()));
        return extraction.of(session, context).compose(drafts -> {
            List<ObjectNode> kept = new ArrayList<>();
            Future<Void> done = Future.succeededFuture();
            for (Memories.NewMemory draft : drafts) {
                done = done.compose(_ -> memories.keep(draft, context.caller()))
                        .map(also(memory -> kept.add(Memories.json(memory, draft.content()))))
                        .mapEmpty();
            }
            return done.map(_ -> reply(kept));
        });
    }

    private Future<ToolReply> delete(DeleteArgs args, CallContext context) {
        return memories.delete(args.id(), context.caller()).map(deleted -> {
            ObjectNode outcome = Json.object().put("id", args.id()).put("deleted", deleted);
            return deleted
                    ? ToolReply.ok(outcome)
                    : new ToolReply.Failed(
                                    FailureKind.NOT_FOUND,
                                    "Memory not found: " + args.id() + ". memory_list shows the ids.")
                            .withDetails(outcome);
        });
    }
}
