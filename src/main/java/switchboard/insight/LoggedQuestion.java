package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a line of the log says of a search.
 *
 * @param query its text, or null if that is not kept
 * @param hits how many hits were given
 * @param relevance of the best hit; empty if there is none, or that of some hit is not known
 * @param contributed the sources of the hits
 * @param asked the sources that were asked, with what they answered
 */
record LoggedQuestion(
        String id,
        Instant time,
        @Nullable String query,
        int hits,
        OptionalDouble relevance,
        List<String> contributed,
        List<LoggedSearch.SourceOutcome> asked,
        long ms) {
    LoggedQuestion {
        contributed = List.copyOf(contributed);
        asked = List.copyOf(asked);
    }

    /** The search of {@code line}; empty if it is of something else, or of the rest of an answer. */
    static Optional<LoggedQuestion> of(JsonNode line) {
        if (!line.path("event").asText().equals(LoggedSearch.SEARCH)
                || line.path("skipped").asInt() > 0) {
            return Optional.empty();
        }
        List<JsonNode> hits = line.path("hits").valueStream().toList();
        return time(line)
                .map(time -> new LoggedQuestion(
                        line.path("id").asText(),
                        time,
                        line.path("query").asText(null),
                        hits.size(),
                        relevance(hits),
                        hits.stream()
                                .map(hit -> hit.path("source").asText())
                                .distinct()
                                .toList(),
                        line.path("sources")
                                .valueStream()
                                .map(source -> new LoggedSearch.SourceOutcome(
                                        source.path("source").asText(),
                                        source.path("status").asText(),
                                        source.path("hits").asInt(),
                                        source.path("ms").asLong()))
                                .toList(),
                        line.path("ms").asLong()));
    }

    private static OptionalDouble relevance(List<JsonNode> hits) {
        return hits.stream().allMatch(hit -> hit.path("relevance").isNumber())
                ? hits.stream()
                        .mapToDouble(hit -> hit.path("relevance").asDouble())
                        .max()
                : OptionalDouble.empty();
    }

    static Optional<Instant> time(JsonNode line) {
        try {
            return Optional.of(Instant.parse(line.path("time").asText()));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** Whether nothing was given that is at least so relevant. Hits of unknown relevance may be relevant. */
    boolean unanswered(double leastRelevance) {
        return hits == 0 || (relevance.isPresent() && relevance.getAsDouble() < leastRelevance);
    }
}
