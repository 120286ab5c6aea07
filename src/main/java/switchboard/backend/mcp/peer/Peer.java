package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Consumer;
import switchboard.call.CallContext;

/** Another MCP server, of an era that is known. Thread-safe. */
public interface Peer {
    /**
     * One request.
     *
     * @param params its parameters without {@code _meta}; must not be changed afterwards
     * @param headers what the method wants to see in headers as well, for eras and transports that have them
     * @param repeatable whether sending it twice does no harm
     */
    record Request(String method, ObjectNode params, Map<String, String> headers, boolean repeatable) {
        /** One that only asks. */
        public static Request reading(String method, ObjectNode params) {
            return new Request(method, params, Map.of(), true);
        }
    }

    /** What the server said about itself: {@code capabilities}, {@code serverInfo}, {@code instructions}. */
    JsonNode description();

    /** The protocol version that is spoken. */
    String version();

    /** Whether the server is one that names what it needs of the client in its result, instead of asking. */
    boolean asksInReply();

    /**
     * Sends a request on behalf of {@code context}, which hears progress and logs, is asked what the server wants to
     * know, and may take the request back.
     *
     * @return the result; fails with {@link RpcFailure} or {@code ToolException} only
     */
    Future<ObjectNode> request(Request request, CallContext context);

    /** The server announces nothing. */
    final class NoStream extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoStream() {
            super("it announces nothing", null, false, false);
        }
    }

    /**
     * Hears of changed lists and resources until the stream ends or {@link #close} is called; fails with {@link
     * NoStream} where there is none to be had.
     */
    Future<Void> listen(Consumer<ObjectNode> notifications);

    /**
     * It is not used any more, while the link may be: ends the stream of {@link #listen} and the session, where there are
     * such; whether the server hears of it does not matter.
     */
    void leave();

    /** Ends the connection, and the session where there is one. */
    Future<Void> close();
}
