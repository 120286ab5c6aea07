package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.store.Filter;
import switchboard.store.StoredDocument;

/**
 * The metadata that callers add to a document: text, numbers, booleans, dates (texts in the form of ISO 8601) and lists of
 * texts, each kept with its type.
 */
final class UserMetadata {
    private static final String VALUES = "user";
    private static final String TIMES = "usertime";
    private static final String KEYS = "userkeys";
    private static final int MAX_KEYS = 200;
    private static final int MAX_BYTES = 64 * 1024;

    private UserMetadata() {}

    /** Replaces the user's metadata in a document's metadata by {@code user}. */
    static void attach(ObjectNode all, ObjectNode user) {
        all.set(VALUES, user);
        ObjectNode times = all.putObject(TIMES);
        all.putArray(KEYS);
        user.properties().forEach(entry -> {
            all.withArray(KEYS).add(entry.getKey());
            time(entry.getValue()).ifPresent(time -> times.put(entry.getKey(), time.toEpochMilli()));
        });
    }

    /** The values of a document; must not be changed. */
    static ObjectNode of(StoredDocument document) {
        return document.metadata().path(VALUES) instanceof ObjectNode user ? user : Json.object();
    }

    /**
     * The values of a previous version with the provider's current ones. A version of another content or name keeps its values to
     * itself if others read the new one: a path may now be that of another document, as the number of a record is.
     *
     * @param same whether it has the same name and the same content
     */
    static ObjectNode carried(Optional<StoredDocument> old, boolean same, SourceDocument.RawContent content) {
        return old.filter(found -> same || content.allow().within(DocumentPermissions.intended(found.allow())))
                .map(UserMetadata::of)
                .orElseGet(Json::object)
                .deepCopy()
                .setAll(content.facts());
    }

    /**
     * {@code old} with the values of {@code added}, which win.
     *
     * @param dropped receives the keys of values that can't be stored: null, objects, lists with anything but texts
     */
    static ObjectNode merged(ObjectNode old, ObjectNode added, List<String> dropped) {
        ObjectNode merged = old.deepCopy();
        added.properties().forEach(entry -> {
            if (storable(entry.getValue())) {
                merged.set(entry.getKey(), entry.getValue());
            } else {
                dropped.add(entry.getKey());
            }
        });
        if (merged.size() > MAX_KEYS || Json.bytes(merged).length > MAX_BYTES) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "The document would have more than " + MAX_KEYS + " metadata keys or " + MAX_BYTES
                            + " bytes of metadata. Put long text into a document.");
        }
        return merged;
    }

    private static boolean storable(JsonNode value) {
        if (value.isArray()) {
            List<JsonNode> elements = new ArrayList<>();
            value.forEach(elements::add);
            return elements.stream().allMatch(JsonNode::isTextual);
        }
        return value.isTextual() || value.isNumber() || value.isBoolean();
    }

    /** Each value with its type, as the seed shows them. */
    static ObjectNode typed(ObjectNode user) {
        ObjectNode typed = Json.object();
        user.properties().forEach(entry -> typed.putObject(entry.getKey())
                .put("type", type(entry.getValue()))
                .set("value", entry.getValue()));
        return typed;
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "Tags";
            case BOOLEAN -> "Boolean";
            case NUMBER -> value.isIntegralNumber() ? "Integer" : "Float";
            case STRING -> time(value).isPresent() ? "DateTime" : "Text";
            case NULL, MISSING, BINARY, POJO, OBJECT -> "Unknown";
        };
    }

    private static Optional<Instant> time(JsonNode value) {
        return value.isTextual() ? time(value.asText()) : Optional.empty();
    }

    /** The moment that a text names: a date, or a date and time with its offset. */
    static Optional<Instant> time(String text) {
        try {
            boolean date = text.length() == 10;
            return Optional.of(
                    date
                            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    /** Documents for which comparing the value of {@code key} with {@code value} by {@code operator} is true. */
    static Filter filter(String key, String operator, Optional<String> value) {
        String field = "metadata." + VALUES + "." + key;
        if (operator.equals("exists")) {
            return Filter.equal("metadata." + KEYS, key);
        }
        String operand = value.orElseThrow(() -> new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Missing value for operator " + operator + ". Pass value, or use the operator exists."));
        return switch (operator) {
            case "eq" -> equal(field, operand);
            case "has" -> Filter.equal(field, operand);
            case "contains" -> new Filter.Contains(field, operand);
            default -> compared(key, field, operator, operand);
        };
    }

    private static Filter equal(String field, String operand) {
        List<Filter> any = new ArrayList<>();
        any.add(Filter.equal(field, operand));
        number(operand).ifPresent(number -> any.add(new Filter.Equal(field, new Filter.Value.NumberValue(number))));
        if (operand.equals("true") || operand.equals("false")) {
            any.add(new Filter.Equal(field, new Filter.Value.BooleanValue(operand.equals("true"))));
        }
        return new Filter.Or(any);
    }

    private static Filter compared(String key, String field, String operator, String operand) {
        Optional<Double> number = number(operand);
        Optional<Instant> time = time(operand);
        if (number.isPresent()) {
            return beyond(field, operator, number.get());
        }
        if (time.isPresent()) {
            return beyond("metadata." + TIMES + "." + key, operator, time.get().toEpochMilli());
        }
        throw new ToolException(
                FailureKind.INVALID_ARGUMENT,
                "Invalid numeric value for " + operator + ": give a number, a date such as 2026-01-31 or a time such as"
                        + " 2026-01-31T12:00:00Z.");
    }

    private static Filter beyond(String field, String operator, double bound) {
        return operator.equals("gt")
                ? new Filter.Between(field, new Filter.Value.NumberValue(Math.nextUp(bound)), null)
                : new Filter.Between(field, null, new Filter.Value.NumberValue(Math.nextDown(bound)));
    }

    private static Optional<Double> number(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
