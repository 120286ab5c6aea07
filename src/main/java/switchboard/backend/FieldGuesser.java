package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.FilterField;
import switchboard.call.FilterTimestamp;
import switchboard.call.NamedFields;
import switchboard.call.PassagePlace;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.UnknownFields;

/**
 * Finds title and text in a document of an engine without a fixed schema: the declared fields, else fields with usual
 * names, else the longest text. Encoded bytes (base64, hexadecimal), ids and times are not text.
 *
 * @param fields the document; must not be changed
 * @param named the declared fields
 */
public record FieldGuesser(ObjectNode fields, NamedFields named) {
    /** Minimum length of encoded bytes. Shorter texts are words, names and checksums. */
    private static final int SHORTEST_BYTES = 64;

    private static final int LOOKED_AT = 4_096;
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_\\-\\r\\n]++={0,2}+\\s*+");
    private static final Pattern HEX = Pattern.compile("(\\\\x|0x)?[0-9a-fA-F]+");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final int LONGEST_TIME = 40;
    private static final Pattern DATA_URL = Pattern.compile("data:[^,\\s]{0,200};base64,.*", Pattern.DOTALL);

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

    /** A document without declared fields. */
    public FieldGuesser(ObjectNode fields) {
        this(fields, NamedFields.NONE);
    }

    /** The title; empty if there is none. */
    public String title() {
        return declared(named.title()).or(() -> first(TITLES)).orElse("");
    }

    /** The URL of its origin, or null. */
    public @Nullable String url() {
        return declared(named.url()).or(() -> first(URLS)).orElse(null);
    }

    /** Its text; empty if it has none. Where a JSON pointer is declared, no other field is taken for the text. */
    public String text() {
        if (named.text() != null && named.text().startsWith("/")) {
            return declared(named.text()).orElse("");
        }
        return declared(named.text()).or(() -> first(TEXTS)).or(this::longest).orElse("");
    }

    /** Title and text together. */
    public String whole() {
        String title = title();
        String text = text();
        return title.isEmpty() || text.startsWith(title) ? text : title + "\n\n" + text;
    }

    /** Where {@link #text} is in {@link #whole}. */
    public PassagePlace place() {
        return PassagePlace.below(title(), text());
    }

    /** A part of {@link #whole}. */
    public BackendReply.DocumentPart part(int offset, int maxChars) {
        return BackendReply.DocumentPart.of(title(), url(), whole(), offset, maxChars);
    }

    /** All fields except title and text. */
    public ObjectNode others() {
        ObjectNode others = fields.deepCopy();
        String title = title();
        String text = text();
        NamedFields.remove(others, named.title());
        NamedFields.remove(others, named.text());
        others.properties()
                .removeIf(field -> field.getValue().isTextual()
                        && (field.getValue().asText().equals(title)
                                || field.getValue().asText().equals(text)));
        return others;
    }

    /** Whether all {@code conditions} hold, for engines with less exact filters. */
    public boolean meets(List<Condition> conditions) {
        return conditions.stream()
                .allMatch(condition -> values(condition.field()).stream().anyMatch(value -> meets(condition, value)));
    }

    /** Why the document does not meet a condition that an engine let it through with; empty if only its value differs. */
    public Optional<String> mistaken(List<Condition> conditions) {
        return conditions.stream()
                .filter(condition -> !meets(List.of(condition)))
                .findFirst()
                .flatMap(condition -> {
                    List<FilterField.ValueType> types = values(condition.field()).stream()
                            .flatMap(value -> type(value).stream())
                            .toList();
                    return types.isEmpty()
                            ? Optional.of(
                                    UnknownFields.quoted(condition.field())
                                            + " is not in what the engine shows of a document, so that it can't be checked here.")
                            : new FilterField(condition.field(), types, true).problem(condition);
                });
    }

    private static Optional<FilterField.ValueType> type(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> Optional.of(FilterField.ValueType.BOOLEAN);
            case NUMBER -> Optional.of(FilterField.ValueType.NUMBER);
            case STRING -> Optional.of(FilterField.ValueType.STRING);
            case ARRAY, OBJECT, NULL, MISSING, BINARY, POJO -> Optional.empty();
        };
    }

    /** The values of a field, whose name may be that of a nested one: names joined by dots. Each element of an array is one. */
    private List<JsonNode> values(String field) {
        List<JsonNode> values = new ArrayList<>();
        addValues(fields, field, values);
        return values;
    }

    private static void addValues(JsonNode node, String field, List<JsonNode> values) {
        if (node.isArray()) {
            node.forEach(element -> addValues(element, field, values));
        } else if (field.isEmpty()) {
            values.add(node);
        } else if (node.has(field)) {
            addValues(node.path(field), "", values);
        } else if (node.isObject()) {
            for (int dot = field.indexOf('.'); dot > 0; dot = field.indexOf('.', dot + 1)) {
                addValues(node.path(field.substring(0, dot)), field.substring(dot + 1), values);
            }
        }
    }

    private static boolean meets(Condition condition, JsonNode value) {
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

    /** Compares times by time, other texts by character. */
    private static int compare(String value, String wanted) {
        Optional<FilterTimestamp> time = FilterTimestamp.of(wanted);
        Optional<FilterTimestamp> held = time.isPresent() ? FilterTimestamp.of(value) : time;
        return held.isPresent() ? held.get().instant().compareTo(time.get().instant()) : value.compareTo(wanted);
    }

    private Optional<String> declared(@Nullable String name) {
        return NamedFields.text(fields, name);
    }

    private Optional<String> first(List<String> names) {
        return names.stream()
                .map(name -> fields.path(name))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .filter(text -> !text.isBlank() && !bytes(text))
                .findFirst();
    }

    private Optional<String> longest() {
        return fields.properties().stream()
                .map(Map.Entry::getValue)
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText)
                .filter(text -> !bytes(text) && !UUID.matcher(text).matches())
                .filter(text ->
                        text.length() > LONGEST_TIME || FilterTimestamp.of(text).isEmpty())
                .max(Comparator.comparingInt(String::length));
    }

    /** Whether {@code text} is encoded bytes: long, without spaces, with a mix of characters unusual for words. */
    private static boolean bytes(String text) {
        if (text.length() < SHORTEST_BYTES) {
            return false;
        }
        String start = text.substring(0, Math.min(text.length(), LOOKED_AT));
        return DATA_URL.matcher(start).matches() || hexadecimal(start) || base64(start);
    }

    private static boolean hexadecimal(String text) {
        return HEX.matcher(text).matches() && mixed(text, Character::isLetter);
    }

    private static boolean base64(String text) {
        return BASE64.matcher(text).matches()
                && mixed(text, Character::isUpperCase)
                && mixed(text, Character::isLowerCase);
    }

    private static boolean mixed(String text, IntPredicate letters) {
        return text.chars().anyMatch(Character::isDigit) && text.chars().anyMatch(letters);
    }
}
