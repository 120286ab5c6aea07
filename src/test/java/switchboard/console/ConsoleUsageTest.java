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
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.FaultServer;
import switchboard.testing.HandClock;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;

/** Usage of a gateway with four teams, two backends and a clock of its own, as pages and spreadsheets read it. */
class ConsoleUsageTest {
    private static final String USAGE = "api/v1/usage";
    private static final String CSV = "api/v1/usage.csv";
    private static final String LIBRARIES = "list_libraries";
    private static final String INDEXES = "meilisearch_list_indexes";
    private static final String FORMULA = "=cmd";

    private final Map<String, ApiKey> keys = new HashMap<>();
    private final List<ConsoleClient> open = new ArrayList<>();
    private final HandClock clock = new HandClock(Instant.parse("2026-11-28T10:30:00Z"));

    @TempDir
    Path folder;

    private FaultServer engine;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        List.of("red", "blue", "keeper", "operators", FORMULA)
                .forEach(team -> keys.put(team, ApiKey.generate(new SecureRandom())));
        engine = new FaultServer(FaultServer.json("{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}"));
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search"]}
                  blue: {keys: [{id: blue1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search"], limits: {callsPerDay: 3}}
                  keeper: {keys: [{id: keeper1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:*"]}
                  "=cmd": {keys: [{id: f1, sha256: %s}], grants: ["vectordb:read,search"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        key("red"), key("blue"), key("keeper"), key(FORMULA), key("operators")));
        gateway = start(true);
    }

    private TestGateway start(boolean console) {
        return TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: %s}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s", required: false}
                """.formatted(console, engine.url()), folder, clock);
    }

    private String key(String team) {
        return keys.get(team).sha256();
    }

    @AfterEach
    void stop() {
        open.forEach(ConsoleClient::close);
        gateway.close();
        engine.close();
    }

    private ConsoleClient signedIn(String team) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        assertEquals(200, browser.signIn(keys.get(team).text()).status());
        return browser;
    }

    private void call(String team, String... tools) {
        for (String tool : tools) {
            ObjectNode params = Json.object().put("name", tool);
            params.putObject("arguments");
            gateway.modern().with("X-API-Key", keys.get(team).text()).request("tools/call", params);
        }
    }

    private JsonNode usage(String team, String query) {
        HttpReply reply = signedIn(team).get(USAGE + query);
        assertEquals(200, reply.status(), reply::body);
        return reply.json();
    }

    private static List<String> rows(JsonNode usage) {
        List<String> rows = new ArrayList<>();
        for (JsonNode row : usage.path("rows")) {
            rows.add(String.join(
                    " ",
                    row.path("team").asText(),
                    row.path("tool").asText(),
                    row.path("backend").asText(),
                    row.path("calls").asText()));
        }
        return rows;
    }

    @Test
    void eachPersonSeesTheCallsThatAreForThem() {
        call("red", LIBRARIES, LIBRARIES, INDEXES, "made-up");
        call("blue", LIBRARIES, INDEXES);
        String redLibraries = "red list_libraries vectordb 2";
        String redIndexes = "red meilisearch_list_indexes meilisearch 1";
        String blueLibraries = "blue list_libraries vectordb 1";
        String blueIndexes = "blue meilisearch_list_indexes meilisearch 1";
        Map<String, List<String>> wanted = Map.of(
                "operators", List.of(redLibraries, blueLibraries, blueIndexes, "red   1", redIndexes),
                "keeper", List.of(blueIndexes, redIndexes),
                "red", List.of(redLibraries, "red   1", redIndexes),
                "blue", List.of(blueLibraries, blueIndexes));
        Map<String, String> sees = Map.of("operators", "all", "keeper", "backends", "red", "team", "blue", "team");
        wanted.forEach((team, rows) -> {
            JsonNode usage = usage(team, "");
            assertEquals(rows, rows(usage), team);
            assertEquals(sees.get(team), usage.path("sees").asText(), team);
            long csv = signedIn(team).get(CSV).body().lines().count();
            assertEquals(rows.size() + 1L, csv, team);
        });
        assertEquals(List.of(), rows(usage("blue", "?team=red")), "asking for another team helps nobody");
        assertFalse(usage("blue", "?team=red").toString().contains("\"red\""));
        assertEquals(List.of(redIndexes), rows(usage("keeper", "?team=red&by=day")));
        assertEquals(List.of(redLibraries), rows(usage("operators", "?team=red&by=week&tool=" + LIBRARIES)));
        assertFalse(usage("red", "").path("clustered").asBoolean(true));
    }

    @Test
    void whatIsRefusedAndWhatFailsIsCountedApart() {
        call("blue", LIBRARIES, "vector_search", LIBRARIES, LIBRARIES, LIBRARIES);
        engine.close();
        call("keeper", INDEXES);
        JsonNode blue = usage("blue", "").path("total");
        assertEquals(5, blue.path("calls").asInt(), blue::toString);
        assertEquals(0, blue.path("failed").asInt(), blue::toString);
        assertTrue(blue.path("refused").asInt() >= 2, blue::toString);
        assertEquals(
                5,
                blue.path("ok").asInt()
                        + blue.path("refused").asInt()
                        + blue.path("tool_error").asInt());
        assertTrue(blue.path("tokens").asInt() > 0, blue::toString);
        assertTrue(blue.path("p95_ms").asDouble() > 0, blue::toString);
        JsonNode keeper = usage("keeper", "").path("total");
        assertEquals(1, keeper.path("failed").asInt(), keeper::toString);
    }

    @Test
    void hoursFollowEachOtherAlsoThoseWithoutCalls() {
        call("red", LIBRARIES);
        clock.forward(Duration.ofHours(2));
        call("red", LIBRARIES, LIBRARIES);
        JsonNode usage = usage("red", "?from=2026-11-28T10:00:00Z");
        assertEquals(3, usage.path("times").size());
        assertEquals(1, usage.at("/times/0/calls").asInt());
        assertEquals(0, usage.at("/times/1/calls").asInt());
        assertTrue(usage.at("/times/1/p95_ms").isNull());
        assertEquals(2, usage.at("/times/2/calls").asInt());
        assertEquals("2026-11-28T12:00:00Z", usage.at("/times/2/time").asText());
        assertEquals(
                1,
                usage("red", "?from=2026-11-28&to=2026-11-28T12:00:00Z")
                        .at("/total/calls")
                        .asInt());
        assertEquals(
                3, usage("red", "?by=day&from=2026-11-28").at("/total/calls").asInt());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "by=minute | by must be hour, day or week.",
                "by=HOUR | by must be hour, day or week.",
                "from=yesterday | from must be a time such as",
                "from=2026-02-30 | from must be a time such as",
                "to=2026-11-28T10:00 | to must be a time such as",
                "to=-1000000000-01-01T00:00:00Z | to must be a time such as",
                "from=2026-11-29&to=2026-11-28 | from must be before to",
                "from=2026-11-28&to=2026-11-28 | from must be before to",
                "from=2026-12-24 | from must be before to, which is now",
            })
    void whatIsWrongIsNamed(String query, String message) {
        ConsoleClient red = signedIn("red");
        for (String path : List.of(USAGE, CSV)) {
            HttpReply reply = red.get(path + "?" + query);
            assertEquals(400, reply.status(), reply::body);
            assertTrue(reply.json().at("/error/message").asText().startsWith(message), reply::body);
        }
    }

    @Test
    void csvIsAFileThatComputesNothing() {
        call(FORMULA, LIBRARIES);
        call("red", LIBRARIES);
        HttpReply reply = signedIn("operators").get(CSV + "?by=day&from=2026-11-28");
        assertEquals("text/csv; charset=utf-8; header=present", reply.header("Content-Type"));
        assertEquals(
                "attachment; filename=\"usage-by-day-from-2026-11-28-to-2026-11-28.csv\"",
                reply.header("Content-Disposition"));
        assertEquals("no-store", reply.header("Cache-Control"));
        List<String> lines = List.of(reply.body().split("\r\n", -1));
        assertEquals(
                "time,team,backend,tool,calls,ok,tool_error,refused,failed,tokens,p50_ms,p95_ms,p99_ms", lines.get(0));
        assertTrue(
                lines.get(1).startsWith("2026-11-28T00:00:00Z,'=cmd,vectordb,list_libraries,1,1,0,0,0,"),
                lines::toString);
        assertTrue(
                lines.get(2).startsWith("2026-11-28T00:00:00Z,red,vectordb,list_libraries,1,1,0,0,0,"),
                lines::toString);
        assertEquals(List.of(""), lines.subList(3, lines.size()));
        String one = URLEncoder.encode(FORMULA, StandardCharsets.UTF_8);
        assertEquals(
                2,
                signedIn("operators").get(CSV + "?team=" + one).body().lines().count());
    }

    @Test
    void whoIsNotSignedInAndOtherPagesSeeNothing() {
        ConsoleClient stranger = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(stranger);
        ConsoleClient elsewhere = signedIn("red").with("Sec-Fetch-Site", "same-site");
        for (String path : List.of(USAGE, CSV, USAGE + "?by=wrong")) {
            assertEquals(401, stranger.get(path).status());
            assertEquals(403, elsewhere.get(path).status());
        }
        assertEquals(404, signedIn("red").send("DELETE", USAGE, "").status());
    }

    @Test
    void aRestartedGatewayGoesOn() throws IOException {
        call("red", LIBRARIES, LIBRARIES);
        gateway.close();
        assertTrue(Files.readString(folder.resolve("usage/usage.jsonl")).startsWith("{\"format\":1}\n"));
        clock.forward(Duration.ofHours(1));
        gateway = start(true);
        call("red", LIBRARIES);
        JsonNode usage = usage("red", "?from=2026-11-28T10:00:00Z");
        assertEquals(2, usage.at("/times/0/calls").asInt());
        assertEquals(1, usage.at("/times/1/calls").asInt());
        assertEquals("2026-11-28T10:00:00Z", usage.path("since").asText());
    }

    @Test
    void aDamagedFileIsPutAside() throws IOException {
        call("red", LIBRARIES);
        gateway.close();
        Path file = folder.resolve("usage/usage.jsonl");
        Files.writeString(file, Files.readString(file).substring(0, 60));
        gateway = start(true);
        assertEquals(List.of(), rows(usage("red", "")));
        assertTrue(Files.exists(folder.resolve("usage/usage.jsonl.damaged")));
        call("red", LIBRARIES);
        assertEquals(1, usage("red", "").at("/total/calls").asInt());
        gateway.close();
        assertTrue(Files.exists(file));
        gateway = start(true);
        assertEquals(1, usage("red", "").at("/total/calls").asInt());
    }

    @Test
    void withoutAConsoleNothingIsCountedOrKept() throws IOException {
        gateway.close();
        try (var files = Files.list(folder.resolve("usage"))) {
            assertEquals(
                    List.of("lock"),
                    files.map(file -> file.getFileName().toString()).toList());
        }
        Files.delete(folder.resolve("usage/lock"));
        Files.delete(folder.resolve("usage"));
        gateway = start(false);
        call("red", LIBRARIES);
        gateway.close();
        assertFalse(Files.exists(folder.resolve("usage")));
    }
}
