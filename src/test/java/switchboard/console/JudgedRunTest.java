package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;

/** What an evaluation makes of the results of its searches. */
class JudgedRunTest {
    private final JudgedRun run = new JudgedRun(
            new JudgedSet("set", Map.of("d", ""), Map.of("q", "lantern"), Map.of("q", Map.of("d", 1))),
            List.of(Json.object()));
    private final JudgedRun.JudgedSearch search = run.searches().next();

    private JsonNode values(JsonNode result) {
        return run.add(search, result, 1).orElseThrow().at("/values/0");
    }

    @Test
    void aSearchWithoutAResultHasFailed() {
        assertTrue(values(MissingNode.getInstance()).path("failed").asBoolean());
        assertFalse(run.hasAnswered(search));
        assertEquals(1, run.figures().at("/configurations/0/failed").asInt());
    }

    @Test
    void theSourcesOfAnAnswerWithoutHitsAreNoHits() throws Exception {
        JsonNode values = values(Json.parse("""
                {"structuredContent": {"results": [], "sources": [{"source": "d", "status": "ok"}]}}"""));
        assertEquals(0, values.path("hits").asInt(99), values::toString);
        assertEquals(0, values.path("judged").asInt(99), values::toString);
    }

    @Test
    void wordsBeforeTheHitsAreNoHits() throws Exception {
        JsonNode values = values(Json.parse("""
                {"structuredContent": {"notes": ["d"], "results": [{"address": "wiki:d"}, {"address": "x/d"}]}}"""));
        assertEquals(2, values.path("hits").asInt(), values::toString);
        assertEquals(1, values.path("judged").asInt(), values::toString);
    }
}
