package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** What another MCP server answered, passed on as it came. JSON nodes inside must not be changed. */
public sealed interface Relayed extends ToolReply {
    /** Its {@code CallToolResult}, successful or not. */
    record RelayedResult(ObjectNode result) implements Relayed {
        /** Whether the tool says that it failed. */
        public boolean failed() {
            return result.path("isError").asBoolean(false);
        }
    }

    /**
     * It needs something of the client first: the answer to a tool call, a prompt, or a resource.
     *
     * @param requests what to ask, by key: objects of {@code method} and {@code params}; may be empty
     * @param state what it wants to get back with the answers, or null
     */
    record InputRequired(ObjectNode requests, @Nullable String state) implements Relayed {}

    /** It needs a client that can do more; {@code required} is an MCP {@code ClientCapabilities} object. */
    record CapabilitiesMissing(ObjectNode required) implements Relayed {}
}
