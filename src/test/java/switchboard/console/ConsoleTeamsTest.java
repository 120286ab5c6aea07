package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
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
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** Teams and keys in the console: who sees and changes what, over the wire. */
class ConsoleTeamsTest {
    private static final String TEAMS = "api/v1/teams";
    private static final String KEYS = "api/v1/keys";
    private static final String SECRET = "the-tenant-of-red";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey expired = ApiKey.generate(new SecureRandom());
    private final ApiKey chief = ApiKey.generate(new SecureRandom());
    private final ApiKey helper = ApiKey.generate(new SecureRandom());
    private final ApiKey operator = ApiKey.generate(new SecureRandom());
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    private TestGateway gateway;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        file = ReplacedFile.write(folder.resolve("teams.yaml"), """
                # who may what
                teams:
                  red:
                    keys:
                      - {id: r1, sha256: %s, name: the robot}
                      - {id: r0, sha256: %s, expires: 2020-01-01, limits: {callsPerDay: 5}}
                    grants: ["vectordb:read,search,create,embed:red-*", "vectordb:delete:red-old", "switchboard:read,search"]
                    bindings: {vectordb: {owner: %s}}
                    limits: {callsPerDay: 1000, tokensPerDay: 100000, resultSize: 1MiB}
                  chiefs: # of one backend only
                    keys: [{id: c1, sha256: %s}]
                    grants: ["vectordb:*"]
                    views: [papers]
                  helpers: # of some sources only
                    keys: [{id: h1, sha256: %s}]
                    grants: ["switchboard:admin:vectordb:red-notes", "vectordb:*"]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(
                        red.sha256(), expired.sha256(), SECRET, chief.sha256(), helper.sha256(), operator.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                audit: {file: audit.jsonl}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                views: {papers: {backends: [vectordb]}}
                """, folder);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
    }

    private ConsoleClient browser() {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        return browser;
    }

    private ConsoleClient signedIn(ApiKey key) {
        return signedIn(key.text());
    }

    private ConsoleClient signedIn(String key) {
        ConsoleClient browser = browser();
        assertEquals(200, browser.signIn(key).status());
        return browser;
    }

    private int mcpStatus(String key) {
        McpTestClient agent = gateway.modern().with("X-API-Key", key);
        return agent.request("tools/list", Json.object()).status();
    }

    private static ObjectNode key(String team) {
        return Json.object().put("team", team);
    }

    private static ObjectNode key(String team, String id) {
        return key(team).put("id", id);
    }

    private static HttpReply revoke(ConsoleClient browser, String team, String id) {
        return browser.send("DELETE", KEYS, Json.text(key(team, id)));
    }

    private static JsonNode team(HttpReply reply, String name) {
        return named(reply.json().path("teams"), name);
    }

    private static JsonNode named(JsonNode list, String name) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(one ->
                        name.equals(one.path("name").asText(one.path("id").asText()))
                                || name.equals(one.path("id").asText()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " in " + list));
    }

    private static List<String> names(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(one -> one.path("name").asText())
                .toList();
    }

    private static String access(String team, String... more) {
        StringBuilder query = new StringBuilder("api/v1/access?team=").append(encoded(team));
        for (int i = 0; i < more.length; i += 2) {
            query.append('&').append(more[i]).append('=').append(encoded(more[i + 1]));
        }
        return query.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void whoMaySeeAndChangeWhat() {
        Map<String, List<Integer>> statuses = new TreeMap<>();
        Map<String, ConsoleClient> people = Map.of(
                "operator",
                signedIn(operator),
                "helper",
                signedIn(helper),
                "chief",
                signedIn(chief),
                "red",
                signedIn(red),
                "nobody",
                browser());
        people.forEach((who, browser) -> statuses.put(
                who,
                List.of(
                        browser.get(TEAMS).status(),
                        browser.get(access("red")).status(),
                        browser.get(access("chiefs")).status(),
                        browser.get(access("nothing")).status(),
                        browser.post(KEYS, key("chiefs", "made-by-" + who)).status(),
                        revoke(browser, "chiefs", "made-by-" + who).status())));
        assertEquals(
                Map.of(
                        "operator", List.of(200, 200, 200, 404, 201, 200),
                        "helper", List.of(200, 404, 404, 404, 403, 403),
                        "chief", List.of(200, 404, 200, 404, 403, 403),
                        "red", List.of(200, 200, 404, 404, 403, 403),
                        "nobody", List.of(401, 401, 401, 401, 401, 401)),
                statuses);
        assertEquals(
                List.of("chiefs", "helpers", "operators", "red"),
                names(people.get("operator").get(TEAMS).json().path("teams")));
        assertEquals(
                List.of("chiefs"), names(people.get("chief").get(TEAMS).json().path("teams")));
        assertEquals(List.of("red"), names(people.get("red").get(TEAMS).json().path("teams")));
        assertEquals(
                people.get("red").get(access("nothing")).body(),
                people.get("red").get(access("chiefs")).body(),
                "another team is as one that is not there");
    }

    @Test
    void noAnswerHasAKeyADigestOrTheValueOfABinding() {
        ConsoleClient browser = signedIn(operator);
        String all = browser.get(TEAMS).body()
                + browser.get(access("red")).body()
                + browser.get(access("red", "tool", "search", "resource", "x")).body()
                + browser.post(KEYS, key("red", "r1")).body()
                + revoke(browser, "red", "r0").body();
        for (ApiKey key : List.of(red, expired, chief, operator)) {
            assertFalse(all.contains(key.sha256()) || all.contains(key.text()), all);
        }
        assertFalse(all.contains(SECRET) || all.contains("sha256"), all);
        assertTrue(all.contains("{\"vectordb\":[\"owner\"]}"), all);
    }

    @Test
    void aTeamIsShownAsItIsWrittenWithWhatItHasUsed() {
        ConsoleClient browser = signedIn(operator);
        assertFalse(team(browser.get(TEAMS), "red").path("keys").path(0).has("last_used"), "not since the start");
        Instant before = Instant.now().minusMillis(1);
        assertEquals(200, mcpStatus(red.text()));
        ToolResult called = gateway.modern().with("X-API-Key", red.text()).call("list_libraries", "{}");
        assertFalse(called.isError(), called::toString);
        JsonNode seen = Eventually.first(
                () -> team(browser.get(TEAMS), "red"),
                one -> one.path("used_today").path("tokens").asLong() > 0);
        assertEquals(
                "[\"vectordb:read,search,create,embed:red-*\",\"vectordb:delete:red-old\",\"switchboard:read,search\"]",
                seen.path("grants").toString());
        assertFalse(seen.has("views"), "all");
        assertEquals(
                "[\"papers\"]", team(browser.get(TEAMS), "chiefs").path("views").toString());
        assertEquals(
                "{\"callsPerDay\":1000,\"resultSize\":1048576,\"tokensPerDay\":100000}",
                seen.path("limits").toString());
        assertEquals(1, seen.path("used_today").path("calls").asLong(), seen::toString);
        JsonNode robot = named(seen.path("keys"), "r1");
        assertEquals("in_force", robot.path("state").asText());
        assertEquals("the robot", robot.path("name").asText());
        assertTrue(Instant.parse(robot.path("last_used").asText()).isAfter(before), robot::toString);
        JsonNode old = named(seen.path("keys"), "r0");
        assertEquals("expired", old.path("state").asText());
        assertEquals("2020-01-01T00:00:00Z", old.path("expires").asText());
        assertEquals("{\"callsPerDay\":5}", old.path("limits").toString());
        assertEquals("{\"calls\":0}", old.path("used_today").toString());
    }

    @Test
    void theDecisionsAreThoseOfCalls() {
        ConsoleClient browser = signedIn(operator);
        McpTestClient agent = gateway.modern().with("X-API-Key", red.text());
        List<String> listed = agent.toolNames();
        JsonNode tools = browser.get(access("red")).json().path("tools");
        assertTrue(tools.size() > listed.size() && listed.size() > 3, () -> tools.size() + " " + listed);
        for (JsonNode tool : tools) {
            assertEquals(
                    listed.contains(tool.path("name").asText()),
                    tool.path("decision").asText().equals("allowed"),
                    tool::toString);
        }
        assertEquals("[[\"red-*\"]]", named(tools, "search").path("resources").toString());
        for (String library : List.of("red-notes", "blue-notes", "red-", "*", "red")) {
            JsonNode asked = browser.get(access("red", "tool", "search", "resource", library))
                    .json()
                    .path("tools")
                    .path(0);
            ToolResult called =
                    agent.call("search", Json.object().put("query", "x").put("library", library));
            assertEquals(
                    called.toString().contains("DENIED"),
                    asked.path("decision").asText().equals("denied"),
                    () -> library + " " + asked + " " + called);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "search          | blue    | denied   | No grant covers it for search, embed.",
                "delete_document | red-new | denied   | No grant covers it for delete.",
                "delete_document | red-old | allowed  | ''",
                "ingest_file     | red-new | unlisted | No grant for vectordb gives update, files."
            })
    void whyATeamMayNotIsSaidWithTheGrants(String tool, String resource, String decision, String why) {
        JsonNode asked = signedIn(operator)
                .get(access("red", "tool", tool, "resource", resource))
                .json()
                .path("tools")
                .path(0);
        assertEquals(decision, asked.path("decision").asText(), asked::toString);
        assertEquals(why, asked.path("why").asText());
        if (tool.equals("delete_document")) {
            assertEquals(
                    "[{\"verb\":\"delete\",\"grants\":[{\"grant\":\"vectordb:delete:red-old\",\"covers\":"
                            + decision.equals("allowed") + "}]}]",
                    asked.path("verbs").toString());
        }
    }

    @Test
    void aTeamLearnsOfNoToolThatDoesNotExistForIt() {
        ConsoleClient browser = signedIn(red);
        JsonNode tools = browser.get(access("red")).json().path("tools");
        assertEquals(
                gateway.modern().with("X-API-Key", red.text()).toolNames().stream()
                        .sorted()
                        .toList(),
                names(tools).stream().sorted().toList());
        assertEquals(404, browser.get(access("red", "tool", "ingest_file")).status());
        assertEquals(404, browser.get(access("red", "tool", "nothing")).status());
        JsonNode own = signedIn(chief).get(access("chiefs")).json();
        assertEquals("papers", own.path("view").asText());
        assertEquals("[\"papers\"]", own.path("views").toString());
        assertEquals(
                404,
                signedIn(operator).get(access("chiefs", "view", "default")).status(),
                "a view that it may not use");
        assertEquals(400, browser.get("api/v1/access").status());
        HttpReply noTool = browser.get(access("red", "resource", "x"));
        assertEquals(400, noTool.status());
        assertTrue(noTool.body().contains("\"tool must be"), noTool::body);
    }

    @Test
    void aNewKeyWorksAtOnceAndARevokedOneDoesNot() throws IOException {
        ConsoleClient browser = signedIn(operator);
        HttpReply made = browser.post(KEYS, key("red", "Robot_2.x").put("expires", "2099-12-31"));
        assertEquals(201, made.status(), made::body);
        String text = made.json().path("key").asText();
        assertEquals("Robot_2.x", made.json().path("id").asText());
        assertEquals("2099-12-31T00:00:00Z", made.json().path("expires").asText());
        assertTrue(made.json().path("in_force").asBoolean());
        assertTrue(text.matches("sb_[a-z0-9]{1,32}_[A-Za-z0-9_-]{43}"), "a form that is redacted everywhere");
        String yaml = Files.readString(file);
        assertTrue(yaml.startsWith("# who may what\n") && yaml.contains("chiefs: # of one backend only"), yaml);
        assertTrue(yaml.contains("id: 'Robot_2.x'") && yaml.contains("expires: 2099-12-31"), yaml);
        assertFalse(yaml.contains(text));
        assertEquals(200, mcpStatus(text));
        ConsoleClient holder = signedIn(text);
        assertEquals("red", holder.get("api/v1/session").json().path("team").asText());
        assertFalse(browser.get(TEAMS).body().contains(text), "it is shown once");

        HttpReply gone = revoke(browser, "red", "Robot_2.x");
        assertEquals(200, gone.status(), gone::body);
        assertFalse(gone.json().path("in_force").asBoolean(true));
        assertEquals(401, mcpStatus(text));
        assertEquals(401, holder.get(TEAMS).status());
        assertEquals(404, revoke(browser, "red", "Robot_2.x").status());
        assertEquals(200, mcpStatus(red.text()), "the others stay");
        assertTrue(Files.readString(file).contains("name: the robot"));
        assertFalse(Files.exists(folder.resolve(".teams.yaml.new")));
    }

    @Test
    void withoutAnIdThereIsARandomOne() {
        HttpReply made = signedIn(operator).post(KEYS, key("red"));
        assertEquals(201, made.status(), made::body);
        assertEquals(
                made.json().path("key").asText().split("_")[1],
                made.json().path("id").asText());
        assertFalse(made.json().has("expires"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                              | 400 | team ",
                "{\"team\": 1}                                   | 400 | team ",
                "{\"team\": \"blue\"}                            | 400 | team: there is no team",
                "{\"team\": \"red\", \"id\": \"\"}               | 400 | id ",
                "{\"team\": \"red\", \"id\": \"a b\"}            | 400 | id ",
                "{\"team\": \"red\", \"id\": \"a'\"}             | 400 | id ",
                "{\"team\": \"red\", \"id\": [\"a\"]}            | 400 | id ",
                "{\"team\": \"red\", \"id\": \"o1\"}             | 400 | id: there is a key",
                "{\"team\": \"red\", \"id\": \"anonymous\"}      | 400 | id: anonymous",
                "{\"team\": \"red\", \"expires\": \"soon\"}      | 400 | expires ",
                "{\"team\": \"red\", \"expires\": 20990101}      | 400 | expires ",
                "{\"team\": \"red\", \"expires\": \"2099-02-30\"} | 400 | expires ",
                "{\"team\": \"red\", \"expires\": \"2020-01-01\"} | 400 | expires: ",
                "[]                                              | 400 | The body",
            })
    void badInputIsNamedByFieldAndChangesNothing(String body, int status, String message) throws IOException {
        String before = Files.readString(file);
        HttpReply refused = signedIn(operator).send("POST", KEYS, body);
        assertEquals(status, refused.status(), refused::body);
        String said = refused.json().path("error").path("message").asText();
        assertTrue(said.startsWith(message.strip()), said);
        assertEquals(before, Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"same-site", "cross-site", "none", ""})
    void onlyPagesOfTheConsoleChangeKeys(String site) throws IOException {
        String before = Files.readString(file);
        ConsoleClient browser = signedIn(operator).with("Sec-Fetch-Site", site);
        if (site.isEmpty()) {
            browser.without("Sec-Fetch-Site");
        }
        assertEquals(403, browser.post(KEYS, key("red")).status());
        assertEquals(403, revoke(browser, "red", "r1").status());
        browser.with("Sec-Fetch-Site", "same-origin").with("Origin", "https://evil.example");
        assertEquals(403, browser.post(KEYS, key("red")).status());
        browser.without("Origin");
        assertEquals(
                415,
                browser.send("POST", KEYS, "text/plain", "{\"team\":\"red\"}".getBytes(StandardCharsets.UTF_8))
                        .status());
        assertEquals(405, browser.get(KEYS).status());
        assertEquals(before, Files.readString(file));
    }

    @Test
    void aReadOnlyFileIsLeftAloneAndThePageKnowsWhy() throws IOException {
        ConsoleClient browser = signedIn(operator);
        assertEquals(
                "{\"create\":true,\"revoke\":true}",
                browser.get(TEAMS).json().path("keys").toString());
        assertFalse(signedIn(red).get(TEAMS).json().has("keys"), "others are not told");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        String before = Files.readString(file);
        assertEquals(
                "{\"create\":false,\"revoke\":false,\"reason\":\"teams.yaml is read-only.\"}",
                browser.get(TEAMS).json().path("keys").toString());
        HttpReply made = browser.post(KEYS, key("red"));
        HttpReply gone = revoke(browser, "red", "r1");
        assertEquals(List.of(409, 409), List.of(made.status(), gone.status()), made::body);
        assertTrue(made.body().contains("teams.yaml is read-only."), made::body);
        assertEquals(before, Files.readString(file));
        assertEquals(200, mcpStatus(red.text()));
    }

    @Test
    @AsksForErrors("FileReloader - teams.yaml has changed and can't be used")
    void aFileThatCanNotBeUsedIsLeftAlone() throws IOException {
        ConsoleClient browser = signedIn(operator);
        ReplacedFile.write(file, "teams: {red: {grants: [nonsense}}");
        HttpReply made = browser.post(KEYS, key("red"));
        assertEquals(409, made.status(), made::body);
        assertTrue(made.body().contains("The teams file can't be used"), made::body);
        assertEquals("teams: {red: {grants: [nonsense}}", Files.readString(file));
        String unknown = "teams:\n  red: {grants: [\"nothing:read\"]}\n";
        ReplacedFile.write(file, unknown);
        HttpReply idle = browser.post(KEYS, key("red"));
        assertEquals(201, idle.status(), idle::body);
        assertFalse(idle.json().path("in_force").asBoolean(true), "the gateway goes on with the teams before");
        assertEquals(401, mcpStatus(idle.json().path("key").asText()));
    }

    @Test
    void editsAtTheSameTimeLoseNothing() throws Exception {
        Files.writeString(
                folder.resolve("switchboard.yaml"), "auth: {mode: keys}\nbackends: {vectordb: {type: vectordb}}\n");
        List<ConsoleClient> browsers =
                IntStream.range(0, 3).mapToObj(_ -> signedIn(operator)).toList();
        List<Callable<Integer>> edits = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int at = i;
            browsers.forEach(browser ->
                    edits.add(() -> browser.post(KEYS, key("red", "p" + browsers.indexOf(browser) + "-" + at))
                            .status()));
            edits.add(() -> Main.commandLine()
                                    .execute(
                                            "keys",
                                            "create",
                                            "--team",
                                            "red",
                                            "--name",
                                            "c" + at,
                                            "--write",
                                            "--config",
                                            folder.resolve("switchboard.yaml").toString())
                            == 0
                    ? 201
                    : 1);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<Integer> edit : threads.invokeAll(edits)) {
                assertEquals(201, edit.get());
            }
        }
        JsonNode keys = Eventually.first(
                () -> team(browsers.getFirst().get(TEAMS), "red").path("keys"), list -> list.size() == 22);
        for (int i = 0; i < 5; i++) {
            for (String name : List.of("p0-" + i, "p1-" + i, "p2-" + i, "c" + i)) {
                named(keys, name);
            }
        }
    }

    @Test
    void eachChangeAndEachRefusalIsAudited() throws IOException {
        ConsoleClient browser = signedIn(operator);
        browser.post(KEYS, key("red", "new1"));
        browser.post(KEYS, key("red", "o1"));
        revoke(browser, "red", "new1");
        revoke(signedIn(chief), "red", "r1");
        gateway.close();
        List<String> lines = Files.readAllLines(folder.resolve("audit.jsonl")).stream()
                .filter(line -> line.contains("\"event\":\"keys\""))
                .map(line -> line.replaceAll("\"(time|requestId)\":\"[^\"]+\",", ""))
                .toList();
        assertEquals(
                List.of(
                        audited("operators", "o1", "create", "red/new1", "allowed", "ok"),
                        audited("operators", "o1", "create", "red/o1", "allowed", "invalid"),
                        audited("operators", "o1", "revoke", "red/new1", "allowed", "ok"),
                        audited("chiefs", "c1", "revoke", "", "denied", "denied")
                                .replace("\"resources\":[\"\"],", "")),
                lines);
    }

    private static String audited(
            String team, String key, String method, String about, String decision, String outcome) {
        return ("{\"event\":\"keys\",\"address\":\"127.0.0.1\",\"view\":\"\",\"team\":\"%s\",\"key\":\"%s\",\"method\":\"keys/%s\","
                        + "\"resources\":[\"%s\"],\"decision\":\"%s\",\"outcome\":\"%s\"}")
                .formatted(team, key, method, about, decision, outcome);
    }

    @Test
    void withoutTeamsThereIsNothingToShowOrChange() {
        try (TestGateway alone = TestGateway.start("backends: {vectordb: {type: vectordb}}\n");
                ConsoleClient browser =
                        new ConsoleClient(alone.app().consoleUrl().orElseThrow())) {
            assertEquals("{\"auth\":\"none\",\"teams\":[]}", browser.get(TEAMS).body());
            assertEquals(400, browser.get(access("")).status());
            assertEquals(404, browser.get(access("red")).status());
            HttpReply made = browser.post(KEYS, key("red"));
            assertEquals(409, made.status());
            assertTrue(made.body().contains("auth.mode is none"), made::body);
            assertEquals(409, revoke(browser, "red", "r1").status());
        }
    }
}
