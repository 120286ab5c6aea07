package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * Removes detail from results: long texts are cut, vectors are removed, then nested values. What the output schema
 * requires stays. Ids and addresses (texts without a space) stay whole, because half of one is useless.
 *
 * @param always required members of the answer
 * @param everyResult required members of a result
 */
record DetailTruncator(Set<String> always, Set<String> everyResult) {
    private static final int LONGEST_NAME = 2_000;
    private static final int LONGEST_NUMBERS = 16;

    /** How much detail is removed. */
    enum Level {
        /** Texts are cut to about three lines. */
        SNIPPETS(280),
        /** Texts are cut to about one line, and nested values are removed unless required. */
        LINES(100);

        private final int chars;

        Level(int chars) {
            this.chars = chars;
        }
    }

    DetailTruncator {
        always = Set.copyOf(always);
        everyResult = Set.copyOf(everyResult);
    }

    /** A truncator for {@code outputSchema}, whose results are in the array {@code key}. */
    static DetailTruncator of(@Nullable ObjectNode outputSchema, String key) {
        JsonNode schema = outputSchema == null ? Json.object() : outputSchema;
        return new DetailTruncator(
                names(schema.path("required")),
                names(schema.path("properties").path(key).path("items").path("required")));
    }

    private static Set<String> names(JsonNode array) {
        Set<String> names = new HashSet<>();
        array.forEach(name -> names.add(name.asText()));
        return names;
    }

    /** A result with less detail; the same object if there is nothing to remove. */
    JsonNode of(JsonNode result, Level level) {
        if (!(result instanceof ObjectNode object)) {
            return shorter(result, level);
        }
        ObjectNode brief = Json.object();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            boolean spared = everyResult.contains(member.getKey());
            if (spared
                    || !(numbers(member.getValue())
                            || (level == Level.LINES && member.getValue().isContainerNode()))) {
                brief.set(member.getKey(), shorter(member.getValue(), level));
            }
        }
        return brief;
    }

    /** The members around the results, reduced to what is required. */
    ObjectNode around(ObjectNode answer) {
        ObjectNode brief = Json.object();
        answer.properties().forEach(member -> {
            if (always.contains(member.getKey())) {
                brief.set(member.getKey(), shorter(member.getValue(), Level.LINES));
            }
        });
        return brief;
    }

    private static boolean numbers(JsonNode value) {
        return value.isArray() && value.size() > LONGEST_NUMBERS && value.get(0).isNumber();
    }

    private static JsonNode shorter(JsonNode value, Level level) {
        if (value.isTextual()) {
            return Json.mapper().getNodeFactory().textNode(cut(value.asText(), level.chars));
        }
        if (value instanceof ObjectNode object) {
            ObjectNode brief = Json.object();
            object.properties().forEach(member -> brief.set(member.getKey(), shorter(member.getValue(), level)));
            return brief;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode brief = Json.array();
            array.forEach(element -> brief.add(shorter(element, level)));
            return brief;
        }
        return value;
    }

    private static String cut(String text, int chars) {
        int longest = text.indexOf(' ') < 0 && text.indexOf('\n') < 0 ? LONGEST_NAME : chars;
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(chars - 1)) ? chars - 1 : chars;
        return text.substring(0, end) + "…";
    }
}
