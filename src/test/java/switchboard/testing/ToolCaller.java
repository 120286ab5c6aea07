package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/** Something that calls tools: contract suites are written against this, whatever carries the calls. */
public interface ToolCaller {
    /** Calls {@code tool} and waits for the answer. */
    ToolResult call(String tool, ObjectNode arguments);

    /** Calls {@code tool} with arguments written as JSON. */
    default ToolResult call(String tool, String json) {
        try {
            return call(tool, (ObjectNode) Json.parse(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }
}
