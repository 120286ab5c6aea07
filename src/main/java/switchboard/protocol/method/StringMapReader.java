package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/** Reads objects whose values must be strings, such as a prompt's arguments. */
final class StringMapReader {
    private StringMapReader() {}

    /** The entries of {@code node}; none if it is missing. {@code field} names it in errors. */
    static Map<String, String> of(String field, JsonNode node) {
        Map<String, String> entries = new LinkedHashMap<>();
        if (node.isMissingNode() || node.isNull()) {
            return entries;
        }
        if (!node.isObject()) {
            throw new RpcException(RpcError.INVALID_PARAMS, "\"" + field + "\" must be an object.");
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!entry.getValue().isTextual()) {
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "\"" + field + "\": the value of \"" + entry.getKey() + "\" must be a string.");
            }
            entries.put(entry.getKey(), entry.getValue().asText());
        }
        return entries;
    }
}
