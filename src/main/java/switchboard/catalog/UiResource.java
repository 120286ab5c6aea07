package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The page of MCP Apps that belongs to a tool or to its result: {@code _meta.ui.resourceUri}, in the first drafts of the
 * extension {@code _meta["ui/resourceUri"]}.
 */
public final class UiResource {
    private static final String URI = "resourceUri";
    private static final String OLD = "ui/resourceUri";

    private UiResource() {}

    /** The URIs of the page of {@code entry}; none for most tools. */
    static List<String> of(ObjectNode entry) {
        JsonNode meta = entry.path("_meta");
        return Stream.of(meta.path("ui").path(URI), meta.path(OLD))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .toList();
    }

    /** Replaces the URIs of the page in {@code entry}, a tool or a result. */
    public static void replace(ObjectNode entry, UnaryOperator<String> uris) {
        if (entry.path("_meta") instanceof ObjectNode meta) {
            if (meta.path("ui") instanceof ObjectNode ui) {
                replace(ui, URI, uris);
            }
            replace(meta, OLD, uris);
        }
    }

    private static void replace(ObjectNode object, String key, UnaryOperator<String> uris) {
        if (object.path(key).isTextual()) {
            object.put(key, uris.apply(object.path(key).asText()));
        }
    }
}
