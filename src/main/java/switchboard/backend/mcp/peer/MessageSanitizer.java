package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Secrets;

/** Sanitizes each message of a server. */
final class MessageSanitizer {
    /** The members with texts that callers may see. */
    private static final List<String> SAYING = List.of("params", "result", "error");
    /** The members that are returned to the server unchanged, and never shown. */
    private static final List<String> RETURNED = List.of("nextCursor", "progressToken");

    private MessageSanitizer() {}

    /** {@code message} without secrets in any text, name, result, error or question. */
    static ObjectNode without(Secrets secrets, ObjectNode message) {
        for (String member : SAYING) {
            JsonNode said = message.path(member);
            if (!said.isMissingNode()) {
                JsonNode clean = secrets.scrub(said);
                if (clean instanceof ObjectNode object && !clean.equals(said)) {
                    RETURNED.stream().filter(said::has).forEach(name -> object.set(name, said.path(name)));
                }
                message.set(member, clean);
            }
        }
        // The id is not shown to anybody; the name of a method could be.
        JsonNode method = message.path("method");
        if (method.isTextual()) {
            message.set("method", secrets.scrub(method));
        }
        return message;
    }
}
