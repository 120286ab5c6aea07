package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcMessage;

/** A message that is turned away before anybody looks at its method. Clients go by the HTTP status. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String text;

    Refusal(int status, String text) {
        super(text, null, false, false);
        this.status = status;
        this.text = text;
    }

    static Refusal unknownSession() {
        return new Refusal(404, "Unknown or expired session. Send \"initialize\" without Mcp-Session-Id to start one.");
    }

    static Refusal unknownPair() {
        return new Refusal(404, "There is no open stream of that sessionId. GET the sse address to open one.");
    }

    static Refusal nothingFollows() {
        return new Refusal(
                400,
                "Nothing is kept of the stream that Last-Event-ID names. Send the request again, or GET without the"
                        + " header for the stream of the session.");
    }

    static Refusal missingSession() {
        return new Refusal(400, "The header Mcp-Session-Id is missing.");
    }

    /** Answers {@code message}, or the whole exchange where it is null. */
    void send(ReplySink sink, @Nullable RpcMessage message) {
        JsonNode id = message instanceof RpcMessage.Request request ? request.id() : null;
        sink.end(status, Map.of(), RpcCodec.error(id, RpcError.INVALID_REQUEST.code(), text, null));
    }
}
