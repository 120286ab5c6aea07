package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * A validated filter. REST and GraphQL write filters differently (lists are {@code valueTextArray} in REST and {@code
 * valueText: […]} in GraphQL; operators are texts in REST and bare words in GraphQL), so filters are parsed into this
 * form and written from it.
 */
sealed interface WhereFilter {
    /** Matches everything; the meaning of a batch delete without a filter. */
    static WhereFilter everything() {
        return new PropertyComparison(
                Operator.LIKE, List.of("_id"), ValueType.TEXT, Json.mapper().valueToTree("*"));
    }

    /** {@code one} And {@code other}. */
    static WhereFilter and(WhereFilter one, WhereFilter other) {
        return new Combination(Operator.AND, List.of(one, other));
    }

    /** Objects with one of these UUIDs. */
    static WhereFilter ids(List<String> uuids) {
        return new PropertyComparison(
                Operator.CONTAINS_ANY,
                List.of("id"),
                ValueType.TEXT,
                Json.mapper().valueToTree(uuids));
    }

    /** The filter in REST's form. */
    ObjectNode rest();

    /** The filter as the value of a GraphQL variable; empty if Weaviate accepts only a literal. */
    Optional<ObjectNode> variable();

    /** The filter as a GraphQL literal. */
    String literal();

    /** Several filters as one. */
    record Combination(Operator operator, List<WhereFilter> operands) implements WhereFilter {
        @Override
        public ObjectNode rest() {
            ObjectNode json = Json.object().put("operator", operator.word());
            operands.forEach(operand -> json.withArray("operands").add(operand.rest()));
            return json;
        }

        @Override
        public Optional<ObjectNode> variable() {
            ObjectNode json = Json.object().put("operator", operator.word());
            for (WhereFilter operand : operands) {
                Optional<ObjectNode> written = operand.variable();
                if (written.isEmpty()) {
                    return Optional.empty();
                }
                json.withArray("operands").add(written.get());
            }
            return Optional.of(json);
        }

        @Override
        public String literal() {
            return "{operator:" + operator.word() + ",operands:["
                    + operands.stream().map(WhereFilter::literal).collect(Collectors.joining(",")) + "]}";
        }
    }

    /**
     * A comparison.
     *
     * @param value a JSON value of the type, or an array of them for operators with lists
     */
    record PropertyComparison(Operator operator, List<String> path, ValueType type, JsonNode value)
            implements WhereFilter {
        @Override
        public ObjectNode rest() {
            return json(type.key() + (value.isArray() ? "Array" : ""));
        }

        /** Weaviate refuses lists in a variable, and ranges do not work reliably in one. */
        @Override
        public Optional<ObjectNode> variable() {
            return value.isContainerNode() ? Optional.empty() : Optional.of(json(type.key()));
        }

        @Override
        public String literal() {
            return "{operator:" + operator.word() + ",path:"
                    + Json.text(Json.mapper().valueToTree(path)) + "," + type.key() + ":" + GraphQl.literal(value)
                    + "}";
        }

        private ObjectNode json(String key) {
            ObjectNode json = Json.object();
            json.set("path", Json.mapper().valueToTree(path));
            json.put("operator", operator.word());
            json.set(key, value);
            return json;
        }
    }

    /** The operator of a comparison or combination. */
    enum Operator {
        AND("And", OperandType.COMBINATION),
        OR("Or", OperandType.COMBINATION),
        NOT("Not", OperandType.COMBINATION),
        EQUAL("Equal", OperandType.SCALAR),
        NOT_EQUAL("NotEqual", OperandType.SCALAR),
        GREATER_THAN("GreaterThan", OperandType.SCALAR),
        GREATER_THAN_EQUAL("GreaterThanEqual", OperandType.SCALAR),
        LESS_THAN("LessThan", OperandType.SCALAR),
        LESS_THAN_EQUAL("LessThanEqual", OperandType.SCALAR),
        LIKE("Like", OperandType.SCALAR),
        IS_NULL("IsNull", OperandType.SCALAR),
        WITHIN_GEO_RANGE("WithinGeoRange", OperandType.SCALAR),
        CONTAINS_ANY("ContainsAny", OperandType.LIST),
        CONTAINS_ALL("ContainsAll", OperandType.LIST),
        CONTAINS_NONE("ContainsNone", OperandType.LIST);

        /** The operands that an operator takes. */
        enum OperandType {
            /** Operands. */
            COMBINATION,
            /** A path and one value. */
            SCALAR,
            /** A path and a list of values. */
            LIST
        }

        private final String word;
        private final OperandType operands;

        Operator(String word, OperandType operands) {
            this.word = word;
            this.operands = operands;
        }

        /** As Weaviate writes it. */
        String word() {
            return word;
        }

        /** Its operands. */
        OperandType operands() {
            return operands;
        }

        /** The operator called {@code word}, or null. */
        static @Nullable Operator of(String word) {
            for (Operator operator : values()) {
                if (operator.word.equals(word)) {
                    return operator;
                }
            }
            return null;
        }
    }

    /** The typed values of the filter grammar. */
    enum ValueType {
        TEXT("valueText"),
        INT("valueInt"),
        NUMBER("valueNumber"),
        BOOLEAN("valueBoolean"),
        DATE("valueDate"),
        GEO_RANGE("valueGeoRange");

        private final String key;

        ValueType(String key) {
            this.key = key;
        }

        /** The key for one value; {@code Array} is appended for lists, in REST. */
        String key() {
            return key;
        }

        /** The type for properties of the data type {@code element}; null if filters don't support it. */
        static @Nullable ValueType fitting(String element) {
            return switch (element) {
                case "text", "string", "uuid" -> TEXT;
                case "int" -> INT;
                case "number" -> NUMBER;
                case "boolean" -> BOOLEAN;
                case "date" -> DATE;
                case "geoCoordinates" -> GEO_RANGE;
                default -> null;
            };
        }
    }
}
