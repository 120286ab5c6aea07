package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A question of a backend to the client of a running call.
 *
 * @param method {@code sampling/createMessage}, {@code elicitation/create} or {@code roots/list}
 * @param params its parameters; must not be changed
 */
public record ClientQuestion(String method, ObjectNode params) {}
