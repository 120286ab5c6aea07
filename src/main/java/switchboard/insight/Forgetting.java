package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be forgotten: lines that meet all that is given.
 *
 * @param team a team
 * @param key the id of a key, or the subject of a token
 * @param document the address of a document: it goes from the hits of searches, and each use of it; the searches stay
 * @param before what is older
 */
public record Forgetting(
        @Nullable String team,
        @Nullable String key,
        @Nullable String document,
        @Nullable Instant before) {
    /** Whether nothing is given, so that all lines would go. */
    public boolean everything() {
        return team == null && key == null && document == null && before == null;
    }

    /** What is left of {@code line}; empty if nothing is. */
    Optional<JsonNode> rest(JsonNode line) {
        if (!concerns(line)) {
            return Optional.of(line);
        }
        if (document == null) {
            return Optional.empty();
        }
        if (line.path("address").asText().equals(document)) {
            return Optional.empty();
        }
        return Optional.of(line.path("hits") instanceof ArrayNode hits ? without(line, hits) : line);
    }

    private boolean concerns(JsonNode line) {
        return (team == null || line.path("team").asText().equals(team))
                && (key == null || line.path("key").asText().equals(key))
                && (before == null || time(line).isBefore(before));
    }

    /** A line without a time is as old as can be. */
    private static Instant time(JsonNode line) {
        try {
            return Instant.parse(line.path("time").asText());
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }

    private JsonNode without(JsonNode line, ArrayNode hits) {
        ObjectNode rest = line.deepCopy();
        ArrayNode kept = rest.putArray("hits");
        hits.forEach(hit -> {
            if (!hit.path("address").asText().equals(document)) {
                kept.add(hit);
            }
        });
        return kept.size() == hits.size() ? line : rest;
    }
}
