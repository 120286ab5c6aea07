package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamRequest;

/** {@code weaviate-collections-get-config}. */
record CollectionsGetConfigTool(WeaviateApi api) implements ToolHandler<CollectionsGetConfigTool.Args> {
    record Args(@Nullable String collection_name) {}

    @Override
    public String name() {
        return "weaviate-collections-get-config";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String name = args.collection_name();
        Future<ArrayNode> found =
                name == null || name.isEmpty() ? all(tenantScope, context) : one(tenantScope.collection(name), context);
        return found.map(collections -> {
            ObjectNode result = Json.object();
            result.set("collections", collections);
            return ToolReply.ok(result);
        });
    }

    private Future<ArrayNode> one(String name, CallContext context) {
        return api.definition(name, context)
                .map(definition -> Json.array().add(definition.orElseThrow(() -> SchemaCache.notFound(name))));
    }

    /** Weaviate's own order changes from call to call, and is {@code null} when an admin list shows nothing. */
    Future<ArrayNode> all(TenantScope tenantScope, CallContext context) {
        return api.call(UpstreamRequest.get("/v1/schema"), context).map(schema -> {
            ArrayNode visible = Json.array();
            StreamSupport.stream(schema.path("classes").spliterator(), false)
                    .filter(definition -> tenantScope.scope().allows(nameOf(definition)))
                    .sorted(Comparator.comparing(CollectionsGetConfigTool::nameOf))
                    .forEach(visible::add);
            return visible;
        });
    }

    private static String nameOf(JsonNode definition) {
        return definition.path("class").asText();
    }
}
