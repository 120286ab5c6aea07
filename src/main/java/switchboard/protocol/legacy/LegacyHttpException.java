package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcAnswer;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcMessage;

/** A message that is refused before its method is read. Clients decide by the HTTP status. */
final class LegacyHttpException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final String SECONDS = "5";
    private static final String ALL_BUSY =
            "There are as many sessions as the gateway allows, and all have calls under way. Try again in " + SECONDS
                    + " seconds.";

    private static final String UNREACHABLE_SECONDS = Integer.toString(ClusterUnavailableException.RETRY_SECONDS);
    private static final String UNREACHABLE =
            "The database with the sessions can't be reached now. Try again in " + UNREACHABLE_SECONDS + " seconds.";

    private final int status;
    private final String text;
    private final transient Map<String, String> headers;

    LegacyHttpException(int status, String text) {
        this(status, text, Map.of());
    }

    private LegacyHttpException(int status, String text, Map<String, String> headers) {
        super(text, null, false, false);
        this.status = status;
        this.text = text;
        this.headers = headers;
    }

    /** The error for {@code initialize} if no session is available and none can be replaced. */
    static RpcException noSession() {
        return new RpcException(RpcError.UNAVAILABLE, ALL_BUSY, null, Map.of("Retry-After", SECONDS));
    }

    /** The same if there is no message to answer. */
    static LegacyHttpException noPair() {
        return new LegacyHttpException(RpcError.UNAVAILABLE.status(), ALL_BUSY, Map.of("Retry-After", SECONDS));
    }

    static LegacyHttpException unknownSession() {
        return new LegacyHttpException(
                404, "Unknown or expired session. Send \"initialize\" without Mcp-Session-Id to start one.");
    }

    /** Whether there is such a session can't be found out now. Not 404, on which clients give a session up. */
    static LegacyHttpException unreachable() {
        return new LegacyHttpException(
                RpcError.UNAVAILABLE.status(), UNREACHABLE, Map.of("Retry-After", UNREACHABLE_SECONDS));
    }

    /** The error for {@code initialize} while the shared database can't be reached. */
    static RpcException unreachableForInitialize() {
        return new RpcException(RpcError.UNAVAILABLE, UNREACHABLE, null, Map.of("Retry-After", UNREACHABLE_SECONDS));
    }

    static LegacyHttpException unknownPair() {
        return new LegacyHttpException(
                404, "There is no open stream of that sessionId. GET the sse address to open one.");
    }

    /** There is no room for a resumed stream. */
    static LegacyHttpException noStream() {
        return new LegacyHttpException(
                RpcError.UNAVAILABLE.status(),
                "No more streams can be resumed on this gateway now. Try again in " + SECONDS + " seconds.",
                Map.of("Retry-After", SECONDS));
    }

    static LegacyHttpException nothingFollows() {
        return new LegacyHttpException(
                400,
                "The messages of the stream that Last-Event-ID names are not kept any more. Send the request again, or GET without the"
                        + " header for the stream of the session.");
    }

    static LegacyHttpException missingSession() {
        return new LegacyHttpException(400, "The header Mcp-Session-Id is missing.");
    }

    /** The answer to {@code request}. */
    RpcAnswer answer(RpcMessage.Request request) {
        return new RpcAnswer(
                status, RpcCodec.error(request.id(), RpcError.INVALID_REQUEST.code(), text, null), headers);
    }

    /** Answers the message {@code id}, or the value for an unknown id. */
    void send(ReplySink sink, JsonNode id) {
        sink.end(status, headers, RpcCodec.error(id, RpcError.INVALID_REQUEST.code(), text, null));
    }
}
