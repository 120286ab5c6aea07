package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AuthOutcome;
import switchboard.call.Json;

/**
 * A request turned away before it reached the protocol.
 *
 * @param status the HTTP status
 * @param message what is wrong and what to do next; safe to show
 * @param headers further response headers
 * @param data of the JSON-RPC error, or null for none
 */
record Refusal(
        int status,
        String message,
        Map<String, String> headers,
        @Nullable ObjectNode data) {
    private static final int INVALID_REQUEST = -32600;
    private static final String DOCS = "docs/security.md#who-may-call";

    Refusal(int status, String message) {
        this(status, message, Map.of());
    }

    Refusal(int status, String message, Map<String, String> headers) {
        this(status, message, headers, null);
    }

    /** What a caller is told whose credentials are refused: also in words that its program can go by. */
    static Refusal of(AuthOutcome.Refused refused) {
        ObjectNode data = Json.object()
                .put("type", refused.failure().type())
                .put("code", refused.failure().code());
        data.putObject("context").put("fix", refused.fix()).put("docs", DOCS);
        return new Refusal(
                refused.failure().status(), refused.message() + " " + refused.fix(), refused.headers(), data);
    }

    static Refusal notFound() {
        return new Refusal(
                404,
                "There is nothing at this path. The MCP endpoint is /mcp, or /mcp/<view>; for HTTP+SSE, /sse or"
                        + " /mcp/<view>/sse.");
    }

    static Refusal noRoomForBody() {
        return new Refusal(
                503,
                "Too many request bodies are in memory now. Try again in a second, with less at a time.",
                Map.of("Retry-After", "1"));
    }

    static Refusal bodyTooLarge(int limit) {
        return new Refusal(413, "The request body is larger than " + limit + " bytes. Send less at a time.");
    }

    /** A JSON-RPC error without an id: the request's own was not read. */
    byte[] json() {
        ObjectNode error = Json.object().put("code", INVALID_REQUEST).put("message", message);
        if (data != null) {
            error.set("data", data);
        }
        return Json.bytes(Json.object().put("jsonrpc", "2.0").set("error", error));
    }
}
