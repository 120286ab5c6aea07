package switchboard.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/**
 * A tool in a view.
 *
 * @param name its name in this view
 * @param backend the id of its backend
 * @param descriptor its description; {@link ToolDescriptor#name()} is its name at the backend
 * @param json its entry in {@code tools/list}, encoded once; must not be changed
 * @param validator validates arguments with {@link ToolDescriptor#inputSchema()}
 */
public record PublishedTool(
        String name, String backend, ToolDescriptor descriptor, byte[] json, ArgumentValidator validator) {
    /** The same, listed without its output schema. */
    public PublishedTool withoutOutputSchema() {
        try {
            ObjectNode entry = (ObjectNode) Json.parseDeep(json);
            entry.remove("outputSchema");
            return new PublishedTool(name, backend, descriptor, Json.bytes(entry), validator);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the catalog wrote unreadable JSON for " + name, e);
        }
    }
}
