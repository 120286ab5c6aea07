package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import switchboard.call.FailureKind;
import switchboard.call.FilterField;
import switchboard.call.FilterTimestamp;
import switchboard.call.Json;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolException;
import switchboard.call.UnknownFields;

/** Writes conditions as queries of the engine, which compare exact values, and orders. */
record FieldFilter(IndexMapping mapping) {
    private static final String SCORE = "_score";
    private static final String NANOSECONDS = "strict_date_optional_time_nanos";
    private static final DateTimeFormatter IN_FULL =
            new DateTimeFormatterBuilder().appendInstant(9).toFormatter(Locale.ROOT);
    private static final String MILLISECONDS = "epoch_millis";

    /**
     * A query for each of {@code conditions}.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if a field is not known, has no exact values, or other values
     */
    List<ObjectNode> of(List<Condition> conditions) {
        conditions.stream()
                .flatMap(condition -> mapping.field(condition.field()).stream())
                .forEach(field -> exact("filters." + field.name(), field));
        UnknownFields.check(conditions, name -> mapping.field(name).map(MappedField::filterField), this::known);
        return conditions.stream().map(this::query).toList();
    }

    /**
     * An order of hits. Indices behind an alias may lack the field.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if hits can't be sorted so
     */
    ObjectNode sorted(IndexQuery.Order order) {
        if (order.field().equals(SCORE)) {
            return Json.object().put(SCORE, order.direction());
        }
        MappedField field = mapping.field(order.field())
                .orElseThrow(() -> new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "sort: there is no field " + UnknownFields.quoted(order.field())
                                + "; opensearch_get_mapping shows the fields."));
        String exact = exact("sort " + order.field(), field);
        ObjectNode sort = Json.object();
        sort.putObject(exact)
                .put("order", order.direction())
                .put("unmapped_type", exact.equals(field.name()) ? field.type() : "keyword");
        return sort;
    }

    private List<String> known() {
        return mapping.filterable().stream().map(FilterField::name).toList();
    }

    private static String exact(String argument, MappedField field) {
        String exact = field.exact();
        if (exact == null) {
            throw wrong(
                    argument,
                    field.type().equals(MappedField.CONFLICT)
                            ? "has different types in the indices behind this name; search one of them"
                            : "is of type " + field.type() + " without a sub-field of type keyword, so it has no exact"
                                    + " values; leave it out");
        }
        return exact;
    }

    private ObjectNode query(Condition condition) {
        MappedField field = mapping.field(condition.field()).orElseThrow();
        String exact = exact("filters." + condition.field(), field);
        return switch (field.values()) {
            case STRING -> text(condition, exact, field.type().equals("ip"));
            case DATE_TIME -> time(condition, field, exact);
            case NUMBER, BOOLEAN -> compared(condition, exact, condition.value());
        };
    }

    /** Texts may be times in any form of ISO 8601 in UTC, of which the engine knows nothing. */
    private static ObjectNode text(Condition condition, String exact, boolean address) {
        String given = condition.value().asText();
        if (address && given.contains("/")) {
            throw wrong("filters." + condition.field(), "holds addresses; ranges of them (CIDR) are not taken");
        }
        Optional<FilterTimestamp> time = FilterTimestamp.of(given);
        if (condition.comparison() == Operator.EQUAL) {
            ArrayNode forms = Json.array();
            time.map(found -> found.forms(given)).orElse(List.of(given)).forEach(forms::add);
            ObjectNode query = Json.object();
            query.putObject("terms").set(exact, forms);
            return query;
        }
        String bound = time.map(found -> switch (condition.comparison()) {
                    case EQUAL, AT_LEAST, LESS_THAN -> found.brief();
                    case MORE_THAN, AT_MOST -> found.text();
                })
                .orElse(given);
        return compared(condition, exact, TextNode.valueOf(bound));
    }

    /** Times are given in full, because the engine rounds short ones to the end of what they name. */
    private static ObjectNode time(Condition condition, MappedField field, String exact) {
        Instant instant =
                FilterTimestamp.of(condition.value().asText()).orElseThrow().instant();
        JsonNode bound =
                TextNode.valueOf(field.nanoseconds() ? IN_FULL.format(instant) : Long.toString(instant.toEpochMilli()));
        // A field of milliseconds has no value between two of them.
        boolean between =
                !field.nanoseconds() && !instant.truncatedTo(ChronoUnit.MILLIS).equals(instant);
        String from = between ? "gt" : "gte";
        ObjectNode range = Json.object();
        switch (condition.comparison()) {
            case EQUAL -> range.<ObjectNode>set(from, bound).set("lte", bound);
            case AT_LEAST -> range.set(from, bound);
            case MORE_THAN -> range.set("gt", bound);
            case AT_MOST -> range.set("lte", bound);
            case LESS_THAN -> range.set(between ? "lte" : "lt", bound);
        }
        range.put("format", field.nanoseconds() ? NANOSECONDS : MILLISECONDS);
        ObjectNode query = Json.object();
        query.putObject("range").set(exact, range);
        return query;
    }

    private static ObjectNode compared(Condition condition, String exact, JsonNode value) {
        ObjectNode query = Json.object();
        if (condition.comparison() == Operator.EQUAL) {
            query.putObject("term").set(exact, value);
        } else {
            query.putObject("range").putObject(exact).set(condition.comparison().word(), value);
        }
        return query;
    }

    private static ToolException wrong(String argument, String what) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, argument + ": the field " + what + ".");
    }
}
