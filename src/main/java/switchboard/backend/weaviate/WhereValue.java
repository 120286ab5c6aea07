package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.call.ToolException;

/**
 * The typed value of a comparison in a filter.
 *
 * @param type which kind
 * @param json the value, or an array of values for the operators that take lists
 */
record WhereValue(WhereFilter.ValueType type, JsonNode json) {
    /** The keys a value may stand under, for messages. */
    static final String KEYS =
            Stream.of(WhereFilter.ValueType.values())
                            .map(WhereFilter.ValueType::key)
                            .collect(Collectors.joining(", ")) + " (with Array appended for Contains operators)";

    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** The largest integer that Weaviate finds again: it stores doubles, and takes larger ones for the smallest. */
    private static final long LARGEST_FOUND = (long) Math.nextDown(0x1p63);

    private static final int MAX_LIST = 10_000;
    private static final String LIST = "Array";

    /** Whether a value may stand under {@code key}. */
    static boolean isKey(String key) {
        return typeOf(key) != null;
    }

    /**
     * Checks a value.
     *
     * @param at position of the comparison, for messages
     * @param key the key in the caller's filter
     * @param element the property's data type without {@code []}, {@code ""} if unknown
     * @throws ToolException {@code INVALID_ARGUMENT}
     */
    static WhereValue read(String at, String key, JsonNode given, WhereFilter.Operator operator, String element) {
        WhereFilter.ValueType written = typeOf(key);
        if (written == null) {
            throw WeaviateIdentifiers.invalid(at + ": unknown key " + WeaviateIdentifiers.quoted(key) + ".");
        }
        WhereFilter.ValueType type = fitting(at, written, given, operator, element);
        JsonNode value =
                switch (operator.operands()) {
                    case LIST -> list(at, type, given, operator, element);
                    case SCALAR, COMBINATION -> {
                        if (given.isArray() || key.endsWith(LIST)) {
                            throw WeaviateIdentifiers.invalid(at + ": " + operator.word() + " takes one value, as in "
                                    + example(element, given.path(0)) + "; lists go with ContainsAny, ContainsAll and"
                                    + " ContainsNone.");
                        }
                        yield single(at, type, given, operator, element);
                    }
                };
        return new WhereValue(type, value);
    }

    /**
     * The correct form of {@code given} for a property of the type {@code element}, or by its own type if that is
     * unknown.
     */
    static String example(String element, JsonNode given) {
        WhereFilter.ValueType type = WhereFilter.ValueType.fitting(element);
        JsonNode one = given.isArray() ? given.path(0) : given;
        if (type == null) {
            type = one.isBoolean()
                    ? WhereFilter.ValueType.BOOLEAN
                    : one.isNumber() ? WhereFilter.ValueType.NUMBER : WhereFilter.ValueType.TEXT;
        }
        String shown =
                switch (type) {
                    case TEXT -> one.isTextual() ? WeaviateIdentifiers.quoted(one.asText()) : "\"…\"";
                    case DATE -> "\"2020-01-01T00:00:00Z\"";
                    case INT -> whole(one) ? wholeText(one) : near(one);
                    case NUMBER -> number(one);
                    case BOOLEAN -> one.isBoolean() ? one.asText() : "true";
                    case GEO_RANGE ->
                        "{\"geoCoordinates\": {\"latitude\": 52.5, \"longitude\": 13.4}, \"distance\": {\"max\": 1000}}";
                };
        return given.isArray() ? "\"" + type.key() + LIST + "\": [" + shown + "]" : "\"" + type.key() + "\": " + shown;
    }

    private static String wholeText(JsonNode one) {
        return Long.toString(one.decimalValue().longValueExact());
    }

    /** The whole number at or below {@code one}, which may be a text. */
    private static String near(JsonNode one) {
        BigDecimal number = new BigDecimal(one.isNumber() ? one.asText() : number(one));
        return inRange(number) ? number.setScale(0, RoundingMode.FLOOR).toPlainString() : "0";
    }

    private static String number(JsonNode one) {
        String text = one.asText();
        return text.matches("-?\\d{1,15}(?:\\.\\d{1,10})?") ? text : "0";
    }

    private static WhereFilter.@Nullable ValueType typeOf(String key) {
        if (key.equals("valueString") || key.equals("valueStringArray")) {
            return WhereFilter.ValueType.TEXT;
        }
        String single = key.endsWith(LIST) ? key.substring(0, key.length() - LIST.length()) : key;
        for (WhereFilter.ValueType type : WhereFilter.ValueType.values()) {
            if (type.key().equals(single)) {
                return type;
            }
        }
        return null;
    }

    private static WhereFilter.ValueType fitting(
            String at, WhereFilter.ValueType written, JsonNode given, WhereFilter.Operator operator, String element) {
        if (operator == WhereFilter.Operator.IS_NULL) {
            return require(at, "IsNull", WhereFilter.ValueType.BOOLEAN, written, "boolean", given);
        }
        if (operator == WhereFilter.Operator.WITHIN_GEO_RANGE) {
            return require(at, "WithinGeoRange", WhereFilter.ValueType.GEO_RANGE, written, "geoCoordinates", given);
        }
        WhereFilter.ValueType expected = WhereFilter.ValueType.fitting(element);
        if (expected == null || expected == written || interchangeable(expected, written, given)) {
            return expected == null ? written : expected;
        }
        return require(at, "a property of the type " + element, expected, written, element, given);
    }

