package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.signal.PassageSignals;
import switchboard.store.TextWindows;

/**
 * Removes detail from results: of long texts the part around what matched the query stays, and vectors, nested values,
 * numbers and single words are removed. What the output schema requires stays, and signals. Ids and addresses (texts without white space) stay
 * whole, because half of one is useless.
 */
final class DetailTruncator {
    private static final int LONGEST_NAME = 2_000;
    private static final int LONGEST_NUMBERS = 16;

    /** A longer text is what was searched, so that nested values are less important. */
    private static final int LONG = 100;

    /** Length of the texts around the results, where they must be cut. */
    private static final int AROUND_CHARS = 100;

    private final Set<String> always;
    private final Set<String> everyResult;
    private final TextWindows windows;
    private final Map<String, TextWindows.TextWindow> analysed = new HashMap<>();

    private DetailTruncator(Set<String> always, Set<String> everyResult, TextWindows windows) {
        this.always = always;
        this.everyResult = everyResult;
        this.windows = windows;
    }

    /**
     * A truncator for answers with {@code outputSchema}, whose results are in the array {@code key}.
     *
     * @param query the query that {@code results} were found with; empty if there is none
     */
    static DetailTruncator of(@Nullable ObjectNode outputSchema, String key, String query, Iterable<JsonNode> results) {
        JsonNode schema = outputSchema == null ? Json.object() : outputSchema;
        List<String> texts = new ArrayList<>();
        if (!query.isBlank()) {
            results.forEach(result -> addTexts(result, texts));
        }
        return new DetailTruncator(
                names(schema.path("required")),
                names(schema.path("properties").path(key).path("items").path("required")),
                TextWindows.of(query, texts));
    }

    private static Set<String> names(JsonNode array) {
        Set<String> names = new HashSet<>();
        array.forEach(name -> names.add(name.asText()));
        return names;
    }

    private static void addTexts(JsonNode value, List<String> texts) {
        if (value.isTextual() && !name(value.asText())) {
            texts.add(value.asText());
        }
        value.forEach(member -> addTexts(member, texts));
    }

    /** The length of the longest text of {@code value} that can be cut. */
    static int longest(JsonNode value) {
        int longest = value.isTextual() ? value.asText().length() : 0;
        for (JsonNode member : value) {
            longest = Math.max(longest, longest(member));
        }
        return longest;
    }

    /** A result with texts of at most {@code chars} UTF-16 units, and without what is not text and not required. */
    JsonNode of(JsonNode result, int chars) {
        if (!(result instanceof ObjectNode object)) {
            return shorter(result, chars);
        }
        boolean texts = false;
        for (JsonNode value : object) {
            texts |= value.isTextual() && value.asText().length() > LONG;
        }
        ObjectNode brief = Json.object();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            if (everyResult.contains(member.getKey())
                    || (member.getKey().equals(PassageSignals.MEMBER) && marks(member.getValue()))
                    || stays(member.getValue(), texts)) {
                brief.set(member.getKey(), shorter(member.getValue(), chars));
            }
        }
        return brief;
    }

    /** Whether {@code value} is the marks of a result, and not something else of that name. */
    private static boolean marks(JsonNode value) {
        return value.isArray()
                && value.valueStream().allMatch(mark -> mark.path("kind").isTextual());
    }

    /**
     * Whether a member that is not required stays. Without a schema a number or a single word may be an id; with one, ids
     * are among what is required.
     */
    private boolean stays(JsonNode value, boolean textElsewhere) {
        if (value.isContainerNode()) {
            return !textElsewhere && !numbers(value);
        }
        return everyResult.isEmpty() || (value.isTextual() && value.asText().indexOf(' ') >= 0);
    }

    /** The members around the results, reduced to what is required, and marks. */
    ObjectNode around(ObjectNode answer) {
        ObjectNode brief = AnswerMarks.of(answer);
        answer.properties().forEach(member -> {
            if (always.contains(member.getKey()) && !brief.has(member.getKey())) {
                brief.set(member.getKey(), shorter(member.getValue(), AROUND_CHARS));
            }
        });
        return brief;
    }

    private JsonNode shorter(JsonNode value, int chars) {
        if (value.isTextual()) {
            return Json.mapper().getNodeFactory().textNode(cut(value.asText(), chars));
        }
        if (value instanceof ObjectNode object) {
            ObjectNode brief = Json.object();
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (!numbers(member.getValue())) {
                    brief.set(member.getKey(), shorter(member.getValue(), chars));
                }
            }
            return brief;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode brief = Json.array();
            array.forEach(element -> brief.add(shorter(element, chars)));
            return brief;
        }
        return value;
    }

    private static boolean numbers(JsonNode value) {
        return value.isArray() && value.size() > LONGEST_NUMBERS && value.get(0).isNumber();
    }

    private static boolean name(String text) {
        return text.length() <= LONGEST_NAME && text.indexOf(' ') < 0 && text.indexOf('\n') < 0;
    }

    private String cut(String text, int chars) {
        return text.length() <= chars || name(text)
                ? text
                : analysed.computeIfAbsent(text, windows::in).within(chars);
    }
}
