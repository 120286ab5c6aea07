package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.backend.upstream.UpstreamRequest;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * One lookup of objects by UUID. Many are asked for in one GraphQL query each hundred; where GraphQL can't be used (the
 * key lacks the right, it is switched off, the properties look different there) they are got one by one, a few at a
 * time. Either way the answer is in the order asked, and says apart which objects do not exist and which could not be
 * looked up. Not thread-safe: used on one event loop.
 */
final class ObjectLookup {
    private static final int FEW = 2;
    private static final int PER_QUERY = 100;
    private static final int AT_A_TIME = 8;
    private static final Set<String> DIFFERENT_IN_GRAPHQL = Set.of("phoneNumber", "object");

    private final WeaviateApi api;
    private final String collection;
    private final @Nullable String tenant;
    private final Optional<CollectionSchema> schema;
    private final ObjectView view;
    private final CallContext context;

    private final Map<String, ObjectNode> found = new HashMap<>();
    private final Map<String, ToolReply.Failed> failed = new HashMap<>();

    ObjectLookup(
            WeaviateApi api,
            String collection,
            @Nullable String tenant,
            Optional<CollectionSchema> schema,
            ObjectView view,
            CallContext context) {
        this.api = api;
        this.collection = collection;
        this.tenant = tenant;
        this.schema = schema;
        this.view = view;
        this.context = context;
    }

    /** Looks {@code uuids} up; fails only if not one of them could be. */
    Future<ObjectNode> find(List<String> uuids) {
        Set<String> distinct = new LinkedHashSet<>();
        uuids.forEach(given -> Names.uuid(given).ifPresent(distinct::add));
        List<String> wanted = List.copyOf(distinct);
        Optional<List<CollectionSchema.Property>> selectable = wanted.size() > FEW ? selectable() : Optional.empty();
        Future<Void> looked = selectable.isPresent()
                ? inBulk(wanted, 0, selectable.get()).recover(_ -> oneByOne(wanted, 0))
                : oneByOne(wanted, 0);
        return looked.map(_ -> reply(uuids, wanted));
    }

    /** The properties to select in GraphQL; empty if some of them have another form there. */
    private Optional<List<CollectionSchema.Property>> selectable() {
        if (schema.isEmpty()) {
            return Optional.empty();
        }
        List<CollectionSchema.Property> chosen = schema.get().properties().values().stream()
                .filter(property -> view.names() == null
                        || view.names().stream()
                                .anyMatch(name -> schema.get().property(name).equals(Optional.of(property))))
                .toList();
        boolean same = chosen.stream()
                .noneMatch(property -> property.reference() || DIFFERENT_IN_GRAPHQL.contains(property.elementType()));
        return same ? Optional.of(chosen) : Optional.empty();
    }

    private Future<Void> inBulk(List<String> uuids, int from, List<CollectionSchema.Property> properties) {
        if (from >= uuids.size()) {
            return Future.succeededFuture();
        }
        CollectionSchema known = schema.orElseThrow();
        int to = Math.min(from + PER_QUERY, uuids.size());
        Where ids = new Where.Comparison(
                Where.Operator.CONTAINS_ANY,
                List.of("id"),
                Where.ValueType.TEXT,
                Json.mapper().valueToTree(uuids.subList(from, to)));
        GraphQl get = new GraphQl(collection).argument("limit", Integer.toString(to - from));
        if (tenant != null) {
            get.variable("t", "String", Json.mapper().valueToTree(tenant)).argument("tenant", "$t");
        }
        String names = properties.stream().map(Selection::plain).collect(Collectors.joining(" "));
        String selection = (names + " _additional{" + Metadata.selection(view.metadata(), known) + "}").strip();
        return api.get(collection, get.where(ids).document(selection), context).compose(rows -> {
            rows.forEach(row -> found.put(row.path("_additional").path("id").asText(), view.ofRow(row, collection)));
            return inBulk(uuids, to, properties);
        });
    }

    private Future<Void> oneByOne(List<String> uuids, int from) {
        if (from >= uuids.size() || context.cancelled()) {
            return Future.succeededFuture();
        }
        int to = Math.min(from + AT_A_TIME, uuids.size());
        return Future.join(uuids.subList(from, to).stream().map(this::one).toList())
                .compose(_ -> oneByOne(uuids, to));
    }

    private Future<Void> one(String uuid) {
        if (found.containsKey(uuid)) {
            return Future.succeededFuture();
        }
        String query = (tenant == null ? "" : "&tenant=" + UpstreamRequest.segment(tenant))
                + (view.vectors() ? "&include=vector" : "");
        String path = "/v1/objects/" + UpstreamRequest.segment(collection) + "/" + uuid
                + (query.isEmpty() ? "" : "?" + query.substring(1));
        return api.send(UpstreamRequest.get(path), context)
                .<Void>map(response -> {
                    if (response.status() != 404 || response.body().length() > 0) {
                        JsonNode object = api.json(response, context);
                        found.put(uuid, view.ofObject(object));
                    }
                    return null;
                })
                .recover(failure -> {
                    if (failure instanceof ToolException refused) {
                        failed.put(uuid, refused.failed());
                        return Future.succeededFuture();
                    }
                    return Future.failedFuture(failure);
                });
    }

    private ObjectNode reply(List<String> asked, List<String> wanted) {
        if (!wanted.isEmpty() && failed.size() == wanted.size()) {
            throw new ToolException(failed.getOrDefault(
                    wanted.getFirst(), failed.values().iterator().next()));
        }
        ObjectNode reply = Json.object();
        ArrayNode objects = reply.putArray("objects");
        Set<String> missing = new LinkedHashSet<>();
        ArrayNode errors = Json.array();
        Set<String> reported = new LinkedHashSet<>();
        for (String given : asked) {
            String uuid = Names.uuid(given).orElse("");
            ObjectNode object = found.get(uuid);
            ToolReply.Failed failure = failed.get(uuid);
            if (object != null) {
                objects.add(object);
            } else if (uuid.isEmpty() || failure != null) {
                if (reported.add(given)) {
                    errors.addObject()
                            .put("uuid", given)
                            .put("error", failure == null ? "not a valid UUID" : failure.message());
                }
            } else {
                missing.add(given);
            }
        }
        if (!missing.isEmpty()) {
            reply.set("missing", Json.mapper().valueToTree(new ArrayList<>(missing)));
        }
        if (!errors.isEmpty()) {
            reply.set("errors", errors);
        }
        return reply;
    }
}