    private static WhereFilter.ValueType require(
            String at,
            String what,
            WhereFilter.ValueType expected,
            WhereFilter.ValueType written,
            String element,
            JsonNode given) {
        if (expected != written) {
            throw WeaviateIdentifiers.invalid(at + ": " + what + " can't be compared with " + written.key() + "; write "
                    + example(element, given) + ".");
        }
        return expected;
    }

    /** Whole numbers mean the same under {@code valueInt} and {@code valueNumber}. */
    private static boolean interchangeable(
            WhereFilter.ValueType expected, WhereFilter.ValueType written, JsonNode given) {
        if (expected == WhereFilter.ValueType.NUMBER && written == WhereFilter.ValueType.INT) {
            return true;
        }
        if (expected != WhereFilter.ValueType.INT || written != WhereFilter.ValueType.NUMBER) {
            return false;
        }
        for (JsonNode one : given.isArray() ? given : Json.array().add(given)) {
            if (!whole(one)) {
                return false;
            }
        }
        return true;
    }

    private static boolean whole(JsonNode number) {
        return number.isNumber()
                && inRange(number.decimalValue())
                && number.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    private static boolean inRange(BigDecimal number) {
        return number.compareTo(LEAST) >= 0 && number.compareTo(MOST) <= 0;
    }

    private static ArrayNode list(
            String at, WhereFilter.ValueType type, JsonNode given, WhereFilter.Operator operator, String element) {
        if (!given.isArray() || given.isEmpty() || given.size() > MAX_LIST) {
            throw WeaviateIdentifiers.invalid(
                    at + ": " + operator.word() + " takes a list of 1 to " + MAX_LIST + " values, as in \"" + type.key()
                            + LIST + "\": [" + (given.isValueNode() ? Json.text(given) : "…") + "].");
        }
        ArrayNode list = Json.array();
        given.forEach(one -> list.add(single(at, type, one, operator, element)));
        return list;
    }

    private static JsonNode single(
            String at, WhereFilter.ValueType type, JsonNode given, WhereFilter.Operator operator, String element) {
        boolean fits =
                switch (type) {
                    case TEXT, DATE -> given.isTextual();
                    case INT -> whole(given);
                    case NUMBER -> given.isNumber() && Double.isFinite(given.doubleValue());
                    case BOOLEAN -> given.isBoolean();
                    case GEO_RANGE -> isRange(given);
                };
        if (!fits) {
            throw WeaviateIdentifiers.invalid(at + ": " + type.key() + " must be " + described(type, given) + ".");
        }
        if (type == WhereFilter.ValueType.DATE) {
            requireDate(at, given.asText());
        }
        if (element.equals("uuid") && WeaviateIdentifiers.uuid(given.asText()).isEmpty()) {
            throw WeaviateIdentifiers.invalid(at + ": the property holds UUIDs, such as"
                    + " \"550e8400-e29b-41d4-a716-446655440000\", not " + WeaviateIdentifiers.quoted(given.asText())
                    + ".");
        }
        return type == WhereFilter.ValueType.INT
                ? LongNode.valueOf(asStored(at, given.decimalValue().longValueExact(), operator))
                : given;
    }

    /**
     * An integer as Weaviate stores it, which is as a double: deletions compare with what was given, searches with
     * what is stored.
     */
    private static long asStored(String at, long given, WhereFilter.Operator operator) {
        long stored = (long) (double) given;
        if (stored <= LARGEST_FOUND) {
            return stored;
        }
        return switch (operator) {
            case GREATER_THAN, GREATER_THAN_EQUAL, LESS_THAN, LESS_THAN_EQUAL -> LARGEST_FOUND;
            case EQUAL,
                    NOT_EQUAL,
                    CONTAINS_ANY,
                    CONTAINS_ALL,
                    CONTAINS_NONE,
                    LIKE,
                    IS_NULL,
                    WITHIN_GEO_RANGE,
                    AND,
                    OR,
                    NOT ->
                throw WeaviateIdentifiers.invalid(at + ": Weaviate stores integers as doubles and finds none above "
                        + LARGEST_FOUND + " by its value; compare with GreaterThan or LessThan, or use a smaller one.");
        };
    }

    private static String described(WhereFilter.ValueType type, JsonNode given) {
        return switch (type) {
            case TEXT -> "a text";
            case DATE -> "a text with date and time";
            case INT -> {
                if (!given.isNumber()) {
                    yield "a whole number";
                }
                yield inRange(given.decimalValue())
                        ? "a whole number; the one below is " + near(given)
                        : "a whole number from " + LEAST + " to " + MOST;
            }
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case GEO_RANGE ->
                "{\"geoCoordinates\": {\"latitude\": 52.5, \"longitude\": 13.4}, \"distance\": {\"max\": 1000}},"
                        + " in degrees and metres";
        };
    }

    private static boolean isRange(JsonNode given) {
        return given instanceof ObjectNode range
                && hasNumbers(range.path("geoCoordinates"), "latitude", "longitude")
                && hasNumbers(range.path("distance"), "max")
                && range.size() == 2;
    }

    private static boolean hasNumbers(JsonNode object, String... names) {
        if (object.size() != names.length) {
            return false;
        }
        for (String name : names) {
            if (!object.path(name).isNumber()) {
                return false;
            }
        }
        return true;
    }

    private static void requireDate(String at, String text) {
        try {
            var _ = OffsetDateTime.parse(text);
        } catch (DateTimeParseException _) {
            throw WeaviateIdentifiers.invalid(at + ": valueDate needs a full date and time with zone, such as"
                    + " \"2020-01-01T00:00:00Z\", not " + WeaviateIdentifiers.quoted(text) + ".");
        }
    }
}
