package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The place of a field in a document, which may have {@code a.b} as an object {@code a} with {@code b}, or as one key. */
record FieldPath(String name) {
    /** Its value; missing if the document has none. */
    JsonNode in(JsonNode document) {
        if (document.has(name)) {
            return document.get(name);
        }
        for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
            if (document.path(name.substring(0, dot)) instanceof ObjectNode inner) {
                JsonNode value = new FieldPath(name.substring(dot + 1)).in(inner);
                if (!value.isMissingNode()) {
                    return value;
                }
            }
        }
        return MissingNode.getInstance();
    }

    /** Removes it from {@code document}. */
    void removeFrom(ObjectNode document) {
        document.remove(name);
        for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
            if (document.path(name.substring(0, dot)) instanceof ObjectNode inner) {
                new FieldPath(name.substring(dot + 1)).removeFrom(inner);
            }
        }
    }
}
