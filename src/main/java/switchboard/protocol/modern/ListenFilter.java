package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
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
 * @param tasks ids of tasks
 */
record ListenFilter(Set<ListType> lists, Set<String> resources, List<String> tasks) {
    private static final int MOST_RESOURCES = 1000;
    private static final int MOST_TASKS = 100;

    ListenFilter {
        lists = Set.copyOf(lists);
        resources = Collections.unmodifiableSet(new LinkedHashSet<>(resources));
        tasks = List.copyOf(tasks);
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
        return new ListenFilter(
                lists,
                texts(node, "resourceSubscriptions", MOST_RESOURCES),
                List.copyOf(texts(node, "taskIds", MOST_TASKS)));
    }

    /** The same for these tasks only. */
    ListenFilter withTasks(List<String> known) {
        return new ListenFilter(lists, resources, known);
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
        if (!tasks.isEmpty()) {
            tasks.forEach(json.putArray("taskIds")::add);
        }
        return json;
    }

    private static Set<String> texts(JsonNode filter, String field, int most) {
        JsonNode node = filter.path(field);
        Set<String> texts = new LinkedHashSet<>();
        boolean valid = node.isMissingNode() || (node.isArray() && node.size() <= most);
        for (JsonNode text : node) {
            valid &= text.isTextual();
            texts.add(text.asText());
        }
        if (!valid) {
            throw new RpcException(
                    RpcError.INVALID_PARAMS,
                    "\"notifications." + field + "\" must be an array of at most " + most + " strings.");
        }
        return texts;
    }

    private static String field(ListType kind) {
        return switch (kind) {
            case TOOLS -> "toolsListChanged";
            case PROMPTS -> "promptsListChanged";
            case RESOURCES -> "resourcesListChanged";
        };
    }
}
