package switchboard.insight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import switchboard.call.AnswerNotes;
import switchboard.call.Json;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;
import switchboard.telemetry.AnsweredCall;

/** What the search log does for a search with ten hits of four sources. */
public final class SearchLogPiece {
    private static final int HITS = 10;
    private static final int SOURCES = 4;
    private static final InsightSettings SETTINGS = new InsightSettings(Map.of(
            "*",
            new InsightSettings.TeamInsight(InsightSettings.QueryDetail.FULL, Duration.ofDays(30), 256L << 20)));

    private final AnsweredCall answer;
    private final Instant now = Instant.now();
    private final InsightFolder folder;

    /** Writes into a temporary folder. */
    public SearchLogPiece() throws IOException {
        ObjectNode structured = Json.object();
        ArrayNode results = structured.putArray("results");
        for (int i = 0; i < HITS; i++) {
            results.addObject()
                    .put("address", "switchboard://vectordb/default/" + RequestSource.newId())
                    .put("source", "vectordb:default")
                    .put("title", "A title of some length")
                    .put("text", "A passage. ".repeat(80))
                    .put("score", 0.9 - i / 100.0)
                    .put("relevance", 0.9);
        }
        ArrayNode sources = structured.putArray("sources");
        for (int i = 0; i < SOURCES; i++) {
            sources.addObject().put("source", "vectordb:" + i).put("status", "ok").put("hits", HITS).put("ms", i);
        }
        this.answer = new AnsweredCall(
                RequestSource.unread(null, "127.0.0.1", ""),
                new RequestCaller("research", "agent-1"),
                "switchboard",
                "search_everywhere",
                Json.object().put("query", "What carries grain on the river in winter?"),
                structured,
                Duration.ofMillis(12),
                AnswerNotes.NONE);
        this.folder = new InsightFolder(Files.createTempDirectory("search-log"));
    }

    /** What a call leaves. */
    public Object note() {
        return LoggedSearch.of(answer, now);
    }

    /** All that is done for it afterwards, as if no other line were written with it. */
    public Object write() throws IOException {
        LoggedSearch search = LoggedSearch.of(answer, now);
        TeamLine line = TeamLine.of("research", now, search.json().put("query", search.asked().query()));
        return folder.append(List.of(line), SETTINGS, Instant.now());
    }
}
