package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.FilterField;
import switchboard.call.Json;

/**
 * A field in the answer of {@code list_sources}; component names are those on the wire.
 *
 * @param types the types of its values; null if they are not known
 * @param ranges whether it can be compared by order
 * @param examples what {@code filters} may have for it; null if there are none
 */
record FilterFieldItem(
        String name,
        @Nullable List<FilterField.ValueType> types,
        boolean ranges,
        @Nullable List<JsonNode> examples) {
    private static final int MOST_EXAMPLES = 2;

    /** The first {@code most} of {@code fields}, the first {@code examples} of them with examples. */
    static List<FilterFieldItem> of(List<FilterField> fields, int most, int examples) {
        return IntStream.range(0, Math.min(most, fields.size()))
                .mapToObj(i -> of(fields.get(i), i < examples ? examples(fields.get(i)) : List.of()))
                .toList();
    }

    private static FilterFieldItem of(FilterField field, List<JsonNode> examples) {
        return new FilterFieldItem(
                field.name(),
                field.types().isEmpty() ? null : field.types(),
                field.ranges(),
                examples.isEmpty() ? null : examples);
    }

    /** Values that documents have, or else forms that the types allow. Of numbers and times the last one is a range. */
    private static List<JsonNode> examples(FilterField field) {
        List<JsonNode> values = new ArrayList<>(field.examples());
        if (values.isEmpty()) {
            field.types().stream().flatMap(type -> form(type).stream()).forEach(values::add);
        }
        boolean times = field.types().contains(FilterField.ValueType.DATE_TIME);
        Optional<JsonNode> bound = field.ranges()
                ? values.stream()
                        .filter(value -> value.isNumber() || (times && value.isTextual()))
                        .findFirst()
                : Optional.empty();
        return Stream.concat(
                        values.stream().limit(bound.isPresent() ? MOST_EXAMPLES - 1 : MOST_EXAMPLES),
                        bound.stream().map(value -> Json.object().set("gte", value)))
                .toList();
    }

    /** A string without documents that have it says nothing about how to write one. */
    private static Optional<JsonNode> form(FilterField.ValueType type) {
        return switch (type) {
            case BOOLEAN -> Optional.of(BooleanNode.TRUE);
            case DATE_TIME -> Optional.of(TextNode.valueOf("2025-01-31"));
            case NUMBER -> Optional.of(IntNode.valueOf(2020));
            case STRING -> Optional.empty();
        };
    }
}
