package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/** Checks the form of a client's answer to a server's question. */
final class ClientResultCheck {
    private static final Set<String> ACTIONS = Set.of("accept", "decline", "cancel");

    private ClientResultCheck() {}

    /** What is wrong with {@code answer} as the result of {@code method}; empty if nothing is. */
    static Optional<String> problem(String method, JsonNode answer) {
        if (!answer.isObject()) {
            return Optional.of("must be an object, the result of " + method);
        }
        return switch (method) {
            case "elicitation/create" -> elicited(answer);
            case "sampling/createMessage" -> sampled(answer);
            default -> listed(answer);
        };
    }

    private static Optional<String> elicited(JsonNode answer) {
        if (!ACTIONS.contains(answer.path("action").asText())) {
            return Optional.of("needs \"action\": accept, decline or cancel");
        }
        JsonNode content = answer.path("content");
        return content.isMissingNode() || content.isNull() || content.isObject()
                ? Optional.empty()
                : Optional.of("has \"content\" that is not an object");
    }

    private static Optional<String> sampled(JsonNode answer) {
        JsonNode content = answer.path("content");
        return answer.path("role").isTextual()
                        && answer.path("model").isTextual()
                        && (content.isObject() || content.isArray())
                ? Optional.empty()
                : Optional.of("needs \"role\", \"model\" and \"content\"");
    }

    private static Optional<String> listed(JsonNode answer) {
        JsonNode roots = answer.path("roots");
        boolean complete = roots.isArray();
        for (JsonNode root : roots) {
            complete &= root.path("uri").isTextual();
        }
        return complete ? Optional.empty() : Optional.of("needs \"roots\", a list of objects with \"uri\"");
    }
}
