package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEObjectType;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/** People sign in to the console at a real authorization server. */
class ConsoleOpenIdTest {
    private static final String SESSION = "api/v1/session";
    private static final String CLIENT = "switchboard-console";

    private final ApiKey key = ApiKey.generate(new SecureRandom());
    private final List<AutoCloseable> open = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private MockOAuth2Server server;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        server = new MockOAuth2Server(OAuth2Config.Companion.fromJson("{\"httpServer\":\"NettyWrapper\"}"));
        server.start();
        teams("red", "blue");
        gateway = gateway("");
    }

    private TestGateway gateway(String more) {
        String issuer = server.issuerUrl("corporate").toString();
        return TestGateway.start("""
                server: {publicUrl: "https://tools.example.com"}
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      corporate: {issuer: "%s", jwks: "%s", teamClaim: groups}
                    %s
                console:
                  enabled: true
                  openid: {issuer: corporate, clientId: %s, clientSecret: "${file:%s}", scopes: [openid, notes]}
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(issuer, server.jwksUrl("corporate"), more, CLIENT, secret()), folder);
    }

    private Path secret() {
        try {
            return Files.writeString(folder.resolve("secret"), "very secret");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void teams(String... names) throws IOException {
        StringBuilder text = new StringBuilder("teams:\n");
        for (String name : names) {
            text.append("  ").append(name).append(":\n    grants: [\"vectordb:*\"]\n");
            if (name.equals("red")) {
                text.append("    keys: [{id: r1, sha256: ").append(key.sha256()).append("}]\n");
            }
        }
        ReplacedFile.write(folder.resolve("teams.yaml"), text.toString());
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        gateway.close();
        server.shutdown();
        http.shutdownNow();
        http.close();
    }

    private ConsoleClient browser() {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.add(browser);
        return browser;
    }

    /** The issuer says of the next person that it is {@code subject} in {@code groups}. */
    private void next(String subject, String... groups) {
        server.enqueueCallback(new DefaultOAuth2TokenCallback(
                "corporate",
                subject,
                JOSEObjectType.JWT.getType(),
                List.of(CLIENT),
                Map.of("groups", List.of(groups)),
                3600));
    }

    /** A browser on its way to the issuer, and what the issuer sends back. */
    private record Way(ConsoleClient browser, URI issuer, String back) {
        Map<String, String> asked() {
            return parameters(issuer);
        }
    }

    private Way go(String page) {
        ConsoleClient browser = browser();
        HttpReply sent = browser.get("api/v1/openid?back=" + URLEncoder.encode(page, StandardCharsets.UTF_8));
        assertEquals(302, sent.status(), sent::body);
        browser.with("Cookie", sent.header("Set-Cookie").split(";", 2)[0]);
        URI issuer = URI.create(sent.header("Location"));
        return new Way(browser, issuer, answer(issuer));
    }

    /** Where the issuer sends a browser that comes to {@code url}: path and query of the console. */
    private String answer(URI url) {
        try {
            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(302, answer.statusCode(), answer::body);
            URI back = URI.create(answer.headers().firstValue("Location").orElseThrow());
            return back.getRawPath().substring(1) + "?" + back.getRawQuery();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> parameters(URI url) {
        Map<String, String> found = new TreeMap<>();
        for (String pair : url.getRawQuery().split("&")) {
            String[] parts = pair.split("=", 2);
            found.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    /** Comes back from the issuer, from another site; with the session that this opens, if it opens one. */
    private HttpReply back(Way way, String answer) {
        HttpReply reply = way.browser().with("Sec-Fetch-Site", "cross-site").get(answer);
        way.browser().with("Sec-Fetch-Site", "same-origin");
        reply.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.split(";", 2)[0])
                .filter(cookie -> !cookie.contains("openid"))
                .forEach(cookie -> way.browser().with("Cookie", cookie));
        return reply;
    }

    private HttpReply signIn(String page) {
        Way way = go(page);
        return back(way, way.back());
    }

    @Test
    void aPersonSignsInAtTheIssuerAndComesBackToThePage() {
        next("ada", "red");
        Way way = go("search?q=%E7%81%AF&s=a%3Ab");
        assertEquals(CLIENT, way.asked().get("client_id"));
        assertEquals("code", way.asked().get("response_type"));
        assertEquals("openid notes", way.asked().get("scope"));
        assertEquals("S256", way.asked().get("code_challenge_method"));
        assertEquals(43, way.asked().get("code_challenge").length());
        HttpReply back = back(way, way.back());
        assertEquals(302, back.status(), back::body);
        assertEquals("search?q=%E7%81%AF&s=a%3Ab", back.header("Location"));
        List<String> cookies = back.headers().allValues("Set-Cookie");
        assertTrue(
                cookies.stream().anyMatch(cookie -> cookie.contains("SameSite=Strict") && cookie.contains("HTTPOnly")),
                cookies::toString);
        assertTrue(
                cookies.stream().anyMatch(cookie -> cookie.contains("openid") && cookie.contains("Max-Age=0")),
                cookies::toString);

        JsonNode session = way.browser().get(SESSION).json();
        assertEquals("red", session.path("team").asText());
        assertEquals("jwt:corporate:ada", session.path("key").asText());
        assertFalse(session.path("operator").asBoolean());
        McpTestClient client = way.browser().mcp("");
        open.add(client);
        assertFalse(client.call("list_libraries", Json.object()).isError());
        assertEquals(204, way.browser().send("DELETE", SESSION, "").status());
        assertEquals(401, way.browser().get(SESSION).status());
    }

    @Test
    @AsksForErrors("OAuth2HttpRequestHandler - received exception")
    void theIssuerGetsTheVerifierOfTheChallengeThatItWasSent() throws IOException {
        next("ada", "red");
        Way way = go("search");
        assertFalse(way.issuer().toString().contains("secret"), way.issuer()::toString);
        String[] cookie = way.browser().header("Cookie").split("=", 2);
        ObjectNode kept = (ObjectNode) Json.parse(Base64.getUrlDecoder().decode(cookie[1]));
        assertFalse(way.issuer().toString().contains(kept.path("verifier").asText()));
        kept.put("verifier", "x".repeat(64));
        way.browser()
                .with(
                        "Cookie",
                        cookie[0] + "="
                                + Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(kept)));
        assertEquals("search?sign_in=issuer_refused", back(way, way.back()).header("Location"));
        assertEquals(401, way.browser().get(SESSION).status());
    }

    @Test
    void whoIsNotSignedInLearnsBothWays() {
        JsonNode asked = browser().get(SESSION).json();
        assertEquals("[\"key\",\"openid\"]", asked.path("sign_in").toString());
        assertEquals("corporate", asked.path("issuer").asText());
        assertEquals(200, browser().signIn(key.text()).status());
    }

    @Test
    void theCookieOfTheWayIsShortLivedAndNoPageReadsIt() {
        HttpReply sent = browser().get("api/v1/openid?back=search");
        String cookie = sent.header("Set-Cookie");
        for (String attribute : List.of("HTTPOnly", "SameSite=Lax", "Max-Age=600", "Path=/")) {
            assertTrue(cookie.contains(attribute), cookie);
        }
        String other = browser().get("api/v1/openid?back=search").header("Set-Cookie");
        assertNotEquals(cookie.split(";", 2)[0], other.split(";", 2)[0]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/",
                "//evil.example",
                "/\\evil.example",
                "javascript:alert(1)",
                "nothing",
                "search/../../x",
                "sources\r\nSet-Cookie: a=b",
                ""
            })
    void oneComesBackToPagesOfTheConsoleOnly(String page) {
        next("ada", "red");
        assertEquals("search", signIn(page).header("Location"));
    }

    @Test
    void anAnswerIsOfUseToTheBrowserThatAskedOnly() {
        next("ada", "red");
        Way way = go("search");
        Way other = go("search");
        assertEquals("search?sign_in=other_browser", back(other, way.back()).header("Location"));
        assertEquals("search?sign_in=other_browser", browser().get(way.back()).header("Location"));
        assertEquals(401, other.browser().get(SESSION).status());
        assertEquals("search", back(way, way.back()).header("Location"));
        assertEquals(200, way.browser().get(SESSION).status());
    }

    /** As if an attacker had put its own code into the answer to somebody else. */
    @Test
    @AsksForErrors("OAuth2HttpRequestHandler - received exception")
    void theCodeOfAnotherRequestIsRefused() {
        Way way = go("search");
        Way attacker = go("search");
        String state = parameters(URI.create("http://x/" + way.back())).get("state");
        String code = parameters(URI.create("http://x/" + attacker.back())).get("code");
        next("mallory", "red");
        HttpReply back = back(way, "openid?state=" + state + "&code=" + code);
        assertTrue(back.header("Location").startsWith("search?sign_in="), back.header("Location"));
        assertEquals(401, way.browser().get(SESSION).status());
    }

    @Test
    void whatTheIssuerRefusesIsSaid() {
        for (String error : List.of("access_denied%0Aforged", "%F0%9F%98%80", "a".repeat(500))) {
            Way way = go("search");
            String state = parameters(URI.create("http://x/" + way.back())).get("state");
            HttpReply back = back(way, "openid?error=" + error + "&state=" + state);
            assertEquals("search?sign_in=issuer_refused", back.header("Location"));
        }
    }

    @ParameterizedTest
    @CsvSource({"green", "''"})
    void whoBelongsToNoTeamIsNotSignedIn(String group) {
        next("ada", group);
        assertEquals("search?sign_in=token_team", signIn("search").header("Location"));
    }

    @Test
    void whoBelongsToTwoTeamsIsNotSignedIn() {
        next("ada", "red", "blue");
        assertEquals("search?sign_in=token_team", signIn("search").header("Location"));
    }

    @Test
    void aSessionEndsWithItsTeamAndHasTheRightsThatTheTeamHasNow() throws IOException {
        next("ada", "blue");
        Way way = go("search");
        back(way, way.back());
        assertEquals("blue", way.browser().get(SESSION).json().path("team").asText());
        teams("green", "red");
        Eventually.that(() -> way.browser().get(SESSION).status() == 401, () -> "the session ends with the team");
    }

    @Test
    void scopesThatTheIssuerGrantsLimitWhatOneMayDo() {
        gateway.close();
        gateway = gateway("scopes: {notes: [\"vectordb:read\"]}");
        next("ada", "red");
        Way way = go("search");
        back(way, way.back());
        McpTestClient client = way.browser().mcp("");
        open.add(client);
        List<String> tools = client.request("tools/list", Json.object())
                .json()
                .path("result")
                .path("tools")
                .findValuesAsText("name");
        assertTrue(tools.contains("list_libraries"), tools::toString);
        assertFalse(tools.contains("ingest_text"), tools::toString);
    }

    @Test
    @AsksForErrors("ConnectionBase - ")
    void anIssuerThatIsDownIsSaidAndKeysStillDo() {
        server.shutdown();
        assertEquals(
                "search?sign_in=issuer_unavailable",
                browser().get("api/v1/openid?back=search").header("Location"));
        assertEquals(200, browser().signIn(key.text()).status());
    }

    @Test
    void aSignInEndsTheSessionBefore() {
        ConsoleClient browser = browser();
        assertEquals(200, browser.signIn(key.text()).status());
        assertEquals(200, browser.get(SESSION).status());
        assertEquals(302, browser.get("api/v1/openid?back=search").status());
        assertEquals(401, browser.get(SESSION).status());
    }

    @Test
    void noOtherSiteStartsASignIn() {
        ConsoleClient browser = browser().with("Sec-Fetch-Site", "cross-site");
        assertEquals(403, browser.get("api/v1/openid?back=search").status());
    }
}
