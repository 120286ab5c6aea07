package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import switchboard.call.Json;

/**
 * How much of a list fits one answer: the largest is 8 MiB, of which some is left for what stands beside the list. What counts
 * is the larger form, the text with its quotes escaped. Not thread-safe.
 */
final class AnswerRoom {
    private static final int MOST_BYTES = (8 << 20) - (256 << 10);

    private int used;
    private boolean empty = true;

    /** Takes the room that {@code next} needs; false if there is not as much left. The first always fits. */
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
