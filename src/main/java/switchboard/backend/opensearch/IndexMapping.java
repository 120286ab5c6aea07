package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import switchboard.call.FilterField;

/**
 * The fields of an index, or of all indices of an alias or a data stream. Fields inside of {@code nested} objects are left
 * out, because plain searches don't reach them.
 *
 * @param fields by path, sorted
 */
record IndexMapping(SortedMap<String, MappedField> fields) {
    private static final int DEEPEST = 20;
    private static final Set<String> FULL_TEXT = Set.of("text", "match_only_text");

    /** The mapping in an answer of {@code GET /INDEX/_mapping}, which has an object for each index behind the name. */
    static IndexMapping of(JsonNode answer) {
        SortedMap<String, MappedField> all = new TreeMap<>();
        for (JsonNode index : answer) {
            SortedMap<String, MappedField> own = new TreeMap<>();
            collect(index.path("mappings").path("properties"), "", 0, own);
            own.forEach((name, field) -> all.merge(name, field, IndexMapping::merged));
        }
        return new IndexMapping(all);
    }

    private static MappedField merged(MappedField one, MappedField other) {
        return one.equals(other) ? one : new MappedField(one.name(), MappedField.CONFLICT, null, 0, null);
    }

    private static void collect(JsonNode properties, String prefix, int depth, SortedMap<String, MappedField> into) {
        if (depth > DEEPEST) {
            return;
        }
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            JsonNode settings = property.getValue();
            String type = settings.path("type").asText(settings.has("properties") ? "object" : "");
            String path = prefix + property.getKey();
            if (type.equals("object")) {
                collect(settings.path("properties"), path + ".", depth + 1, into);
            } else if (!type.isEmpty() && !type.equals("nested") && !type.equals("alias")) {
                into.put(path, field(path, type, settings));
            }
        }
    }

    private static MappedField field(String path, String type, JsonNode settings) {
        return new MappedField(
                path,
                type,
                exact(path, type, settings.path("fields")),
                settings.path("dimension").asInt(settings.path("dims").asInt()),
                similarity(settings));
    }

    private static @Nullable String exact(String path, String type, JsonNode subFields) {
        if (MappedField.comparable(type)) {
            return path;
        }
        return subFields.properties().stream()
                .filter(sub -> sub.getValue().path("type").asText().equals("keyword"))
                .map(sub -> path + "." + sub.getKey())
                .sorted()
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String similarity(JsonNode settings) {
        for (JsonNode place : List.of(
                settings.path("similarity"),
                settings.path("space_type"),
                settings.path("method").path("space_type"))) {
            if (place.isTextual()) {
                return place.asText();
            }
        }
        return null;
    }

    /** The field {@code name}, if there is one. */
    Optional<MappedField> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** The fields for filters. */
    List<FilterField> filterable() {
        return fields.values().stream()
                .filter(MappedField::filterable)
                .map(MappedField::filterField)
                .toList();
    }

    /** The names of the fields with full text. */
    List<String> fullTexts() {
        return fields.values().stream()
                .filter(field -> FULL_TEXT.contains(field.type()))
                .map(MappedField::name)
                .toList();
    }

    /** The vector fields. */
    List<MappedField> vectors() {
        return fields.values().stream().filter(MappedField::vector).toList();
    }

    /** The first vector field for vectors of {@code length} numbers. */
    Optional<MappedField> vectorOf(int length) {
        return vectors().stream().filter(field -> field.dimensions() == length).findFirst();
    }
}
