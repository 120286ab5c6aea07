package switchboard.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * What is asked again and again. Component names are those on the wire.
 *
 * @param query what to look for
 * @param sources globs of sources; empty for all
 * @param filters conditions on fields, or null for none
 * @param limit how many of the first hits count, 1 to 100
 * @param min_relevance lowest relevance of a hit, 0 to 1
 * @param note what its asker wants to remember with it, or null
 * @param webhook where news are sent to, or null
 */
public record StandingQuestion(
        String query,
        List<String> sources,
        @Nullable ObjectNode filters,
        int limit,
        double min_relevance,
        @Nullable String note,
        @Nullable String webhook) {
    public StandingQuestion {
        Objects.requireNonNull(query, "query");
        sources = List.copyOf(sources);
    }

    /** The arguments of {@code search_everywhere}: one hit of each document, without its text. */
    public ObjectNode search() {
        ObjectNode arguments = Json.object().put("query", query);
        sources.forEach(arguments.putArray("sources")::add);
        if (filters != null) {
            arguments.set("filters", filters);
        }
        return arguments
                .put("limit", limit)
                .put("per_document", 1)
                .put("min_relevance", min_relevance)
                .put("detail", "titles")
                .put("mode", "hybrid")
                .put("explain", false);
    }
}
