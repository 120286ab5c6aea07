package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.Programs;
import switchboard.testing.RawHttp;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The console of a gateway with two teams, asked as its pages and as pages of others ask. */
class ConsoleTest {
    private static final String SESSION = "api/v1/session";
    private static final String JUDGMENTS = "api/v1/judgments";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final ApiKey operator = ApiKey.generate(new SecureRandom());
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        teams(red.sha256());
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                views: {papers: {backends: [vectordb]}}
                """, folder);
    }

    private void teams(String redKey) throws IOException {
        ReplacedFile.write(folder.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed:red-*", "switchboard:*"]
                    bindings: {vectordb: {owner: red}}
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:read,search,create,update,embed:blue-*", "switchboard:read,search"]
                    bindings: {vectordb: {owner: blue}}
                    views: [papers]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(redKey, blue.sha256(), operator.sha256()));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
    }

    private URI url() {
        return gateway.app().consoleUrl().orElseThrow();
    }

    private ConsoleClient browser() {
        ConsoleClient browser = new ConsoleClient(url());
        open.add(browser);
        return browser;
    }

    private ConsoleClient signedIn(ApiKey key) {
        ConsoleClient browser = browser();
        assertEquals(200, browser.signIn(key.text()).status());
        return browser;
    }

    private McpTestClient mcp(ConsoleClient browser, String view) {
        McpTestClient client = browser.mcp(view);
        open.add(client);
        return client;
    }

    @Test
    void whoIsNotSignedInLearnsHowAndGetsNothingElse() {
        ConsoleClient browser = browser();
        HttpReply asked = browser.get(SESSION);
        assertEquals(401, asked.status());
        assertEquals("key", asked.json().path("sign_in").path(0).asText());
        HttpReply refused = mcp(browser, "").request("tools/list", Json.object());
        assertEquals(401, refused.status());
        assertTrue(refused.body().contains("not signed in"), refused::body);
    }

    @Test
    void signingInGivesACookieThatNoPageCanReadAndSigningOutEndsIt() {
        ConsoleClient browser = browser();
        HttpReply opened = browser.signIn(red.text());
        assertEquals(200, opened.status(), opened::body);
        assertEquals("red", opened.json().path("team").asText());
        assertEquals("r1", opened.json().path("key").asText());
        assertFalse(opened.json().path("expires").asText().isEmpty());
        String cookie = opened.header("Set-Cookie");
        for (String attribute : List.of("httponly", "samesite=strict", "path=/")) {
            assertTrue(cookie.toLowerCase(Locale.ROOT).contains(attribute), cookie);
        }
        assertFalse(cookie.contains("Domain"), cookie);
        assertFalse(opened.body().contains(red.text()) || cookie.contains(red.text()), "the key is sent once");
        assertEquals(200, browser.get(SESSION).status());
        HttpReply left = browser.send("DELETE", SESSION, "");
        assertEquals(204, left.status());
        assertTrue(left.header("Set-Cookie").contains("Max-Age=0"), left.header("Set-Cookie"));
        assertEquals(401, browser.get(SESSION).status(), "also for who still has the cookie");
    }

    @Test
    void aSessionThatWasThereBeforeASignInEndsWithIt() {
        ConsoleClient attacker = signedIn(blue);
        String planted = cookie(attacker.signIn(blue.text()));
        ConsoleClient victim = browser().with("Cookie", planted);
        HttpReply opened = victim.signIn(red.text());
        assertFalse(cookie(opened).equals(planted), "it gets a value of its own");
        assertEquals("red", victim.get(SESSION).json().path("team").asText());
        assertEquals(401, browser().with("Cookie", planted).get(SESSION).status());
        ConsoleClient two = browser().with("Cookie", cookie(opened) + "; " + planted);
        assertEquals(401, two.get(SESSION).status(), "of two cookies nobody knows which one counts");
    }

    private static String cookie(HttpReply reply) {
        return reply.header("Set-Cookie").split(";", 2)[0];
    }

    @Test
    void aWrongKeyIsRefusedAndTooManyOfThemAreSlowedDown() {
        ConsoleClient browser = browser();
        HttpReply refused = browser.signIn("sbk_wrong");
        assertEquals(401, refused.status());
        assertEquals("", refused.header("Set-Cookie"));
        assertFalse(refused.body().contains("sbk_wrong"), refused::body);
        HttpReply last = refused;
        for (int tries = 0; tries < 200 && last.status() != 429; tries++) {
            last = browser.signIn("sbk_wrong" + tries);
        }
        assertEquals(429, last.status(), last::body);
        assertEquals(200, browser.signIn(red.text()).status(), "a valid key is always accepted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"key\": 1}", "{\"key\": \"  \"}", "null", "\"key\""})
    void aSignInThatIsNoneNamesTheField(String body) {
        HttpReply refused = browser().with("Content-Type", "application/json").send("POST", SESSION, body);
        assertEquals(400, refused.status(), refused::body);
        assertTrue(refused.body().contains("\\\"key\\\"") || refused.body().contains("JSON object"), refused::body);
    }

    @ParameterizedTest
    @CsvSource({
        "same-site, 403", // another port of this machine
        "cross-site, 403",
        "none, 403",
        "'', 403",
        "same-origin, 204"
    })
    void onlyPagesOfTheConsoleMayWrite(String site, int status) {
        ConsoleClient browser = signedIn(red).with("Sec-Fetch-Site", site);
        if (site.isEmpty()) {
            browser.without("Sec-Fetch-Site");
        }
        assertEquals(status, browser.send("DELETE", SESSION, "").status());
        assertEquals(
                status == 204 ? 401 : 403,
                mcp(browser, "").request("tools/list", Json.object()).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/session",
                "/%61pi/v1/session",
                "/./api/v1/session",
                "/x/../api/v1/session",
                "/api//v1/session",
                "/api/v1/session/",
                "/%2fapi/v1/session",
                "/API/v1/session"
            })
    void noOtherSpellingOfAnAddressGoesRoundTheChecks(String path) {
        try (RawHttp raw = new RawHttp(url().getPort())) {
            raw.post(
                    path, "Sec-Fetch-Site: same-site\n", Json.text(Json.object().put("key", red.text())));
            int status = raw.status();
            assertTrue(status == 403 || status == 404, () -> path + " " + status);
            assertFalse(raw.readUntil("\r\n\r\n").toLowerCase(Locale.ROOT).contains("set-cookie"), path);
        }
    }

    @Test
    void pagesOfOtherOriginsMayNotEvenRead() {
        ConsoleClient browser = signedIn(red);
        assertEquals(
                403, browser.with("Sec-Fetch-Site", "cross-site").get(SESSION).status());
        browser.with("Sec-Fetch-Site", "same-origin");
        for (String origin : List.of("https://evil.example", "http://127.0.0.1:1", "null", "http://localhost")) {
            assertEquals(403, browser.with("Origin", origin).get(SESSION).status(), origin);
        }
        HttpReply own =
                browser.with("Origin", "http://127.0.0.1:" + url().getPort()).get(SESSION);
        assertEquals(200, own.status(), own::body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "127.0.0.1:1", "[::2]"})
    void aNameThatMayMeanAnotherMachineIsRefused(String host) {
        for (String path : List.of(
                "/", "/search", "/sources", "/teams", "/api/v1/session", "/api/v1/teams", "/static/console.css")) {
            try (RawHttp raw = new RawHttp(url().getPort())) {
                raw.send("GET " + path + " HTTP/1.1\nHost: " + host + "\n\n");
                assertEquals(403, raw.status(), path);
            }
        }
    }

    @Test
    void everyAnswerForbidsFramesForeignContentAndCaching() {
        ConsoleClient browser = browser();
        for (String path :
                List.of("search", "sources", "teams", SESSION, "api/v1/teams", "nothing", "static/nothing.js")) {
            HttpReply reply = browser.get(path);
            String policy = reply.header("Content-Security-Policy");
            assertTrue(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), policy);
            assertTrue(policy.contains("require-trusted-types-for 'script'"), policy);
            assertFalse(policy.contains("unsafe"), policy);
            assertEquals("nosniff", reply.header("X-Content-Type-Options"));
            assertEquals("DENY", reply.header("X-Frame-Options"));
            assertEquals("no-referrer", reply.header("Referrer-Policy"));
            assertFalse(reply.header("Cache-Control").isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static/../teams.yaml",
                "static/%2e%2e/teams.yaml",
                "static/lib/../index.html",
                "static/lib/lit/../../../switchboard/console/index.html",
                "static/index.html",
                "static/lib/other/index.js",
                "static/lib/lit/package.json",
                "static/",
                "static/.js",
                "static/switchboard/console/index.html",
                "api/v1/nothing",
                "static",
                "search/",
                "%73earch",
                "static/console.css/",
                "x/../search",
                "mcp"
            })
    void nothingElseIsServed(String path) {
        try (RawHttp raw = new RawHttp(url().getPort())) {
            raw.send("GET /" + path + " HTTP/1.1\nHost: 127.0.0.1:" + url().getPort() + "\n\n");
            assertEquals(404, raw.status(), path);
        }
    }

    @Test
    void pagesAndTheirFilesAreThereAndAreNotSentTwice() {
        ConsoleClient browser = browser();
        HttpReply start = browser.get("");
        assertEquals(302, start.status());
        assertEquals("search", start.header("Location"), "relative, for a proxy that adds a prefix");
        HttpReply page = browser.get("search");
        for (String path : List.of("search", "sources", "tools")) {
            assertEquals(200, browser.get(path).status(), path);
            assertEquals(page.body(), browser.get(path).body(), path);
        }
        assertTrue(page.header("Content-Security-Policy").contains("'sha256-"), "its import map is inline");
        for (Map.Entry<String, String> file : Map.of(
                        "static/console.css", "text/css; charset=utf-8",
                        "static/lib/lit/index.js", "text/javascript; charset=utf-8",
                        "static/lib/lit-html/lit-html.js", "text/javascript; charset=utf-8",
                        "static/lib/lit-html/directives/repeat.js", "text/javascript; charset=utf-8",
                        "static/lib/reactive-element/reactive-element.js", "text/javascript; charset=utf-8")
                .entrySet()) {
            HttpReply found = browser.get(file.getKey());
            assertEquals(200, found.status(), file.getKey());
            assertEquals(file.getValue(), found.header("Content-Type"));
            HttpReply again =
                    browser().with("If-None-Match", found.header("ETag")).get(file.getKey());
            assertEquals(304, again.status(), file.getKey());
            assertEquals("", again.body());
            HttpReply small = browser().with("Accept-Encoding", "gzip").get(file.getKey());
            assertEquals("gzip", small.header("Content-Encoding"), file.getKey());
            assertFalse(small.header("ETag").equals(found.header("ETag")), "another representation");
        }
    }

    @Test
    void theUrlOfMcpIsTheOneThatAgentsUse() {
        gateway.close();
        gateway = TestGateway.start("""
                auth: {mode: keys}
                server: {publicUrl: "https://tools.example.com/switchboard/"}
                console: {enabled: true}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                views: {papers: {backends: [vectordb]}}
                """, folder);
        assertEquals(
                "https://tools.example.com/switchboard/mcp",
                signedIn(red).get(SESSION).json().path("mcp").asText());
    }

    @Test
    void aPersonSeesWhatItsTeamMaySeeAndNoMore() {
        for (ApiKey key : List.of(red, blue)) {
            String team = key == red ? "red" : "blue";
            McpTestClient agent = gateway.modern(key == red ? "" : "papers").with("X-API-Key", key.text());
            ToolResult stored = agent.call(
                    "ingest_text",
                    Json.object()
                            .put("content", "the lantern of " + team)
                            .put("source", "s")
                            .put("library", team + "-notes"));
            assertFalse(stored.isError(), stored::toString);
        }
        ToolResult found =
                mcp(signedIn(red), "").call("search_everywhere", Json.object().put("query", "lantern"));
        assertTrue(found.toString().contains("the lantern of red"), found::toString);
        assertFalse(found.toString().contains("blue"), found::toString);
        ConsoleClient other = signedIn(blue);
        JsonNode who = other.get(SESSION).json();
        assertEquals("papers", who.path("view").asText(), "the view that it may use");
        assertEquals(gateway.app().endpointUrl().toString(), who.path("mcp").asText());
        assertFalse(who.path("operator").asBoolean());
        assertTrue(signedIn(operator).get(SESSION).json().path("operator").asBoolean());
        assertEquals(404, mcp(other, "").request("tools/list", Json.object()).status());
        ToolResult its = mcp(other, "papers")
                .call("search", Json.object().put("query", "lantern").put("library", "red-notes"));
        assertFalse(its.toString().contains("lantern of red"), its::toString);
    }

    @Test
    void aSessionEndsWhenItsKeyIsRevoked() throws IOException {
        ConsoleClient browser = signedIn(red);
        ConsoleClient other = signedIn(operator);
        assertEquals(200, browser.get(SESSION).status());
        teams(ApiKey.generate(new SecureRandom()).sha256());
        Eventually.that(() -> browser.get(SESSION).status() == 401, () -> "the session of the old key ends");
        assertEquals(401, mcp(browser, "").request("tools/list", Json.object()).status());
        assertEquals(200, other.get(SESSION).status());
    }

    @Test
    void aKeyInTheUrlIsRefused() {
        assertEquals(
                400,
                browser().send("POST", "api/v1/mcp?key=" + red.text(), "{}").status());
    }

    @Test
    void whatPeopleSayOfAnswersIsKeptForTheirTeamInASetThatEvalReads() throws IOException {
        ConsoleClient browser = signedIn(red);
        ObjectNode judgment = Json.object()
                .put("query", "where is the lantern? 灯\t\n")
                .put("address", "vectordb:red-notes/1#0")
                .put("title", "t".repeat(600))
                .put("text", "the \"lantern\"\nof red 😀")
                .put("answers", true);
        HttpReply made = browser.post(JUDGMENTS, judgment);
        assertEquals(200, made.status(), made::body);
        assertEquals(1, made.json().path("judged").asInt());
        assertEquals("team-red", made.json().path("set").asText());
        assertEquals(
                2,
                browser.post(JUDGMENTS, judgment.deepCopy().put("address", "b").put("answers", false))
                        .json()
                        .path("judged")
                        .asInt());
        assertEquals(2, browser.post(JUDGMENTS, judgment).json().path("judged").asInt(), "the same is not there twice");
        String asked =
                JUDGMENTS + "?query=" + URLEncoder.encode(judgment.path("query").asText(), StandardCharsets.UTF_8);
        assertEquals(
                "[{\"address\":\"b\",\"answers\":false},{\"address\":\"vectordb:red-notes/1#0\",\"answers\":true}]",
                browser.get(asked).json().path("judgments").toString());
        assertEquals("[]", signedIn(blue).get(asked).json().path("judgments").toString(), "not those of another team");

        JudgedSet set = JudgedSet.read(folder.resolve("judgments/team-red"));
        String id = set.queries().keySet().iterator().next();
        assertEquals(judgment.path("query").asText(), set.queries().get(id));
        assertEquals(Map.of("vectordb:red-notes/1#0", 1), set.grades().get(id));
        assertEquals(
                "t".repeat(500) + "\n" + judgment.path("text").asText(),
                set.texts().get("vectordb:red-notes/1#0"));

        gateway.restart();
        ConsoleClient later = signedIn(red);
        HttpReply gone = later.send("DELETE", JUDGMENTS, Json.text(judgment));
        assertEquals(1, gone.json().path("judged").asInt(), gone::body);
        assertEquals(1, later.get(asked).json().path("judgments").size());
    }

    @ParameterizedTest
    @CsvSource({
        "'{}', answers",
        "'{\"answers\": \"yes\"}', answers",
        "'{\"answers\": true}', query",
        "'{\"answers\": true, \"query\": \" \"}', query",
        "'{\"answers\": true, \"query\": [\"a\"]}', query",
        "'{\"answers\": true, \"query\": \"a\"}', address",
        "'{\"answers\": true, \"query\": \"a\", \"address\": \"a\\tb\"}', address",
        "'{\"answers\": true, \"query\": \"a\", \"address\": \"a\\nb\"}', address",
        "'[]', object"
    })
    void aJudgmentThatIsNoneNamesTheField(String body, String field) {
        HttpReply refused = signedIn(red).send("POST", JUDGMENTS, body);
        assertEquals(400, refused.status(), refused::body);
        assertTrue(refused.body().contains(field), refused::body);
    }

    @Test
    void backendsAreShownToWhoMayUseThemAndTheirNumbersToOperators() {
        assertEquals(401, browser().get("api/v1/backends").status());
        JsonNode blues = signedIn(blue).get("api/v1/backends").json().path("backends");
        assertEquals(List.of("vectordb", "switchboard"), ids(blues));
        assertEquals("up", blues.path(0).path("status").asText());
        assertFalse(blues.path(0).has("detail") || blues.path(0).has("calls"), blues::toString);
        ConsoleClient operating = signedIn(operator);
        mcp(operating, "").call("vectordb__search", Json.object().put("query", "lantern"));
        mcp(operating, "").call("get_document", Json.object().put("doc_id", "none"));
        JsonNode all = operating.get("api/v1/backends").json().path("backends");
        JsonNode store = all.path(ids(all).indexOf("vectordb"));
        assertEquals(2, store.path("calls").asInt(), store::toString);
        assertEquals(1, store.path("failed").asInt(), store::toString);
        assertTrue(store.path("limit").asInt() > 0 && store.path("seconds").asDouble() > 0, store::toString);
        assertEquals(0, store.path("in_flight").asInt(), store::toString);
        assertEquals(0, store.path("chunks").asInt(-1), store::toString);
        assertFalse(store.has("breaker"), store::toString);
        assertTrue(Eventually.first(
                                () -> operating.get("api/v1/backends").json().path("backends"),
                                backends -> backends.path(ids(backends).indexOf("vectordb"))
                                        .has("disk_bytes"))
                        .findValue("disk_bytes")
                        .asLong()
                > 0);
        JsonNode others = signedIn(blue).get("api/v1/backends").json();
        assertEquals(List.of(), others.findValues("disk_bytes"), others::toString);
    }

    /** A breaker that is open is shown. */
    @Test
    void thePausesAfterFailuresAreShown() throws IOException {
        try (TestGateway down = TestGateway.start("""
                backends:
                  shop: {type: meilisearch, url: "http://127.0.0.1:%d", connection: {breaker: {window: 2, openFor: 1h}}}
                """.formatted(Programs.freePort()));
                ConsoleClient browser =
                        new ConsoleClient(down.app().consoleUrl().orElseThrow())) {
            assertEquals("closed", breaker(browser));
            Eventually.that(
                    () -> {
                        down.modern("shop").call("meilisearch_list_indexes", Json.object());
                        return breaker(browser).equals("open");
                    },
                    () -> "it never opens");
        }
    }

    private static String breaker(ConsoleClient browser) {
        return browser.get("api/v1/backends").json().at("/backends/0/breaker").asText();
    }

    private static List<String> ids(JsonNode backends) {
        return backends.valueStream().map(one -> one.path("id").asText()).toList();
    }

    @Test
    void whoIsNotSignedInJudgesNothing() {
        assertEquals(
                401,
                browser()
                        .post(
                                JUDGMENTS,
                                Json.object()
                                        .put("query", "a")
                                        .put("address", "b")
                                        .put("answers", true))
                        .status());
        assertEquals(401, browser().get(JUDGMENTS + "?query=a").status());
        assertFalse(Files.exists(folder.resolve("judgments")));
    }
}
