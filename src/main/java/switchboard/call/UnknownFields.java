package switchboard.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import switchboard.call.SourceQuery.Condition;
import switchboard.text.ClosestName;
import switchboard.text.SurrogatePairs;

/**
 * The fields of a search's conditions that its source does not know. A failure carries it in its details.
 *
 * @param near what was probably meant: for each unknown field the known one with the most similar name, or {@code ""}
 * @param known the first known fields in alphabetical order, at most {@value #MOST_KNOWN}
 * @param more whether there are more known fields
 */
public record UnknownFields(Map<String, String> near, List<String> known, boolean more) {
    /** Maximum number of known fields. */
    public static final int MOST_KNOWN = 20;

    private static final String DETAIL = "unknown_fields";
    private static final int LONGEST_NAME = 60;

    public UnknownFields {
        near = Collections.unmodifiableMap(new TreeMap<>(near));
        known = List.copyOf(known);
    }

    /** {@code fields}, of a source that knows {@code known}. */
    public static UnknownFields of(Collection<String> fields, Collection<String> known) {
        Map<String, String> near = new TreeMap<>();
        fields.forEach(field -> near.put(field, ClosestName.of(field, known).orElse("")));
        return new UnknownFields(near, known.stream().sorted().limit(MOST_KNOWN).toList(), known.size() > MOST_KNOWN);
    }

    /**
     * Checks that a source knows the fields of {@code conditions}, and can apply each.
     *
     * @param find the field that the source takes a name for; empty if there is none
     * @param known gives the names of the source's fields, which only a failure needs
     * @throws ToolException {@code INVALID_ARGUMENT} if it does not know one, or can't apply one
     */
    public static void check(
            List<Condition> conditions,
            Function<String, Optional<FilterField>> find,
            Supplier<? extends Collection<String>> known) {
        List<String> unknown = conditions.stream()
                .map(Condition::field)
                .filter(field -> find.apply(field).isEmpty())
                .toList();
        if (!unknown.isEmpty()) {
            throw of(unknown, known.get()).failure();
        }
        conditions.forEach(
                condition -> find.apply(condition.field()).orElseThrow().check(condition));
    }

    /** The failure {@code INVALID_ARGUMENT} that says so. It names what was probably meant, or else the known fields. */
    public ToolException failure() {
        return failure(near.entrySet().stream()
                        .map(field -> "There is no field " + quoted(field.getKey()) + " to filter by."
                                + (field.getValue().isEmpty() ? "" : " Did you mean " + quoted(field.getValue()) + "?"))
                        .collect(Collectors.joining(" "))
                + (near.containsValue("") && !known.isEmpty() ? " " + listed(known, more) : ""));
    }

    /** The same failure in other words. */
    public ToolException failure(String message) {
        return new ToolException(
                new ToolReply.Failed(FailureKind.INVALID_ARGUMENT, message).withDetail(DETAIL, Json.tree(this)));
    }

    /** What {@link #failure} put into {@code failed}; empty for any other failure. */
    public static Optional<UnknownFields> in(ToolReply.Failed failed) {
        JsonNode detail = failed.details() == null ? null : failed.details().get(DETAIL);
        if (detail == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.mapper().treeToValue(detail, UnknownFields.class));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not unknown fields: " + detail, e);
        }
    }

    /** A sentence with {@code names}. */
    public static String listed(Collection<String> names, boolean more) {
        return "There are " + names.stream().map(UnknownFields::shortened).collect(Collectors.joining(", "))
                + (more ? " and others." : ".");
    }

    /** {@code name} in quotes. A long one is cut. */
    public static String quoted(String name) {
        return "\"" + shortened(name) + "\"";
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, SurrogatePairs.after(name, LONGEST_NAME)) + "...";
    }
}
