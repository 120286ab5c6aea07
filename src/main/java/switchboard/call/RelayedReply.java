package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The unchanged answer of another MCP server. JSON nodes in it must not be changed. */
public sealed interface RelayedReply extends ToolReply {
    /**
     * Its {@code CallToolResult}, successful or not.
     *
     * @param given the documents that it gives, for the search log
     */
    record RelayedResult(ObjectNode result, GivenDocuments given) implements RelayedReply {
        /** An answer of which nothing is known. */
        public RelayedResult(ObjectNode result) {
            this(result, GivenDocuments.NONE);
        }

        /** Whether the tool reports a failure. */
        public boolean failed() {
            return result.path("isError").asBoolean(false);
        }
    }

    /**
     * The server needs input of the client to answer a tool call, prompt or resource.
     *
     * @param requests the questions by key: objects with {@code method} and {@code params}; may be empty
     * @param state the state that it wants returned with the answers, or null
     */
    record InputRequired(ObjectNode requests, @Nullable String state) implements RelayedReply {}

    /**
     * The server does the work as a task, which the client asks for.
     *
     * @param task its {@code CreateTaskResult}
     */
    record TaskBegun(ObjectNode task) implements RelayedReply {
        /** The task's id at the server. */
        public String id() {
            return task.path("taskId").asText();
        }
    }

    /** The server needs client capabilities; {@code required} is an MCP {@code ClientCapabilities} object. */
    record CapabilitiesMissing(ObjectNode required) implements RelayedReply {}
}
