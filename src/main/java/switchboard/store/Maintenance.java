package switchboard.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import switchboard.backend.CallContext;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;

/** What operators ask of a store, as a backend answers it. */
public final class Maintenance {
    private final Optional<Embedder> embedder;

    /** Maintenance with today's embedder, if there is one. */
    public Maintenance(Optional<Embedder> embedder) {
        this.embedder = embedder;
    }

    /** Does {@code chore} on {@code store}. */
    public Future<ToolReply> run(DocumentStore store, Maintain.Chore chore, CallContext context) {
        return switch (chore) {
            case Maintain.Backup(String target) ->
                store.backup(Path.of(target))
                        .map(spaces ->
                                ToolReply.ok(Json.object().put("target", target).put("spaces", spaces)));
            case Maintain.Reindex() -> reindex(store, context);
            case Maintain.Check() -> store.check().map(Maintenance::findings);
        };
    }

    private Future<ToolReply> reindex(DocumentStore store, CallContext context) {
        if (embedder.isEmpty()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT, "It has no embedder: there are no vectors to be made."));
        }
        return store.reindex(embedder.get(), new EmbedListener() {
                    @Override
                    public void embedded(int done) {
                        context.progress(done, null, done + " documents");
                    }

                    @Override
                    public boolean cancelled() {
                        return context.cancelled();
                    }
                })
                .map(count -> ToolReply.ok(Json.object()
                        .put("documents", count)
                        .put("model", embedder.get().model())));
    }

    private static ToolReply findings(List<SpaceCheck> checks) {
        ObjectNode reply = Json.object();
        ArrayNode spaces = reply.putArray("spaces");
        for (SpaceCheck check : checks) {
            ObjectNode space = spaces.addObject();
            space.put("owner", check.space().owner()).put("name", check.space().name());
            space.put("documents", check.documents());
            check.problems().forEach(space.putArray("problems")::add);
        }
        return ToolReply.ok(reply);
    }
}
