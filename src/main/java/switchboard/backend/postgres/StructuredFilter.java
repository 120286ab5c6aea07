package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.text.ClosestName;

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

    private static final List<String> NAMES = Stream.concat(
                    COMPARISONS.keySet().stream(), Stream.of("in", "contains", "contains_any", "exists"))
            .toList();

    /** Types of whole numbers, and how many bits their greatest has. */
    private static final Map<String, Integer> INTEGERS = Map.of("smallint", 16, "integer", 32, "bigint", 64);

    private static final String NUMERIC = "numeric";
    private static final String ARRAY = "[]";

    /**
     * Compiles {@code filter} for {@code table}, which goes by its own name in the query.
     *
     * @param firstParameter the number of the first free parameter
     * @throws ToolException if it names unknown columns or comparisons
     */
    static StructuredFilter compile(ObjectNode filter, TableInfo table, int firstParameter) {
        List<String> conditions = new ArrayList<>();
        List<String> values = new ArrayList<>();
        Bound bound = new Bound(table, values, firstParameter);
        for (Map.Entry<String, JsonNode> entry : filter.properties()) {
            TableInfo.Column column = table.column(entry.getKey())
                    .orElseThrow(() -> table.unknownColumn(entry.getKey(), FailureKind.INVALID_ARGUMENT));
            JsonNode value = entry.getValue();
            if (value instanceof ObjectNode comparisons) {
                for (Map.Entry<String, JsonNode> comparison : comparisons.properties()) {
                    conditions.add(condition(column, comparison.getKey(), comparison.getValue(), bound));
                }
            } else {
                conditions.add(condition(column, value.isArray() ? "in" : "eq", value, bound));
            }
        }
        return conditions.isEmpty() ? NONE : new StructuredFilter(String.join(" AND ", conditions), values);
    }

    private static String condition(TableInfo.Column column, String comparison, JsonNode value, Bound bound) {
        boolean listed = comparison.equals("in") || comparison.equals("contains_any");
        if (listed && !value.isArray()) {
            throw unusable(column, "'" + comparison + "' takes a list");
        }
        return switch (comparison) {
            case "exists" -> bound.name(column) + (truth(column, value) ? " IS NOT NULL" : " IS NULL");
            case "in" -> in(column, value, bound);
            case "contains" -> contains(column, value, bound);
            case "contains_any" -> containsAny(column, value, bound);
            default -> compared(column, comparison, value, bound);
        };
    }

    private static boolean truth(TableInfo.Column column, JsonNode value) {
        if (!value.isBoolean()) {
            throw unusable(column, "'exists' takes true or false");
        }
        return value.booleanValue();
    }

    private static String in(TableInfo.Column column, JsonNode list, Bound bound) {
        List<String> parameters = new ArrayList<>();
        boolean orNull = false;
        for (JsonNode element : list) {
            if (element.isNull()) {
                orNull = true;
            } else {
                parameters.add(bound.value(column, element));
            }
        }
        String among = bound.value(column) + " IN (" + String.join(", ", parameters) + ")";
        if (parameters.isEmpty()) {
            return orNull ? bound.name(column) + " IS NULL" : "false";
        }
        return orNull ? "(" + among + " OR " + bound.name(column) + " IS NULL)" : among;
    }

    /** All of the values are in it: in any order in an array, and anywhere as deep in JSON. */
    private static String contains(TableInfo.Column column, JsonNode value, Bound bound) {
        if (column.json()) {
            return bound.value(column) + " @> " + bound.value(column, value);
        }
        return bound.arrays(column, "@>", elements(column, value));
    }

    private static String containsAny(TableInfo.Column column, JsonNode list, Bound bound) {
        if (!column.json()) {
            return bound.arrays(column, "&&", elements(column, list));
        }
        List<String> each = new ArrayList<>();
        list.forEach(value -> each.add(bound.value(column) + " @> " + bound.value(column, value)));
        return each.isEmpty() ? "false" : "(" + String.join(" OR ", each) + ")";
    }

    private static List<JsonNode> elements(TableInfo.Column column, JsonNode value) {
        if (!column.array()) {
            throw unusable(
                    column,
                    "'contains' and 'contains_any' are for arrays and jsonb, and this column is " + column.type()
                            + "; use eq, in or like");
        }
        List<JsonNode> elements = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(elements::add);
        } else {
            elements.add(value);
        }
        if (elements.stream().anyMatch(JsonNode::isNull)) {
            throw unusable(column, "null in the list matches no array; leave it out");
        }
        return elements;
    }

    private static String compared(TableInfo.Column column, String comparison, JsonNode value, Bound bound) {
        String operator = COMPARISONS.get(comparison);
        if (operator == null) {
            throw unusable(
                    column,
                    ClosestName.of(comparison, NAMES)
                            .map(near -> "there is no '" + comparison + "'; did you mean '" + near + "'?")
                            .orElse("there is no '" + comparison + "'"));
        }
        boolean equality = comparison.equals("eq") || comparison.equals("ne");
        if (value.isNull()) {
            if (!equality) {
                throw unusable(column, "null can't be compared by order; use exists");
            }
            return bound.name(column) + (comparison.equals("ne") ? " IS NOT NULL" : " IS NULL");
        }
        if (column.array() && equality && value.isArray()) {
            return bound.arrays(column, operator, elements(column, value));
        }
        return bound.value(column) + " " + operator + " " + bound.value(column, value);
    }

    /** The values bound so far, and how SQL names them and the columns. */
    private record Bound(TableInfo table, List<String> values, int firstParameter) {
        String name(TableInfo.Column column) {
            return table.sql(column);
        }

        /** The column in a form that can be compared: of the JSON types only {@code jsonb} supports equality. */
        String value(TableInfo.Column column) {
            return name(column) + (column.baseType().equals("json") ? "::jsonb" : "");
        }

        /** {@code value} bound in the column's type. */
        String value(TableInfo.Column column, JsonNode value) {
            if (column.json()) {
                return parameter(Json.text(value), "jsonb");
            }
            if (column.array()) {
                throw unusable(
                        column,
                        "the column is " + column.type()
                                + "; use contains (all of the values are in it) or contains_any (one of them is)");
            }
            if (value.isContainerNode()) {
                throw unusable(column, "a value here is a text, a number, true or false");
            }
            return parameter(value, column.baseType());
        }

        /** The column compared with an array of {@code elements}. */
        String arrays(TableInfo.Column column, String operator, List<JsonNode> elements) {
            String type = column.baseType().substring(0, column.baseType().length() - ARRAY.length());
            List<String> parameters = new ArrayList<>();
            for (JsonNode element : elements) {
                if (element.isContainerNode() && !type.equals("jsonb")) {
                    throw unusable(column, "an element here is a text, a number, true or false");
                }
                parameters.add(type.equals("jsonb") ? parameter(Json.text(element), type) : parameter(element, type));
            }
            // Both sides are of one type.
            boolean wider = INTEGERS.containsKey(type)
                    && parameters.stream().anyMatch(parameter -> parameter.endsWith(NUMERIC));
            String array = "ARRAY[" + String.join(", ", parameters) + "]::";
            return wider
                    ? name(column) + "::numeric[] " + operator + " " + array + "numeric[]"
                    : name(column) + " " + operator + " " + array + column.baseType();
        }

        /**
         * Whole numbers may be written with a decimal point. A value that the column's type can't represent is
         * compared as a number.
         */
        private String parameter(JsonNode value, String type) {
            Integer bits = INTEGERS.get(type);
            if (!value.isNumber() || bits == null) {
                return parameter(value.asText(), type);
            }
            BigDecimal number = value.decimalValue().stripTrailingZeros();
            boolean fits = number.scale() <= 0
                    && number.precision() - number.scale() < 20
                    && number.toBigIntegerExact().bitLength() < bits;
            return parameter(number.toPlainString(), fits ? type : NUMERIC);
        }

        private String parameter(String text, String type) {
            values.add(text);
            return "$" + (firstParameter + values.size() - 1) + "::text::" + type;
        }
    }

    private static ToolException unusable(TableInfo.Column column, String what) {
        return new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "'filter." + column.name() + "': " + what
                        + ". A filter is a value, a list of values, or an object with eq,"
                        + " ne, gt, gte, lt, lte, like, ilike, in (a list), contains, contains_any (a list) or exists"
                        + " (true or false).");
    }
}
