package switchboard.backend.vectordb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.Filter;
import switchboard.store.Filter.Value;

/**
 * The {@code filter} argument: every given field equals its value.
 *
 * @param library the library in it, if any; libraries are not fields of the store
 * @param chunks the other conditions
 * @param oneDocument whether a condition names one document of a library
 */
record SearchFilter(Optional<String> library, Filter chunks, boolean oneDocument) {
    private static final Set<String> TEXTS = Set.of("doc_id", "source", "title", "file_type", "content_hash");
    private static final Set<String> NUMBERS = Set.of("page", "chunk_index");
    private static final String METADATA = "metadata.";

    /** Parses the argument; null matches everything. */
    static SearchFilter of(@Nullable ObjectNode given) {
        if (given == null) {
            return new SearchFilter(Optional.empty(), new Filter.All(), false);
        }
        Optional<String> library = Optional.empty();
        List<Filter> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> condition : given.properties()) {
            if (condition.getKey().equals("library")) {
                library = Optional.of(condition.getValue().asText());
            } else {
                all.add(condition(condition.getKey(), condition.getValue()));
            }
        }
        return new SearchFilter(library, new Filter.And(all), given.has("doc_id") || given.has("source"));
    }

    private static Filter condition(String field, JsonNode value) {
        if (TEXTS.contains(field)) {
            return Filter.equal(field, value.asText());
        }
        if (NUMBERS.contains(field)) {
            if (!value.isNumber()) {
                throw wrong("filter." + field + " must be a number");
            }
            return new Filter.Equal(field, new Value.NumberValue(value.doubleValue()));
        }
        if (field.equals("created_at")) {
            return new Filter.Equal(
                    field, new Value.NumberValue(moment(field, value).toEpochMilli()));
        }
        if (field.equals("last_modified")) {
            return Filter.equal(field, Timestamps.seconds(moment(field, value)));
        }
        if (field.startsWith(METADATA) && field.length() > METADATA.length()) {
            return new Filter.Equal(field, typed(value));
        }
        throw wrong("filter has an unknown field \"" + field
                + "\". Fields are doc_id, source, title, library, file_type, last_modified, page, chunk_index,"
                + " content_hash, created_at, or metadata.<key>");
    }

    private static Value typed(JsonNode value) {
        if (value.isNumber()) {
            return new Value.NumberValue(value.doubleValue());
        }
        return value.isBoolean() ? new Value.BooleanValue(value.booleanValue()) : new Value.TextValue(value.asText());
    }

    private static Instant moment(String field, JsonNode value) {
        return Timestamps.parse(value.asText())
                .orElseThrow(() -> wrong("filter." + field + " must be a time such as 2025-01-01T00:00:00+00:00"));
    }

    private static ToolException wrong(String message) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, message + ".");
    }
}
