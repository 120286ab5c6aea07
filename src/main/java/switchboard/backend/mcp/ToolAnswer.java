package switchboard.backend.mcp;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import switchboard.backend.HitReader;
import switchboard.call.Json;

/**
 * A tool's {@code CallToolResult}, read as documents: its structured content, or JSON in its text blocks as servers of earlier
 * versions of MCP send it, or its content blocks.
 *
 * @param result the result; must not be changed
 */
record ToolAnswer(ObjectNode result) {
    /** Whether the tool reports a failure. */
    boolean failed() {
        return result.path("isError").asBoolean(false);
    }

    /** The first list of objects and texts at {@code pointer}; a text is an object with the field {@code text}. */
    Optional<List<ObjectNode>> list(JsonPointer pointer) {
        return at(pointer, JsonNode::isArray).map(HitReader::objects);
    }

    /** The first object or text at {@code pointer}, or a missing node. */
    JsonNode at(JsonPointer pointer) {
        return at(pointer, found -> found.isObject() || found.isTextual())
                .orElseGet(() -> Json.mapper().missingNode());
    }

    private Optional<JsonNode> at(JsonPointer pointer, Predicate<JsonNode> wanted) {
        return Stream.concat(
                        Stream.of(result.path("structuredContent")),
                        texts().stream().map(ToolAnswer::json))
                .map(document -> document.at(pointer))
                .filter(wanted)
                .findFirst();
    }

    private static JsonNode json(String text) {
        String start = text.stripLeading();
        if (!start.startsWith("{") && !start.startsWith("[")) {
            return Json.mapper().missingNode();
        }
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) { // a text like any other
            return Json.mapper().missingNode();
        }
    }

    /** The content blocks that have a text or name a resource, as objects with {@code text}, {@code title} and {@code url}. */
    List<ObjectNode> blocks() {
        List<ObjectNode> blocks = new ArrayList<>();
        for (JsonNode block : result.path("content")) {
            ObjectNode document = Json.object();
            switch (block.path("type").asText()) {
                case "text" -> document.set("text", block.path("text"));
                case "resource" -> {
                    document.set("text", block.at("/resource/text"));
                    document.set("title", block.at("/resource/title"));
                    document.set("url", block.at("/resource/uri"));
                }
                case "resource_link" -> {
                    document.set("text", block.path("description"));
                    document.set("title", block.has("title") ? block.path("title") : block.path("name"));
                    document.set("url", block.path("uri"));
                }
                default -> {
                    continue; // images and sounds
                }
            }
            document.properties().removeIf(field -> !field.getValue().isTextual());
            if (!document.isEmpty()) {
                blocks.add(document);
            }
        }
        return blocks;
    }

    /** Its text blocks and embedded texts, one after the other. */
    String text() {
        return String.join("\n\n", texts());
    }

    private List<String> texts() {
        return StreamSupport.stream(result.path("content").spliterator(), false)
                .map(block -> block.path("type").asText().equals("resource")
                        ? block.at("/resource/text")
                        : block.path("text"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .toList();
    }
}
