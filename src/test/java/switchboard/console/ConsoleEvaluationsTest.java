package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.Main;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Evaluations over HTTP, at a gateway with six teams, documents of its own and an engine that may hold its answers. */
class ConsoleEvaluationsTest {
    private static final String EVALUATIONS = "api/v1/evaluations";
    private static final String NO_INDEXES = "{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}";
    private static final String LANTERN = "where is the lantern";
    private static final String FOG = "fog lantern";
    private static final String ROPE = "rope";

    private final Map<String, ApiKey> keys = new LinkedHashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile boolean holding;

    @TempDir
    Path folder;

    private FaultServer engine;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Stream.of("red", "blue", "daily", "slow", "rated", "operators")
                .forEach(team -> keys.put(team, ApiKey.generate(new SecureRandom())));
        engine = new FaultServer(socket -> {
            awaitRelease();
            FaultServer.json(NO_INDEXES).answer(socket);
        });
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: r1, sha256: %s}], grants: ["*:read,search,create,update,embed"]}
                  blue: {keys: [{id: b1, sha256: %s}], grants: ["vectordb:read,search,create,update,embed:blue-*", "switchboard:read,search"]}
                  daily: {keys: [{id: d1, sha256: %s}], grants: ["*:read,search"], limits: {callsPerDay: 5}}
                  slow: {keys: [{id: s1, sha256: %s}], grants: ["*:read,search"], limits: {concurrentCalls: 1}}
                  rated: {keys: [{id: t1, sha256: %s}], grants: ["*:read,search"], limits: {callsPerSecond: 1}}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        keys.values().stream().map(ApiKey::sha256).toArray()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s", required: false}
                """.formatted(engine.url()), folder);
        put("red-notes", "pier", "The lantern hangs at the pier.");
        put("red-notes", "bell", "A bell rings in the fog, and the lantern is lit.");
        put("red-notes", "rope", "Coil the rope. The lantern needs none.");
        put("red-notes", "net", "Nets are mended in winter.");
    }

    private void put(String library, String source, String content) {
        McpTestClient agent = gateway.modern().with("X-API-Key", keys.get("red").text());
        ConsolePages.put(agent, library, source, source, content);
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

    /** The addresses of what the person finds, by title. */
    private Map<String, String> found(ConsoleClient browser, String query) {
        McpTestClient mcp = browser.mcp("");
        open.add(mcp);
        ToolResult found = mcp.call(
                "search_everywhere",
                Json.object().put("query", query).set("sources", Json.array().add("vectordb")));
        Map<String, String> addresses = new LinkedHashMap<>();
        found.structured()
                .path("results")
                .forEach(hit -> addresses.put(
                        hit.path("title").asText(), hit.path("address").asText()));
        return addresses;
    }

    private static void judge(ConsoleClient browser, String query, String address, boolean answers) {
        HttpReply kept = browser.post(
                "api/v1/judgments",
                Json.object()
                        .put("query", query)
                        .put("address", address)
                        .put("title", "")
                        .put("answers", answers));
        assertEquals(200, kept.status(), kept::body);
    }

    /** Three queries that have answers, and one that has none. */
    private void judgeSome(ConsoleClient browser) {
        Map<String, String> addresses = found(signedIn("red"), "lantern bell rope");
        judge(browser, LANTERN, addresses.get("pier"), true);
        judge(browser, LANTERN, addresses.get("rope"), false);
        judge(browser, FOG, addresses.get("bell"), true);
        judge(browser, FOG, addresses.get("pier"), true);
        judge(browser, ROPE, addresses.get("rope"), true);
        judge(browser, "nobody knows", addresses.get("bell"), false);
    }

    private static ObjectNode wanted(String... configurations) {
        ObjectNode body = Json.object();
        ArrayNode all = body.putArray("configurations");
        Stream.of(configurations).map(ConsoleEvaluationsTest::json).forEach(all::add);
        return body;
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    private EventReader begun(ConsoleClient browser, ObjectNode body) {
        EventReader events = browser.postForEvents(EVALUATIONS, body);
        open.add(events);
        return events;
    }

    private static JsonNode next(EventReader events, String name) throws InterruptedException {
        EventReader.Event event = events.next();
        assertEquals(name, event.name(), event::data);
        return json(event.data());
    }

    /** What the command prints for the same set and the same configurations. */
    private JsonNode command(String... configurations) throws IOException {
        StringWriter out = new StringWriter();
        Path key = Files.writeString(folder.resolve("key"), keys.get("red").text());
        List<String> words = new ArrayList<>(List.of(
                "eval",
                folder.resolve("judgments/team-red").toString(),
                "--url",
                gateway.url().toString(),
                "--key-file",
                key.toString(),
                "--json"));
        for (int i = 0; i < configurations.length; i++) {
            words.addAll(List.of("--run", Character.toString('A' + i) + "=search_everywhere:" + configurations[i]));
        }
        int status = Main.commandLine().setOut(new PrintWriter(out)).execute(words.toArray(String[]::new));
        assertEquals(0, status, out::toString);
        return json(out.toString());
    }

    @Test
    void theFiguresAreThoseOfTheCommand() throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        String[] configurations = {
            "{\"sources\": [\"vectordb\"], \"limit\": 1}", "{\"sources\": [\"vectordb\"], \"per_document\": 1}"
        };
        EventReader events = begun(red, wanted(configurations));
        assertEquals(
                json("{\"set\":\"team-red\",\"documents\":3,\"queries\":3,\"configurations\":2}"),
                next(events, "begin"));
        Map<String, JsonNode> values = new LinkedHashMap<>();
        for (int query = 0; query < 3; query++) {
            JsonNode done = next(events, "query");
            values.put(done.path("query").asText(), done);
        }
        assertEquals(List.of(LANTERN, FOG, ROPE), List.copyOf(values.keySet()));
        JsonNode figures = next(events, "result");
        assertTrue(events.ended());

        JsonNode told = command(configurations);
        JsonNode command = told.path("modes");
        for (int i = 0; i < 2; i++) {
            JsonNode mine = figures.path("configurations").path(i);
            JsonNode its = command.path(i).path("quality");
            assertEquals(Character.toString('A' + i), mine.path("name").asText());
            assertEquals(its.path("ndcg10"), mine.path("ndcg_at_10"), figures::toString);
            assertEquals(its.path("recall10"), mine.path("recall_at_10"), figures::toString);
            assertEquals(its.path("recall100"), mine.path("recall_at_100"), figures::toString);
            assertEquals(its.path("mrr10"), mine.path("mrr_at_10"), figures::toString);
            assertEquals(0, mine.path("failed").asInt(99));
            assertEquals(0, mine.path("incomplete").asInt(99));
            assertEquals(1.0, mine.path("answered").asDouble(), figures::toString);
        }
        JsonNode difference = command.path(1).path("difference");
        for (String figure : List.of("mean", "low", "high", "p")) {
            assertEquals(difference.path(figure), figures.path("difference").path(figure), figure);
        }
        assertEquals(difference.path("byQuery"), figures.path("difference").path("by_query"));
        assertTrue(difference.path("mean").asDouble() > 0, "one hit can't be two answers: " + told);
        JsonNode fog = values.get(FOG);
        double change = figures.path("difference")
                .path("by_query")
                .path(fog.path("id").asText())
                .asDouble();
        assertEquals(
                fog.at("/values/1/ndcg_at_10").asDouble()
                        - fog.at("/values/0/ndcg_at_10").asDouble(),
                change);
        assertEquals(1, fog.at("/values/0/hits").asInt());
        assertEquals(1, fog.at("/values/0/judged").asInt());
        assertEquals(0.5, fog.at("/values/0/recall_at_10").asDouble());
        assertFalse(fog.at("/values/0/failed").asBoolean(true));
    }

    @Test
    void aTeamEvaluatesItsOwnSetAndOperatorsThoseOfNoTeam() throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        Path handbook = Files.createDirectories(folder.resolve("judgments/handbook/qrels"))
                .getParent();
        Files.writeString(handbook.resolve("corpus.jsonl"), "{\"_id\": \"pier\", \"title\": \"\", \"text\": \"\"}\n");
        Files.writeString(handbook.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"lantern\"}\n");
        Files.writeString(handbook.resolve("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq\tpier\t1\n");
        Files.createDirectories(folder.resolve("judgments/no-set"));
        Files.createSymbolicLink(folder.resolve("judgments/linked"), handbook);
        Map<String, String> listed = Map.of(
                "red", "[{\"name\":\"team-red\",\"queries\":3}]",
                "blue", "[{\"name\":\"team-blue\",\"queries\":0}]",
                "operators", "[{\"name\":\"team-operators\",\"queries\":0},{\"name\":\"handbook\",\"queries\":1}]");
        for (Map.Entry<String, String> team : listed.entrySet()) {
            assertEquals(
                    team.getValue(),
                    signedIn(team.getKey()).get(EVALUATIONS).json().path("sets").toString());
        }
        List<String> names = List.of(
                "",
                "team-red",
                "team-blue",
                "team-operators",
                "handbook",
                "linked",
                "no-set",
                ".",
                "..",
                "../judgments/team-red",
                "team-red/",
                "team-red/../handbook",
                folder.resolve("judgments/handbook").toString());
        Map<String, Map<String, Integer>> may = Map.of(
                "red", Map.of("", 200, "team-red", 200),
                "blue", Map.of("", 409, "team-blue", 409),
                "operators", Map.of("", 409, "team-operators", 409, "handbook", 200));
        for (String team : may.keySet()) {
            ConsoleClient person = signedIn(team);
            for (String name : names) {
                HttpReply answer = person.post(
                        EVALUATIONS, wanted("{\"sources\": [\"vectordb\"]}").put("set", name));
                assertEquals(may.get(team).getOrDefault(name, 404), answer.status(), team + " " + name);
                if (answer.status() == 200) {
                    assertTrue(answer.body().contains("event: result"), answer::body);
                }
            }
        }
    }

    /** What a person may not search gives no hits, however its team has judged it. */
    @Test
    void theSearchesAreThePersonsOwn() throws Exception {
        ConsoleClient blue = signedIn("blue");
        judgeSome(blue);
        EventReader events = begun(blue, wanted("{\"sources\": [\"vectordb\"]}"));
        next(events, "begin");
        JsonNode over = next(events, "over");
        assertEquals("refused", over.path("reason").asText(), over::toString);
        assertEquals(0, over.path("configuration").asInt(99));
        assertEquals("NOT_FOUND", over.path("kind").asText(), over::toString);
        assertTrue(events.ended());
        put("blue-notes", "pier", "The lantern of blue.");
        EventReader again = begun(blue, wanted("{}"));
        next(again, "begin");
        JsonNode query = next(again, "query");
        assertEquals(1, query.at("/values/0/hits").asInt(), query::toString);
        assertEquals(0, query.at("/values/0/judged").asInt(99), query::toString);
        assertEquals(0, query.at("/values/0/ndcg_at_10").asDouble(99), query::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | configurations",
                "{\"configurations\": []} | configurations",
                "{\"configurations\": {}} | configurations",
                "{\"configurations\": [{}, {}, {}]} | configurations",
                "{\"configurations\": [{}, 1]} | configurations",
                "{\"configurations\": [{\"query\": \"a\"}]} | configurations",
                "{\"configurations\": [{}], \"set\": 1} | set",
                "{\"configurations\": [{}], \"set\": null} | set",
                "[] | object",
                "{ | object"
            })
    void aRequestThatIsNoneNamesTheField(String body, String field) {
        HttpReply refused = signedIn("red").send("POST", EVALUATIONS, body);
        assertEquals(400, refused.status(), refused::body);
        assertTrue(refused.body().contains(field), refused::body);
    }

    @Test
    void whoMayNotWriteStartsNothing() {
        ConsoleClient nobody = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(nobody);
        assertEquals(401, nobody.get(EVALUATIONS).status());
        assertEquals(401, nobody.post(EVALUATIONS, wanted("{}")).status());
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        assertEquals(404, red.post(EVALUATIONS + "?view=other", wanted("{}")).status());
        assertEquals(405, red.send("DELETE", EVALUATIONS, "").status());
        assertEquals(
                413,
                red.post(EVALUATIONS, wanted("{}").put("set", "s".repeat(100_000)))
                        .status());
        assertEquals(
                403,
                red.with("Sec-Fetch-Site", "same-site")
                        .post(EVALUATIONS, wanted("{}"))
                        .status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"limit\": 1000}", "{\"sort\": \"up\"}", "{\"sources\": [\"nothing\"]}"})
    void aConfigurationThatIsNoneEndsTheEvaluationAtOnce(String wrong) throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        EventReader events = begun(red, wanted("{\"sources\": [\"vectordb\"]}", wrong));
        next(events, "begin");
        JsonNode over = next(events, "over");
        assertEquals("refused", over.path("reason").asText(), over::toString);
        assertEquals(1, over.path("configuration").asInt(99), over::toString);
        assertFalse(over.path("message").asText().isEmpty(), over::toString);
        assertTrue(events.ended());
    }

    @Test
    void aSetWithoutAnAnswerIsNotEvaluated() {
        ConsoleClient red = signedIn("red");
        assertEquals(409, red.post(EVALUATIONS, wanted("{}")).status());
        judge(red, "nobody knows", "vectordb:red-notes/1", false);
        HttpReply refused = red.post(EVALUATIONS, wanted("{}"));
        assertEquals(409, refused.status());
        assertTrue(refused.body().contains("no query with an answer"), refused::body);
        assertEquals(0, red.get(EVALUATIONS).json().at("/sets/0/queries").asInt(99));
    }

    @Test
    void filesThatAreNoSetAreSaidToBeNone() throws IOException {
        ConsoleClient operator = signedIn("operators");
        Path broken = Files.createDirectories(folder.resolve("judgments/broken"));
        Files.writeString(broken.resolve("corpus.jsonl"), "{\"_id\": \n");
        Files.writeString(broken.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"lantern\"}\n");
        Files.writeString(broken.resolve("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\td\t1\n");
        HttpReply refused = operator.post(EVALUATIONS, wanted("{}").put("set", "broken"));
        assertEquals(409, refused.status(), refused::body);
        Path bytes = Files.createDirectories(folder.resolve("judgments/bytes"));
        Files.write(bytes.resolve("qrels.tsv"), new byte[] {(byte) 0xff, (byte) 0xfe, '\t', 0, '\t', '1'});
        HttpReply noText = operator.post(EVALUATIONS, wanted("{}").put("set", "bytes"));
        assertEquals(409, noText.status(), noText::body);
        Path grades = Files.createDirectories(folder.resolve("judgments/grades"));
        Files.writeString(grades.resolve("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\td\t99999999999\n");
        HttpReply noGrade = operator.post(EVALUATIONS, wanted("{}").put("set", "grades"));
        assertEquals(409, noGrade.status(), noGrade::body);
        try (RandomAccessFile corpus =
                new RandomAccessFile(bytes.resolve("corpus.jsonl").toFile(), "rw")) {
            corpus.setLength(257L << 20);
        }
        HttpReply unread = operator.post(EVALUATIONS, wanted("{}").put("set", "bytes"));
        assertTrue(unread.body().contains("too large for this page"), unread::body);
        Path large = Files.createDirectories(folder.resolve("judgments/large"));
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int query = 0; query <= Evaluations.MOST_QUERIES; query++) {
            qrels.append(query).append("\td\t1\n");
        }
        Files.writeString(large.resolve("qrels.tsv"), qrels);
        HttpReply tooLarge = operator.post(EVALUATIONS, wanted("{}").put("set", "large"));
        assertEquals(409, tooLarge.status(), tooLarge::body);
        assertTrue(tooLarge.body().contains("2000 queries"), tooLarge::body);
        assertEquals(
                List.of("team-operators 0", "broken 1", "bytes 0", "grades 0", "large 2001"),
                operator.get(EVALUATIONS)
                        .json()
                        .path("sets")
                        .valueStream()
                        .map(set -> set.path("name").asText() + " "
                                + set.path("queries").asInt())
                        .toList());
    }

    @Test
    void documentsThatAreNotThereAnyMoreAreNotFound() throws Exception {
        ConsoleClient red = signedIn("red");
        judge(red, ROPE, found(red, ROPE).get("rope"), true);
        judge(red, ROPE, "switchboard://vectordb/red-notes/gone", true);
        judge(red, "what was lost", "switchboard://vectordb/red-notes/gone", true);
        EventReader events = begun(red, wanted("{\"sources\": [\"vectordb\"]}"));
        assertEquals(2, next(events, "begin").path("queries").asInt());
        assertEquals(0.5, next(events, "query").at("/values/0/recall_at_10").asDouble());
        assertEquals(0.0, next(events, "query").at("/values/0/recall_at_10").asDouble(99));
        JsonNode figures = next(events, "result");
        assertEquals(0.25, figures.at("/configurations/0/recall_at_10").asDouble(), figures::toString);
        assertEquals(0.5, figures.at("/configurations/0/answered").asDouble(), figures::toString);
        assertFalse(figures.has("difference"), figures::toString);
    }

    @Test
    void theSearchesCountAtTheLimitsOfTheTeam() throws Exception {
        ConsoleClient daily = signedIn("daily");
        judgeSome(daily);
        EventReader events = begun(daily, wanted("{\"sources\": [\"vectordb\"]}", "{\"sources\": [\"vectordb\"]}"));
        next(events, "begin");
        next(events, "query");
        next(events, "query");
        JsonNode over = next(events, "over");
        assertEquals("limited", over.path("reason").asText(), over::toString);
        assertEquals("OVERLOADED", over.path("kind").asText(), over::toString);
        assertEquals(1, over.path("configuration").asInt(99), over::toString);
        assertTrue(events.ended());
        JsonNode teams = daily.get("api/v1/teams").json().path("teams");
        assertEquals(5, teams.path(0).path("used_today").path("calls").asInt(), teams::toString);
    }

    @Test
    void aLimitIsWaitedFor() throws Exception {
        ConsoleClient slow = signedIn("slow");
        judgeSome(slow);
        ConsoleClient operator = signedIn("operators");
        holding = true;
        ObjectNode search = Json.object().put("query", "rope").put("deadline_ms", 60_000);
        search.putArray("sources").add("meilisearch");
        McpTestClient agent =
                gateway.modern().with("X-API-Key", keys.get("slow").text());
        CompletableFuture<ToolResult> only =
                CompletableFuture.supplyAsync(() -> agent.call("search_everywhere", search), threads);
        Eventually.that(() -> inFlight(operator) > 0, () -> "the only call that the team may have at once");
        EventReader events = begun(slow, wanted("{\"sources\": [\"vectordb\"]}"));
        next(events, "begin");
        JsonNode waiting = next(events, "waiting");
        assertTrue(waiting.path("ms").asInt() > 0, waiting::toString);
        assertTrue(waiting.path("message").asText().contains("reached"), waiting::toString);
        held.countDown();
        only.orTimeout(1, TimeUnit.MINUTES).join();
        EventReader.Event event = events.next();
        while (event.name().equals("waiting")) {
            event = events.next();
        }
        assertEquals("query", event.name(), event::data);
        next(events, "query");
        next(events, "query");
        JsonNode figures = next(events, "result");
        assertEquals(0, figures.at("/configurations/0/failed").asInt(99), figures::toString);
        assertEquals(1.0, figures.at("/configurations/0/answered").asDouble(), figures::toString);
    }

    @Test
    void aRateLimitIsWaitedFor() throws Exception {
        ConsoleClient rated = signedIn("rated");
        judgeSome(rated);
        EventReader events = begun(rated, wanted("{\"sources\": [\"vectordb\"]}"));
        next(events, "begin");
        Map<String, Integer> told = new LinkedHashMap<>();
        EventReader.Event event = events.next();
        while (!event.name().equals("result")) {
            told.merge(event.name(), 1, Integer::sum);
            event = events.next();
        }
        assertEquals(3, told.remove("query"), told::toString);
        assertEquals(Set.of("waiting"), told.keySet());
        JsonNode figures = json(event.data());
        assertEquals(0, figures.at("/configurations/0/failed").asInt(99), figures::toString);
        assertEquals(1.0, figures.at("/configurations/0/answered").asDouble(), figures::toString);
    }

    @Test
    void searchesThatFailCountAsWithoutHitsUntilTheyAreTooMany() throws Exception {
        ConsoleClient red = signedIn("red");
        for (int query = 0; query < 12; query++) {
            judge(red, "query " + query, "switchboard://vectordb/red-notes/gone", true);
        }
        engine.close();
        EventReader events = begun(red, wanted("{\"sources\": [\"meilisearch\"]}"));
        next(events, "begin");
        for (int query = 0; query < 9; query++) {
            assertTrue(next(events, "query").at("/values/0/failed").asBoolean());
        }
        JsonNode over = next(events, "over");
        assertEquals("failing", over.path("reason").asText(), over::toString);
        assertEquals("UNAVAILABLE", over.path("kind").asText(), over::toString);
        assertTrue(events.ended());
    }

    @Test
    void aTeamHasOneEvaluationAtATimeAndWhoLeavesCancelsIt() throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        ConsoleClient operator = signedIn("operators");
        judgeSome(operator);
        holding = true;
        EventReader events = begun(red, wanted("{\"sources\": [\"meilisearch\"], \"deadline_ms\": 60000}"));
        next(events, "begin");
        Eventually.that(() -> inFlight(operator) > 0, () -> "the engine is asked");
        HttpReply second = signedIn("red").post(EVALUATIONS, wanted("{\"sources\": [\"vectordb\"]}"));
        assertEquals(409, second.status(), second::body);
        assertTrue(second.body().contains("runs already"), second::body);
        HttpReply other = operator.post(EVALUATIONS, wanted("{\"sources\": [\"vectordb\"]}"));
        assertTrue(other.body().contains("event: result"), "another team has its own: " + other.body());
        events.close();
        Eventually.that(() -> inFlight(operator) == 0, () -> "the search is cancelled while the engine is silent");
        HttpReply again = red.post(EVALUATIONS, wanted("{\"sources\": [\"vectordb\"]}"));
        assertTrue(again.body().contains("event: result"), again::body);
    }

    private static int inFlight(ConsoleClient operator) {
        return operator.get("api/v1/backends")
                .json()
                .path("backends")
                .valueStream()
                .filter(one -> one.path("id").asText().equals("switchboard"))
                .mapToInt(one -> one.path("in_flight").asInt())
                .sum();
    }

    @Test
    void anEvaluationEndsWithItsSession() throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        ConsoleClient operator = signedIn("operators");
        holding = true;
        EventReader events = begun(red, wanted("{\"sources\": [\"meilisearch\"]}"));
        next(events, "begin");
        Eventually.that(() -> inFlight(operator) > 0, () -> "the engine is asked");
        assertEquals(204, red.send("DELETE", "api/v1/session", "").status());
        held.countDown();
        EventReader.Event event = events.next();
        assertEquals("over", event.name(), event::data);
        assertEquals("signed_out", json(event.data()).path("reason").asText());
        assertTrue(events.ended());
    }

    @Test
    void anEvaluationEndsWithTheRightToItsSet() throws Exception {
        Path handbook = Files.createDirectories(folder.resolve("judgments/handbook"));
        Files.writeString(handbook.resolve("corpus.jsonl"), "{\"_id\": \"pier\", \"text\": \"\"}\n");
        Files.writeString(handbook.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"lantern\"}\n");
        Files.writeString(handbook.resolve("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\tpier\t1\n");
        ConsoleClient person = signedIn("operators");
        holding = true;
        EventReader events = begun(
                person,
                wanted("{\"sources\": [\"meilisearch\"], \"deadline_ms\": 60000}")
                        .put("set", "handbook"));
        next(events, "begin");
        Eventually.that(() -> inFlight(person) > 0, () -> "the engine is asked");
        Path teams = folder.resolve("teams.yaml");
        Files.writeString(teams, Files.readString(teams).replace("[\"*:*\"]", "[\"*:read,search\"]"));
        Eventually.that(
                () -> person.get(EVALUATIONS).json().path("sets").size() == 1, () -> "it is no operator any more");
        held.countDown();
        JsonNode over = next(events, "over");
        assertEquals("signed_out", over.path("reason").asText(), over::toString);
        assertTrue(events.ended());
    }

    @Test
    void aGatewayThatStopsEndsIt() throws Exception {
        ConsoleClient red = signedIn("red");
        judgeSome(red);
        ConsoleClient operator = signedIn("operators");
        holding = true;
        EventReader events = begun(red, wanted("{\"sources\": [\"meilisearch\"], \"deadline_ms\": 60000}"));
        next(events, "begin");
        Eventually.that(() -> inFlight(operator) > 0, () -> "the engine is asked");
        gateway.app().close();
        assertEquals("stopping", next(events, "over").path("reason").asText());
        assertTrue(events.ended());
    }
}
