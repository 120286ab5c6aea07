package switchboard.insight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.AnswerNotes;
import switchboard.call.Json;
import switchboard.telemetry.AnsweredCall;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;
import switchboard.testing.logs.AsksForErrors;
import switchboard.testing.logs.HeardLog;

/** A line that can't be made is missing, and says nothing of what it would have had. */
class SearchLogTest {
    private static final String CANARY = "canarywords";

    @TempDir
    Path data;

    /** A value that no JSON can be made of. */
    public static final class Unwritable {
        public String getWord() {
            throw new IllegalStateException("no such word: " + CANARY);
        }
    }

    private static AnsweredCall answer(String query, ObjectNode structured) {
        return new AnsweredCall(
                new RequestSource(RequestSource.newId(), null, "127.0.0.1", ""),
                new RequestCaller("red", "red-key"),
                "switchboard",
                "search_everywhere",
                Json.object().put("query", query),
                structured,
                Duration.ofMillis(1),
                AnswerNotes.NONE);
    }

    @AsksForErrors("a line of the search log could not be made")
    @Test
    void aLineThatCanNotBeMadeIsCountedAndNotShown() throws IOException {
        InsightSettings settings = new InsightSettings(
                Map.of(
                        "red",
                        new InsightSettings.TeamInsight(InsightSettings.QueryDetail.FULL, Duration.ofDays(1), 1 << 20)),
                Set.of());
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        InsightFolder folder = new InsightFolder(data);
        ObjectNode unwritable = Json.object();
        unwritable.putArray("corrected").addPOJO(new Unwritable());
        try (HeardLog heard = HeardLog.open()) {
            try (SearchLog log = new SearchLog(settings, folder, Clock.systemUTC(), meters)) {
                log.searched(answer(CANARY, unwritable));
                log.searched(answer("the next one", Json.object()));
            }
            assertTrue(heard.has("a line of the search log could not be made"), () -> heard.lines()
                    .toString());
            assertFalse(heard.has(CANARY), () -> heard.lines().toString());
        }
        List<JsonNode> lines = new ArrayList<>();
        folder.read("red", lines::add);
        assertEquals(1, lines.size());
        assertEquals("the next one", lines.getFirst().path("query").asText());
        assertEquals(
                1,
                meters.get("switchboard.insight.lost")
                        .tag("reason", "failed")
                        .counter()
                        .count());
    }
}
