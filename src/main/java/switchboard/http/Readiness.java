package switchboard.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import switchboard.call.Json;

/**
 * Whether the gateway takes calls, and how its parts are. A backend that is down does not make the gateway unready: its
 * calls answer {@code UNAVAILABLE}, and the others go on.
 *
 * @param ready whether calls are taken
 * @param state a word: {@code starting}, {@code serving}, {@code stopping}
 * @param backends the backends, as last probed
 */
public record Readiness(boolean ready, String state, List<Part> backends) {
    public Readiness {
        backends = List.copyOf(backends);
    }

    /**
     * One backend.
     *
     * @param id its id
     * @param up whether its engine answers
     * @param detail what it said of itself, or what is wrong; safe to show to operators
     */
    public record Part(String id, boolean up, String detail) {}

    ObjectNode json() {
        ObjectNode json =
                Json.object().put("status", ready ? "ready" : "not ready").put("state", state);
        ArrayNode parts = json.putArray("backends");
        for (Part part : backends) {
            parts.addObject()
                    .put("id", part.id())
                    .put("status", part.up() ? "up" : "down")
                    .put("detail", part.detail());
        }
        return json;
    }
}
