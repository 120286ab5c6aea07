package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import switchboard.call.Json;
import switchboard.text.SurrogatePairs;

/**
 * Entries of tools that fit in an agent's context: without what an agent does not need to call the tool, and then, as
 * far as an entry is still too long, with simpler schemas and shorter texts. {@code shortened} says that something about
 * the arguments or the purpose was left out.
 */
final class ToolSummary {
    /** The most bytes of an entry as JSON. */
    static final int MAX_BYTES = 2048;

    private static final int LONGEST_PURPOSE = 200;

    private static final Set<String> ENTRY = Set.of("name", "title", "description", "inputSchema", "annotations");
    private static final Set<String> HINTS =
            Set.of("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");
    private static final Set<String> OBJECT = Set.of("type", "properties", "required", "additionalProperties");
    private static final Set<String> VALUE =
            Set.of("type", "enum", "const", "default", "format", "minimum", "maximum", "items", "description");
    private static final Set<String> ITEMS = Set.of("type", "enum", "format");

    /** From what is missed least to what is missed most. */
    private static final List<UnaryOperator<ObjectNode>> STEPS = List.of(
            ToolSummary::withoutNestedSchemas,
            ToolSummary::withFirstSentences,
            entry -> withProperties(entry, (schema, required) -> required ? schema : schema.retain("type", "enum")),
            entry -> entry.put(
                    "description",
                    ToolRanking.firstSentence(entry.path("description").asText())),
            entry -> withProperties(entry, (schema, required) -> schema.retain("type")),
            ToolSummary::withRequiredArgumentsOnly,
            ToolSummary::withNamesOfRequiredArguments,
            entry -> withSchemaOf(entry, Set.of("type")));

    private interface PropertyChange {
        ObjectNode apply(ObjectNode schema, boolean required);
    }

    private ToolSummary() {}

    /** The summary of {@code entry}, an entry as in {@code tools/list}. */
    static ObjectNode of(ObjectNode entry) {
        ObjectNode summary = entry.deepCopy().retain(ENTRY);
        if (summary.path("annotations") instanceof ObjectNode hints) {
            hints.retain(HINTS);
            hints.properties().removeIf(hint -> !hint.getValue().isBoolean());
        }
        for (UnaryOperator<ObjectNode> step : STEPS) {
            if (Json.bytes(summary).length <= MAX_BYTES) {
                return summary;
            }
            summary = step.apply(summary).put("shortened", true);
        }
        return summary;
    }

    private static ObjectNode withoutNestedSchemas(ObjectNode entry) {
        return withProperties(withSchemaOf(entry, OBJECT), (schema, _) -> {
            schema.retain(VALUE);
            if (schema.path("items") instanceof ObjectNode items) {
                items.retain(ITEMS);
            }
            return schema;
        });
    }

    private static ObjectNode withFirstSentences(ObjectNode entry) {
        return withProperties(
                entry,
                (schema, _) -> schema.has("description")
                        ? schema.put(
                                "description",
                                ToolRanking.firstSentence(
                                        schema.path("description").asText()))
                        : schema);
    }

    private static ObjectNode withRequiredArgumentsOnly(ObjectNode entry) {
        if (schema(entry).path("properties") instanceof ObjectNode properties) {
            properties.retain(required(entry));
        }
        return entry;
    }

    /** What is left of an entry with texts and names of unusual length. */
    private static ObjectNode withNamesOfRequiredArguments(ObjectNode entry) {
        String description = entry.path("description").asText();
        entry.remove("title");
        entry.put("description", SurrogatePairs.start(description, LONGEST_PURPOSE));
        return withSchemaOf(entry, Set.of("type", "required"));
    }

    private static ObjectNode withSchemaOf(ObjectNode entry, Set<String> keys) {
        schema(entry).retain(keys);
        return entry;
    }

    private static ObjectNode withProperties(ObjectNode entry, PropertyChange change) {
        List<String> required = required(entry);
        if (schema(entry).path("properties") instanceof ObjectNode properties) {
            properties.properties().forEach(property -> {
                if (property.getValue() instanceof ObjectNode schema) {
                    change.apply(schema, required.contains(property.getKey()));
                }
            });
        }
        return entry;
    }

    private static ObjectNode schema(ObjectNode entry) {
        return entry.withObjectProperty("inputSchema");
    }

    private static List<String> required(ObjectNode entry) {
        return StreamSupport.stream(schema(entry).path("required").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
