package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.catalog.ResourceAliases;
import switchboard.catalog.UiResource;
import switchboard.catalog.View;

/**
 * URIs of resources in a view ({@link ResourceAliases}): clients see and send those of the view, servers those of their
 * own ({@link switchboard.protocol.ResourceRoute}).
 */
final class ResourceNames {
    private ResourceNames() {}

    /** {@code entry} of a list of resources or templates as {@code view} shows it. */
    static ObjectNode listed(View view, String backend, ObjectNode entry) {
        if (!view.aliases().concern(backend)) {
            return entry;
        }
        ObjectNode shown = entry.deepCopy();
        show(view, backend, shown, "uri");
        show(view, backend, shown, "uriTemplate");
        return shown;
    }

    /** Shows the URIs in what a server answered: contents of a resource, or blocks and pages of a result. */
    static ObjectNode shown(View view, String backend, ObjectNode answer) {
        if (!view.aliases().concern(backend)) {
            return answer;
        }
        ObjectNode shown = answer.deepCopy();
        UiResource.replace(shown, uri -> view.aliases().shown(backend, uri));
        for (JsonNode block : shown.path("content")) {
            showBlock(view, backend, block);
        }
        for (JsonNode message : shown.path("messages")) {
            showBlock(view, backend, message.path("content"));
        }
        show(view, backend, shown, "uri");
        return shown;
    }

    private static void showBlock(View view, String backend, JsonNode block) {
        show(view, backend, block, "uri");
        show(view, backend, block.path("resource"), "uri");
    }

    private static void show(View view, String backend, JsonNode entry, String key) {
        if (entry instanceof ObjectNode object && object.path(key).isTextual()) {
            object.put(key, view.aliases().shown(backend, object.path(key).asText()));
        }
    }
}
