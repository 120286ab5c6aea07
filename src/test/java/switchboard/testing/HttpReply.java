package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.Json;

/**
 * An HTTP answer as it came.
 *
 * @param status the status code
 * @param headers the headers
 * @param body the whole body, also of an event stream
 */
public record HttpReply(int status, HttpHeaders headers, String body) {
    /** The value of a header, or an empty text. */
    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    /** The body as JSON; for an event stream, its last message. */
    public JsonNode json() {
        if (!header("Content-Type").startsWith("text/event-stream")) {
            return parse(body);
        }
        return messages().getLast();
    }

    /** The messages of an event stream, in order; of any other body, that one. */
    public List<JsonNode> messages() {
        if (!header("Content-Type").startsWith("text/event-stream")) {
            return List.of(parse(body));
        }
        List<JsonNode> messages = new ArrayList<>();
        for (String event : body.split("\n\n")) {
            String data = String.join(
                    "",
                    event.lines()
                            .filter(line -> line.startsWith("data:"))
                            .map(line -> line.substring("data:".length()).strip())
                            .toList());
            if (!data.isEmpty()) {
                messages.add(parse(data));
            }
        }
        return messages;
    }

    private static JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }
}
