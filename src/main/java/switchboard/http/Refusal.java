package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import switchboard.call.Json;

/**
 * A request turned away before it reached the protocol.
 *
 * @param status the HTTP status
 * @param message what is wrong and what to do next; safe to show
 * @param headers further response headers
 */
record Refusal(int status, String message, Map<String, String> headers) {
    private static final int INVALID_REQUEST = -32600;

    Refusal(int status, String message) {
        this(status, message, Map.of());
    }

    static Refusal notFound() {
        return new Refusal(404, "There is nothing at this path. The MCP endpoint is /mcp, or /mcp/<view>.");
    }

    static Refusal bodyTooLarge(int limit) {
        return new Refusal(413, "The request body is larger than " + limit + " bytes. Send less at a time.");
    }

    /** A JSON-RPC error without an id: the request's own was not read. */
    byte[] json() {
        ObjectNode error = Json.object().put("code", INVALID_REQUEST).put("message", message);
        return Json.bytes(Json.object().put("jsonrpc", "2.0").set("error", error));
    }
}
