package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.embed.Embedder;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Space;
import switchboard.store.SpaceStats;

/** {@code status}. */
final class StatusTool {
    private final Supplier<DocumentStore> store;
    private final Registry registry;
    private final Optional<Embedder> embedder;

    StatusTool(Supplier<DocumentStore> store, Registry registry, Optional<Embedder> embedder) {
        this.store = store;
        this.registry = registry;
        this.embedder = embedder;
    }

    List<ToolHandler<?>> all() {
        return List.of(new Tool<>("status", NoArgs.class, this::status));
    }

    record NoArgs() {}

    private Future<ToolReply> status(NoArgs args, CallContext context) {
        return registry.visible(context.caller()).compose(definitions -> {
            List<Space> spaces = registry.spaces(definitions, context.caller());
            return store.get().stats(spaces).compose(stats -> needsEmbedding(spaces)
                    .map(lacking -> ToolReply.ok(status(definitions, stats, lacking, context.caller()))));
        });
    }

    private Future<Long> needsEmbedding(List<Space> spaces) {
        if (embedder.isEmpty()) {
            return Future.succeededFuture(0L);
        }
        Filter lacking = Facets.withoutVectorsOf(embedder.get().model());
        return store.get()
                .list(new ListRequest(spaces, lacking, ListRequest.Order.BY_SOURCE, 0, 1))
                .map(page -> page.total());
    }

    private ObjectNode status(List<Definition> definitions, List<SpaceStats> stats, long lacking, Caller caller) {
        Map<Space, SpaceStats> bySpace = new LinkedHashMap<>();
        stats.forEach(one -> bySpace.put(one.space(), one));
        long total = stats.stream().mapToLong(SpaceStats::documents).sum();
        ObjectNode status = Json.object()
                .put("totalDocuments", total)
                .put("needsEmbedding", lacking)
                .put("hasVectorIndex", embedder.isPresent() && total > lacking);
        ArrayNode used = status.putArray("providers");
        new TreeSet<>(definitions.stream().map(Definition::provider).toList()).forEach(used::add);
        ArrayNode collections = status.putArray("collections");
        for (Definition definition : definitions) {
            SpaceStats one = bySpace.get(registry.space(definition.name(), caller));
            ObjectNode described = CollectionTools.described(definition)
                    .put("documents", one == null ? 0 : one.documents())
                    .put("chunks", one == null ? 0 : one.chunks());
            if (one != null && one.damage() != null) {
                described.put("damage", one.damage());
            }
            collections.add(described);
        }
        return status;
    }
}
