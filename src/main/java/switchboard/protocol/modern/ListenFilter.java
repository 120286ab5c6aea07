package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.Json;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/**
 * The changes that a listener wants to be notified of.
 *
 * @param lists kinds of lists
 * @param resources URIs of resources
 */
record ListenFilter(Set<ListType> lists, Set<String> resources) {
    private static final int MOST_RESOURCES = 1000;

    ListenFilter {
        lists = Set.copyOf(lists);
        resources = Collections.unmodifiableSet(new LinkedHashSet<>(resources));
    }

    /** Reads {@code params.notifications}. */
    static ListenFilter of(JsonNode node) {
        if (!node.isObject()) {
            throw new RpcException(RpcError.INVALID_PARAMS, "\"notifications\" must be an object.");
        }
        Set<ListType> lists = EnumSet.noneOf(ListType.class);
        for (ListType kind : ListType.values()) {
            JsonNode wanted = node.path(field(kind));
            if (!wanted.isMissingNode() && !wanted.isBoolean()) {
                throw new RpcException(
                        RpcError.INVALID_PARAMS, "\"notifications." + field(kind) + "\" must be true or false.");
            }
            if (wanted.asBoolean()) {
                lists.add(kind);
            }
        }
        return new ListenFilter(lists, resources(node.path("resourceSubscriptions")));
    }

    /** Whether it wants changes of this kind of list. */
    boolean wants(ListType kind) {
        return lists.contains(kind);
    }

    /** The form in which it is acknowledged. */
    ObjectNode json() {
        ObjectNode json = Json.object();
        for (ListType kind : ListType.values()) {
            if (wants(kind)) {
                json.put(field(kind), true);
            }
        }
        if (!resources.isEmpty()) {
            resources.forEach(json.putArray("resourceSubscriptions")::add);
        }
        return json;
    }

    private static Set<String> resources(JsonNode node) {
        Set<String> uris = new LinkedHashSet<>();
        boolean valid = node.isMissingNode() || (node.isArray() && node.size() <= MOST_RESOURCES);
        for (JsonNode uri : node) {
            valid &= uri.isTextual();
            uris.add(uri.asText());
        }
        if (!valid) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS,
                    "\"notifications.resourceSubscriptions\" must be an array of at most " + MOST_RESOURCES
                            + " strings.");
        }
        return uris;
    }

    private static String field(ListType kind) {
        return switch (kind) {
            case TOOLS -> "toolsListChanged";
            case PROMPTS -> "promptsListChanged";
            case RESOURCES -> "resourcesListChanged";
        };
    }
}
