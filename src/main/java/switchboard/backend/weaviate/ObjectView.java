package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * How objects from REST are shown to the caller.
 *
 * @param metadata what is shown besides id and properties
 * @param names the properties to show, or null for all
 * @param tenant their tenant, or null; Weaviate's lists don't contain it
 * @param properties converts property values
 */
record ObjectView(
        Set<ObjectMetadata> metadata,
        @Nullable List<String> names,
        @Nullable String tenant,
        PropertyValues properties) {
    private static final List<ObjectMetadata> TIMES =
            List.of(ObjectMetadata.CREATION_TIME, ObjectMetadata.LAST_UPDATE_TIME);
    private static final List<String> VECTORS = List.of("vector", "vectors");

    /** Whether vectors are shown. */
    boolean vectors() {
        return metadata.contains(ObjectMetadata.VECTOR);
    }

    /** An object as REST answers it. */
    ObjectNode ofObject(JsonNode object) {
        ObjectNode shown = Json.object();
        shown.set("class", object.path("class"));
        shown.set("id", object.path("id"));
        shown.set("properties", chosen(properties.ofObject(object.path("properties"))));
        if (tenant != null) {
            shown.put("tenant", tenant);
        }
        addMetadata(shown, object);
        return shown;
    }

    private void addMetadata(ObjectNode shown, JsonNode from) {
        for (ObjectMetadata time : TIMES) {
            if (metadata.contains(time) && from.has(time.word())) {
                shown.set(time.word(), from.path(time.word()));
            }
        }
        if (vectors()) {
            VECTORS.stream().filter(from::hasNonNull).forEach(key -> shown.set(key, from.path(key)));
        }
    }

    private ObjectNode chosen(ObjectNode all) {
        if (names == null) {
            return all;
        }
        ObjectNode chosen = Json.object();
        for (Map.Entry<String, JsonNode> entry : all.properties()) {
            boolean wanted = names.stream()
                    .anyMatch(name -> name.equals(entry.getKey())
                            || (!name.isEmpty()
                                    && WeaviateIdentifiers.uncapitalised(name).equals(entry.getKey())));
            if (wanted) {
                chosen.set(entry.getKey(), entry.getValue());
            }
        }
        return chosen;
    }
}
