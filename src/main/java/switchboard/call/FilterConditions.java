package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;

/** The {@code filters} argument: for each field a value to equal, or an object of comparisons. */
public final class FilterConditions {
    private static final Map<String, Operator> WORDS =
            Stream.of(Operator.values()).collect(Collectors.toMap(Operator::word, Function.identity()));

    private FilterConditions() {}

    /**
     * Parses the filters, in the given order.
     *
     * @throws ToolException that names the field and its allowed values
     */
    public static List<Condition> of(@Nullable ObjectNode filters) {
        List<Condition> conditions = new ArrayList<>();
        if (filters != null) {
            for (Map.Entry<String, JsonNode> filter : filters.properties()) {
                read(filter.getKey(), filter.getValue(), conditions);
            }
        }
        return conditions;
    }

    private static void read(String field, JsonNode given, List<Condition> conditions) {
        if (given instanceof ObjectNode comparisons && !comparisons.isEmpty()) {
            comparisons.properties().forEach(one -> {
                Operator comparison = WORDS.get(one.getKey());
                if (comparison == null) {
                    throw wrong(
                            field,
                            "has an unknown comparison \"" + one.getKey() + "\"; comparisons are eq, gt, gte, lt, lte");
                }
                if (comparison != Operator.EQUAL && one.getValue().isBoolean()) {
                    throw wrong(field, "compares true or false by order; use eq");
                }
                conditions.add(new Condition(field, comparison, scalar(field, one.getValue())));
            });
        } else {
            conditions.add(new Condition(field, Operator.EQUAL, scalar(field, given)));
        }
    }

    private static JsonNode scalar(String field, JsonNode value) {
        if (value.isTextual() || value.isNumber() || value.isBoolean()) {
            return value;
        }
        throw wrong(field, "must be a string, a number, true or false, or an object such as {\"gte\": 2020}");
    }

    private static ToolException wrong(String field, String what) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, "filters." + field + " " + what + ".");
    }
}
