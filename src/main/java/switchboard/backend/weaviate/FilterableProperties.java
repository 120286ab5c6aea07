package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.call.FilterField;
import switchboard.call.FilterTimestamp;
import switchboard.call.Json;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.UnknownFields;

/** The properties of a collection that conditions may name, and the conditions as a filter. */
record FilterableProperties(CollectionSchema schema) {
    /** The properties as fields. */
    List<FilterField> fields() {
        return schema.properties().values().stream()
                .flatMap(property -> field(property).stream())
                .toList();
    }

    /**
     * Checks that the collection can apply {@code conditions}.
     *
     * @throws switchboard.call.ToolException {@code INVALID_ARGUMENT} if it can't
     */
    void check(List<Condition> conditions) {
        UnknownFields.check(
                conditions,
                name -> schema.property(name).flatMap(FilterableProperties::field),
                () -> fields().stream().map(FilterField::name).toList());
    }

    /** The filter; null without conditions. */
    @Nullable
    ObjectNode where(List<Condition> conditions) {
        if (conditions.isEmpty()) {
            return null;
        }
        ObjectNode where = Json.object().put("operator", "And");
        ArrayNode operands = where.putArray("operands");
        conditions.forEach(condition -> operands.add(operand(condition, property(condition))));
        return conditions.size() == 1 ? (ObjectNode) operands.get(0) : where;
    }

    /** Weaviate's {@code Equal} on text finds words in it; these have to be looked at again, by their stored names. */
    List<Condition> exact(List<Condition> conditions) {
        return conditions.stream()
                .filter(condition -> isText(property(condition)))
                .map(condition -> new Condition(property(condition).name(), condition.comparison(), condition.value()))
                .toList();
    }

    private CollectionSchema.Property property(Condition condition) {
        return schema.property(condition.field()).orElseThrow();
    }

    private static boolean isText(CollectionSchema.Property property) {
        return property.elementType().equals("text") || property.elementType().equals("string");
    }

    /** What filters may do with {@code property}; empty if nothing. */
    private static Optional<FilterField> field(CollectionSchema.Property property) {
        return property.filterable()
                ? type(property)
                        .map(type -> new FilterField(
                                property.name(),
                                List.of(type),
                                type == FilterField.ValueType.NUMBER || type == FilterField.ValueType.DATE_TIME))
                : Optional.empty();
    }

    /** The type of the values that {@code property} can be compared with; empty if there is none. */
    private static Optional<FilterField.ValueType> type(CollectionSchema.Property property) {
        WhereFilter.ValueType type = WhereFilter.ValueType.fitting(property.elementType());
        return property.reference() || type == null
                ? Optional.empty()
                : switch (type) {
                    case TEXT -> Optional.of(FilterField.ValueType.STRING);
                    case INT, NUMBER -> Optional.of(FilterField.ValueType.NUMBER);
                    case BOOLEAN -> Optional.of(FilterField.ValueType.BOOLEAN);
                    case DATE -> Optional.of(FilterField.ValueType.DATE_TIME);
                    case GEO_RANGE -> Optional.empty();
                };
    }

    private static ObjectNode operand(Condition condition, CollectionSchema.Property property) {
        WhereFilter.ValueType type = WhereFilter.ValueType.fitting(property.elementType());
        ObjectNode operand = Json.object();
        operand.putArray("path").add(property.name());
        operand.put(
                "operator",
                switch (condition.comparison()) {
                    case EQUAL -> "Equal";
                    case AT_LEAST -> "GreaterThanEqual";
                    case MORE_THAN -> "GreaterThan";
                    case AT_MOST -> "LessThanEqual";
                    case LESS_THAN -> "LessThan";
                });
        if (type == null) {
            throw new IllegalStateException("no values of the type " + property.type());
        }
        // Weaviate wants dates with time and zone.
        operand.set(
                type.key(),
                type == WhereFilter.ValueType.DATE ? FilterTimestamp.inUtc(condition.value()) : condition.value());
        return operand;
    }
}
