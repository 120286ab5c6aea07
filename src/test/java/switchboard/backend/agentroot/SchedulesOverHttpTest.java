package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.config.ConfigException;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.HandClock;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Collections that the gateway updates by itself: with real files, and with a clock that the test moves. */
class SchedulesOverHttpTest {
    private static final String SCHEDULES = "api/v1/schedules";
    private static final String DOCS = SCHEDULES + "/kb/docs";

    private final HandClock clock = HandClock.ticking(Instant.parse("2026-03-01T12:00:00Z"));
    private final ApiKey writer = ApiKey.generate(new SecureRandom());
    private final ApiKey reader = ApiKey.generate(new SecureRandom());

    @TempDir
    private Path temp;

    private Path root;
    private TestGateway gateway;
    private McpTestClient client;

    @BeforeEach
    void start() throws IOException {
        root = Files.createDirectory(temp.resolve("root")).toRealPath();
        Files.createDirectory(temp.resolve("data"));
        Files.writeString(temp.resolve("data/teams.yaml"), """
                teams:
                  writers:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["kb:*"]
                  readers:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["kb:read,search"]
                """.formatted(writer.sha256(), reader.sha256()));
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
    }

    private void open(String more) {
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                audit: {to: file, file: audit.log}
                embedders: {default: {provider: none}}
                backends:
                  kb: {type: agentroot, dataDir: kb, roots: ['%s'] %s}
                """.formatted(root, more), temp.resolve("data"), clock);
        client = gateway.modern("kb").with("Authorization", "Bearer " + writer.text());
    }

    private JsonNode ok(String tool, String arguments) {
        ToolResult result = client.call(tool, arguments.replace('\'', '"'));
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    private void add() {
        ok("collection_add", "{'name':'docs','path':'" + root + "'}");
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(root.resolve(file), text);
    }

    private int documents() {
        return ok("status", "{}").path("totalDocuments").asInt();
    }

    private void untilDocuments(int wanted) {
        assertEquals(wanted, Eventually.first(this::documents, found -> found == wanted));
    }

    private ConsoleClient signedIn(ApiKey key) {
        ConsoleClient console = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        assertEquals(200, console.signIn(key.text()).status());
        return console;
    }

    private static JsonNode schedule(ConsoleClient console) {
        JsonNode all = json(console.get(SCHEDULES)).path("schedules");
        assertEquals(1, all.size(), all::toString);
        return all.get(0);
    }

    private static JsonNode json(HttpReply reply) {
        assertEquals(200, reply.status(), reply::body);
        return reply.json();
    }

    private List<String> audited() {
        return new GrowingFile(temp.resolve("data/audit.log"))
                .lines().stream()
                        .filter(line -> line.contains("\"key\":\"schedule\""))
                        .toList();
    }

    @Test
    void aNewFileIsFoundWithoutACall() throws IOException {
        open(", collections: {docs: {update: every 15m, maxAge: 1h}}");
        write("tugs.md", "# Tugs\n\nA tug pulls ships.\n");
        add();
        clock.forward(Duration.ofMinutes(2));
        untilDocuments(1);
        write("cranes.md", "# Cranes\n\nA crane lifts containers.\n");
        clock.forward(Duration.ofMinutes(17));
        untilDocuments(2);
        assertTrue(ok("search", "{'query':'containers'}").toString().contains("cranes.md"));
        Eventually.that(
                () -> gateway.management("/metrics")
                        .body()
                        .contains(
                                "switchboard_collection_age_limit_seconds{backend=\"kb\",collection=\"docs\"} 3600.0"),
                () -> gateway.management("/metrics").body());
        try (ConsoleClient console = signedIn(writer)) {
            JsonNode shown = Eventually.first(
                    () -> schedule(console),
                    one -> one.path("last").path("added").asInt() == 1);
            assertEquals("every 15m", shown.path("update").asText());
            assertEquals("kb", shown.path("backend").asText());
            assertTrue(shown.path("configured").asBoolean());
            assertFalse(shown.path("may_change").asBoolean());
            assertTrue(shown.path("last").path("scheduled").asBoolean());
            HttpReply refused = console.send("PUT", DOCS, "{\"update\":\"every 1h\"}");
            assertEquals(409, refused.status());
            assertEquals(
                    "The configuration has this schedule: backends.kb.collections.docs. Change it there.",
                    refused.json().path("error").path("message").asText());
        }
        // What an update has done is noted before its call ends, and a stop would cancel the call.
        List<String> lines = Eventually.first(this::audited, all -> all.size() == 2);
        client.close();
        gateway.close();
        JsonNode line = Json.parse(lines.getLast());
        assertEquals("collection_update", line.path("tool").asText());
        assertEquals("[\"docs\"]", line.path("resources").toString());
        assertEquals("ok", line.path("outcome").asText());
    }

    @Test
    void aRestartMakesUpWhatWasMissedOnce() throws IOException {
        open(", collections: {docs: {update: '0 3 * * *'}}");
        write("tugs.md", "# Tugs\n\nA tug pulls ships.\n");
        add();
        ok("collection_update", "{'name':'docs'}");
        client.close();
        gateway.close();
        assertEquals(List.of(), audited());
        write("cranes.md", "# Cranes\n\nA crane lifts containers.\n");
        clock.forward(Duration.ofDays(4));
        open(", collections: {docs: {update: '0 3 * * *'}}");
        untilDocuments(2);
        try (ConsoleClient console = signedIn(writer)) {
            JsonNode shown = Eventually.first(
                    () -> schedule(console), one -> !one.path("running").asBoolean());
            String next = shown.path("next").asText();
            assertTrue(next.startsWith("2026-03-06T03:00"), next);
        }
        client.close();
        gateway.close();
        assertEquals(1, audited().size());
    }

    @Test
    void aWatchedFolderIsUpdatedWhenItChanges() throws IOException {
        open(", collections: {docs: {update: every 1d, watch: true}}");
        add();
        ok("collection_update", "{'name':'docs'}");
        clock.forward(Duration.ofMinutes(2));
        try (ConsoleClient console = signedIn(writer)) {
            Eventually.first(() -> schedule(console), one -> one.path("watched").asBoolean());
            Files.createDirectory(root.resolve("deep"));
            write("deep/tugs.md", "# Tugs\n\nA tug pulls ships.\n");
            Eventually.first(
                    () -> {
                        clock.forward(Duration.ofMillis(100));
                        return documents();
                    },
                    found -> found == 1);
        }
    }

    @Test
    void whoMayUpdateSetsASchedule() throws IOException {
        open("");
        write("tugs.md", "# Tugs\n\nA tug pulls ships.\n");
        add();
        try (ConsoleClient writing = signedIn(writer);
                ConsoleClient reading = signedIn(reader)) {
            assertEquals(
                    "{\"schedules\":[],\"elsewhere\":[]}",
                    json(writing.get(SCHEDULES)).toString());
            JsonNode set = json(writing.send("PUT", DOCS, "{\"update\":\" every 10m \",\"max_age\":\"2h\"}"));
            assertEquals("every 10m", set.path("update").asText());
            assertEquals("writers/w1", set.path("by").asText());
            assertEquals("2h", set.path("max_age").asText());
            assertEquals(7200, set.path("max_age_seconds").asInt());
            assertTrue(set.path("may_change").asBoolean());
            untilDocuments(1);
            assertEquals(
                    403, reading.send("PUT", DOCS, "{\"update\":\"every 1h\"}").status());
            assertEquals(403, reading.send("DELETE", DOCS, "").status());
            assertFalse(schedule(reading).path("may_change").asBoolean());
            assertEquals(
                    403,
                    writing.send("PUT", SCHEDULES + "/other/docs", "{\"update\":\"every 1h\"}")
                            .status());
            assertEquals(
                    404,
                    writing.send("PUT", SCHEDULES + "/kb/dogs", "{\"update\":\"every 1h\"}")
                            .status());
            assertEquals(405, writing.get(DOCS).status());
            assertEquals(
                    403,
                    writing.with("Sec-Fetch-Site", "cross-site")
                            .send("DELETE", DOCS, "")
                            .status());
            writing.with("Sec-Fetch-Site", "same-origin");
            client.close();
            gateway.close();
            open("");
        }
        try (ConsoleClient writing = signedIn(writer)) {
            assertEquals("every 10m", schedule(writing).path("update").asText());
            assertTrue(json(writing.send("DELETE", DOCS, "")).path("removed").asBoolean());
            assertFalse(json(writing.send("DELETE", DOCS, "")).path("removed").asBoolean());
            assertEquals(0, json(writing.get(SCHEDULES)).path("schedules").size());
        }
        client.close();
        gateway.close();
        List<String> changes = Files.readAllLines(temp.resolve("data/audit.log")).stream()
                .filter(line -> line.contains("schedules/"))
                .map(SchedulesOverHttpTest::change)
                .toList();
        assertEquals(
                List.of(
                        "writers schedules/set allowed ok",
                        "readers schedules/set denied denied",
                        "readers schedules/remove denied denied",
                        "writers schedules/set denied denied",
                        "writers schedules/set allowed not_found",
                        "writers schedules/remove allowed ok",
                        "writers schedules/remove allowed ok"),
                changes);
    }

    private static String change(String text) {
        try {
            JsonNode line = Json.parse(text);
            return "%s %s %s %s"
                    .formatted(
                            line.path("team").asText(),
                            line.path("method").asText(),
                            line.path("decision").asText(),
                            line.path("outcome").asText());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}                               | update is missing
                    {"update":15}                    | update must be a text
                    {"update":"every 59s"}           | is not from every 1m to every 366d
                    {"update":"@hourly"}             | neither every 15m nor a cron expression
                    {"update":"every 1h","zone":"X"} | There is no field zone
                    {"update":"every 1h","max_age":3600} | max_age must be a text
                    {"update":"0 3 * * *","time_zone":1} | time_zone must be a text
                    {"update":"every 1h","max_age":"soon"} | max_age "soon" is not a duration
                    {"update":"0 3 * * *","time_zone":"Nowhere"} | timeZone "Nowhere" is not known
                    """)
    void aWrongScheduleIsRefusedWithTheReason(String body, String why) {
        open("");
        add();
        try (ConsoleClient console = signedIn(writer)) {
            HttpReply reply = console.send("PUT", DOCS, body);
            assertEquals(400, reply.status(), reply::body);
            String said = reply.json().path("error").path("message").asText();
            assertTrue(said.contains(why.replace("is missing", "must be a text")), said);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {docs: {}}                          | backends.kb.collections.docs.update is missing
                    {docs: {update: every 0s}}          | update "every 0s" is not from every 1s to every 366d
                    {docs: {update: '0 3 * *'}}         | neither every 15m nor a cron expression
                    {docs: {update: every 1h, jitter: 5s}} | jitter
                    {docs: {update: every 1h, maxAge: 0s}} | backends.kb.collections.docs.maxAge
                    {'a/b': {update: every 1h}}         | collections: "a/b" can't be a collection
                    {docs: {update: '0 3 * * *', timeZone: Mars}} | timeZone "Mars" is not known
                    """)
    void aWrongConfigurationIsRefusedWithTheReason(String collections, String why) {
        ConfigException refused = assertThrows(ConfigException.class, () -> open(", collections: " + collections));
        assertTrue(refused.problems().toString().contains(why), () -> refused.problems()
                .toString());
        open("");
    }
}
