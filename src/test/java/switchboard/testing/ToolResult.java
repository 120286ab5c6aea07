package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import switchboard.call.Json;

/**
 * A tool's answer as a client sees it: the {@code result} of {@code tools/call}.
 *
 * @param result the JSON object
 */
public record ToolResult(JsonNode result) {
    /** Whether the tool failed. */
    public boolean isError() {
        return result.path("isError").asBoolean();
    }

    /** The text of the first block. */
    public String text() {
        return result.path("content").path(0).path("text").asText();
    }

    /** {@code structuredContent}, or a missing node. */
    public JsonNode structured() {
        return result.path("structuredContent");
    }

    /** The failure's facts ({@code kind}, {@code message}, ...), or a missing node on success. */
    public JsonNode error() {
        return isError() ? result.path("_meta").path("switchboard/error") : MissingNode.getInstance();
    }

    /** The failure's kind, or an empty text. */
    public String errorKind() {
        return error().path("kind").asText();
    }

    @Override
    public String toString() {
        return Json.text(result);
    }
}
