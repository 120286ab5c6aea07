package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.store.ChunkEmbedders;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;
import switchboard.store.NamespaceStats;

/** {@code status}: the collections, and how many documents they have. */
record StatusTool(CallerStore store, CollectionRegistry registry, ChunkEmbedders embedders)
        implements ToolHandler<StatusTool.Args> {
    record Args() {}

    @Override
    public String name() {
        return "status";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        return registry.visible(context.caller()).compose(definitions -> {
            List<Namespace> namespaces = registry.namespaces(definitions, context.caller());
            return store.of(context.caller()).stats(namespaces).compose(stats -> needsEmbedding(
                            namespaces, context.caller())
                    .map(lacking -> ToolReply.ok(status(definitions, stats, lacking, context.caller()))));
        });
    }

    private Future<Long> needsEmbedding(List<Namespace> namespaces, Caller caller) {
        Optional<String> model = embedders.name();
        if (model.isEmpty()) {
            return Future.succeededFuture(0L);
        }
        Filter lacking = DocumentMetadata.withoutVectorsOf(model.get());
        return store.of(caller)
                .list(new ListRequest(namespaces, lacking, ListRequest.Order.BY_SOURCE, 0, 1))
                .map(page -> page.total());
    }

    private ObjectNode status(
            List<CollectionDefinition> definitions, List<NamespaceStats> stats, long lacking, Caller caller) {
        Map<Namespace, NamespaceStats> bySpace = new LinkedHashMap<>();
        stats.forEach(one -> bySpace.put(one.namespace(), one));
        long total = stats.stream().mapToLong(NamespaceStats::documents).sum();
        ObjectNode status = Json.object()
                .put("totalDocuments", total)
                .put("needsEmbedding", lacking)
                .put("hasVectorIndex", !embedders.isEmpty() && total > lacking);
        ArrayNode used = status.putArray("providers");
        new TreeSet<>(definitions.stream().map(CollectionDefinition::provider).toList()).forEach(used::add);
        ArrayNode collections = status.putArray("collections");
        for (CollectionDefinition definition : definitions) {
            NamespaceStats one = bySpace.get(registry.namespace(definition.name(), caller));
            ObjectNode described = definition
                    .described()
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
