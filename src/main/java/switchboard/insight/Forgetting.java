package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
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

    /** The same with hashes of names, so that a note of it tells of nobody. */
    Forgetting hashed(UnaryOperator<String> hash) {
        return new Forgetting(
                team == null ? null : hash.apply(team),
                key == null ? null : hash.apply(key),
                document == null ? null : hash.apply(document),
                before);
    }

    /** What is left of {@code line}; empty if nothing is. */
    Optional<JsonNode> rest(JsonNode line) {
        return rest(line, UnaryOperator.identity());
    }

    /** The same where names were replaced by {@code seen}. */
    Optional<JsonNode> rest(JsonNode line, UnaryOperator<String> seen) {
        if (!concerns(line, time(line), seen)) {
            return Optional.of(line);
        }
        if (document == null || isDocument(line, seen)) {
            return Optional.empty();
        }
        return Optional.of(line.path("hits") instanceof ArrayNode hits ? without(line, hits, seen) : line);
    }

    /** Whether a search goes that was answered at {@code time}, of the same key as {@code line}. */
    boolean forgetsSearch(Instant time, JsonNode line, UnaryOperator<String> seen) {
        return document == null && concerns(line, time, seen);
    }

    private boolean concerns(JsonNode line, Instant time, UnaryOperator<String> seen) {
        return (team == null || seen.apply(line.path("team").asText()).equals(team))
                && (key == null || seen.apply(line.path("key").asText()).equals(key))
                && (before == null || time.isBefore(before));
    }

    private boolean isDocument(JsonNode hit, UnaryOperator<String> seen) {
        return seen.apply(hit.path("address").asText()).equals(document);
    }

    /** A line without a time is as old as can be. */
    private static Instant time(JsonNode line) {
        return LoggedQuestion.time(line).orElse(Instant.EPOCH);
    }

    private JsonNode without(JsonNode line, ArrayNode hits, UnaryOperator<String> seen) {
        ObjectNode rest = line.deepCopy();
        ArrayNode kept = rest.putArray("hits");
        hits.forEach(hit -> {
            if (!isDocument(hit, seen)) {
                kept.add(hit);
            }
        });
        return kept.size() == hits.size() ? line : rest;
    }
}
