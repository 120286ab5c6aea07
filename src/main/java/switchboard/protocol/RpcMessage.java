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
     * @param id a string or an integer of any size; answered exactly as it came
     * @param method the method's name, known or not
     * @param params empty where the message has none; must not be changed
     */
    record Request(JsonNode id, String method, ObjectNode params) implements RpcMessage {}

    /** A message that wants no answer. */
    record Notification(String method, ObjectNode params) implements RpcMessage {}

    /**
     * An answer to a request of the server's.
     *
     * @param body the whole message, with {@code result} or {@code error}; must not be changed
     */
    record Response(JsonNode id, ObjectNode body) implements RpcMessage {}

    /**
     * Something else.
     *
     * @param id its id where one could be read
     * @param problem what is wrong
     * @param claimed the revision that it says it speaks
     */
    record Malformed(@Nullable JsonNode id, String problem, Optional<ProtocolVersion> claimed) implements RpcMessage {}
}
