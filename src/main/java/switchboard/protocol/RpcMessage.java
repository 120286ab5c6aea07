package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC 2.0 message as it came in. */
public sealed interface RpcMessage {
    /**
     * A request.
     *
     * @param id a string or an integer of any size; returned exactly as received
     * @param method the method's name, known or not
     * @param params empty if the message has none; must not be changed
     */
    record Request(JsonNode id, String method, ObjectNode params) implements RpcMessage {}

    /** A message without an answer. */
    record Notification(String method, ObjectNode params) implements RpcMessage {}

    /**
     * An answer to a request of the server's.
     *
     * @param body the whole message, with {@code result} or {@code error}; must not be changed
     */
    record Response(JsonNode id, ObjectNode body) implements RpcMessage {}

    /**
     * An invalid message.
     *
     * @param id its id if it could be read
     * @param problem what is wrong
     * @param claimed the protocol version that it declares
     */
    record Malformed(@Nullable JsonNode id, String problem, Optional<ProtocolVersion> claimed) implements RpcMessage {}
}
