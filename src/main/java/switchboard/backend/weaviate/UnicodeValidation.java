package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import switchboard.text.SurrogatePairs;

/** Whether JSON from a caller can be written as UTF-8 at all. */
final class UnicodeValidation {
    private UnicodeValidation() {}

    /** Whether every name and every text in {@code json} is valid Unicode. */
    static boolean holds(JsonNode json) {
        if (json.isTextual()) {
            return SurrogatePairs.wellFormed(json.asText());
        }
        for (Map.Entry<String, JsonNode> member : json.properties()) {
            if (!SurrogatePairs.wellFormed(member.getKey()) || !holds(member.getValue())) {
                return false;
            }
        }
        if (json.isArray()) {
            for (JsonNode element : json) {
                if (!holds(element)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Makes sure of it.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT}
     */
    static void require(JsonNode json) {
        if (!holds(json)) {
            throw WeaviateIdentifiers.invalid("A text holds half of a surrogate pair, which is not valid Unicode.");
        }
    }
}
