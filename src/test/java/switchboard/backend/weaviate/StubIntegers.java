package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.function.UnaryOperator;
import switchboard.call.Json;

/** What a Weaviate does to integers: it stores them as doubles, and its two interfaces write those differently. */
final class StubIntegers {
    private StubIntegers() {}

    /** As GraphQL answers: null for an integer that has more than 32 bits. */
    static JsonNode carried(JsonNode value) {
        return each(
                value,
                number -> number.canConvertToInt() ? number : Json.mapper().nullNode());
    }

    /** As REST answers: the shortest digits that are the same double, with zeros behind. */
    static JsonNode stored(JsonNode value) {
        return each(value, number -> Json.mapper()
                .valueToTree(new BigDecimal(Double.toString(number.doubleValue())).toBigInteger()));
    }

    private static JsonNode each(JsonNode value, UnaryOperator<JsonNode> integer) {
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(element -> list.add(each(element, integer)));
            return list;
        }
        if (value.isObject()) {
            ObjectNode object = Json.object();
            value.properties().forEach(member -> object.set(member.getKey(), each(member.getValue(), integer)));
            return object;
        }
        return value.isIntegralNumber() ? integer.apply(value) : value;
    }
}
