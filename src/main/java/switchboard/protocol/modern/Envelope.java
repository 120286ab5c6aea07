package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.TaskRequest;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcMessage;
import switchboard.text.HeaderValue;

/**
 * The validated metadata of a modern request: its {@code _meta}, and over HTTP the headers that must repeat the body.
 * The order of the checks follows the specification.
 *
 * @param capabilities the client's capabilities
 * @param logLevel lowest level of wanted log messages, or null for none
 */
record Envelope(ObjectNode capabilities, @Nullable LogLevel logLevel) {
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String METHOD_HEADER = "Mcp-Method";
    private static final String NAME_HEADER = "Mcp-Name";

    /**
     * Checks everything that does not depend on the method.
     *
     * @throws RpcException for the first problem
     */
    static Envelope check(InboundMessage inboundMessage, RpcMessage.Request request) {
        JsonNode meta = request.params().path("_meta");
        Envelope envelope = meta(meta);
        String claim = meta.path(MetaKeys.PROTOCOL_VERSION).asText();
        boolean http = inboundMessage.transport().equals("http");
        if (http) {
            same(VERSION_HEADER, inboundMessage.header(VERSION_HEADER), claim);
            same(METHOD_HEADER, inboundMessage.header(METHOD_HEADER), request.method());
        }
        supported(claim);
        if (http) {
            present(VERSION_HEADER, inboundMessage.header(VERSION_HEADER));
            present(METHOD_HEADER, inboundMessage.header(METHOD_HEADER));
            name(inboundMessage, request);
        }
        return envelope;
    }

    /** Checks the method header of a notification, which may be left out. */
    static void checkNotification(InboundMessage inboundMessage, RpcMessage.Notification notification) {
        same(METHOD_HEADER, inboundMessage.header(METHOD_HEADER), notification.method());
    }

    private static Envelope meta(JsonNode meta) {
        if (!meta.path(MetaKeys.PROTOCOL_VERSION).isTextual()) {
            throw new RpcException(
                    RpcError.INVALID_ENVELOPE, "params._meta: " + MetaKeys.PROTOCOL_VERSION + " must be a string.");
        }
        if (!(meta.path(MetaKeys.CLIENT_CAPABILITIES) instanceof ObjectNode capabilities)) {
            throw new RpcException(
                    RpcError.INVALID_ENVELOPE,
                    "params._meta: " + MetaKeys.CLIENT_CAPABILITIES + " must be an object; {} is enough.");
        }
        JsonNode token = meta.path("progressToken");
        if (!(token.isMissingNode() || token.isTextual() || token.isIntegralNumber())) {
            throw new RpcException(
                    RpcError.INVALID_ENVELOPE, "params._meta: progressToken must be a string or an integer.");
        }
        JsonNode level = meta.path(MetaKeys.LOG_LEVEL);
        return new Envelope(
                capabilities,
                level.isMissingNode()
                        ? null
                        : LogLevel.of(level.asText())
                                .orElseThrow(() -> new RpcException(
                                        RpcError.INVALID_ENVELOPE,
                                        "params._meta: " + MetaKeys.LOG_LEVEL
                                                + " must be a log level such as \"info\".")));
    }

    private static void supported(String claim) {
        if (ProtocolVersion.of(claim).filter(ProtocolVersion::modern).isEmpty()) {
            ObjectNode data = Json.object();
            data.putArray("supported").add(ProtocolVersion.V2026_07_28.text());
            data.put("requested", claim);
            throw new RpcException(
                    RpcError.UNSUPPORTED_VERSION, "That protocol version is not supported; see data.supported.", data);
        }
    }

    /** Checks the header of the methods that repeat a name in it. */
    private static void name(InboundMessage inboundMessage, RpcMessage.Request request) {
        String field =
                switch (request.method()) {
                    case "tools/call", "prompts/get" -> "name";
                    case "resources/read" -> "uri";
                    default -> TaskRequest.has(request.method()) ? "taskId" : null;
                };
        if (field == null) {
            return;
        }
        String raw = present(NAME_HEADER, inboundMessage.header(NAME_HEADER));
        String value = HeaderValue.decode(raw)
                .orElseThrow(() -> new RpcException(RpcError.HEADER_MISMATCH, NAME_HEADER + " has invalid base64."));
        same(NAME_HEADER, value, request.params().path(field).asText());
    }

    private static void same(String header, @Nullable String value, String body) {
        if (value != null && !value.equals(body)) {
            throw new RpcException(
                    RpcError.HEADER_MISMATCH, "The header " + header + " differs from the body. They must be equal.");
        }
    }

    private static String present(String header, @Nullable String value) {
        if (value == null) {
            throw new RpcException(
                    RpcError.HEADER_MISMATCH, "The header " + header + " is missing. It must repeat the body's value.");
        }
        return value;
    }
}
