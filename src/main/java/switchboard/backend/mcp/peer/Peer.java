package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** Another MCP server whose era is known. Thread-safe. */
public interface Peer {
    /**
     * A request.
     *
     * @param params its parameters without {@code _meta}; must not be changed afterwards
     * @param headers values that must also be in headers, for eras and transports that have them
     * @param repeatable whether it may be sent twice
     */
    record Request(String method, ObjectNode params, Map<String, String> headers, boolean repeatable) {
        /** A request that only reads. */
        public static Request reading(String method, ObjectNode params) {
            return new Request(method, params, Map.of(), true);
        }
    }

    /** The server's description: {@code capabilities}, {@code serverInfo}, {@code instructions}. */
    JsonNode description();

    /** The negotiated protocol version. */
    String version();

    /** Whether the server asks for the client's input in its result, instead of with requests. */
    boolean asksInReply();

    /**
     * Sends a request for {@code context}, which receives progress and logs, answers the server's questions, and may
     * cancel the request.
     *
     * @return the result; fails with {@link RpcFailure} or {@code ToolException} only
     */
    Future<ObjectNode> request(Request request, CallContext context);

    /** The server has no stream of notifications. */
    final class NoStream extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoStream() {
            super("it announces nothing", null, false, false);
        }
    }

    /** The server refuses the handshake with a status alone. */
    final class NoSession extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoSession(String message) {
            super(message, null, false, false);
        }

        /** The same for whom a call fails by it. */
        public ToolException explained() {
            return new ToolException(FailureKind.UNAVAILABLE, String.valueOf(getMessage()));
        }
    }

    /**
     * Receives notifications of changed lists and resources until the stream ends or {@link #close} is called. Fails
     * with {@link NoStream} if there is no stream.
     *
     * @param opened called once they can come, by servers up to 2025-11-25
     */
    Future<Void> listen(Consumer<ObjectNode> notifications, Runnable opened);

    /**
     * Whether a call ended before the server had answered it, so that what the server asks on the stream that belongs to no request may be for it. Such
     * a session should be replaced.
     */
    default boolean doubtful() {
        return false;
    }

    /**
     * Has the server announce changes of these resources, and of no others, while {@link #listen} receives them. It is
     * asked only if it declares that it can do this; what it refuses is not a failure. Completes when it was asked.
     */
    default Future<Void> watch(Set<String> uris) {
        return Future.succeededFuture();
    }

    /** What a server sends if the resource {@code uri} has changed. */
    static ObjectNode updated(String uri) {
        ObjectNode notification = Json.object().put("jsonrpc", "2.0").put("method", "notifications/resources/updated");
        notification.putObject("params").put("uri", uri);
        return notification;
    }

    /**
     * Stops using this peer, while the transport may stay in use: ends the stream of {@link #listen} and the session.
     *
     * @return completes when the server was told; never fails
     */
    Future<Void> leave();

    /** Closes the connection and the session. */
    Future<Void> close();
}
