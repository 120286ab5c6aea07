package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** {@code weaviate-tenants-list}. Weaviate answers all tenants at once, in random order; pages are cut here. */
record TenantsListTool(WeaviateApi api) implements ToolHandler<TenantsListTool.Args> {
    record Args(String collection_name, int limit, @Nullable String after) {}

    @Override
    public String name() {
        return "weaviate-tenants-list";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        String after = args.after() == null ? "" : args.after();
        String bound = tenantScope.boundTenant();
        String path = "/v1/schema/" + UpstreamRequest.segment(collection) + "/tenants";
        Future<List<JsonNode>> tenants = bound == null
                ? api.send(UpstreamRequest.get(path), context).map(answer -> all(answer, collection, context))
                : api.send(UpstreamRequest.get(path + "/" + UpstreamRequest.segment(bound)), context)
                        .map(answer -> own(answer, collection, context));
        return tenants.map(list -> page(list, after, args.limit()));
    }

    private List<JsonNode> all(UpstreamResponse answer, String collection, CallContext context) {
        List<JsonNode> tenants = new ArrayList<>();
        json(answer, collection, context).forEach(tenants::add);
        tenants.sort(Comparator.comparing(TenantsListTool::nameOf));
        return tenants;
    }

    /** A bound team sees its own tenant only. It is not an error if that does not exist yet. */
    private List<JsonNode> own(UpstreamResponse answer, String collection, CallContext context) {
        return answer.status() == 404 && answer.body().length() == 0
                ? List.of()
                : List.of(json(answer, collection, context));
    }

    private JsonNode json(UpstreamResponse answer, String collection, CallContext context) {
        if (answer.success()) {
            return api.json(answer, context);
        }
        ToolReply.Failed failed = api.failure(answer, context);
        String text = WeaviateErrors.text(answer);
        if (text.contains("multi-tenancy is not enabled")) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "failed to get tenants: multi-tenancy is not enabled for collection "
                            + WeaviateIdentifiers.quoted(collection) + ". Leave tenant_name out in calls for it.");
        }
        throw failed.kind() == FailureKind.NOT_FOUND ? SchemaCache.notFound(collection) : new ToolException(failed);
    }

    private static ToolReply page(List<JsonNode> sorted, String after, int limit) {
        List<JsonNode> rest = sorted.stream()
                .filter(tenant -> nameOf(tenant).compareTo(after) > 0)
                .toList();
        List<JsonNode> shown = rest.subList(0, Math.min(limit, rest.size()));
        ObjectNode result = Json.object();
        result.putArray("tenants").addAll(shown);
        result.put("total", sorted.size());
        if (shown.size() < rest.size()) {
            result.put("next", nameOf(shown.getLast()));
        }
        return ToolReply.ok(result);
    }

    private static String nameOf(JsonNode tenant) {
        return tenant.path("name").asText();
    }
}
