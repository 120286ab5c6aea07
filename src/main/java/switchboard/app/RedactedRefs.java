package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Citation;
import switchboard.call.Json;
import switchboard.call.PassageRef;
import switchboard.call.PassageSpan;
import switchboard.call.Redaction;

/**
 * Removes refs from redacted results unless the whole passage is shown as it is: the hash of another one says nothing to the caller, who
 * could only guess with it what was redacted. Blocks for about as long as the redaction.
 */
final class RedactedRefs {
    private static final String STRUCTURED = "structuredContent";
    /** What {@code check_citation} says of a place now. With short places a caller could read a redacted text piece by piece. */
    private static final List<String> NOW = List.of("now", "text", "signals");

    private RedactedRefs() {}

    /** {@code result} redacted by {@code redaction}, with the refs that may stay. */
    static ObjectNode result(Redaction redaction, ObjectNode result) {
        ObjectNode redacted = redaction.tree(result);
        if (redacted.path(STRUCTURED) instanceof ObjectNode structured && removed(redaction, structured)) {
            String before = Json.text(result.path(STRUCTURED));
            for (int i = 0; i < redacted.path("content").size(); i++) {
                if (redacted.path("content").path(i) instanceof ObjectNode block
                        && result.path("content").path(i).path("text").asText().equals(before)) {
                    block.put("text", redaction.text(Json.text(structured)));
                }
            }
        }
        return redacted;
    }

    private static boolean removed(Redaction redaction, JsonNode value) {
        boolean removed = false;
        if (value instanceof ObjectNode object) {
            JsonNode cite = object.path(PassageRef.FIELD).path(PassageRef.CITE);
            if (cite.isTextual() && !shown(redaction, object, cite.textValue())) {
                object.remove(PassageRef.FIELD);
                removed = true;
            }
            if (object.path("verdict").asText().equals("changed")
                    && Citation.parse(object.path(PassageRef.CITE).asText()) instanceof Citation.Parsed.Valid) {
                object.remove(NOW);
                removed = true;
            }
        }
        for (JsonNode member : value) {
            removed |= removed(redaction, member);
        }
        return removed;
    }

    /** Whether {@code object} has the whole text that {@code cite} names. What is no citation is somebody else's. */
    private static boolean shown(Redaction redaction, ObjectNode object, String cite) {
        if (!(Citation.parse(cite) instanceof Citation.Parsed.Valid(Citation citation))) {
            return !cite.contains(Redaction.MARK);
        }
        // In a cite a name is percent-encoded, where patterns may not know it.
        String name = citation.source() + "/" + citation.document();
        if (!citation.toString().equals(cite) || !redaction.text(name).equals(name)) {
            return false;
        }
        for (JsonNode member : object) {
            if (member.isTextual() && ends(member.textValue(), citation)) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code text} is the cited passage, perhaps below the names of its columns. */
    private static boolean ends(String text, Citation citation) {
        PassageSpan span = citation.span();
        return text.length() >= span.length()
                && citation.names(PassageRef.sha256(text.substring(text.length() - span.length())));
    }
}
