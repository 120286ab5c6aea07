package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;
import switchboard.testing.SteppedClock;
import switchboard.testing.ToolResult;

/**
 * Somebody sets the clocks of gateways, forward and back, while they are in use: nothing expires, no budget is used up or given
 * again, and no two gateways do what one may do.
 */
@Tag("engines")
class SteppedClocksTest {
    private static final int CALLS_A_DAY = 30;
    private static final int FILES = 300;
    private static final Duration NONE = Duration.ZERO;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    /** Hours by which the clock of each gateway is wrong, one step after the other. */
    private static final List<List<Duration>> STEPS = List.of(
            List.of(HOUR, HOUR.negated(), NONE),
            List.of(DAY, DAY.negated(), HOUR),
            List.of(DAY.negated(), DAY, HOUR.negated()),
            List.of(NONE, NONE, NONE));

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static final List<SteppedClock> CLOCKS =
            Stream.generate(SteppedClock::new).limit(3).toList();
    private static Path docs;
    private static Replicas replicas;

    @BeforeAll
    static void start() throws IOException {
        docs = Files.createDirectory(folder.resolve("docs")).toRealPath();
        replicas = new Replicas(
                postgres,
                folder,
                new Replicas.Settings("clocks", """
                          library: { type: vectordb, store: cluster, dataDir: shared }
                          kb: { type: agentroot, store: cluster, dataDir: kb, roots: ['%s'] }
                        views: { shared: { backends: [library] } }
                        """.formatted(docs))
                        .with(Map.of(
                                "daily", "limits: {callsPerDay: " + CALLS_A_DAY + "}",
                                "wordy", "limits: {tokensPerDay: 300}",
                                "slow", "limits: {callsPerSecond: 1, burst: 20}",
                                "single", "limits: {concurrentCalls: 1}"))
                        .by(CLOCKS::get));
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    @BeforeEach
    void together() {
        replicas.awaitTogether();
    }

    @AfterEach
    void right() {
        set(STEPS.getLast());
    }

    private static void set(List<Duration> wrong) {
        for (int index = 0; index < 3; index++) {
            CLOCKS.get(index).set(wrong.get(index));
        }
    }

    private static McpTestClient client(int index, String view, Map<String, String> who) {
        return replicas.gateway(index).modern(view).with("X-API-Key", who.get("X-API-Key"));
    }

    private static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static JsonNode kb(int index, String tool, ObjectNode arguments) {
        return ok(client(index, "kb", replicas.red()).call(tool, arguments));
    }

    private static List<Integer> everywhere(McpTestClient session) {
        List<Integer> statuses = IntStream.range(0, 3)
                .mapToObj(index -> {
                    replicas.proxy().to(index);
                    return session.request("ping", Json.object()).status();
                })
                .toList();
        replicas.proxy().inTurn();
        return statuses;
    }

    @Test
    void noSessionExpires() {
        McpTestClient session = replicas.session(replicas.red());
        ObjectNode id = Json.object()
                .put(
                        "session_id",
                        kb(0, "session_start", Json.object().put("ttl_seconds", 600))
                                .path("session_id")
                                .asText());
        List<McpTestClient> made = new ArrayList<>(List.of(session));
        for (List<Duration> step : STEPS) {
            set(step);
            for (int index = 0; index < 3; index++) {
                kb(index, "session_set", id.deepCopy().put("key", "k" + index).put("value", step.toString()));
                kb((index + 1) % 3, "session_get", id);
            }
            // One that was made by a wrong clock lives as long as any other.
            made.add(replicas.session(replicas.red()));
            made.forEach(one -> assertEquals(List.of(200, 200, 200), everywhere(one), () -> "after " + step));
        }
        made.forEach(one -> assertEquals(204, one.delete().status()));
    }

    /** Consecutive calls on gateways in turns, as many as that; returns how many were let through. */
    private static int through(String team, int calls) {
        int through = 0;
        for (int call = 0; call < calls; call++) {
            through += LimitStories.succeeded(client(call % 3, "fixture", replicas.of(team)), 1);
        }
        return through;
    }

    @Test
    void noDayIsOverOrGivenAgain() {
        int through = 0;
        for (List<Duration> step : STEPS) {
            set(step);
            int now = through("daily", 6);
            assertEquals(6, now, () -> "after " + step);
            through += now;
        }
        through += through("daily", 9);
        assertEquals(CALLS_A_DAY, through);
        for (List<Duration> step : STEPS) {
            set(step);
            assertEquals(0, through("daily", 3), () -> "after " + step);
        }
    }

    @Test
    void noTokensAreGivenAgain() {
        Eventually.that(() -> through("wordy", 3) == 0, () -> "the day's tokens are used");
        for (List<Duration> step : STEPS) {
            set(step);
            assertEquals(0, through("wordy", 3), () -> "after " + step);
        }
    }

    @Test
    void noRateIsGivenAgain() {
        long began = System.nanoTime();
        int through = 0;
        for (List<Duration> step : STEPS) {
            set(step);
            for (int call = 0; call < 30; call++) {
                int status = client(call % 3, "fixture", replicas.of("slow"))
                        .request("tools/list", Json.object())
                        .status();
                assertTrue(status == 200 || status == 429, () -> "status " + status);
                through += status == 200 ? 1 : 0;
            }
        }
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
        assertTrue(through >= 10 && through <= 21 + seconds, through + " in " + seconds + " s");
    }

    @Test
    void aPlaceThatIsTakenStaysTaken() {
        Map<String, String> who = replicas.of("single");
        replicas.proxy().to(0);
        McpTestClient busy = replicas.able("fixture", who);
        try (RawHttp call = replicas.on(0)) {
            call.post("/mcp/fixture", Replicas.lines(who, busy, "application/json, text/event-stream"), """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}""");
            call.readUntil("elicitation/create");
            for (List<Duration> step : STEPS) {
                set(step);
                assertEquals(0, through("single", 3), () -> "after " + step);
            }
            set(STEPS.get(1));
            busy.notify("notifications/cancelled", Json.object().put("requestId", 7));
            call.readUntil("\r\n0\r\n");
        }
        replicas.proxy().inTurn();
        assertEquals(3, through("single", 3));
    }

    /** Each document is written once: neither does a gateway take over what another one does, nor does an update end early. */
    @ParameterizedTest
    @CsvSource({"forward, 24, -24", "back, -24, 24"})
    void anUpdateGoesOnAndIsTheOnlyOne(String name, int first, int second) throws Exception {
        Path place = Files.createDirectory(docs.resolve(name));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(place.resolve("f" + i + ".md"), "# File " + i + "\n\nheron number" + i + "\n");
        }
        kb(0, "collection_add", Json.object().put("name", name).put("path", place.toString()));
        try (ExecutorService callers = Executors.newFixedThreadPool(2)) {
            Future<JsonNode> update = callers.submit(
                    () -> kb(0, "collection_update", Json.object().put("name", name)));
            Eventually.within(Eventually.OF_A_PROCESS, () -> written(name) > 5, () -> "the update is under way");
            set(List.of(Duration.ofHours(first), Duration.ofHours(second), NONE));
            assertTrue(written(name) < FILES, "it was still under way");
            Future<JsonNode> other = callers.submit(
                    () -> kb(1, "collection_update", Json.object().put("name", name)));
            JsonNode report = update.get(2, TimeUnit.MINUTES);
            assertTrue(report.path("complete").asBoolean(), report::toString);
            assertEquals(FILES, report.path("added").asInt(), report::toString);
            JsonNode again = other.get(2, TimeUnit.MINUTES);
            assertTrue(again.path("complete").asBoolean(), again::toString);
            assertEquals(FILES, again.path("unchanged").asInt(), again::toString);
        }
        assertEquals(FILES, written(name), "each document was written once");
    }

