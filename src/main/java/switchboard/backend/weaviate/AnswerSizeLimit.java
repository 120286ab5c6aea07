package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import switchboard.call.Json;

/**
 * Limits the size of the list in one answer. An answer has at most 8 MiB; 256 KiB of them are kept for the other members. The
 * size counted is that of the JSON as an escaped string, the larger of its two forms. Not thread-safe.
 */
final class AnswerSizeLimit {
    private static final int MOST_BYTES = (8 << 20) - (256 << 10);

    private int used;
    private boolean empty = true;

    /** Adds the size of {@code next}; returns false, and adds nothing, if the limit would be exceeded. The first always fits. */
    boolean holds(JsonNode next) {
        int bytes = Json.bytes(Json.mapper().valueToTree(Json.text(next))).length;
        if (!empty && used + bytes > MOST_BYTES) {
            return false;
        }
        empty = false;
        used += bytes;
        return true;
    }
}
