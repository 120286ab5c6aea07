package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Browser;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;

/** The usage of two gateways on one database, as their consoles show it. */
@Tag("engines")
class ClusterUsageTest {
    private static final String LIBRARIES = "list_libraries";
    private static final String USAGE = "api/v1/usage?by=week";
    private static final String CSV = "api/v1/usage.csv?by=week";
    private static final String UNICODE = "grün 😀";
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = new HashMap<>();
    private final List<TestGateway> gateways = new ArrayList<>();
    private String schema = "";

    @BeforeEach
    void start() {
        schema = "usage" + SCHEMAS.incrementAndGet();
        List.of("red", UNICODE, "operators").forEach(team -> keys.put(team, ApiKey.generate(new SecureRandom())));
    }

    @AfterEach
    void stop() {
        gateways.forEach(TestGateway::close);
        try {
            postgres.sql("SELECT 1");
        } catch (AssertionError _) {
            postgres.restart();
        }
    }

    private String settings(Path data) throws IOException {
        Files.createDirectories(data);
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search"]}
                  "%s": {keys: [{id: g1, sha256: %s}], grants: ["vectordb:read,search"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        keys.get("red").sha256(),
                        UNICODE,
                        keys.get(UNICODE).sha256(),
                        keys.get("operators").sha256()));
        Files.writeString(data.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Files.writeString(data.resolve("database.url"), postgres.url());
        return """
                server: {stateKey: "${file:%s/state.key}"}
                auth: {mode: keys}
                console: {enabled: true}
                cluster: {database: "${file:%s/database.url}", schema: %s}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(data, data, schema);
    }

    private TestGateway gateway(String name) throws IOException {
        Path data = folder.resolve(name);
        TestGateway gateway = TestGateway.start(settings(data), data, TestGateway.OFTEN);
        gateways.add(gateway);
        ready(gateway);
        return gateway;
    }

    private static void ready(TestGateway gateway) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
    }

    private void call(TestGateway gateway, String team, int calls) {
        call(gateway.modern(), team, calls);
    }

    private void call(McpTestClient client, String team, int calls) {
        ObjectNode params = Json.object().put("name", LIBRARIES);
        params.putObject("arguments");
        for (int i = 0; i < calls; i++) {
            assertEquals(
                    200,
                    client.with("X-API-Key", keys.get(team).text())
                            .request("tools/call", params)
                            .status());
        }
    }

    private ConsoleClient signedIn(TestGateway gateway, String team) {
        ConsoleClient console = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        assertEquals(200, console.signIn(keys.get(team).text()).status());
        return console;
    }

    private void takesSignIns(TestGateway gateway) {
        try (ConsoleClient console =
                new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> console.signIn(keys.get("red").text()).status() == 200,
                    () -> "the database is back");
        }
    }

    private HttpReply get(TestGateway gateway, String team, String path) {
        try (ConsoleClient console = signedIn(gateway, team)) {
            return console.get(path);
        }
    }

    private JsonNode usage(TestGateway gateway, String team) {
        HttpReply reply = get(gateway, team, USAGE);
        assertEquals(200, reply.status(), reply::body);
        return reply.json();
    }

    private List<String> rows(TestGateway gateway, String team) {
        List<String> rows = new ArrayList<>();
        JsonNode usage = usage(gateway, team);
        assertTrue(usage.path("clustered").asBoolean(), usage::toString);
        usage.path("rows")
                .forEach(row -> rows.add(row.path("team").asText() + " "
                        + row.path("tool").asText() + " " + row.path("calls").asInt() + " "
                        + row.path("ok").asInt()));
        return rows;
    }

    private void eventually(TestGateway gateway, String team, String... rows) {
        Eventually.within(
                Duration.ofSeconds(60), () -> rows(gateway, team).equals(List.of(rows)), () -> rows(gateway, team)
                        .toString());
    }

    @Test
    void bothShowTheCallsOfBothAndToEachPersonThoseOfItsTeam() throws IOException {
        TestGateway one = gateway("one");
        TestGateway other = gateway("other");
        call(one, "red", 3);
        assertEquals(List.of("red list_libraries 3 3"), rows(one, "operators"), "its own at once");
        call(other, "red", 1);
        call(other, UNICODE, 2);
        String red = "red list_libraries 4 4";
        String green = UNICODE + " list_libraries 2 2";
        for (TestGateway gateway : List.of(one, other)) {
            eventually(gateway, "operators", red, green);
            assertEquals(List.of(red), rows(gateway, "red"));
            assertEquals(List.of(green), rows(gateway, UNICODE));
            assertFalse(get(gateway, UNICODE, USAGE + "&team=red").body().contains("\"red\""));
            assertFalse(usage(gateway, "red").path("missing").asBoolean(true));
        }
        assertEquals(
                get(one, "operators", CSV).body(), get(other, "operators", CSV).body());
        List<String> lines = get(one, "operators", CSV).body().lines().toList();
        assertEquals(3, lines.size(), lines::toString);
        assertTrue(lines.get(1).contains("Z,red,vectordb,list_libraries,4,4,0,0,0,"), lines::toString);
        call(one, "red", 1);
        one.restart();
        ready(one);
        eventually(other, "red", "red list_libraries 5 5");
        eventually(one, "red", "red list_libraries 5 5");
        call(one, "red", 1);
        eventually(other, "red", "red list_libraries 6 6");
        one.close();
        assertEquals(List.of("red list_libraries 6 6"), rows(other, "red"), "it is gone, and its calls are not");
    }

    private static void ownCalls(ConsoleClient console, int calls) {
        HttpReply reply = console.get(USAGE);
        assertEquals(200, reply.status(), reply::body);
        assertTrue(reply.json().path("missing").asBoolean(), reply::body);
        assertEquals(calls, reply.json().at("/total/calls").asInt(), "what it has counted itself");
        assertTrue(console.get(CSV).header("Content-Disposition").endsWith("-of-one-gateway.csv\""));
    }

    @Test
    void theDatabaseGoesAndComesBack() throws IOException {
        TestGateway one = gateway("one");
        TestGateway other = gateway("other");
        call(one, "red", 1);
        call(other, "red", 2);
        eventually(one, "red", "red list_libraries 3 3");
        eventually(other, "red", "red list_libraries 3 3");
        try (ConsoleClient atOne = signedIn(one, "red");
                ConsoleClient atOther = signedIn(other, "red")) {
            assertEquals(200, atOne.get(USAGE).status());
            assertEquals(200, atOther.get(USAGE).status());
            postgres.kill();
            call(one, "red", 4);
            call(other, "red", 8);
            ownCalls(atOne, 5);
            ownCalls(atOther, 10);
        }
        one.close();
        assertTrue(Files.exists(one.data().resolve("usage/usage.jsonl")), "what could not be written");
        postgres.restart();
        takesSignIns(other);
        eventually(other, "red", "red list_libraries 11 11");
        TestGateway again = gateway("one");
        eventually(again, "red", "red list_libraries 15 15");
        eventually(other, "red", "red list_libraries 15 15");
        again.restart();
        ready(again);
        assertEquals(List.of("red list_libraries 15 15"), rows(again, "red"));
    }

    @Test
    void whatAGatewayHasCountedByItselfIsCountedOnceForAll() throws IOException {
        UsageStore before = new UsageStore(Clock.systemUTC());
        before.count(new UsageKey("red", "vectordb", LIBRARIES), UsageOutcome.OK, 7, 70, Duration.ofMillis(1));
        Files.createDirectories(folder.resolve("one/usage"));
        Files.write(folder.resolve("one/usage/usage.jsonl"), before.save());
        TestGateway one = gateway("one");
        assertEquals(List.of("red list_libraries 7 7"), rows(one, "red"));
        TestGateway other = gateway("other");
        eventually(other, "red", "red list_libraries 7 7");
        one.restart();
        ready(one);
        assertEquals(List.of("red list_libraries 7 7"), rows(one, "red"));
        assertFalse(Files.exists(folder.resolve("one/usage/usage.jsonl")));
    }

    @Test
    void oneThatIsKilledIsCountedOnce() throws IOException {
        TestGateway other = gateway("other");
        Path data = folder.resolve("killed");
        String settings = settings(data);
        Path config = Files.writeString(data.resolve("switchboard.yaml"), settings);
        GatewayProcess.Launch launch = new GatewayProcess.Launch(config, data, "512m", 0);
        try (GatewayProcess killed = GatewayProcess.start(launch)) {
            killed.ready();
            call(McpTestClient.modern(killed.url()), "red", 5);
            eventually(other, "red", "red list_libraries 5 5");
            killed.kill();
        }
        assertEquals(List.of("red list_libraries 5 5"), rows(other, "red"));
        try (GatewayProcess again = GatewayProcess.start(launch)) {
            again.ready();
            call(McpTestClient.modern(again.url()), "red", 1);
            eventually(other, "red", "red list_libraries 6 6");
        }
    }

    @Test
    void thePageSaysWhoseCallsTheseAre() throws IOException {
        TestGateway one = gateway("one");
        call(one, "red", 1);
        try (ConsolePages pages = new ConsolePages(one, Browser.start())) {
            pages.asAtAFirstVisit();
            URI page = pages.page("usage?by=week");
            pages.openSignedIn(keys.get("red"), page);
            said(
                    pages,
                    "Calls of your team, at all gateways of the cluster; those at others are here after ten seconds");
            assertTrue(pages.all(".error-note").isEmpty());
            postgres.kill();
            pages.browser().open(page);
            said(pages, "Calls of your team, at this gateway only");
            assertTrue(pages.text().contains("The other gateways are missing"), pages::text);
            assertEquals("1", pages.find(".usage-figures dd").getText());
            pages.browser().size(390, 844);
            assertEquals(List.of(), pages.browser().accessibilityFindings());
            postgres.restart();
            Eventually.within(
                    Duration.ofSeconds(60),
                    () -> {
                        pages.all(".error-note button").forEach(WebElement::click);
                        loaded(pages);
                        return pages.all(".error-note").isEmpty();
                    },
                    pages::text);
            assertEquals("1", pages.find(".usage-figures dd").getText());
        }
    }

    private static void loaded(ConsolePages pages) {
        pages.browser().waitUntil("usage is there", driver -> driver.findElement(By.cssSelector("main.usage"))
                .getAttribute("aria-busy")
                .equals("false"));
    }

    private static void said(ConsolePages pages, String sentence) {
        loaded(pages);
        assertEquals(sentence, pages.find(".usage-head p").getText());
    }
}
