package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;

/** {@code weaviate-objects-get}: objects by their UUIDs, or a page of a collection. */
record ObjectsGetTool(WeaviateApi api, SchemaCache schemas) implements ToolHandler<ObjectsGetTool.Args> {
    private static final Set<ObjectMetadata> ALLOWED = EnumSet.of(
            ObjectMetadata.ID, ObjectMetadata.VECTOR, ObjectMetadata.CREATION_TIME, ObjectMetadata.LAST_UPDATE_TIME);
    private static final Set<ObjectMetadata> TIMES =
            EnumSet.of(ObjectMetadata.CREATION_TIME, ObjectMetadata.LAST_UPDATE_TIME);

    record Args(
            String collection_name,
            @Nullable String tenant_name,
            List<String> uuids,
            int offset,
            int limit,
            @Nullable String after,
            boolean include_vector,
            @Nullable List<String> return_properties,
            @Nullable List<String> return_metadata) {}

    @Override
    public String name() {
        return "weaviate-objects-get";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        TenantScope tenantScope = TenantScope.of(context.caller());
        String collection = tenantScope.collection(args.collection_name());
        String tenant = tenantScope.tenant(args.tenant_name());
        Set<ObjectMetadata> wanted = EnumSet.copyOf(ObjectMetadata.of(args.return_metadata(), ALLOWED, TIMES));
        if (args.include_vector()) {
            wanted.add(ObjectMetadata.VECTOR);
        }
        ObjectView view = new ObjectView(wanted, args.return_properties(), tenant, new PropertyValues(tenantScope));
        Optional<String> after = Optional.ofNullable(args.after())
                .filter(text -> !text.isEmpty())
                .map(ObjectsGetTool::position);
        return schemas.with(collection, context, state -> {
            Optional<CollectionSchema> schema = state.readable(collection);
            tenantScope.requireTenants(collection, schema);
            Optional<VisibleObjects> visible = schema.flatMap(
                    known -> tenantScope.filter(known).map(filter -> new VisibleObjects(api, known, tenant, filter)));
            return found(collection, tenant, args, after, visible, view, context)
                    .map(reply -> ToolReply.ok(withUnknown(reply, args.return_properties(), schema)));
        });
    }

    private Future<ObjectNode> found(
            String collection,
            @Nullable String tenant,
            Args args,
            Optional<String> after,
            Optional<VisibleObjects> visible,
            ObjectView view,
            CallContext context) {
        if (!args.uuids().isEmpty()) {
            return new ObjectLookup(new StoredObjects(api), collection, tenant, view, context)
                    .find(args.uuids(), uuids -> visible.map(some -> some.among(uuids, context))
                            .orElseGet(() -> Future.succeededFuture(Set.copyOf(uuids))));
        }
        if (after.isPresent() && args.offset() > 0) {
            throw WeaviateIdentifiers.invalid(
                    "after and offset can't be combined: after already is the position to continue from.");
        }
        return visible.isPresent()
                ? page(visible.get(), args, after, view, context)
                : page(collection, tenant, args, args.limit(), after, view, context);
    }

    /** The page of those objects that a filter shows. */
    private Future<ObjectNode> page(
            VisibleObjects visible, Args args, Optional<String> after, ObjectView view, CallContext context) {
        int limit = args.limit();
        return visible.page(after.orElse(""), args.offset(), limit, context).compose(uuids -> {
            List<String> wanted = uuids.subList(0, Math.min(limit, uuids.size()));
            Map<String, JsonNode> read = new HashMap<>();
            StoredObjects objects = new StoredObjects(api);
            return StoredObjects.each(
                            wanted,
                            uuid -> objects.read(
                                            visible.schema().name(), visible.tenant(), uuid, view.vectors(), context)
                                    .map(object -> {
                                        object.ifPresent(stored -> read.put(uuid, stored));
                                        return null;
                                    }),
                            context)
                    .map(_ -> {
                        ArrayNode objectsInOrder = Json.array();
                        wanted.stream().filter(read::containsKey).forEach(uuid -> objectsInOrder.add(read.get(uuid)));
                        return shown(objectsInOrder, uuids.size() > limit, args.offset(), view);
                    });
        });
    }

    /** The page. If it is larger than the gateway reads, half as many objects are requested. */
    private Future<ObjectNode> page(
            String collection,
            @Nullable String tenant,
            Args args,
            int limit,
            Optional<String> after,
            ObjectView view,
            CallContext context) {
        return ask(collection, tenant, args, limit, after, view, context).recover(failure -> {
            boolean tooMuch = failure instanceof ToolException refused
                    && UpstreamClient.TOO_LARGE.equals(refused.failed().code());
            return tooMuch && limit > 1
                    ? page(collection, tenant, args, limit / 2, after, view, context)
                    : Future.failedFuture(failure);
        });
    }

    private Future<ObjectNode> ask(
            String collection,
            @Nullable String tenant,
            Args args,
            int limit,
            Optional<String> after,
            ObjectView view,
            CallContext context) {
        StringBuilder path = new StringBuilder("/v1/objects?class=")
                .append(UpstreamRequest.segment(collection))
                .append("&limit=")
                .append(limit);
        if (args.offset() > 0) {
            path.append("&offset=").append(args.offset());
        } else if (limit > 0) {
            // Empty stands for the start: in the order of the UUIDs, so that next goes on where this page ends.
            path.append("&after=").append(after.orElse(""));
        }
        if (tenant != null) {
            path.append("&tenant=").append(UpstreamRequest.segment(tenant));
        }
        if (view.vectors()) {
            path.append("&include=vector");
        }
        return api.send(UpstreamRequest.get(path.toString()), context).map(response -> {
            if (response.status() == 404 && response.body().length() == 0) {
                schemas.forget(collection);
                throw SchemaCache.notFound(collection);
            }
            JsonNode objects = api.json(response, context).path("objects");
            return shown(objects, limit > 0 && objects.size() == limit, args.offset(), view);
        });
    }

    /** As many of {@code objects} as fit an answer, and how to continue if there may be more. */
    private static ObjectNode shown(JsonNode objects, boolean full, int offset, ObjectView view) {
        ObjectNode reply = Json.object();
        ArrayNode shown = reply.putArray("objects");
        AnswerSizeLimit room = new AnswerSizeLimit();
        for (JsonNode object : objects) {
            ObjectNode one = view.ofObject(object);
            if (!room.holds(one)) {
                break;
            }
            shown.add(one);
        }
        if (!shown.isEmpty() && (full || shown.size() < objects.size())) {
            if (offset == 0) {
                reply.set("next", shown.get(shown.size() - 1).path("id"));
            } else {
                reply.put("next_offset", offset + shown.size());
            }
        }
        return reply;
    }

    /** Adds the names of unknown properties, which Weaviate ignores. */
    private static ObjectNode withUnknown(
            ObjectNode reply, @Nullable List<String> wanted, Optional<CollectionSchema> schema) {
        if (wanted != null && schema.isPresent()) {
            List<String> unknown = wanted.stream()
                    .filter(name -> schema.get().property(name).isEmpty())
                    .distinct()
                    .toList();
            if (!unknown.isEmpty()) {
                reply.set("unknown_properties", Json.mapper().valueToTree(unknown));
            }
        }
        return reply;
    }

    private static String position(String uuid) {
        return WeaviateIdentifiers.uuid(uuid)
                .orElseThrow(() -> WeaviateIdentifiers.invalid(
                        "after must be a UUID, not " + WeaviateIdentifiers.quoted(uuid) + "."));
    }
}
