package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.GivenDocuments;
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

    private static final int READ_AT_ONCE = 16;

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
            tenantScope.requireBindings(collection, schema);
            Optional<VisibleObjects> visible = schema.flatMap(
                    known -> tenantScope.filter(known).map(filter -> new VisibleObjects(api, known, tenant, filter)));
            return found(collection, tenant, args, after, visible, view, context)
                    .map(reply -> ToolReply.ok(withUnknown(reply, args.return_properties(), schema))
                            .giving(context, () -> given(collection, args, reply)));
        });
    }

    /** Objects that were asked for by their ids; who pages through a collection reads none of them for a question. */
    private static GivenDocuments given(String collection, Args args, ObjectNode reply) {
        return args.uuids().isEmpty()
                ? GivenDocuments.NONE
                : GivenDocuments.read(reply.path("objects")
                        .valueStream()
                        .map(object -> given(collection, args.tenant_name(), object))
                        .toList());
    }

    /** An object of a tenant that the caller names has no address, because that has no place for the tenant. */
    static GivenDocuments.GivenDocument given(String collection, @Nullable String tenant, JsonNode object) {
        return new GivenDocuments.GivenDocument(
                collection, tenant == null ? object.path("id").asText() : null);
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
        return visible.page(after.orElse(""), args.offset(), args.limit(), context)
                .compose(page -> {
                    ArrayNode objects = Json.array();
                    return fill(objects, new AnswerSizeLimit(), visible, page.uuids(), view, context)
                            .map(stopped -> reply(objects, page.more() || stopped, args.offset()));
                });
    }

    /** Reads a few objects at a time, in their order, and adds them until one does not fit; whether it stopped there. */
    private Future<Boolean> fill(
            ArrayNode objects,
            AnswerSizeLimit room,
            VisibleObjects visible,
            List<String> uuids,
            ObjectView view,
            CallContext context) {
        List<String> some = uuids.subList(0, Math.min(READ_AT_ONCE, uuids.size()));
        Map<String, JsonNode> read = new ConcurrentHashMap<>();
        return StoredObjects.each(
                        some,
                        uuid -> new StoredObjects(api)
                                .read(visible.schema().name(), visible.tenant(), uuid, view.vectors(), context)
                                .map(object -> {
                                    object.ifPresent(stored -> read.put(uuid, stored));
                                    return null;
                                }),
                        context)
                .compose(_ -> {
                    boolean stopped = context.cancelled();
                    for (String uuid : some) {
                        JsonNode stored = read.get(uuid);
                        if (stored != null && !stopped) {
                            stopped = !add(view.ofObject(stored), objects, room);
                        }
                    }
                    return stopped || some.isEmpty()
                            ? Future.succeededFuture(stopped)
                            : fill(objects, room, visible, uuids.subList(some.size(), uuids.size()), view, context);
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
        ArrayNode shown = Json.array();
        AnswerSizeLimit room = new AnswerSizeLimit();
        for (JsonNode object : objects) {
            if (!add(view.ofObject(object), shown, room)) {
                break;
            }
        }
        return reply(shown, full || shown.size() < objects.size(), offset);
    }

    private static boolean add(ObjectNode object, ArrayNode shown, AnswerSizeLimit room) {
        boolean fits = room.holds(object);
        if (fits) {
            shown.add(object);
        }
        return fits;
    }

    /** A page of {@code shown}, and how to continue if there may be more. */
    private static ObjectNode reply(ArrayNode shown, boolean more, int offset) {
        ObjectNode reply = Json.object();
        reply.set("objects", shown);
        if (more && !shown.isEmpty()) {
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
