package switchboard.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.regex.JDKRegularExpressionFactory;
import com.networknt.schema.regex.RegularExpression;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * A JSON Schema of 2020-12 as a list of checks, for the keywords that schemas of tools use. It tells whether a value is valid,
 * but not why not. It accepts nothing that the schema library refuses; {@code CompiledSchemaTest} compares both on random
 * schemas and values. Immutable.
 */
final class CompiledSchema {
    /** Keywords without an effect on validation. */
    private static final Set<String> ANNOTATIONS = Set.of(
            "$comment", "title", "description", "default", "examples", "x-mcp-header", SchemaRules.BUDGET_DEFAULT);

    private static final CompiledSchema ANYTHING = new CompiledSchema(List.of());
    private static final CompiledSchema NOTHING = new CompiledSchema(List.of(_ -> false));

    /** The types of values. A number without a fraction is an integer, however it is written. */
    private enum JsonType {
        NULL,
        BOOLEAN,
        INTEGER,
        FRACTION,
        STRING,
        ARRAY,
        OBJECT
    }

    private final List<Predicate<JsonNode>> checks;

    private CompiledSchema(List<Predicate<JsonNode>> checks) {
        this.checks = List.copyOf(checks);
    }

    /** {@code schema} compiled; empty if it has something that is left to the schema library. */
    static Optional<CompiledSchema> of(JsonNode schema) {
        try {
            return Optional.of(compiled(schema));
        } catch (NotCompiledException _) {
            return Optional.empty();
        }
    }

    /** Whether {@code value} is valid. */
    boolean accepts(JsonNode value) {
        for (Predicate<JsonNode> check : checks) {
            if (!check.test(value)) {
                return false;
            }
        }
        return true;
    }

