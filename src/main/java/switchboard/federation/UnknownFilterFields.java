package switchboard.federation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;
import switchboard.text.ClosestName;

/**
 * The fields of a search's filters that no source knows.
 *
 * @param near by field the names of known ones that were probably meant, the most similar one first
 * @param known the first known fields of all sources in alphabetical order
 * @param more whether there are more
 */
record UnknownFilterFields(Map<String, List<String>> near, List<String> known, boolean more) {
    private static final int MOST_NEAR = 3;

    /**
     * Those of a search with these outcomes. Empty if a source knows one of all fields, or may know it because it did not say.
     */
    static Optional<UnknownFilterFields> of(List<SourceStatus> statuses) {
        List<UnknownFields> each = statuses.stream()
                .flatMap(status -> status.unknownFields().stream())
                .toList();
        if (each.isEmpty() || each.size() < statuses.size()) {
            return Optional.empty();
        }
        Map<String, List<String>> near = new LinkedHashMap<>();
        for (String field : each.getFirst().near().keySet()) {
            if (each.stream().allMatch(one -> one.near().containsKey(field))) {
                near.put(field, nearest(field, each));
            }
        }
        Set<String> known =
                each.stream().flatMap(one -> one.known().stream()).collect(Collectors.toCollection(TreeSet::new));
        boolean more = known.size() > UnknownFields.MOST_KNOWN || each.stream().anyMatch(UnknownFields::more);
        return near.isEmpty()
                ? Optional.empty()
                : Optional.of(new UnknownFilterFields(
                        near, known.stream().limit(UnknownFields.MOST_KNOWN).toList(), more));
    }

    private static List<String> nearest(String field, List<UnknownFields> each) {
        Set<String> left = each.stream()
                .map(one -> one.near().getOrDefault(field, ""))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> nearest = new ArrayList<>();
        while (nearest.size() < MOST_NEAR && !left.isEmpty()) {
            String next = ClosestName.of(field, left).orElseThrow();
            nearest.add(next);
            left.remove(next);
        }
        return nearest;
    }

    /** The failure that says so. */
    ToolReply.Failed failure() {
        StringBuilder message = new StringBuilder();
        ArrayNode fields = Json.array();
        near.forEach((field, names) -> {
            message.append("There is no field ")
                    .append(UnknownFields.quoted(field))
                    .append(" to filter by in any source that was asked. ");
            ObjectNode one = fields.addObject().put("field", field);
            if (!names.isEmpty()) {
                message.append("Did you mean ")
                        .append(names.stream().map(UnknownFields::quoted).collect(Collectors.joining(", ")))
                        .append("? ");
                names.forEach(one.putArray("suggestions")::add);
            }
        });
        if (known.isEmpty()) {
            message.append("They can't be filtered: leave filters out.");
        } else {
            if (near.containsValue(List.of())) {
                message.append(UnknownFields.listed(known, more)).append(' ');
            }
            message.append("list_sources lists the fields of each source.");
        }
        return new ToolReply.Failed(FailureKind.INVALID_ARGUMENT, message.toString())
                .withDetail("unknown_fields", fields);
    }
}
