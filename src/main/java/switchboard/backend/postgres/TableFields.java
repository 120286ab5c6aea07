package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import switchboard.call.FilterField;
import switchboard.call.FilterField.ValueType;
import switchboard.call.FilterTimestamp;
import switchboard.call.Json;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.UnknownFields;

/** The columns of a table that conditions may name, and the conditions as SQL. */
record TableFields(TableInfo table) {
    /** Bytes, and types without an order, some of which have no equality either. */
    private static final Set<String> INCOMPARABLE =
            Set.of("bytea", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle");

    /** The columns as fields. */
    List<FilterField> all() {
        return table.plainColumns().stream()
                .filter(TableFields::compares)
                .map(TableFields::field)
                .toList();
    }

    /**
     * The conditions as SQL. An array meets one that an element of it meets.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT} if one can't be applied
     */
    StructuredFilter filter(List<Condition> conditions) {
        UnknownFields.check(
                conditions,
                name -> table.column(name)
                        .filter(column -> column.vector() == null && compares(column))
                        .map(TableFields::field),
                () -> all().stream().map(FilterField::name).toList());
        ObjectNode filter = Json.object();
        for (Condition condition : conditions) {
            TableInfo.Column column = table.column(condition.field()).orElseThrow();
            filter.withObjectProperty(condition.field()).set(comparison(condition, column), value(condition, column));
        }
        return StructuredFilter.compile(filter, table, VectorSearch.FIRST_FREE);
    }

    private static boolean compares(TableInfo.Column column) {
        return !INCOMPARABLE.contains(elementType(column));
    }

    private static FilterField field(TableInfo.Column column) {
        List<ValueType> types =
                switch (elementType(column)) {
                    case "smallint", "integer", "bigint", "numeric", "real", "double precision" ->
                        List.of(ValueType.NUMBER);
                    case "boolean" -> List.of(ValueType.BOOLEAN);
                    case "date", "timestamp without time zone", "timestamp with time zone" ->
                        List.of(ValueType.DATE_TIME);
                    case "text", "character varying", "character", "bpchar", "name", "citext", "uuid" ->
                        List.of(ValueType.STRING);
                    default -> List.of();
                };
        return new FilterField(
                column.name(), types, !column.array() && !column.json() && !types.contains(ValueType.BOOLEAN));
    }

    private static String elementType(TableInfo.Column column) {
        String type = column.baseType();
        return column.array() ? type.substring(0, type.length() - 2) : type;
    }

    private static String comparison(Condition condition, TableInfo.Column column) {
        return column.array() && condition.comparison() == Operator.EQUAL
                ? "contains"
                : condition.comparison().word();
    }

    /** A time without a zone would be taken for one of the server's, and a column without zones would not look at one. */
    private static JsonNode value(Condition condition, TableInfo.Column column) {
        return column.baseType().startsWith("timestamp") ? FilterTimestamp.inUtc(condition.value()) : condition.value();
    }
}
