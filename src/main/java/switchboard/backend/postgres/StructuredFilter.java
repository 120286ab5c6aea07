package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import switchboard.backend.postgres.sql.Identifiers;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * The argument {@code filter}: an object of column names to a value, a list of values, or an object of comparisons. All
 * of it must hold. Names come from the catalogue, values are bound, so nothing of the caller's text becomes SQL.
 *
 * @param condition the SQL
 * @param values what to bind, as text, from the given number on
 */
record StructuredFilter(String condition, List<String> values) {
    /** No conditions. */
    static final StructuredFilter NONE = new StructuredFilter("true", List.of());

    private static final Map<String, String> COMPARISONS = Map.of(
            "eq",
            "=",
            "ne",
            "IS DISTINCT FROM",
            "gt",
            ">",
            "gte",
            ">=",
            "lt",
            "<",
            "lte",
            "<=",
            "like",
            "LIKE",
            "ilike",
            "ILIKE");

    /**
     * Compiles {@code filter} for {@code table}, whose alias is {@code t}.
     *
     * @param firstParameter the number of the first free parameter
     * @throws ToolException if it names unknown columns or comparisons
     */
    static StructuredFilter compile(ObjectNode filter, TableInfo table, int firstParameter) {
        List<String> conditions = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : filter.properties()) {
            TableInfo.Column column =
                    table.column(entry.getKey()).orElseThrow(() -> unknownColumn(entry.getKey(), table));
            JsonNode value = entry.getValue();
            if (value instanceof ObjectNode comparisons) {
                for (Map.Entry<String, JsonNode> comparison : comparisons.properties()) {
                    conditions.add(
                            condition(column, comparison.getKey(), comparison.getValue(), values, firstParameter));
                }
            } else {
                conditions.add(condition(column, value.isArray() ? "in" : "eq", value, values, firstParameter));
            }
        }
        return conditions.isEmpty() ? NONE : new StructuredFilter(String.join(" AND ", conditions), values);
    }

    private static String condition(
            TableInfo.Column column, String comparison, JsonNode value, List<String> values, int firstParameter) {
        String name = "t." + Identifiers.quote(column.name());
        if (comparison.equals("exists")) {
            return name + (value.asBoolean() ? " IS NOT NULL" : " IS NULL");
        }
        if (comparison.equals("in") && value.isArray()) {
            List<String> parameters = new ArrayList<>();
            value.forEach(element -> parameters.add(parameter(column, element, values, firstParameter)));
            return parameters.isEmpty() ? "false" : name + " IN (" + String.join(", ", parameters) + ")";
        }
        String operator = COMPARISONS.get(comparison);
        if (operator == null || value.isContainerNode()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "'filter." + column.name()
                            + "': use a value, a list of values, or an object with eq, ne, gt, gte, lt,"
                            + " lte, like, ilike, in (a list) or exists (true or false).");
        }
        if (value.isNull()) {
            return name + (comparison.equals("ne") ? " IS NOT NULL" : " IS NULL");
        }
        return name + " " + operator + " " + parameter(column, value, values, firstParameter);
    }

    private static String parameter(TableInfo.Column column, JsonNode value, List<String> values, int firstParameter) {
        values.add(value.asText());
        return "$" + (firstParameter + values.size() - 1) + "::text::" + column.baseType();
    }

    private static ToolException unknownColumn(String name, TableInfo table) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Column '" + name + "' not found in table '" + table.fullName() + "'. Available columns: "
                        + String.join(
                                ", ",
                                table.columns().stream()
                                        .map(TableInfo.Column::name)
                                        .toList()));
    }
}
