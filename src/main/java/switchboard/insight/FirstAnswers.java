package switchboard.insight;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which search an answer with the rest of the hits goes on with. Where a query is not kept, nothing in the log tells that: then it is
 * the last search of the same key within {@link SearchTrail#FOLLOWS} before it. Not thread-safe.
 */
final class FirstAnswers {
    private final Map<Searcher, FirstAnswer> last = new HashMap<>();

    /** A key, and the engine's own tool that it asks; empty for a search over all sources. */
    private record Searcher(AskerKey asker, String tool) {}

    /** A search of which there may be more hits. */
    private record FirstAnswer(String id, Instant time) {}

    /** Whether {@code line} is of an answer with the rest of the hits, which is no search of its own. */
    static boolean isRest(JsonNode line) {
        return line.path("skipped").asInt() > 0;
    }

    /** The id of the search that {@code line} is of, or goes on with; the lines of searches come in their order. */
    String of(JsonNode line) {
        String id = line.path("id").asText();
        Searcher asker = new Searcher(
                new AskerKey(line.path("team").asText(), line.path("key").asText()),
                line.path(LoggedSearch.TOOL).asText());
        Instant time = LoggedQuestion.time(line).orElse(Instant.EPOCH);
        if (!isRest(line)) {
            last.put(asker, new FirstAnswer(id, time));
            return id;
        }
        if (line.hasNonNull("rest_of")) {
            return line.path("rest_of").asText();
        }
        FirstAnswer before = line.has("query") || line.has("query_hash") ? null : last.get(asker);
        return before != null && time.isBefore(before.time().plus(SearchTrail.FOLLOWS)) ? before.id() : id;
    }
}
