package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.catalog.PublishedTool;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.text.HeaderValue;

/** The arguments that a tool's schema requires in {@code Mcp-Param-*} headers, too. */
final class ParamHeaders {
    private ParamHeaders() {}

    /**
     * Checks that headers and arguments agree.
     *
     * @throws RpcException if they do not
     */
    static void check(InboundMessage inboundMessage, PublishedTool tool, JsonNode arguments) {
        check(inboundMessage, tool.descriptor().inputSchema(), arguments);
    }

    private static void check(InboundMessage inboundMessage, JsonNode schema, JsonNode value) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode declared = property.getValue();
            JsonNode given = value.path(property.getKey());
            JsonNode annotation = declared.path("x-mcp-header");
            if (annotation.isTextual()) {
                compare("Mcp-Param-" + annotation.asText(), inboundMessage, given);
            }
            check(inboundMessage, declared, given);
        }
    }

    private static void compare(String header, InboundMessage inboundMessage, JsonNode given) {
        String raw = inboundMessage.header(header);
        if (given.isContainerNode()) {
            return; // No schema allows it here; validation will say so.
        }
        boolean absent = given.isMissingNode() || given.isNull();
        if (absent ? raw != null : !equal(raw, given)) {
            throw new RpcException(
                    RpcError.HEADER_MISMATCH,
                    "The header " + header + " must repeat the argument's value, and be absent where the argument is.");
        }
    }

    private static boolean equal(@Nullable String raw, JsonNode given) {
        String value = raw == null ? null : HeaderValue.decode(raw).orElse(null);
        if (value == null) {
            return false;
        }
        if (!given.isNumber()) {
            return value.equals(given.asText());
        }
        try {
            return new BigDecimal(value).compareTo(given.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
