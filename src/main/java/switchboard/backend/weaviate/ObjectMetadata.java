package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** The metadata of an object that an answer can contain besides its properties. */
enum ObjectMetadata {
    ID("id"),
    VECTOR("vector"),
    DISTANCE("distance"),
    CERTAINTY("certainty"),
    SCORE("score"),
    EXPLAIN_SCORE("explainScore"),
    CREATION_TIME("creationTimeUnix"),
    LAST_UPDATE_TIME("lastUpdateTimeUnix");

    /** Not available in hybrid search: Weaviate returns null. */
    static final Set<ObjectMetadata> NOT_IN_HYBRID = Set.of(DISTANCE, CERTAINTY);

    private final String word;

    ObjectMetadata(String word) {
        this.word = word;
    }

    /** Its name in Weaviate. */
    String word() {
        return word;
    }

    /**
     * The metadata called {@code names}, ignoring case; {@code otherwise} for null.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT}
     */
    static Set<ObjectMetadata> of(
            @Nullable List<String> names, Set<ObjectMetadata> allowed, Set<ObjectMetadata> otherwise) {
        if (names == null) {
            return otherwise;
        }
        EnumSet<ObjectMetadata> wanted = EnumSet.noneOf(ObjectMetadata.class);
        for (String name : names) {
            wanted.add(allowed.stream()
                    .filter(metadata -> metadata.word.equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> WeaviateIdentifiers.invalid(
                            "return_metadata: " + WeaviateIdentifiers.quoted(name) + " is not known; known are "
                                    + Stream.of(values())
                                            .filter(allowed::contains)
                                            .map(ObjectMetadata::word)
                                            .collect(Collectors.joining(", "))
                                    + ".")));
        }
        return wanted;
    }

    /** The fields to select of {@code _additional} for {@code wanted}; always with the id. */
    static String selection(Set<ObjectMetadata> wanted, CollectionSchema schema) {
        StringJoiner parts = new StringJoiner(" ").add(ID.word);
        for (ObjectMetadata metadata : values()) {
            if (!wanted.contains(metadata)) {
                continue;
            }
            switch (metadata) {
                case ID, DISTANCE, CERTAINTY -> {}
                case SCORE, EXPLAIN_SCORE, CREATION_TIME, LAST_UPDATE_TIME -> parts.add(metadata.word);
                case VECTOR -> {
                    if (schema.vectorizers().isEmpty()) {
                        parts.add(VECTOR.word);
                    } else {
                        parts.add("vectors{"
                                + String.join(" ", schema.vectorizers().keySet()) + "}");
                    }
                }
            }
        }
        return parts.toString();
    }

    /** The fields under {@code _additional}, without nulls and with numbers as numbers. */
    static ObjectNode tidy(JsonNode additional) {
        ObjectNode tidy = Json.object();
        for (Map.Entry<String, JsonNode> entry : additional.properties()) {
            JsonNode value = entry.getValue();
            String key = entry.getKey();
            if (key.equals(ID.word) || value.isNull() || (value.isArray() && value.isEmpty())) {
                continue;
            }
            if (key.equals("vectors")) {
                ObjectNode vectors = Json.object();
                value.properties().stream()
                        .filter(vector -> !vector.getValue().isEmpty())
                        .forEach(vector -> vectors.set(vector.getKey(), vector.getValue()));
                if (!vectors.isEmpty()) {
                    tidy.set(key, vectors);
                }
            } else if (value.isTextual() && !key.equals(EXPLAIN_SCORE.word)) {
                tidy.set(key, number(value));
            } else {
                tidy.set(key, value);
            }
        }
        return tidy;
    }

    /** Scores and times come as text. */
    private static JsonNode number(JsonNode text) {
        try {
            java.math.BigDecimal value = new java.math.BigDecimal(text.asText());
            return value.scale() <= 0
                    ? Json.mapper().valueToTree(value.longValue())
                    : Json.mapper().valueToTree(value.doubleValue());
        } catch (NumberFormatException _) {
            return text;
        }
    }
}
