package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEObjectType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.auth.SessionId;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ReplacedFile;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;

/** Who has signed in to the console of one of two gateways is signed in on the other, too, until one of them ends it. */
@Tag("engines")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedSignInsTest {
    private static final String SESSION = "api/v1/session";
    private static final String CALLS = "api/v1/calls";
    private static final String CLIENT = "switchboard-console";
    private static final String TABLE = "signins.console_session";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static final List<ApiKey> KEYS = IntStream.range(0, 10)
            .mapToObj(_ -> ApiKey.generate(new SecureRandom()))
            .toList();
    private static final List<TestGateway> GATEWAYS = new ArrayList<>();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static MockOAuth2Server issuer;

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void start() {
        issuer = new MockOAuth2Server(OAuth2Config.Companion.fromJson("{\"httpServer\":\"NettyWrapper\"}"));
        issuer.start();
        for (int number = 0; number < 2; number++) {
            GATEWAYS.add(gateway(number, "carry: [groups]"));
        }
        GATEWAYS.forEach(SharedSignInsTest::ready);
    }

    private static void ready(TestGateway gateway) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
    }

    private static TestGateway gateway(int number, String rules) {
        Path own = folder.resolve("gateway" + number);
        String settings = """
                server: {publicUrl: "https://tools.example.com", stateKey: "${file:%s/state.key}"}
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      corporate: {issuer: "%s", jwks: "%s", teamClaim: groups, %s}
                    scopes: {notes: ["vectordb:read"]}
                cluster: {database: "${file:%s/database.url}", schema: signins, node: gateway-%d}
                console:
                  enabled: true
                  openid: {issuer: corporate, clientId: %s, scopes: [openid, notes]}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(
                        own, issuer.issuerUrl("corporate"), issuer.jwksUrl("corporate"), rules, own, number, CLIENT);
        try {
            Files.createDirectories(own);
            Files.writeString(own.resolve("state.key"), "a key that is long enough for this");
            Files.writeString(own.resolve("database.url"), postgres.url());
            Files.writeString(own.resolve("switchboard.yaml"), settings);
            teams(own, "vectordb:*");
            return TestGateway.start(settings, own);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void teams(Path own, String grant) throws IOException {
        StringBuilder text = new StringBuilder("teams:\n  red:\n    grants: [\"" + grant + "\"]\n    keys:\n");
        for (int number = 0; number < KEYS.size(); number++) {
            text.append("      - {id: k%d, sha256: %s}\n"
                    .formatted(number, KEYS.get(number).sha256()));
        }
        ReplacedFile.write(own.resolve("teams.yaml"), text.toString());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @AfterAll
    static void stop() {
        GATEWAYS.forEach(TestGateway::close);
        issuer.shutdown();
        HTTP.shutdownNow();
        HTTP.close();
    }

    private ConsoleClient browser(int index) {
        ConsoleClient browser =
                new ConsoleClient(GATEWAYS.get(index).app().consoleUrl().orElseThrow());
        open.add(browser);
        return browser;
    }

    /** A browser that has signed in on one gateway, with the key {@code key}. */
    private ConsoleClient signedIn(int index, int key) {
        ConsoleClient browser = browser(index);
        HttpReply reply = browser.signIn(KEYS.get(key).text());
        assertEquals(200, reply.status(), reply::body);
        return browser;
    }

    /** The same browser, which a load balancer leads to another gateway. */
    private ConsoleClient on(int index, ConsoleClient browser) {
        return browser(index).with("Cookie", cookie(GATEWAYS.get(index), browser.cookie()));
    }

    /** Behind HTTPS the names of cookies have no port; here each gateway has one of its own. */
    private static String cookie(TestGateway gateway, String cookie) {
        int port = gateway.app().consoleUrl().orElseThrow().getPort();
        return cookie.replaceFirst("-[0-9]+=", "-" + port + "=");
    }

    private int status(int index, ConsoleClient browser) {
        return on(index, browser).get(SESSION).status();
    }

    private static String token(ConsoleClient browser) {
        return browser.cookie().split("=", 2)[1];
    }

    private static String where(ConsoleClient browser) {
        return " WHERE key = '" + SessionId.key(token(browser)) + "'";
    }

    private static String sql(String statement) {
        return postgres.sql(statement).strip();
    }

    @Test
    void whoSignsInOnOneIsSignedInOnTheOtherWithTheSameEnd() {
        Instant before = Instant.now();
        ConsoleClient browser = signedIn(0, 0);
        JsonNode here = browser.get(SESSION).json();
        JsonNode there = on(1, browser).get(SESSION).json();
        assertEquals("red", there.path("team").asText());
        assertEquals("k0", there.path("key").asText());
        assertEquals(here.path("expires"), there.path("expires"));
        Duration lasts =
                Duration.between(before, Instant.parse(there.path("expires").asText()));
        assertEquals(8 * 60, Math.round(lasts.toSeconds() / 60.0));
        McpTestClient client = on(1, browser).mcp("");
        open.add(client);
        assertFalse(client.call("list_libraries", Json.object()).isError());
        HttpReply stored = on(1, browser)
                .post(
                        "api/v1/judgments",
                        Json.object()
                                .put("query", "lantern")
                                .put("address", "vectordb:all/1")
                                .put("title", "Lanterns")
                                .put("text", "x".repeat(3000))
                                .put("answers", true));
        assertEquals(200, stored.status(), stored::body);
        HttpReply uploaded =
                on(1, browser).send("POST", "api/v1/uploads?name=a.txt", "application/octet-stream", new byte[1 << 20]);
        assertEquals(201, uploaded.status(), uploaded::body); // its body waits until the database has answered
    }

    @Test
    void signOutOnOneEndsItOnTheOtherAndItsStreams() throws Exception {
        ConsoleClient browser = signedIn(0, 1);
        ConsoleClient elsewhere = signedIn(1, 1);
        EventReader watched = browser.events(CALLS);
        open.add(watched);
        assertEquals("hello", watched.next().name());
        assertEquals(204, on(1, browser).send("DELETE", SESSION, "").status());
        assertEquals(401, status(0, browser));
        assertEquals(401, status(1, browser));
        EventReader.Event over = watched.next();
        while (!over.name().equals("over")) {
            over = watched.next();
        }
        assertEquals("over {\"reason\":\"signed_out\"}", over.name() + " " + over.data());
        assertTrue(watched.ended());
        assertEquals(200, status(0, elsewhere), "another session of the key goes on");
    }

    @Test
    void aNewSignInEndsTheSessionThatTheBrowserHadOnTheOther() {
        ConsoleClient browser = signedIn(0, 1);
        ConsoleClient again = on(1, browser);
        assertEquals(200, again.signIn(KEYS.get(1).text()).status());
        assertEquals(401, status(0, browser));
        assertEquals(200, status(0, again));
    }

    @Test
    void aRevokedKeyEndsItsSessionsOnBoth() {
        ConsoleClient browser = signedIn(0, 2);
        assertEquals(200, status(1, browser));
        String revoked = Replicas.command(GATEWAYS.getFirst().data(), "keys", "revoke", "k2");
        assertTrue(revoked.startsWith("0: "), revoked);
        for (int index = 0; index < 2; index++) {
            int gateway = index;
            Eventually.that(() -> status(gateway, browser) == 401, () -> "the session is over on " + gateway);
        }
        assertEquals(401, browser(1).signIn(KEYS.get(2).text()).status());
    }

    @Test
    void rightsAreThoseOfNow() throws IOException {
        ConsoleClient browser = signedIn(0, 0);
        assertTrue(on(1, browser).get("api/v1/backends").body().contains("vectordb"));
        Path own = GATEWAYS.get(1).data();
        teams(own, "switchboard:*");
        try {
            Eventually.that(
                    () -> !on(1, browser).get("api/v1/backends").body().contains("vectordb"),
                    () -> on(1, browser).get("api/v1/backends").body());
        } finally {
            teams(own, "vectordb:*");
        }
        Eventually.that(
                () -> on(1, browser).get("api/v1/backends").body().contains("vectordb"), () -> "the rights are back");
    }

    @Test
    void aSessionEndsAfterHalfAnHourWithoutUseByTheClockOfTheDatabase() {
        ConsoleClient browser = signedIn(0, 3);
        sql("UPDATE " + TABLE + " SET used = used - interval '29 minutes'" + where(browser));
        assertEquals(200, status(1, browser));
        assertEquals("t", sql("SELECT used > now() - interval '1 minute' FROM " + TABLE + where(browser)));
        sql("UPDATE " + TABLE + " SET used = now() - interval '30 minutes'" + where(browser));
        assertEquals(401, status(0, browser));
        assertEquals(401, status(1, browser));
    }

    @Test
    void aSessionEndsAfterEightHoursByTheClockOfTheDatabase() {
        ConsoleClient browser = signedIn(0, 3);
        sql("UPDATE " + TABLE + " SET ends = ends - interval '7 hours 59 minutes'" + where(browser));
        assertEquals(200, status(1, browser));
        sql("UPDATE " + TABLE + " SET ends = ends - interval '1 minute'" + where(browser));
        assertEquals(401, status(0, browser));
        assertEquals(401, status(1, browser));
    }

    @Test
    void aUseIsWrittenOnceAMinuteAtMost() {
        ConsoleClient browser = signedIn(0, 3);
        String version = "SELECT xmin FROM " + TABLE + where(browser);
        String made = sql(version);
        for (int index = 0; index < 4; index++) {
            assertEquals(200, status(index % 2, browser));
        }
        assertEquals(made, sql(version));
        sql("UPDATE " + TABLE + " SET used = used - interval '61 seconds'" + where(browser));
        String older = sql(version);
        assertEquals(200, status(1, browser));
        assertFalse(older.equals(sql(version)));
    }

    @Test
    void whatHasEndedIsRemoved() {
        ConsoleClient browser = signedIn(0, 3);
        sql("UPDATE " + TABLE + " SET used = used - interval '1 hour'" + where(browser));
        Eventually.within(
                Duration.ofSeconds(60),
                () -> sql("SELECT count(*) FROM " + TABLE + where(browser)).equals("0"),
                () -> "it is swept");
    }

    @Test
    void aKeyThatSignsInAgainAndAgainEndsItsOwnOldestSession() {
        ConsoleClient other = signedIn(0, 5);
        List<ConsoleClient> browsers = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            browsers.add(signedIn(number % 2, 4));
        }
        assertEquals(200, status(1, browsers.getFirst()));
        browsers.add(signedIn(1, 4));
        assertEquals(401, status(0, browsers.getFirst()));
        assertEquals(200, status(0, browsers.get(1)));
        assertEquals(200, status(0, browsers.getLast()));
        assertEquals("20", sql("SELECT count(*) FROM " + TABLE + " WHERE identity = 'k4'"));
        assertEquals(200, status(1, other));
    }

    @Test
    void thereAreTenThousandAtMostAndTheLeastUsedOnesGo() {
        sql(
                "INSERT INTO " + TABLE
                        + " (key, team, identity, ends, idle, used) SELECT 'filler' || n, 'red', 'many' || n,"
                        + " now() + interval '1 hour', 1800000, now() - interval '20 minutes' FROM generate_series(1, 10000) n");
        ConsoleClient browser = signedIn(0, 6);
        assertEquals("10000", sql("SELECT count(*) FROM " + TABLE));
        assertEquals(200, status(1, browser));
        sql("DELETE FROM " + TABLE + " WHERE key LIKE 'filler%'");
    }

    @Test
    void aGatewayThatStopsOrStartsAgainSignsNobodyOut() {
        ConsoleClient browser = signedIn(0, 7);
        GATEWAYS.getFirst().restart();
        assertEquals(200, status(1, browser), "the other gateway knows the person");
        ready(GATEWAYS.getFirst());
        assertEquals(200, status(0, browser));
    }

    @Test
    void nothingButATokenThatWasGivenIsASession() {
        ConsoleClient browser = signedIn(0, 7);
        String name = cookie(GATEWAYS.get(1), browser.cookie()).split("=", 2)[0];
        for (String value : List.of("", "x", SessionId.key(token(browser)), SessionId.make(), "' OR '1'='1")) {
            assertEquals(
                    401,
                    browser(1).with("Cookie", name + "=" + value).get(SESSION).status(),
                    value);
        }
    }

    /** The issuer says of the next person that it is {@code subject}, of the team red. */
    private static void next(String subject) {
        issuer.enqueueCallback(new DefaultOAuth2TokenCallback(
                "corporate",
                subject,
                JOSEObjectType.JWT.getType(),
                List.of(CLIENT),
                Map.of("groups", List.of("red")),
                3600));
    }

    /** A browser on its way, and where the issuer sends it back to. */
    private record Way(ConsoleClient browser, String back) {}

    private Way go(int index) throws Exception {
        ConsoleClient browser = browser(index);
        HttpReply sent = browser.get("api/v1/openid?back=teams");
        assertEquals(302, sent.status(), sent::body);
        browser.with("Cookie", sent.header("Set-Cookie").split(";", 2)[0]);
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(sent.header("Location"))).build(),
                HttpResponse.BodyHandlers.ofString());
        URI back = URI.create(answer.headers().firstValue("Location").orElseThrow());
        return new Way(browser, back.getRawPath().substring(1) + "?" + back.getRawQuery());
    }

    private HttpReply back(int index, Way way) {
        return on(index, way.browser()).with("Sec-Fetch-Site", "cross-site").get(way.back());
    }

    private static String session(HttpReply reply) {
        return reply.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.split(";", 2)[0])
                .filter(cookie -> !cookie.contains("openid"))
                .findFirst()
                .orElse("");
    }

    private ConsoleClient atTheIssuer(String subject) throws Exception {
        next(subject);
        HttpReply back = back(1, go(0));
        assertEquals("teams", back.header("Location"));
        return browser(1).with("Cookie", session(back));
    }

    @Test
    void whoGoesToTheIssuerFromOneComesBackToTheOtherWithTheRightsOfTheScopes() throws Exception {
        ConsoleClient browser = atTheIssuer("ada");
        for (int index = 0; index < 2; index++) {
            JsonNode shown = on(index, browser).get(SESSION).json();
            assertEquals("jwt:corporate:ada", shown.path("key").asText());
            McpTestClient client = on(index, browser).mcp("");
            open.add(client);
            List<String> tools = client.toolNames();
            assertTrue(tools.contains("list_libraries"), tools::toString);
            assertFalse(tools.contains("ingest_text"), tools::toString);
        }
        assertEquals(204, on(0, browser).send("DELETE", SESSION, "").status());
        assertEquals(401, status(1, browser));
    }

    /** A restart is how an operator changes what the issuer is believed: it must not leave people with what was believed before. */
    @Test
    void whoCameFromAnIssuerIsNotSignedInWhereTheRulesForItAreOthers() throws Exception {
        ConsoleClient byIssuer = atTheIssuer("ada");
        ConsoleClient byKey = signedIn(0, 0);
        try (TestGateway other = gateway(3, "carry: [department]")) {
            ready(other);
            URI console = other.app().consoleUrl().orElseThrow();
            for (ConsoleClient browser : List.of(byIssuer, byKey)) {
                ConsoleClient there = new ConsoleClient(console).with("Cookie", cookie(other, browser.cookie()));
                open.add(there);
                assertEquals(browser == byKey ? 200 : 401, there.get(SESSION).status());
            }
        }
        assertEquals(200, status(1, byIssuer));
    }

    @Test
    void anAnswerOfTheIssuerIsOfUseOnce() throws Exception {
        next("ada");
        Way way = go(0);
        HttpReply first = back(1, way);
        assertEquals("teams", first.header("Location"));
        assertTrue(
                first.headers().allValues("Set-Cookie").stream()
                        .anyMatch(cookie -> cookie.contains("openid") && cookie.contains("Max-Age=0")),
                "the browser forgets what it was sent with");
        HttpReply without = browser(0).with("Sec-Fetch-Site", "cross-site").get(way.back());
        assertEquals("search?sign_in=other_browser", without.header("Location"));
        for (int index = 0; index < 2; index++) {
            next("ada");
            HttpReply again = back(index, way);
            // This issuer gives an ID token for a code that was used, but without the nonce of the request.
            assertEquals("search?sign_in=token_audience", again.header("Location"));
            assertEquals("", session(again));
        }
    }

    @Test
    void theTableHasOnlyDigests() throws Exception {
        ConsoleClient byKey = signedIn(0, 8);
        ConsoleClient byIssuer = atTheIssuer("grace");
        String all = sql("SELECT * FROM " + TABLE);
        assertTrue(all.contains(SessionId.key(token(byKey))));
        assertTrue(all.contains("jwt:corporate:grace"));
        for (String secret : List.of(token(byKey), token(byIssuer), KEYS.get(8).text(), "eyJ")) {
            assertFalse(all.contains(secret), secret);
        }
        assertEquals(
                "{\"rules\":\"…\",\"metadata\":\"https://tools.example.com/.well-known/oauth-protected-resource/mcp\",\"scopes\":[\"notes\","
                        + "\"openid\"],\"claims\":{\"groups\":{\"list\":true,\"texts\":[\"red\"]}}}",
                sql("SELECT token_grant FROM " + TABLE + where(byIssuer)).replaceFirst("\"[0-9a-f]{64}\"", "\"…\""));
    }

    @Test
    void withoutTheDatabaseNobodyIsSignedOutAndRequestsAreToldToWait() throws Exception {
        ConsoleClient browser = signedIn(0, 9);
        EventReader watched = browser.events(CALLS);
        open.add(watched);
        assertEquals("hello", watched.next().name());
        postgres.kill();
        try {
            later(on(1, browser).get(SESSION));
            assertEquals(200, on(0, browser).get("api/v1/backends").status(), "who was here a moment ago goes on");
            later(on(1, browser).send("DELETE", SESSION, ""));
            later(browser(0).post(SESSION, Json.object().put("key", KEYS.get(9).text())));
            McpTestClient client = on(1, browser).mcp("");
            open.add(client);
            later(client.request("tools/list", Json.object()));
            assertEquals(
                    "search?sign_in=sign_in_unavailable",
                    on(0, browser).get("api/v1/openid?back=search").header("Location"));
            assertEquals(401, browser(0).get(SESSION).status(), "who has no cookie is not signed in");
            assertEquals(200, agent().request("tools/list", Json.object()).status());
            assertEquals(200, call().status());
            assertEquals("call", nextCall(watched).name());
        } finally {
            postgres.restart();
        }
        untilTheDatabaseIsBack();
        for (int gateway = 0; gateway < 2; gateway++) {
            assertEquals(200, status(gateway, browser), "still signed in on " + gateway);
        }
        assertEquals(200, call().status());
        assertEquals("call", nextCall(watched).name(), "the stream has gone on");
    }

    /** A sign-in needs it on each gateway: who is known there is also known for a minute without it. */
    private void untilTheDatabaseIsBack() {
        for (int index = 0; index < 2; index++) {
            ConsoleClient somebody = browser(index);
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> somebody.signIn(KEYS.get(8).text()).status() == 200,
                    () -> "the database is back");
        }
    }

    @Test
    void aGatewayThatHasNotJoinedKnowsNobody() throws Exception {
        ConsoleClient browser = signedIn(0, 9);
        postgres.kill();
        try (TestGateway late = gateway(2, "carry: [groups]")) {
            ConsoleClient there = new ConsoleClient(late.app().consoleUrl().orElseThrow());
            open.add(there);
            later(there.with("Cookie", cookie(late, browser.cookie())).get(SESSION));
        } finally {
            postgres.restart();
            untilTheDatabaseIsBack();
        }
    }

    /** The next event, but for what tells whether the calls of other gateways are known. */
    private static EventReader.Event nextCall(EventReader events) throws InterruptedException {
        EventReader.Event next = events.next();
        return next.name().equals("gateways") ? nextCall(events) : next;
    }

    private static McpTestClient agent() {
        return GATEWAYS.getFirst().modern().with("X-API-Key", KEYS.get(9).text());
    }

    private static HttpReply call() {
        return agent().request("tools/call", Json.object().put("name", "list_libraries"));
    }

    private static void later(HttpReply reply) {
        assertEquals(503, reply.status(), reply::body);
        assertEquals("2", reply.header("Retry-After"));
        assertTrue(reply.body().contains("Nobody is signed out"), reply::body);
        assertEquals("", reply.header("Set-Cookie"));
    }
}
