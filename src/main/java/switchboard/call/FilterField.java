package switchboard.call;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;

/**
 * A field of a source that conditions may name.
 *
 * @param name its name in conditions
 * @param types the types of its values, sorted; empty if they are not known
 * @param ranges whether its values can be compared by order
 * @param examples some values of documents that the caller may see; empty where finding them would take a query
 */
public record FilterField(String name, List<ValueType> types, boolean ranges, List<JsonNode> examples) {
    private static final int LONGEST_VALUE = 60;

    public FilterField {
        types = types.stream().sorted().distinct().toList();
        examples = List.copyOf(examples);
    }

    /** A field without examples. */
    public FilterField(String name, Collection<ValueType> types, boolean ranges) {
        this(name, List.copyOf(types), ranges, List.of());
    }

    /** A type of values, in the words of JSON Schema. */
    public enum ValueType {
        BOOLEAN,
        /** A date, or a date and time: a string in ISO 8601. */
        DATE_TIME,
        NUMBER,
        STRING;

        /** The name on the wire. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private boolean accepts(JsonNode value) {
            return switch (this) {
                case BOOLEAN -> value.isBoolean();
                case DATE_TIME ->
                    value.isTextual() && FilterTimestamp.of(value.asText()).isPresent();
                case NUMBER -> value.isNumber();
                case STRING -> value.isTextual();
            };
        }

        private String described() {
            return this == DATE_TIME ? "date-time (ISO 8601, such as 2025-01-31)" : word();
        }
    }

    /** Why {@code condition}, which is on this field, can't be applied; empty if it can. */
    public Optional<String> problem(Condition condition) {
        if (!types.isEmpty() && types.stream().noneMatch(type -> type.accepts(condition.value()))) {
            return Optional.of(UnknownFields.quoted(condition.field()) + " can't be compared with "
                    + shown(condition.value()) + " here: its type is "
                    + types.stream().map(ValueType::described).collect(Collectors.joining(" or ")) + ".");
        }
        return ranges || condition.comparison() == Operator.EQUAL
                ? Optional.empty()
                : Optional.of(UnknownFields.quoted(condition.field())
                        + " can't be compared by order here. Give a value that it equals.");
    }

    private static String shown(JsonNode value) {
        String text = Json.text(value);
        return text.length() <= LONGEST_VALUE ? text : "a long string";
    }

    /**
     * Checks that {@code condition} can be applied to this field.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if it can't
     */
    public void check(Condition condition) {
        problem(condition).ifPresent(problem -> {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, problem);
        });
    }
}