    /** The writes of a collection. */
    private static long written(String name) {
        return Long.parseLong(postgres.sql(
                        "SELECT coalesce(sum(position), 0) FROM clocks.library WHERE live AND name = '" + name + "'")
                .strip());
    }

    private static ToolResult put(int index, String source, String content) {
        return client(index, "shared", replicas.red())
                .call("ingest_text", Json.object().put("source", source).put("content", content));
    }

    private static List<String> sources(int index, String tool, ObjectNode arguments) {
        JsonNode answer = ok(client(index, "shared", replicas.red()).call(tool, arguments));
        assertFalse(answer.path("reason").asText().contains("newest changes"), answer::toString);
        List<String> sources = new ArrayList<>();
        answer.path(tool.equals("search") ? "results" : "documents")
                .forEach(one -> sources.add(one.path("source").asText()));
        return sources;
    }

    /** Times of documents are the database's, so the newest is the newest wherever it was put. */
    @Test
    void documentsAreSeenAtOnceAndInTheirOrder() {
        List<String> newestFirst = new ArrayList<>();
        for (List<Duration> step : STEPS) {
            set(step);
            for (int index = 0; index < 3; index++) {
                String source = "s" + newestFirst.size();
                ok(put(index, source, "an old heron in " + source));
                ok(put((index + 1) % 3, source, "a new heron in " + source));
                newestFirst.addFirst(source);
                for (int on = 0; on < 3; on++) {
                    assertEquals(newestFirst, sources(on, "list_documents", Json.object()));
                    assertEquals(List.of(), sources(on, "search", Json.object().put("query", "old")));
                }
            }
        }
        assertEquals(
                newestFirst.size(),
                sources(1, "search", Json.object().put("query", "new").put("top_k", 100))
                        .size());
    }
}