    private static CompiledSchema compiled(JsonNode schema) {
        if (schema.isBoolean()) {
            return schema.booleanValue() ? ANYTHING : NOTHING;
        }
        if (!schema.isObject()) {
            throw new NotCompiledException();
        }
        List<Predicate<JsonNode>> checks = new ArrayList<>();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            if (!ANNOTATIONS.contains(keyword.getKey())) {
                checks.add(check(keyword.getKey(), keyword.getValue(), schema));
            }
        }
        return new CompiledSchema(checks);
    }

    private static Predicate<JsonNode> check(String keyword, JsonNode rule, JsonNode schema) {
        return switch (keyword) {
            case "type" -> types(rule);
            case "enum" -> constants(rule);
            case "minimum" -> numbers(rule, comparison -> comparison >= 0);
            case "maximum" -> numbers(rule, comparison -> comparison <= 0);
            case "exclusiveMinimum" -> numbers(rule, comparison -> comparison > 0);
            case "exclusiveMaximum" -> numbers(rule, comparison -> comparison < 0);
            case "minLength" -> atLeast(rule, JsonNode::isTextual, CompiledSchema::length);
            case "maxLength" -> atMost(rule, JsonNode::isTextual, CompiledSchema::length);
            case "pattern" -> pattern(rule);
            case "minItems" -> atLeast(rule, JsonNode::isArray, JsonNode::size);
            case "maxItems" -> atMost(rule, JsonNode::isArray, JsonNode::size);
            case "items" -> items(compiled(rule));
            case "minProperties" -> atLeast(rule, JsonNode::isObject, JsonNode::size);
            case "maxProperties" -> atMost(rule, JsonNode::isObject, JsonNode::size);
            case "required" -> required(rule);
            case "properties" -> properties(rule);
            case "additionalProperties" -> others(schema.path("properties"), compiled(rule));
            case "propertyNames" -> names(compiled(rule));
            case "anyOf" -> anyOf(rule);
            default -> throw new NotCompiledException();
        };
    }

    private static Predicate<JsonNode> types(JsonNode rule) {
        Set<JsonType> types = EnumSet.noneOf(JsonType.class);
        for (JsonNode name : rule.isArray() ? rule : List.of(rule)) {
            if (!Collections.disjoint(types, types(name.asText()))) {
                throw new NotCompiledException(); // with "integer" and "number" the library compares whole parts only
            }
            types.addAll(types(name.asText()));
        }
        return value -> types.contains(type(value));
    }

    private static List<JsonType> types(String name) {
        return switch (name) {
            case "null" -> List.of(JsonType.NULL);
            case "boolean" -> List.of(JsonType.BOOLEAN);
            case "integer" -> List.of(JsonType.INTEGER);
            case "number" -> List.of(JsonType.INTEGER, JsonType.FRACTION);
            case "string" -> List.of(JsonType.STRING);
            case "array" -> List.of(JsonType.ARRAY);
            case "object" -> List.of(JsonType.OBJECT);
            default -> throw new NotCompiledException();
        };
    }

    private static JsonType type(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL -> JsonType.NULL;
            case BOOLEAN -> JsonType.BOOLEAN;
            case NUMBER -> value.canConvertToExactIntegral() ? JsonType.INTEGER : JsonType.FRACTION;
            case STRING -> JsonType.STRING;
            case ARRAY -> JsonType.ARRAY;
            case OBJECT -> JsonType.OBJECT;
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + value.getNodeType());
        };
    }

    /** Numbers are left to the library, also in arrays and objects, because 1 equals 1.0. */
    private static Predicate<JsonNode> constants(JsonNode rule) {
        Set<JsonNode> constants = new HashSet<>();
        for (JsonNode constant : rule) {
            if (constant.isNumber() || constant.isContainerNode()) {
                throw new NotCompiledException();
            }
            constants.add(constant);
        }
        return constants::contains;
    }

    /**
     * Numbers beyond 64 bits are left to the library.
     *
     * @param valid whether a value is valid that compares to the limit as this number to 0
     */
    private static Predicate<JsonNode> numbers(JsonNode rule, IntPredicate valid) {
        if (!rule.isNumber()) {
            throw new NotCompiledException();
        }
        BigDecimal limit = rule.decimalValue();
        return value -> !value.isNumber()
                || (value.canConvertToLong() && valid.test(value.decimalValue().compareTo(limit)));
    }

    private static Predicate<JsonNode> atLeast(
            JsonNode rule, Predicate<JsonNode> concerned, ToIntFunction<JsonNode> size) {
        int least = count(rule);
        return value -> !concerned.test(value) || size.applyAsInt(value) >= least;
    }

    private static Predicate<JsonNode> atMost(
            JsonNode rule, Predicate<JsonNode> concerned, ToIntFunction<JsonNode> size) {
        int most = count(rule);
        return value -> !concerned.test(value) || size.applyAsInt(value) <= most;
    }

    private static int count(JsonNode rule) {
        if (!rule.isInt()) {
            throw new NotCompiledException();
        }
        return rule.intValue();
    }

    /** The length of a text in Unicode code points, as JSON Schema counts it. */
    private static int length(JsonNode text) {
        String value = text.textValue();
        return value.codePointCount(0, value.length());
    }

    /** As the library reads it, which makes one for Java of an expression for JavaScript. */
    private static Predicate<JsonNode> pattern(JsonNode rule) {
        if (!rule.isTextual()) {
            throw new NotCompiledException();
        }
        RegularExpression expression = JDKRegularExpressionFactory.getInstance().getRegularExpression(rule.asText());
        return value -> !value.isTextual() || expression.matches(value.textValue());
    }

    private static Predicate<JsonNode> items(CompiledSchema item) {
        return value -> {
            if (value.isArray()) {
                for (JsonNode element : value) {
                    if (!item.accepts(element)) {
                        return false;
                    }
                }
            }
            return true;
        };
    }

    private static Predicate<JsonNode> required(JsonNode rule) {
        List<String> names = new ArrayList<>();
        rule.forEach(name -> names.add(name.asText()));
        return value -> {
            if (value.isObject()) {
                for (String name : names) {
                    if (!value.has(name)) {
                        return false;
                    }
                }
            }
            return true;
        };
    }

    private static Predicate<JsonNode> properties(JsonNode rule) {
        Map<String, CompiledSchema> schemas = new HashMap<>();
        rule.properties().forEach(property -> schemas.put(property.getKey(), compiled(property.getValue())));
        return members(member -> {
            CompiledSchema schema = schemas.get(member.getKey());
            return schema == null || schema.accepts(member.getValue());
        });
    }

    /** Those that {@code properties} does not name. */
    private static Predicate<JsonNode> others(JsonNode properties, CompiledSchema schema) {
        Set<String> named = new HashSet<>();
        properties.fieldNames().forEachRemaining(named::add);
        return members(member -> named.contains(member.getKey()) || schema.accepts(member.getValue()));
    }

    private static Predicate<JsonNode> names(CompiledSchema name) {
        return members(member -> name.accepts(TextNode.valueOf(member.getKey())));
    }

    /** Whether each member of an object passes {@code check}; true for other values. */
    private static Predicate<JsonNode> members(Predicate<Map.Entry<String, JsonNode>> check) {
        return value -> {
            if (value.isObject()) {
                for (Map.Entry<String, JsonNode> member : value.properties()) {
                    if (!check.test(member)) {
                        return false;
                    }
                }
            }
            return true;
        };
    }

    private static Predicate<JsonNode> anyOf(JsonNode rule) {
        List<CompiledSchema> schemas = new ArrayList<>();
        rule.forEach(schema -> schemas.add(compiled(schema)));
        return value -> {
            for (CompiledSchema schema : schemas) {
                if (schema.accepts(value)) {
                    return true;
                }
            }
            return false;
        };
    }

    /** The schema has something that is left to the library. It has no stack trace, because this is expected. */
    private static final class NotCompiledException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotCompiledException() {
            super(null, null, false, false);
        }
    }
}
