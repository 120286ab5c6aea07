package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AuthOutcome;
import switchboard.call.Json;
import switchboard.protocol.UnknownRequestId;

/**
 * An error answer for a request that does not reach the protocol.
 *
 * @param status the HTTP status
 * @param message what is wrong and what to do next; safe to show
 * @param headers additional response headers
 * @param data {@code data} of the JSON-RPC error, or null for none
 */
record HttpError(
        int status,
        String message,
        Map<String, String> headers,
        @Nullable ObjectNode data) {
    private static final int INVALID_REQUEST = -32600;
    private static final String DOCS = "docs/security.md#who-may-call";

    HttpError(int status, String message) {
        this(status, message, Map.of());
    }

    HttpError(int status, String message, Map<String, String> headers) {
        this(status, message, headers, null);
    }

    /** The answer for rejected credentials, with codes for programs. */
    static HttpError of(AuthOutcome.Rejected refused) {
        ObjectNode data = Json.object()
                .put("type", refused.failure().type())
                .put("code", refused.failure().code());
        data.putObject("context").put("fix", refused.fix()).put("docs", DOCS);
        return new HttpError(
                refused.failure().status(), refused.message() + " " + refused.fix(), refused.headers(), data);
    }

    static HttpError notFound() {
        return new HttpError(
                404,
                "There is nothing at this path. The MCP endpoint is /mcp, or /mcp/<view>; for HTTP+SSE, /sse or"
                        + " /mcp/<view>/sse.");
    }

    static HttpError noRoomForBody() {
        return new HttpError(
                503,
                "Too many request bodies are in memory now. Try again in a second, with less at a time.",
                Map.of("Retry-After", "1"));
    }

    static HttpError bodyTooLarge(int limit) {
        return new HttpError(413, "The request body is larger than " + limit + " bytes. Send less at a time.");
    }

    /** The answer's body; empty for HEAD, to which Vert.x would send it over HTTP/2. */
    Buffer body(HttpServerRequest request) {
        return request.method().equals(HttpMethod.HEAD) ? Buffer.buffer() : Buffer.buffer(json(request));
    }

    /**
     * The body as a JSON-RPC error. The body of {@code request} was not read, so its headers decide the protocol
     * version.
     */
    byte[] json(HttpServerRequest request) {
        return json(UnknownRequestId.named(request.getHeader("MCP-Protocol-Version")));
    }

    /** The body for a request that is not MCP. */
    byte[] json() {
        return json(MissingNode.getInstance());
    }

    private byte[] json(JsonNode id) {
        ObjectNode error = Json.object().put("code", INVALID_REQUEST).put("message", message);
        if (data != null) {
            error.set("data", data);
        }
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        if (!id.isMissingNode()) {
            answer.set("id", id);
        }
        return Json.bytes(answer.set("error", error));
    }
}
