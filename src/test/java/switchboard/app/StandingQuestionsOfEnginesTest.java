package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.Gate;
import switchboard.testing.HandClock;
import switchboard.testing.LoadedEngine;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Standing questions whose documents are in another engine, which may be away. */
class StandingQuestionsOfEnginesTest {
    private static final Duration EVERY = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private final HandClock clock = HandClock.ticking(Instant.now());
    private final LoadedEngine engine = new IndexEngine();
    private final Gate gate = new Gate(engine.url().getPort());
    private TestGateway gateway;

    @BeforeEach
    void start() {
        String port = ":" + engine.url().getPort();
        gateway = TestGateway.start("""
                auth: {mode: none}
                embedders: {default: {provider: none}}
                insight: {teams: {"*": {log: false, watches: {every: 10m, runsPerMinute: 6000}}}}
                backends:
                  vectordb: {type: vectordb}
                  engine: {type: meilisearch, %s}
                """.formatted(engine.settings().replace(port, ":" + gate.port())), folder, clock);
        load(0, 3);
    }

    @AfterEach
    void stop() {
        gateway.close();
        gate.close();
        engine.close();
    }

    private void load(int from, int to) {
        List<LoadedEngine.Document> documents = IntStream.range(from, to)
                .mapToObj(id -> new LoadedEngine.Document(
                        id,
                        Json.object().put("text", "Grain of ship " + id).put("url", "https://example.com/" + id),
                        new float[] {1, 0}))
                .toList();
        engine.load("cargo", Map.of("text", "text", "url", "text"), documents);
    }

    private JsonNode call(ObjectNode arguments) {
        ToolResult result = gateway.modern().call("watch_search", arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().path("watches").path(0);
    }

    private String ask() {
        return call(Json.object().put("query", "grain").put("limit", 50))
                .path("watch")
                .asText();
    }

    private JsonNode read(String watch) {
        return call(Json.object().put("watch", watch));
    }

    /** What {@code watch} is once it was asked again. */
    private JsonNode next(String watch) {
        Instant before = clock.instant();
        clock.forward(EVERY.plusSeconds(1));
        return Eventually.first(
                () -> read(watch),
                found -> Instant.parse(found.path("last_run").asText()).isAfter(before.plus(EVERY)));
    }

    @Test
    void newsOfAnEngineThatIsAwayIsCountedAndNotGone() {
        String watch = ask();
        load(3, 5);
        assertEquals(2, next(watch).path("news").size());
        gate.become(Gate.State.GONE);
        JsonNode away = read(watch);
        assertEquals(0, away.path("news").size(), away::toString);
        assertEquals(2, away.path("unchecked").asInt(), away::toString);
        gate.become(Gate.State.OPEN);
        JsonNode back = Eventually.first(() -> read(watch), found -> !found.has("unchecked"));
        assertEquals(2, back.path("news").size(), back::toString);
    }

    @Test
    void whatAnEngineHadWhileItWasAwayAtFirstIsNoNews() {
        assertFalse(gateway.modern()
                .call(
                        "vectordb__ingest_text",
                        Json.object().put("content", "Grain is in the silo.").put("source", "silo"))
                .isError());
        gate.become(Gate.State.GONE);
        String watch = ask();
        gate.become(Gate.State.OPEN);
        Eventually.that(this::answers, () -> "the engine answers again");
        JsonNode first = next(watch);
        assertEquals(0, first.path("news").size(), first::toString);
        load(3, 4);
        JsonNode later = next(watch);
        assertEquals(1, later.path("news").size(), later::toString);
        assertTrue(later.at("/news/0/source").asText().startsWith("engine:"), later::toString);
    }

    private boolean answers() {
        ToolResult found =
                gateway.modern().call("search_everywhere", Json.object().put("query", "grain"));
        return !found.isError() && found.structured().path("results").size() == 4;
    }
}
