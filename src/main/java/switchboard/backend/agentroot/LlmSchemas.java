package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import switchboard.call.Json;

/** JSON Schemas of the answers of language models, in the strict form that servers enforce: all keys are required, and no others are allowed. */
final class LlmSchemas {
    /** A text. */
    static final ObjectNode TEXT = Json.object().put("type", "string");

    /** A number. */
    static final ObjectNode NUMBER = Json.object().put("type", "number");

    /** A list of texts. */
    static final ObjectNode TEXTS = array(TEXT);

    private LlmSchemas() {}

    /** A list. */
    static ObjectNode array(ObjectNode element) {
        return Json.object().put("type", "array").set("items", element);
    }

    /** An object with exactly these keys; {@code pairs} are keys, each with its schema behind. */
    static ObjectNode object(Object... pairs) {
        ObjectNode form = Json.object().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = form.putObject("properties");
        ArrayNode required = form.putArray("required");
        for (int i = 0; i < pairs.length; i += 2) {
            properties.set((String) pairs[i], (ObjectNode) pairs[i + 1]);
            required.add((String) pairs[i]);
        }
        return form;
    }
}
