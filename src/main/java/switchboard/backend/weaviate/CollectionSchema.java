package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The schema of a collection, as far as queries need it.
 *
 * @param name its stored name
 * @param multiTenant whether its objects belong to tenants
 * @param properties by name, in the collection's order
 * @param legacyVectorizer the vectorizer of a single unnamed vector, {@code none} without one
 * @param vectorizers by named vector, in stable order; empty if the vector is unnamed
 * @param nullIndexed whether {@code IsNull} can be used
 */
record CollectionSchema(
        String name,
        boolean multiTenant,
        Map<String, Property> properties,
        String legacyVectorizer,
        Map<String, String> vectorizers,
        boolean nullIndexed) {
    private static final String NO_VECTORIZER = "none";

    /** The settings of the indexes that filters use. */
    private static final List<String> INDEXES = List.of("indexFilterable", "indexSearchable", "indexRangeFilters");

    /**
     * A property.
     *
     * @param name its name
     * @param type the data type, such as {@code text[]}; for a cross-reference the first collection
     * @param targets the collections that a cross-reference may point to; empty for other properties
     * @param nested the parts of an {@code object} or {@code object[]}
     * @param searchable whether keyword search uses it
     * @param filterable whether filters may name it
     * @param tokenization how text is cut into words for filters; empty if it is not text
     */
    record Property(
            String name,
            String type,
            List<String> targets,
            List<Property> nested,
            boolean searchable,
            boolean filterable,
            String tokenization) {
        /** Whether Equal compares whole values: those of text are only if they are one word. */
        boolean comparedWhole() {
            return switch (elementType()) {
                case "text", "string" -> tokenization.equals("field");
                case "int", "number", "boolean", "date", "uuid" -> true;
                default -> false;
            };
        }

        /** Whether it leads to other objects. */
        boolean reference() {
            return !targets.isEmpty();
        }

        /** The type of one value: the data type without {@code []}. */
        String elementType() {
            return type.endsWith("[]") ? type.substring(0, type.length() - 2) : type;
        }
    }

    /**
     * The definition of a class, as {@code GET /v1/schema/{class}} returns it.
     *
     * @throws ToolException if {@code answer} is something else, so that it is not cached
     */
    static JsonNode definition(JsonNode answer) {
        if (answer.path("class").asText().isEmpty()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "Weaviate was asked for a collection and answered something else; the operator has to check the"
                            + " configured URL.");
        }
        return answer;
    }

    /** Reads a class as {@link #definition} gives it. */
    static CollectionSchema of(JsonNode definition) {
        Map<String, Property> properties = new LinkedHashMap<>();
        for (Property property : properties(definition.path("properties"))) {
            properties.put(property.name(), property);
        }
        Map<String, String> vectorizers = new java.util.TreeMap<>();
        for (Map.Entry<String, JsonNode> vector :
                definition.path("vectorConfig").properties()) {
            var modules = vector.getValue().path("vectorizer").fieldNames();
            vectorizers.put(vector.getKey(), modules.hasNext() ? modules.next() : NO_VECTORIZER);
        }
        return new CollectionSchema(
                definition.path("class").asText(),
                definition.path("multiTenancyConfig").path("enabled").asBoolean(),
                properties,
                definition.path("vectorizer").asText(NO_VECTORIZER),
                vectorizers,
                definition.path("invertedIndexConfig").path("indexNullState").asBoolean());
    }

    /** The property called {@code name}, also with its first letter in upper case. */
    Optional<Property> property(String name) {
        Property exact = properties.get(name);
        return Optional.ofNullable(
                exact != null || name.isEmpty() ? exact : properties.get(WeaviateIdentifiers.uncapitalised(name)));
    }

    /** Whether there is text that keywords can be searched in. */
    boolean hasKeywords() {
        return properties.values().stream().anyMatch(Property::searchable);
    }

    /** Whether Weaviate can make vectors of text for the search, in {@code targets} or, if empty, anywhere. */
    boolean vectorizes(List<String> targets) {
        if (vectorizers.isEmpty()) {
            return !legacyVectorizer.isEmpty() && !legacyVectorizer.equals(NO_VECTORIZER);
        }
        return vectorizers.entrySet().stream()
                .filter(vector -> targets.isEmpty() || targets.contains(vector.getKey()))
                .noneMatch(vector -> vector.getValue().equals(NO_VECTORIZER));
    }

    /** The named vectors that clients have to supply. */
    List<String> unsuppliedVectors() {
        return vectorizers.entrySet().stream()
                .filter(vector -> vector.getValue().equals(NO_VECTORIZER))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<Property> properties(JsonNode list) {
        List<Property> properties = new ArrayList<>();
        for (JsonNode entry : list) {
            List<String> types = new ArrayList<>();
            entry.path("dataType").forEach(type -> types.add(type.asText()));
            String type = types.isEmpty() ? "" : types.getFirst();
            boolean reference = !type.isEmpty() && Character.isUpperCase(type.charAt(0));
            properties.add(new Property(
                    entry.path("name").asText(),
                    type,
                    reference ? List.copyOf(types) : List.of(),
                    properties(entry.path("nestedProperties")),
                    entry.path("indexSearchable").asBoolean(),
                    INDEXES.stream().anyMatch(index -> entry.path(index).asBoolean())
                            || entry.path("indexFilterable").isMissingNode(),
                    entry.path("tokenization").asText()));
        }
        return properties;
    }
}
