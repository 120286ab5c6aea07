package switchboard.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import switchboard.call.Json;

/** What a gateway says to the others while somebody watches calls there: how far it has come in the calls of each. */
final class CallWatch {
    /** It has no calls of that gateway yet. */
    static final long NOTHING = -1;

    private CallWatch() {}

    /** The message of who has seen the calls of gateways up to the places {@code seen}. */
    static String text(Map<String, Long> seen) {
        ObjectNode message = Json.object();
        ObjectNode places = message.putObject("seen");
        seen.forEach(places::put);
        return Json.text(message);
    }

    /**
     * The place in the calls of the gateway {@code own} up to which they have been seen.
     *
     * @throws IllegalArgumentException if it is no such message
     */
    static long read(String text, String own) {
        try {
            JsonNode seen = Json.parse(text).path("seen");
            JsonNode place = seen.path(own);
            if (!seen.isObject() || !(place.isMissingNode() || place.isIntegralNumber())) {
                throw new IllegalArgumentException("not a watch of calls");
            }
            return place.asLong(NOTHING);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }
}
