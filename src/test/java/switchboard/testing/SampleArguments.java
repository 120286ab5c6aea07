package switchboard.testing;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;
import switchboard.catalog.ToolDescriptor;

/** Arguments that a tool's schema accepts, made from the schema alone: what is required, and the resource to act on. */
public final class SampleArguments {
    private SampleArguments() {}

    /** Arguments for {@code tool} that name {@code resource} where the tool's scope points. */
    public static ObjectNode of(ToolDescriptor tool, String resource) {
        ObjectNode arguments = object(tool.inputSchema());
        JsonPointer scope = tool.effects().scope();
        if (scope != null) {
            String name = scope.getMatchingProperty();
            JsonNode schema = tool.inputSchema().path("properties").path(name);
            if (schema.path("type").asText().equals("array")) {
                arguments.putArray(name).add(resource);
            } else {
                arguments.put(name, resource);
            }
        }
        return arguments;
    }

    private static ObjectNode object(JsonNode schema) {
        ObjectNode value = Json.object();
        schema.path("required")
                .forEach(name ->
                        value.set(name.asText(), value(schema.path("properties").path(name.asText()))));
        return value;
    }

    private static JsonNode value(JsonNode schema) {
        for (String fixed : new String[] {"const", "default"}) {
            if (schema.has(fixed)) {
                return schema.path(fixed);
            }
        }
        if (schema.has("enum")) {
            return schema.path("enum").path(0);
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? type.path(0).asText() : type.asText()) {
            case "string" -> Json.object().textNode(text(schema));
            case "integer", "number" ->
                Json.object().numberNode(Math.max(1, schema.path("minimum").asLong(1)));
            case "boolean" -> Json.object().booleanNode(false);
            case "array" -> array(schema);
            case "null" -> Json.object().nullNode();
            default -> object(schema);
        };
    }

    private static ArrayNode array(JsonNode schema) {
        ArrayNode array = Json.array();
        for (int i = 0; i < schema.path("minItems").asInt(); i++) {
            array.add(value(schema.path("items")));
        }
        return array;
    }

    private static String text(JsonNode schema) {
        return "a".repeat(Math.max(1, schema.path("minLength").asInt(1)));
    }
}
