package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * Looks up objects by UUID over REST, a few at a time. REST returns every value as stored, needs only the right to
 * read data, and does not depend on the schema. The answer has the requested order, and lists separately which objects
 * do not exist and which could not be read. Not thread-safe: used on one event loop.
 */
final class ObjectLookup {
    private final StoredObjects objects;
    private final String collection;
    private final @Nullable String tenant;
    private final ObjectView view;
    private final CallContext context;

    private final Map<String, ObjectNode> found = new HashMap<>();
    private final Map<String, ToolReply.Failed> failed = new HashMap<>();

    ObjectLookup(
            StoredObjects objects, String collection, @Nullable String tenant, ObjectView view, CallContext context) {
        this.objects = objects;
        this.collection = collection;
        this.tenant = tenant;
        this.view = view;
        this.context = context;
    }

    /**
     * Looks up {@code uuids}. Fails only if none could be read.
     *
     * @param visible tells which UUIDs the caller may see; the others do not exist for it
     */
    Future<ObjectNode> find(List<String> uuids, Function<List<String>, Future<Set<String>>> visible) {
        Set<String> distinct = new LinkedHashSet<>();
        uuids.forEach(given -> WeaviateIdentifiers.uuid(given).ifPresent(distinct::add));
        return visible.apply(List.copyOf(distinct)).compose(seen -> {
            List<String> wanted = distinct.stream().filter(seen::contains).toList();
            return StoredObjects.each(wanted, this::one, context).map(_ -> reply(uuids, wanted));
        });
    }

    private Future<Void> one(String uuid) {
        return objects.read(collection, tenant, uuid, view.vectors(), context)
                .<Void>map(object -> {
                    object.ifPresent(stored -> found.put(uuid, view.ofObject(stored)));
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
        ArrayNode shown = reply.putArray("objects");
        List<String> others = new ArrayList<>();
        AnswerSizeLimit room = new AnswerSizeLimit();
        List<String> left = new ArrayList<>();
        for (String given : asked) {
            ObjectNode object = found.get(uuid(given));
            if (object == null) {
                others.add(given);
            } else if (!left.isEmpty() || !room.holds(object)) {
                left.add(given);
            } else {
                shown.add(object);
            }
        }
        if (!left.isEmpty()) {
            reply.set("remaining", Json.mapper().valueToTree(left));
        }
        report(others, reply);
        return reply;
    }

    /** Adds why {@code asked} have no objects. */
    private void report(List<String> asked, ObjectNode reply) {
        List<String> missing = new ArrayList<>();
        ArrayNode errors = Json.array();
        for (String given : new LinkedHashSet<>(asked)) {
            ToolReply.Failed failure = failed.get(uuid(given));
            if (uuid(given).isEmpty() || failure != null) {
                errors.addObject()
                        .put("uuid", given)
                        .put("error", failure == null ? "not a valid UUID" : failure.message());
            } else {
                missing.add(given);
            }
        }
        if (!missing.isEmpty()) {
            reply.set("missing", Json.mapper().valueToTree(missing));
        }
        if (!errors.isEmpty()) {
            reply.set("errors", errors);
        }
    }

    /** The UUID in the usual form; empty if {@code given} is not one. */
    private static String uuid(String given) {
        return WeaviateIdentifiers.uuid(given).orElse("");
    }
}
