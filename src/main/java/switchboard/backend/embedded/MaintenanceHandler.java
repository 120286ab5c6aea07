package switchboard.backend.embedded;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.store.DocumentPage;
import switchboard.store.DocumentStore;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceCheck;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.Reindex;
import switchboard.store.ReplicaState;

/** Maintenance of a store. */
public final class MaintenanceHandler {
    private final NamespaceEmbedders embedders;

    /** Maintenance with the configured models. */
    public MaintenanceHandler(NamespaceEmbedders embedders) {
        this.embedders = embedders;
    }

    /** Runs {@code chore} on {@code store}. */
    public Future<ToolReply> run(DocumentStore store, Maintain.Chore chore, CallContext context) {
        return switch (chore) {
            case Maintain.Backup(String target) ->
                store.backup(Path.of(target))
                        .map(namespaces ->
                                ToolReply.ok(Json.object().put("target", target).put("namespaces", namespaces)));
            case Maintain.Reindex() -> reindex(store, context);
            case Maintain.Check() -> store.check().compose(checks -> findings(store, checks));
        };
    }

    private Future<ToolReply> reindex(DocumentStore store, CallContext context) {
        if (embedders.distinct().isEmpty()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT, "It has no embedder, so there are no vectors to compute."));
        }
        return store.reindex(embedders, context, new EmbedListener() {
                    @Override
                    public void embedded(int done) {
                        context.progress(done, null, done + " documents");
                    }

                    @Override
                    public boolean cancelled() {
                        return context.cancelled();
                    }
                })
                .map(count -> ToolReply.ok(Json.object().put("documents", count).put("model", models())));
    }

    private String models() {
        return embedders.distinct().stream().map(Embedder::model).collect(Collectors.joining(", "));
    }

    private Future<ToolReply> findings(DocumentStore store, List<NamespaceCheck> checks) {
        ObjectNode reply = Json.object();
        ArrayNode namespaces = reply.putArray("namespaces");
        Future<Void> done = Future.succeededFuture();
        for (NamespaceCheck check : checks) {
            ObjectNode namespace = namespaces.addObject();
            namespace
                    .put("owner", check.namespace().owner())
                    .put("name", check.namespace().name());
            namespace.put("documents", check.documents());
            check.problems().forEach(namespace.putArray("problems")::add);
            if (check.problems().isEmpty()) {
                done = done.compose(_ -> outdated(store, check.namespace()))
                        .map(count -> count == 0 ? null : namespace.put("outdated", count))
                        .mapEmpty();
            }
        }
        ArrayNode following = reply.putArray("following");
        for (ReplicaState state : store.following()) {
            following
                    .addObject()
                    .put("owner", state.namespace().owner())
                    .put("name", state.namespace().name())
                    .put("position", state.position())
                    .put("behind", state.behind())
                    .put("seconds", state.late().toSeconds())
                    .put("building", state.building())
                    .put("words", state.words());
        }
        return done.map(_ -> ToolReply.ok(reply));
    }

    /** The number of documents in {@code namespace} without vectors of its configured models. */
    private Future<Long> outdated(DocumentStore store, Namespace namespace) {
        return store.list(new ListRequest(
                        List.of(namespace),
                        Reindex.lacking(embedders.of(namespace)),
                        ListRequest.Order.BY_SOURCE,
                        0,
                        1))
                .map(DocumentPage::total);
    }
}
