package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;

/** The stream of calls of a gateway with four teams and an engine, as pages read it. */
class ConsoleCallsTest {
    private static final String CALLS = "api/v1/calls";
    private static final String LIBRARIES = "list_libraries";
    private static final String INDEXES = "meilisearch_list_indexes";
    private static final String NO_INDEXES = "{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}";
    /** More calls than a backend may have at once. */
    private static final int AT_ONCE = 6;

    private static final String STREAMS = "switchboard_http_streams_open";

    private final Map<String, ApiKey> keys = Map.of(
            "red", ApiKey.generate(new SecureRandom()),
            "blue", ApiKey.generate(new SecureRandom()),
            "keeper", ApiKey.generate(new SecureRandom()),
            "operators", ApiKey.generate(new SecureRandom()));
    private final List<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean holding;

    @TempDir
    Path folder;

    private FaultServer engine;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        engine = new FaultServer(socket -> {
            awaitRelease();
            FaultServer.json(NO_INDEXES).answer(socket);
        });
        teams("read,search", key("red"));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                limits: {callsPerBackend: 4, fewestPerBackend: 4, longestWait: 1m, teamShare: 1}
                tasks: {running: 1}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s", required: false}
                """.formatted(engine.url()), folder);
    }

    private void awaitRelease() {
        if (holding) {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private String key(String team) {
        return keys.get(team).sha256();
    }

    private void teams(String redAtGateway, String redKey) throws IOException {
        ReplacedFile.write(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search,create,update,embed", "meilisearch:read,search", "switchboard:%s"]}
                  blue: {keys: [{id: blue1, sha256: %s}], grants: ["vectordb:read,search,create,update,embed", "meilisearch:read,search"]}
                  keeper: {keys: [{id: keeper1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:*"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        redKey, redAtGateway, key("blue"), key("keeper"), key("operators")));
    }

    @AfterEach
    void stop() throws Exception {
        held.countDown();
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
        engine.close();
        threads.close();
    }

    private ConsoleClient signedIn(String team) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(200, browser.signIn(keys.get(team).text()).status());
        return browser;
    }

    private EventReader events(ConsoleClient browser, String... headers) {
        EventReader events = browser.events(CALLS, headers);
        open.add(events);
        return events;
    }

    private McpTestClient agent(String team) {
        return gateway.modern().with("X-API-Key", keys.get(team).text());
    }

    private void call(String team, String tool) {
        ObjectNode params = Json.object().put("name", tool);
        params.putObject("arguments");
        assertEquals(200, agent(team).request("tools/call", params).status());
    }

    private static JsonNode data(EventReader.Event event) {
        try {
            return Json.parse(event.data());
        } catch (JsonProcessingException e) {
            throw new AssertionError(event.data(), e);
        }
    }

    private static JsonNode next(EventReader events, String name) throws InterruptedException {
        EventReader.Event event = events.next();
        assertEquals(name, event.name(), event::data);
        return data(event);
    }

    /** The calls up to one that is the {@code last}, each as team and tool. */
    private static List<String> upTo(EventReader events, Predicate<String> last) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        while (seen.isEmpty() || !last.test(seen.getLast())) {
            JsonNode call = next(events, "call");
            seen.add(call.path("team").asText() + " " + call.path("tool").asText());
        }
        return seen;
    }

    private int streams() {
        return gateway.management("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(STREAMS + " "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(STREAMS.length())))
                .sum();
    }

    @Test
    void eachPersonSeesTheCallsThatAreForThem() throws InterruptedException {
        List<String> teams = List.of("operators", "keeper", "red", "blue");
        List<EventReader> before =
                teams.stream().map(team -> events(signedIn(team))).toList();
        List<String> sees = List.of("all", "backends", "team", "team");
        for (int person = 0; person < teams.size(); person++) {
            JsonNode hello = next(before.get(person), "hello");
            assertEquals(sees.get(person), hello.path("sees").asText());
            assertFalse(hello.path("clustered").asBoolean(true));
        }
        for (String team : List.of("red", "blue", "keeper")) {
            call(team, LIBRARIES);
            call(team, INDEXES);
        }
        List<String> last = List.of("operators", "keeper", "red", "blue");
        last.forEach(team -> call(team, "nothing"));
        List<List<String>> wanted = List.of(
                List.of(
                        "red " + LIBRARIES,
                        "red " + INDEXES,
                        "blue " + LIBRARIES,
                        "blue " + INDEXES,
                        "keeper " + LIBRARIES,
                        "keeper " + INDEXES,
                        "operators nothing",
                        "keeper nothing",
                        "red nothing",
                        "blue nothing"),
                List.of(
                        "red " + INDEXES,
                        "blue " + INDEXES,
                        "keeper " + LIBRARIES,
                        "keeper " + INDEXES,
                        "keeper nothing"),
                List.of("red " + LIBRARIES, "red " + INDEXES, "red nothing"),
                List.of("blue " + LIBRARIES, "blue " + INDEXES, "blue nothing"));
        for (int person = 0; person < teams.size(); person++) {
            String end = wanted.get(person).getLast();
            assertEquals(wanted.get(person), upTo(before.get(person), end::equals), teams.get(person) + ", live");
            EventReader later = events(signedIn(teams.get(person)));
            next(later, "hello");
            assertEquals(wanted.get(person), upTo(later, end::equals), teams.get(person) + ", later");
        }
    }

    @Test
    void whoIsNotSignedInSeesNothing() {
        try (ConsoleClient nobody = new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            HttpReply refused = nobody.get(CALLS);
            assertEquals(401, refused.status());
            assertTrue(refused.body().contains("not signed in"), refused::body);
            HttpReply foreign =
                    signedIn("red").with("Sec-Fetch-Site", "same-site").get(CALLS);
            assertEquals(403, foreign.status(), "a page of another origin");
        }
    }

    @Test
    void anEventSaysWhatACallTookAndNothingOfWhatWasAskedOrAnswered() throws InterruptedException {
        EventReader events = events(signedIn("operators"));
        next(events, "hello");
        String trace = "0af7651916cd43dd8448eb211c80319c";
        ObjectNode document = Json.object()
                .put("library", "lanternlibrary")
                .put("source", "lanternsource")
                .put("content", "lanterntext");
        agent("red").with("traceparent", "00-" + trace + "-b7ad6b7169203331-01").call("ingest_text", document);
        JsonNode stored = next(events, "call");
        Set<String> fields = new TreeSet<>();
        stored.fieldNames().forEachRemaining(fields::add);
        assertEquals(
                Set.of(
                        "request",
                        "time",
                        "team",
                        "key",
                        "method",
                        "tool",
                        "backend",
                        "decision",
                        "outcome",
                        "calls",
                        "ms",
                        "queue_ms",
                        "backend_ms",
                        "bytes",
                        "trace",
                        "steps"),
                fields);
        assertFalse(stored.toString().contains("lantern"), stored::toString);
        assertEquals("red1", stored.path("key").asText());
        assertEquals("vectordb", stored.path("backend").asText());
        assertEquals("allowed", stored.path("decision").asText());
        assertEquals("ok", stored.path("outcome").asText());
        assertEquals(trace, stored.path("trace").asText());
        assertTrue(stored.path("bytes").asInt() > 0, stored::toString);
        assertTrue(stored.path("backend_ms").asDouble() <= stored.path("ms").asDouble(), stored::toString);

        String secret = "sk-ant-api03-" + "a1B2c3D4e5".repeat(9) + "AA";
        call("blue", secret + "<b>");
        JsonNode unknown = next(events, "call");
        assertEquals("unknown", unknown.path("decision").asText());
        assertEquals("invalid_params", unknown.path("outcome").asText());
        assertFalse(unknown.toString().contains(secret), unknown::toString);
        assertEquals(0, unknown.path("steps").size());
    }

    @Test
    void theQueueAndTheEngineHaveTheirPartOfTheTime() throws InterruptedException {
        ConsoleClient operator = signedIn("operators");
        EventReader events = events(operator);
        next(events, "hello");
        holding = true;
        List<CompletableFuture<Void>> made = new ArrayList<>();
        for (int call = 0; call < AT_ONCE; call++) {
            made.add(CompletableFuture.runAsync(() -> call("red", INDEXES), threads));
        }
        Eventually.that(() -> waiting(operator) > 0, () -> "one waits");
        held.countDown();
        CompletableFuture.allOf(made.toArray(CompletableFuture[]::new))
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
        List<JsonNode> calls = new ArrayList<>();
        for (int call = 0; call < AT_ONCE; call++) {
            calls.add(next(events, "call"));
        }
        calls.forEach(call -> assertEquals(List.of("call", "engine"), kinds(call), call::toString));
        calls.sort(Comparator.comparingDouble(call -> call.path("queue_ms").asDouble()));
        JsonNode first = calls.getFirst();
        JsonNode queued = calls.getLast();
        assertTrue(queued.path("queue_ms").asDouble() > first.path("queue_ms").asDouble(), () -> first + "\n" + queued);
        assertTrue(first.path("backend_ms").asDouble() > 0, first::toString);
        assertEquals(
                queued.path("queue_ms").asDouble(),
                step(queued, "call").path("queue_ms").asDouble());
        JsonNode asked = step(queued, "engine");
        assertEquals("meilisearch", asked.path("backend").asText());
        assertEquals("GET", asked.path("name").asText());
        assertEquals(2, asked.path("depth").asInt());
        assertTrue(asked.path("at_ms").asDouble() >= queued.path("queue_ms").asDouble(), queued::toString);
    }

    private static int waiting(ConsoleClient operator) {
        for (JsonNode backend : operator.get("api/v1/backends").json().path("backends")) {
            if (backend.path("id").asText().equals("meilisearch")) {
                return backend.path("waiting").asInt();
            }
        }
        return -1;
    }

    private static List<String> kinds(JsonNode call) {
        return call.path("steps")
                .valueStream()
                .map(step -> step.path("kind").asText())
                .distinct()
                .sorted()
                .toList();
    }

    private static JsonNode step(JsonNode call, String kind) {
        return call.path("steps")
                .valueStream()
                .filter(step -> step.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReaderThatComesBackGoesOnWhereItWas() throws Exception {
        ConsoleClient red = signedIn("red");
        EventReader events = events(red);
        next(events, "hello");
        call("red", "one");
        call("blue", "other");
        call("red", "two");
        EventReader.Event one = events.next();
        EventReader.Event two = events.next();
        assertEquals("two", data(two).path("tool").asText());
        events.close();
        call("red", "three");
        call("blue", "other");
        call("red", "four");
        EventReader back = events(red, "Last-Event-ID", one.id());
        assertTrue(next(back, "hello").path("resumed").asBoolean());
        assertEquals(List.of("red two", "red three", "red four"), upTo(back, "red four"::equals));

        EventReader other = events(signedIn("blue"), "Last-Event-ID", one.id());
        assertFalse(next(other, "hello").path("resumed").asBoolean(), "a place of another team");
        EventReader strange = events(red, "Last-Event-ID", one.id().replaceFirst("[.][0-9]+$", ".x"));
        assertFalse(next(strange, "hello").path("resumed").asBoolean());
        assertEquals(4, upTo(strange, "red four"::equals).size(), "from the beginning");
        EventReader ahead = events(red, "Last-Event-ID", one.id().replaceFirst("[.][0-9]+$", ".99999"));
        assertFalse(next(ahead, "hello").path("resumed").asBoolean(), "a place that there is not yet");
    }

    /** It takes nothing while more calls than are kept come; then it gets the newest, and the number of the others. */
    @Test
    void aSlowReaderMissesCallsAndLearnsHowMany() throws InterruptedException {
        int first = 400;
        int later = RecentCalls.KEPT + 300;
        manyCalls(first);
        ConsoleClient operator = signedIn("operators");
        String cookie = operator.cookie();
        URI console = gateway.app().consoleUrl().orElseThrow();
        try (RawHttp slow = new RawHttp(console.getPort(), 2048)) {
            slow.get("/" + CALLS, "Cookie: " + cookie + "\n");
            slow.readUntil("event: hello");
            manyCalls(later);
            call("red", "last-of-all");
            String all = slow.readUntil("last-of-all");
            long missed = Pattern.compile("event: missed\\r?\\ndata: \\{\"calls\":([0-9]+)}")
                    .matcher(all)
                    .results()
                    .map(MatchResult::group)
                    .mapToLong(found -> Long.parseLong(found.replaceAll("\\D", "")))
                    .sum();
            long got = Pattern.compile("event: call").matcher(all).results().count();
            assertTrue(missed > 0, all.length() + " characters came");
            assertEquals(first + later + 1, got + missed);
        }
    }

    /** By batches, which MCP 2025-03-26 has. */
    private void manyCalls(int count) {
        McpTestClient agent = McpTestClient.legacy(
                gateway.url(), "2025-03-26", Map.of("X-API-Key", keys.get("red").text()));
        open.add(agent);
        for (int made = 0; made < count; made += 50) {
            ArrayNode batch = Json.mapper().createArrayNode();
            for (int call = 0; call < 50; call++) {
                ObjectNode request =
                        batch.addObject().put("jsonrpc", "2.0").put("id", call).put("method", "tools/call");
                request.putObject("params").put("name", "long-name-".repeat(12)).putObject("arguments");
            }
            assertEquals(200, agent.post(batch.toString(), Map.of()).status());
        }
    }

    @Test
    void aStreamEndsWithItsSession() throws Exception {
        ConsoleClient leaving = signedIn("red");
        EventReader left = events(leaving);
        EventReader other = events(signedIn("red"));
        next(left, "hello");
        next(other, "hello");
        assertEquals(204, leaving.send("DELETE", "api/v1/session", "").status());
        assertEquals("signed_out", next(left, "over").path("reason").asText());
        assertTrue(left.ended());
        call("red", "still");
        assertEquals("still", next(other, "call").path("tool").asText(), "other sessions of the key go on");
        teams("read,search", ApiKey.generate(new SecureRandom()).sha256());
        assertEquals("signed_out", next(other, "over").path("reason").asText());
        assertTrue(other.ended());
        Eventually.that(() -> streams() == 0, () -> "no stream is left");
    }

    @Test
    void whoMaySeeMoreBeginsAnew() throws Exception {
        ConsoleClient red = signedIn("red");
        EventReader events = events(red);
        assertEquals("team", next(events, "hello").path("sees").asText());
        teams("*", key("red"));
        assertEquals("changed", next(events, "over").path("reason").asText());
        assertTrue(events.ended());
        assertEquals("all", next(events(red), "hello").path("sees").asText());
    }

    @Test
    void thereIsALimitForASessionAndForAllAndWhatIsClosedIsGivenBack() throws Exception {
        List<EventReader> all = new ArrayList<>();
        ConsoleClient one = signedIn("red");
        for (int stream = 0; stream < 10; stream++) {
            all.add(events(one));
        }
        HttpReply refused = one.get(CALLS);
        assertEquals(429, refused.status());
        assertEquals("10", refused.header("Retry-After"));
        assertTrue(refused.body().contains("10 pages"), refused::body);
        for (int session = 1; session < 10; session++) {
            ConsoleClient another = signedIn(session % 2 == 0 ? "red" : "operators");
            for (int stream = 0; stream < 10; stream++) {
                all.add(events(another));
            }
        }
        assertEquals(100, streams());
        HttpReply ofTheTeam = signedIn("red").get(CALLS);
        assertEquals(429, ofTheTeam.status());
        assertTrue(ofTheTeam.body().contains("50 pages"), ofTheTeam::body);
        HttpReply full = signedIn("blue").get(CALLS);
        assertEquals(503, full.status());
        assertEquals("10", full.header("Retry-After"));
        call("red", "seen-by-all");
        for (EventReader events : all) {
            next(events, "hello");
            assertEquals("seen-by-all", next(events, "call").path("tool").asText());
        }
        for (EventReader events : all) {
            events.close();
        }
        Eventually.that(() -> streams() == 0, () -> streams() + " streams are left");
        next(events(signedIn("blue")), "hello");
    }

    @Test
    void aGatewayThatStopsEndsTheStreams() throws Exception {
        EventReader events = events(signedIn("red"));
        next(events, "hello");
        gateway.app().close();
        assertEquals("stopping", next(events, "over").path("reason").asText());
        assertTrue(events.ended());
    }
}
