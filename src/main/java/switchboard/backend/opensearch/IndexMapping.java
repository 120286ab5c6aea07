package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.call.FilterField;

/**
 * The fields of an index, or of all indices of an alias or a data stream. Fields inside of {@code nested} objects are left
 * out, because plain searches don't reach them.
 *
 * @param fields by path, sorted
 * @param vectorPaths the paths of all vectors, also inside of {@code nested} objects, sorted
 * @param searchable how many fields and sub-fields a search by keywords may look into
 */
record IndexMapping(SortedMap<String, MappedField> fields, SortedSet<String> vectorPaths, int searchable) {
    private static final int DEEPEST = 20;
    private static final Set<String> FULL_TEXT = Set.of("text", "match_only_text");

    /** The mapping in an answer of {@code GET /INDEX/_mapping}, which has an object for each index behind the name. */
    static IndexMapping of(JsonNode answer) {
        SortedMap<String, MappedField> all = new TreeMap<>();
        SortedSet<String> vectors = new TreeSet<>();
        int searchable = 0;
        for (JsonNode index : answer) {
            Collected own = new Collected(new TreeMap<>(), vectors);
            int leaves = own.from(index.path("mappings").path("properties"), "", false, 0);
            searchable = Math.max(searchable, leaves);
            own.fields().forEach((name, field) -> all.merge(name, field, MappedField::merged));
        }
        return new IndexMapping(all, vectors, searchable);
    }

    /** What was found in one index. */
    private record Collected(SortedMap<String, MappedField> fields, SortedSet<String> vectors) {
        /** Returns the number of fields and sub-fields. */
        int from(JsonNode properties, String prefix, boolean nested, int depth) {
            int leaves = 0;
            for (Map.Entry<String, JsonNode> property : properties.properties()) {
                JsonNode settings = property.getValue();
                String path = prefix + property.getKey();
                String type = settings.path("type").asText("object");
                if (settings.has("properties")) {
                    leaves += depth == DEEPEST
                            ? 0
                            : from(settings.path("properties"), path + ".", nested || type.equals("nested"), depth + 1);
                } else if (MappedField.isVector(type)) {
                    vectors.add(path);
                    if (!nested) {
                        fields.put(path, field(path, type, settings));
                    }
                } else if (!nested && !type.equals("object") && !type.equals("nested") && !type.equals("alias")) {
                    fields.put(path, field(path, type, settings));
                    leaves += 1 + settings.path("fields").size();
                }
            }
            return leaves;
        }
    }

    private static MappedField field(String path, String type, JsonNode settings) {
        return new MappedField(
                path,
                type,
                exact(path, settings, type),
                settings.path("dimension").asInt(settings.path("dims").asInt()),
                similarity(settings));
    }

    /** A plain sub-field before one that changes its values. */
    private static @Nullable String exact(String path, JsonNode settings, String type) {
        if (MappedField.comparable(type)) {
            return exact(settings) ? path : null;
        }
        return settings.path("fields").properties().stream()
                .filter(sub -> sub.getValue().path("type").asText().equals("keyword") && exact(sub.getValue()))
                .map(sub -> path + "." + sub.getKey())
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** Whether values are kept as they are, and can be searched. */
    private static boolean exact(JsonNode settings) {
        return !settings.has("normalizer") && settings.path("index").asBoolean(true);
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
