package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** Property values, from GraphQL or REST, in the one form that callers see. */
final class Properties {
    /** Where a cross-reference leads: {@code weaviate://localhost/Author/<uuid>}. */
    private static final Pattern BEACON = Pattern.compile("weaviate://[^/]+/([A-Z][_0-9A-Za-z]*)/[0-9a-fA-F-]{36}");

    private final Access access;

    /** Properties for a caller with {@code access}. */
    Properties(Access access) {
        this.access = access;
    }

    /** What GraphQL selected, without {@code _additional} and without what the object does not have. */
    static ObjectNode ofRow(JsonNode row) {
        ObjectNode properties = Json.object();
        for (Map.Entry<String, JsonNode> entry : row.properties()) {
            if (!entry.getKey().equals("_additional") && !entry.getValue().isNull()) {
                properties.set(entry.getKey(), tidy(entry.getValue()));
            }
        }
        return properties;
    }

    private static JsonNode tidy(JsonNode value) {
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(tidy(element)));
            return list;
        }
        if (!value.isObject()) {
            return value;
        }
        ObjectNode object = Json.object();
        String id = value.path("_additional").path("id").asText();
        if (!id.isEmpty()) {
            object.put("id", id);
        }
        object.setAll(ofRow(value));
        return object;
    }

    /** What REST answered under {@code properties}: references lose their address and those out of reach go. */
    ObjectNode ofObject(JsonNode given) {
        ObjectNode properties = Json.object();
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            JsonNode value = entry.getValue();
            if (!value.isNull()) {
                properties.set(entry.getKey(), isReference(value) ? references(value) : value);
            }
        }
        return properties;
    }

    private static boolean isReference(JsonNode value) {
        return value.isArray() && value.path(0).path("beacon").isTextual();
    }

    private ArrayNode references(JsonNode value) {
        ArrayNode visible = Json.array();
        for (JsonNode reference : value) {
            Matcher beacon = BEACON.matcher(reference.path("beacon").asText());
            if (beacon.matches()
                    ? access.scope().allows(beacon.group(1))
                    : access.scope().unrestricted()) {
                ObjectNode kept = reference.deepCopy();
                kept.remove("href");
                visible.add(kept);
            }
        }
        return visible;
    }
}
