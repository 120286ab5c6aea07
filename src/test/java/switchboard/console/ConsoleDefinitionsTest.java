package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.logs.AsksForErrors;

/** Definitions of another server's tools that are held back: who sees and approves them in the console, over the wire. */
class ConsoleDefinitionsTest {
    private static final String PATH = "api/v1/definitions";
    private static final String TOOL = "test_simple_text";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey operator = ApiKey.generate(new SecureRandom());
    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.BOTH);
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["fixture:*", "switchboard:read,search"]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(red.sha256(), operator.sha256()));
        startGateway();
    }

    private void startGateway() {
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                audit: {file: audit.jsonl}
                backends: {fixture: {type: mcp, url: "%s"}}
                """.formatted(fixture.url()), folder);
        Eventually.that(() -> !agent().toolNames().isEmpty(), () -> "its tools were never listed");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
        fixture.close();
    }

    private McpTestClient agent() {
        return gateway.modern("fixture").with("X-API-Key", operator.text());
    }

    private ConsoleClient signedIn(ApiKey key) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(200, browser.signIn(key.text()).status());
        return browser;
    }

    private void describe(String description) {
        fixture.listTools(list -> {
            list.path("tools").forEach(entry -> {
                if (entry.path("name").asText().equals(TOOL)) {
                    ((ObjectNode) entry).put("description", description);
                }
            });
            return list;
        });
        fixture.changed("tools");
    }

    private static JsonNode held(ConsoleClient browser, String description) {
        return Eventually.first(() -> browser.get(PATH), reply -> reply.json()
                        .at("/held/0/definition/description")
                        .asText()
                        .equals(description))
                .json()
                .at("/held/0");
    }

    private static ObjectNode seen(String backend, String tool, String hash) {
        return Json.object().put("backend", backend).put("tool", tool).put("hash", hash);
    }

    private void published(String description) {
        Eventually.that(
                () -> StreamSupport.stream(
                                agent().request("tools/list", Json.object())
                                        .json()
                                        .at("/result/tools")
                                        .spliterator(),
                                false)
                        .anyMatch(tool -> tool.path("name").asText().endsWith(TOOL)
                                && tool.path("description").asText().contains(description)),
                () -> "it is not published: " + description);
    }

    @Test
    void anOperatorSeesWhatHasChangedAndApprovesWhatWasSeen() throws IOException {
        ConsoleClient browser = signedIn(operator);
        assertEquals("{\"held\":[],\"unread\":[]}", browser.get(PATH).body());
        describe("Second.");
        JsonNode second = held(browser, "Second.");
        assertEquals("fixture", second.path("backend").asText());
        assertEquals(TOOL, second.path("tool").asText());
        assertEquals(
                "The fixture's " + TOOL + ".",
                second.at("/approved/description").asText());
        assertFalse(agent().toolNames().contains(TOOL));

        describe("Third.");
        JsonNode third = held(browser, "Third.");
        assertEquals(second.path("approved"), third.path("approved"), "what was approved, not what was held first");
        HttpReply late =
                browser.post(PATH, seen("fixture", TOOL, second.path("hash").asText()));
        assertEquals(409, late.status());
        assertTrue(late.body().contains("hash: the server has another definition of this tool by now."), late::body);

        HttpReply approved =
                browser.post(PATH, seen("fixture", TOOL, third.path("hash").asText()));
        assertEquals(200, approved.status(), approved::body);
        published("Third.");
        assertEquals("{\"held\":[],\"unread\":[]}", browser.get(PATH).body());
        HttpReply again =
                browser.post(PATH, seen("fixture", TOOL, third.path("hash").asText()));
        assertEquals(404, again.status());
        assertTrue(again.body().contains("tool: no definition of"), again::body);

        describe("Fourth.");
        assertEquals(
                "Third.",
                held(browser, "Fourth.").at("/approved/description").asText(),
                "what was approved last is what the next one is compared with");
        List<JsonNode> changes = Eventually.first(this::changes, lines -> lines.size() == 3);
        for (JsonNode line : changes) {
            assertEquals("upstream/approve", line.path("method").asText());
            assertEquals("[\"fixture/" + TOOL + "\"]", line.path("resources").toString());
            assertEquals("o1", line.path("key").asText());
        }
        assertEquals(
                List.of("allowed conflict", "allowed ok", "allowed unknown"),
                changes.stream()
                        .map(line -> line.path("decision").asText() + " "
                                + line.path("outcome").asText())
                        .toList());
    }

    /** What the audit log says of changes of definitions so far. */
    private List<JsonNode> changes() {
        return new GrowingFile(folder.resolve("audit.jsonl"))
                .lines().stream()
                        .map(ConsoleDefinitionsTest::parsed)
                        .filter(line -> line.path("event").asText().equals("upstream"))
                        .toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    @Test
    void whatWasApprovedIsStillKnownAfterARestart() throws IOException {
        describe("Second.");
        held(signedIn(operator), "Second.");
        gateway.close();
        describe("Third.");
        startGateway();
        assertEquals(
                "The fixture's " + TOOL + ".",
                held(signedIn(operator), "Third.").at("/approved/description").asText());
    }

    @Test
    void onlyOperatorsSeeAndApproveThem() throws IOException {
        describe("Second.");
        String hash = held(signedIn(operator), "Second.").path("hash").asText();
        ConsoleClient browser = signedIn(red);
        assertEquals(403, browser.get(PATH).status());
        assertEquals(403, browser.post(PATH, seen("fixture", TOOL, hash)).status());
        assertEquals(405, browser.send("PUT", PATH, "{}").status());
        try (ConsoleClient nobody = new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            assertEquals(401, nobody.get(PATH).status());
            assertEquals(401, nobody.post(PATH, seen("fixture", TOOL, hash)).status());
        }
        assertFalse(agent().toolNames().contains(TOOL));
        JsonNode refused =
                Eventually.first(this::changes, lines -> !lines.isEmpty()).getFirst();
        assertEquals(
                "upstream/approve denied denied",
                "%s %s %s"
                        .formatted(
                                refused.path("method").asText(),
                                refused.path("decision").asText(),
                                refused.path("outcome").asText()));
    }

    @Test
    void aWrongFieldIsNamed() {
        ConsoleClient browser = signedIn(operator);
        refused(browser, seen("", TOOL, "x"), 400, "backend must be");
        refused(browser, seen("fixture", "", "x"), 400, "tool must be");
        refused(browser, seen("fixture", TOOL, ""), 400, "hash must be");
        refused(browser, seen("other", TOOL, "x"), 404, "backend: there is no backend");
        refused(browser, seen("../fixture", TOOL, "x"), 404, "backend: there is no backend");
        refused(browser, seen("fixture", TOOL, "x"), 404, "tool: no definition of");
    }

    private static void refused(ConsoleClient browser, ObjectNode body, int status, String words) {
        HttpReply reply = browser.post(PATH, body);
        assertEquals(status, reply.status(), reply::body);
        assertTrue(reply.body().contains(words), reply::body);
    }

    @Test
    @AsksForErrors("the file of its approvals can't be")
    void aFileThatCantBeReadIsSaid() throws IOException {
        Path file = folder.resolve("upstreams").resolve("fixture.json");
        Eventually.that(() -> Files.exists(file), () -> "the approvals are never written");
        String whole = Files.readString(file);
        Files.writeString(file, "{\"approved\":");
        ConsoleClient browser = signedIn(operator);
        assertEquals("{\"held\":[],\"unread\":[\"fixture\"]}", browser.get(PATH).body());
        refused(browser, seen("fixture", TOOL, "x"), 503, "can't be read or written");
        assertEquals("{\"approved\":", Files.readString(file), "nothing is written over it");
        Files.writeString(file, whole);
    }
}
