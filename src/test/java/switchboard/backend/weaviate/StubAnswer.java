package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What the stub answers.
 *
 * @param contentType null without a body
 */
record StubAnswer(int status, @Nullable String contentType, String body) {
    static StubAnswer json(int status, JsonNode body) {
        return new StubAnswer(status, "application/json", Json.text(body));
    }

    static StubAnswer empty(int status) {
        return new StubAnswer(status, null, "");
    }

    /** {@code {"error":[{"message"}]}}. */
    static StubAnswer refused(int status, String message) {
        ObjectNode body = Json.object();
        body.putArray("error").addObject().put("message", message);
        return json(status, body);
    }

    static StubAnswer refused(String message) {
        return refused(422, message);
    }

    /** {@code {"code","message"}}, as Weaviate answers what has not the form of a request. */
    static StubAnswer malformed(int status, int code, String message) {
        return json(status, Json.object().put("code", code).put("message", message));
    }

    /** A body that is not what its type says. */
    static StubAnswer unparsed(String why) {
        return malformed(400, 400, "parsing body body from \"\" failed, because " + why);
    }
}
