package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.FilterField;
import switchboard.call.FilterField.ValueType;

/**
 * A field of an index.
 *
 * @param name its path, such as {@code author.name}
 * @param type its type in the mapping; {@value #CONFLICT} if it differs between the indices of an alias
 * @param exact the field that holds its exact values: itself, or a sub-field of type keyword; null if there is none
 * @param dimensions length of the vectors of a vector field of known length, else 0
 * @param similarity how the engine compares its vectors, or null if that is not known
 */
record MappedField(
        String name,
        String type,
        @Nullable String exact,
        int dimensions,
        @Nullable String similarity) {
    static final String CONFLICT = "conflict";
    private static final String OPENSEARCH_VECTOR = "knn_vector";
    private static final String ELASTICSEARCH_VECTOR = "dense_vector";
    private static final Set<String> VECTORS =
            Set.of(OPENSEARCH_VECTOR, ELASTICSEARCH_VECTOR, "sparse_vector", "rank_features", "rank_vectors");

    /** The types whose exact values can be compared, and what their values are in JSON. */
    private static final Map<String, ValueType> EXACT = Map.ofEntries(
            Map.entry("keyword", ValueType.STRING),
            Map.entry("constant_keyword", ValueType.STRING),
            Map.entry("wildcard", ValueType.STRING),
            Map.entry("ip", ValueType.STRING),
            Map.entry("version", ValueType.STRING),
            Map.entry("boolean", ValueType.BOOLEAN),
            Map.entry("date", ValueType.DATE_TIME),
            Map.entry("date_nanos", ValueType.DATE_TIME),
            Map.entry("long", ValueType.NUMBER),
            Map.entry("integer", ValueType.NUMBER),
            Map.entry("short", ValueType.NUMBER),
            Map.entry("byte", ValueType.NUMBER),
            Map.entry("unsigned_long", ValueType.NUMBER),
            Map.entry("double", ValueType.NUMBER),
            Map.entry("float", ValueType.NUMBER),
            Map.entry("half_float", ValueType.NUMBER),
            Map.entry("scaled_float", ValueType.NUMBER));

    /** Whether values of a field of {@code type} are kept as they are, so that they can be compared. */
    static boolean comparable(String type) {
        return EXACT.containsKey(type);
    }

    /** What its values are; strings for a full text with a sub-field for exact values. */
    ValueType values() {
        return EXACT.getOrDefault(type, ValueType.STRING);
    }

    /** The field as conditions see it. */
    FilterField filterField() {
        return new FilterField(name, List.of(values()), values() != ValueType.BOOLEAN);
    }

    /** Whether the field can be used in filters. */
    boolean filterable() {
        return exact != null;
    }

    /** Whether fields of {@code type} hold vectors. */
    static boolean isVector(String type) {
        return VECTORS.contains(type);
    }

    /** Whether it holds vectors that can be searched. */
    boolean vector() {
        return type.equals(OPENSEARCH_VECTOR) || type.equals(ELASTICSEARCH_VECTOR);
    }

    /** The field of two indices that have this one and {@code other} under the same name. */
    MappedField merged(MappedField other) {
        if (!type.equals(other.type)) {
            return new MappedField(name, CONFLICT, null, 0, null);
        }
        return new MappedField(
                name,
                type,
                Objects.equals(exact, other.exact) ? exact : null,
                dimensions == other.dimensions ? dimensions : 0,
                Objects.equals(similarity, other.similarity) ? similarity : null);
    }

    /** Whether it holds vectors, and is searched by Elasticsearch's request. */
    boolean elasticsearchVector() {
        return type.equals(ELASTICSEARCH_VECTOR);
    }

    /**
     * The cosine that the score of a search by vector stands for. Elasticsearch documents it as (1 + cosine) / 2; OpenSearch's
     * depends on its version and index.
     */
    OptionalDouble cosine(JsonNode score) {
        return elasticsearchVector() && "cosine".equals(similarity) && score.isNumber()
                ? OptionalDouble.of(2 * score.asDouble() - 1)
                : OptionalDouble.empty();
    }

    /** Whether its times have nanoseconds. */
    boolean nanoseconds() {
        return type.equals("date_nanos");
    }
}
