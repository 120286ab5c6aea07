package switchboard.watch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An answer of {@code search_everywhere}.
 *
 * @param hits the hits, best first
 * @param silent the sources that did not answer
 */
public record WatchReply(List<WatchNews> hits, Set<String> silent) {
    private static final Set<String> ANSWERED = Set.of("ok", "partial");

    public WatchReply {
        hits = List.copyOf(hits);
        silent = Set.copyOf(silent);
    }

    /** The answer whose structured content is {@code structured}, which came at {@code now}. */
    public static WatchReply of(JsonNode structured, Instant now) {
        List<WatchNews> hits = new ArrayList<>();
        for (JsonNode hit : structured.path("results")) {
            JsonNode relevance = hit.path("relevance");
            hits.add(new WatchNews(
                    hit.path("address").asText(),
                    hit.path("title").asText(),
                    hit.path("source").asText(),
                    relevance.isNumber() ? relevance.asDouble() : null,
                    hits.size() + 1,
                    now.toEpochMilli()));
        }
        Set<String> silent = new HashSet<>();
        for (JsonNode source : structured.path("sources")) {
            if (!ANSWERED.contains(source.path("status").asText())) {
                silent.add(source.path("source").asText());
            }
        }
        return new WatchReply(hits, silent);
    }
}
