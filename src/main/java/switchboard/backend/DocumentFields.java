package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.SourceQuery.Condition;

/**
 * Finds, in a document of an engine that knows nothing of titles and texts, what people would take for them: by the usual
 * names of fields, else the longest text.
 *
 * @param fields the document; must not be changed
 */
public record DocumentFields(ObjectNode fields) {
    private static final List<String> TITLES = List.of("title", "name", "headline", "heading", "subject", "label");
    private static final List<String> TEXTS = List.of(
            "text",
            "content",
            "body",
            "chunk",
            "passage",
            "document",
            "abstract",
            "description",
            "overview",
            "summary");
    private static final List<String> URLS = List.of("url", "link", "uri", "href", "source", "path");

    /** What to call it; empty if nothing fits. */
    public String title() {
        return first(TITLES).orElse("");
    }

    /** Where it came from, or null. */
    public @Nullable String url() {
        return first(URLS).orElse(null);
    }

    /** Its text; empty if it has none. */
    public String text() {
        return first(TEXTS).or(this::longest).orElse("");
    }

    /** Title and text, as a whole to read. */
    public String whole() {
        String title = title();
        String text = text();
        return title.isEmpty() || text.startsWith(title) ? text : title + "\n\n" + text;
    }

    /** What is neither title nor text. */
    public ObjectNode others() {
        ObjectNode others = fields.deepCopy();
        String title = title();
        String text = text();
        others.properties()
                .removeIf(field -> field.getValue().isTextual()
                        && (field.getValue().asText().equals(title)
                                || field.getValue().asText().equals(text)));
        return others;
    }

    /** Whether all of {@code conditions} hold, for engines whose own filters let more through. */
    public boolean meets(List<Condition> conditions) {
        return conditions.stream().allMatch(condition -> meets(condition, fields.path(condition.field())));
    }

    private static boolean meets(Condition condition, JsonNode value) {
        if (value.isArray()) {
            for (JsonNode element : value) {
                if (meets(condition, element)) {
                    return true;
                }
            }
            return false;
        }
        JsonNode wanted = condition.value();
        if (wanted.isBoolean() || value.isBoolean()) {
            return value.equals(wanted);
        }
        if (wanted.isNumber() != value.isNumber() || wanted.isTextual() != value.isTextual()) {
            return false;
        }
        int order = wanted.isNumber()
                ? value.decimalValue().compareTo(wanted.decimalValue())
                : compare(value.asText(), wanted.asText());
        return switch (condition.comparison()) {
            case EQUAL -> order == 0;
            case AT_LEAST -> order >= 0;
            case MORE_THAN -> order > 0;
            case AT_MOST -> order <= 0;
            case LESS_THAN -> order < 0;
        };
    }

    /** Times by when they are, other texts letter by letter. */
    private static int compare(String value, String wanted) {
        Optional<Moment> time = Moment.of(wanted);
        Optional<Moment> held = time.isPresent() ? Moment.of(value) : time;
        return held.isPresent() ? held.get().instant().compareTo(time.get().instant()) : value.compareTo(wanted);
    }

    private Optional<String> first(List<String> names) {
        return names.stream()
                .map(name -> fields.path(name))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    private Optional<String> longest() {
        return fields.properties().stream()
                .map(Map.Entry::getValue)
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .max(Comparator.comparingInt(String::length));
    }
}
