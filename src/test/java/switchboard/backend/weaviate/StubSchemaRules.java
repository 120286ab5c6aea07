package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a Weaviate refuses in the definition of a collection, in its words as recorded. */
final class StubSchemaRules {
    private static final List<String> TOKENIZATIONS =
            List.of("word", "lowercase", "whitespace", "field", "trigram", "gse", "kagome_kr", "kagome_ja", "gse_ch");
    private static final String NAME = "[_A-Za-z][_0-9A-Za-z]{0,230}";

    private StubSchemaRules() {}

    /** Why {@code definition} is refused, if it is. */
    static Optional<StubAnswer> refuse(JsonNode definition) {
        if (!definition.isObject()) {
            return Optional.of(StubAnswer.malformed(422, 602, "objectClass in body is required"));
        }
        return form(definition).or(() -> message(definition).map(StubAnswer::refused));
    }

    private static Optional<StubAnswer> form(JsonNode definition) {
        int index = 0;
        for (JsonNode property : definition.path("properties")) {
            if (property.path("dataType").isTextual()) {
                return Optional.of(StubAnswer.malformed(
                        400,
                        400,
                        "parsing objectClass body from \"\" failed, because json: cannot unmarshal string into Go struct"
                                + " field Property.properties.dataType of type []string"));
            }
            if (property.has("tokenization")
                    && !TOKENIZATIONS.contains(property.path("tokenization").asText())) {
                return Optional.of(StubAnswer.malformed(
                        422,
                        606,
                        "properties." + index + ".tokenization in body should be one of ["
                                + String.join(" ", TOKENIZATIONS) + "]"));
            }
            index++;
        }
        return Optional.empty();
    }

    private static Optional<String> message(JsonNode definition) {
        String name = definition.path("class").asText();
        if (!name.matches("[A-Za-z][_0-9A-Za-z]{0,254}")) {
            return Optional.of("'" + name + "' is not a valid class name");
        }
        return vectors(definition).or(() -> properties(name, definition.path("properties")));
    }

    private static Optional<String> vectors(JsonNode definition) {
        for (Map.Entry<String, JsonNode> vector :
                definition.path("vectorConfig").properties()) {
            JsonNode vectorizer = vector.getValue().path("vectorizer");
            if (!vectorizer.isObject()) {
                return Optional.of("class.VectorConfig.Vectorizer must be an object, got "
                        + (vectorizer.isTextual() ? "string" : "<nil>"));
            }
        }
        String legacy = definition.path("vectorizer").asText("none");
        String type = definition.path("vectorIndexType").asText("hnsw");
        if (definition.has("vectorizer") && definition.has("vectorConfig")) {
            return Optional.of("creating a class with both a class level vector index and named vectors is forbidden");
        }
        if (!legacy.equals("none")) {
            return Optional.of("vectorizer: no module with name \"" + legacy + "\" present");
        }
        return type.matches("hnsw|flat|dynamic")
                ? Optional.empty()
                : Optional.of("unrecognized or unsupported vectorIndexType \"" + type + "\"");
    }

    private static Optional<String> properties(String collection, JsonNode properties) {
        Set<String> names = new HashSet<>();
        for (JsonNode property : properties) {
            String name =
                    WeaviateIdentifiers.uncapitalised(property.path("name").asText("_"));
            Optional<String> wrong = property(name, property);
            if (wrong.isPresent()) {
                return wrong;
            }
            if (!names.add(name)) {
                return Optional.of("class \"" + collection + "\": conflict for property \"" + name
                        + "\": already in use or provided multiple times");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> property(String name, JsonNode property) {
        Optional<String> wrongName = name(name);
        if (wrongName.isPresent()) {
            return wrongName;
        }
        String type = property.path("dataType").path(0).asText();
        if (type.isEmpty()) {
            return Optional.of(
                    "property '" + name + "': invalid dataType: []: dataType must have at least one element");
        }
        if (type.startsWith("object") && property.path("nestedProperties").isEmpty()) {
            return Optional.of(
                    "property '" + name + "': At least one nested property is required for data type object/object[]");
        }
        return property.path("indexSearchable").asBoolean() && !type.startsWith("text")
                ? Optional.of(
                        "`indexSearchable` is allowed only for text/text[] data types. For other data types set false"
                                + " or leave empty")
                : Optional.empty();
    }

    /** What is wrong with the name of a property. */
    static Optional<String> name(String name) {
        if (!name.matches(NAME)) {
            return Optional.of(
                    "'" + name + "' is not a valid property name. Property names in Weaviate are restricted to"
                            + " valid GraphQL names, which must be “/" + NAME + "/”");
        }
        return Set.of("id", "_id", "_additional").contains(name)
                ? Optional.of("'" + name + "' is a reserved property name")
                : Optional.empty();
    }
}
