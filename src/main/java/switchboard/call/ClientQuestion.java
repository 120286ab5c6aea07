package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/**
 * A question of a backend to the client of a running call.
 *
 * @param method {@code sampling/createMessage}, {@code elicitation/create} or {@code roots/list}
 * @param params its parameters; must not be changed
 */
public record ClientQuestion(String method, ObjectNode params) {
    private static final Map<String, String> CAPABILITIES = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

    /** The client capability that a question with {@code method} needs; empty if there is no such question. */
    public static Optional<String> capability(String method) {
        return Optional.ofNullable(CAPABILITIES.get(method));
    }
}
