package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.embed.SourceEmbedders;

/** {@code weaviate-objects-upsert}. */
record ObjectsUpsertTool(WeaviateApi api, SchemaCache schemas, SourceEmbedders embedders)
        implements ToolHandler<ObjectsUpsertTool.Args> {
    record Args(String collection_name, @Nullable String tenant_name, List<ObjectItem> objects) {}

    /** An object from the caller. */
    record ObjectItem(
            ObjectNode properties,
            @Nullable String uuid,
            @Nullable ObjectNode vectors) {}

    @Override
    public String name() {
        return "weaviate-objects-upsert";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        String tenant = tenantScope.tenant(args.tenant_name());
        if (tenantScope.where() != null) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "This team is bound to a filter (binding \"where\"). Weaviate stores objects without comparing them"
                            + " with one, and what is stored under the same UUID is replaced, so this team can't store"
                            + " objects.");
        }
        return schemas.state(collection, context).compose(before -> {
            if (before instanceof SchemaCache.Lookup.Absent && tenantScope.boundTenant() != null) {
                // Auto-schema would create it without tenants.
                throw SchemaCache.notFound(collection);
            }
            Optional<CollectionSchema> schema = before.schema();
            schema.ifPresent(tenantScope::requireBindings);
            List<Upsert> upserts = args.objects().stream()
                    .map(item -> Upsert.of(item, collection, tenant))
                    .toList();
            if (schema.isPresent() && schema.get().vectorizers().isEmpty()) {
                upserts.forEach(Upsert::unnameVector);
            }
            UpsertRun run = new UpsertRun(api, upserts, context);
            return embed(upserts, schema, context).compose(_ -> run.run()).map(_ -> run.refusalOfAll()
                    .<ToolReply>map(failed -> failed)
                    .orElseGet(() -> ToolReply.ok(reply(upserts, collection, before))));
        });
    }

    private Future<Void> embed(List<Upsert> upserts, Optional<CollectionSchema> schema, CallContext context) {
        Optional<EmbedderVectors> maker =
                schema.flatMap(known -> embedders.of(known.name())).map(EmbedderVectors::new);
        if (maker.isEmpty() || schema.isEmpty() || schema.get().vectorizes(List.of())) {
            return Future.succeededFuture();
        }
        List<Upsert> bare = upserts.stream().filter(Upsert::lacksVectors).toList();
        if (bare.isEmpty()) {
            return Future.succeededFuture();
        }
        List<String> names = schema.get().unsuppliedVectors();
        return maker.get()
                .ofObjects(bare.stream().map(Upsert::properties).toList(), context::cancelled)
                .map(made -> {
                    for (int i = 0; i < bare.size(); i++) {
                        bare.get(i).supply(names, made.get(i));
                    }
                    return null;
                });
    }

    /**
     * The answer. A server with auto-schema creates misspelt collections and properties, so the answer lists what was
     * created.
     */
    private ObjectNode reply(List<Upsert> upserts, String collection, SchemaCache.Lookup before) {
        ObjectNode reply = Json.object();
        ArrayNode results = reply.putArray("results");
        upserts.forEach(upsert -> results.add(upsert.result()));
        boolean stored = upserts.stream().anyMatch(Upsert::stored);
        if (stored && before instanceof SchemaCache.Lookup.Absent) {
            reply.put("created_collection", true);
        }
        TreeSet<String> added = new TreeSet<>();
        before.schema().ifPresent(schema -> upserts.stream()
                .filter(Upsert::stored)
                .forEach(upsert -> upsert.properties().fieldNames().forEachRemaining(name -> {
                    if (schema.property(name).isEmpty()) {
                        added.add(name);
                    }
                })));
        if (!added.isEmpty()) {
            schemas.forget(collection);
            reply.set("created_properties", Json.mapper().valueToTree(added));
        }
        return reply;
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }
}
