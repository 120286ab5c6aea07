package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.CallerToken;
import switchboard.call.CallerTokens;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.config.Secret;
import switchboard.testing.FaultServer;
import switchboard.testing.HandClock;

/** Tokens that are given in exchange for those of callers: what is asked for, how long one is used, and what failures say. */
@ExtendWith(VertxExtension.class)
class CallerExchangeTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final URI RESOURCE = URI.create("https://tools.example/mcp");
    private static final String SECRET = "s3cret-of-the-client";

    private final HandClock clock = new HandClock(START);
    private final Map<String, CallerToken> callers = new HashMap<>();
    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    private static OAuthSettings settings(
            URI server, @Nullable String audience, List<String> issuers, @Nullable URI consent) {
        return new OAuthSettings(
                server.resolve("/token"),
                "gateway",
                Secret.of(SECRET),
                OAuthSettings.CalledAs.CALLER,
                null,
                audience,
                null,
                null,
                issuers,
                consent);
    }

    private OAuthTokens tokens(OAuthSettings settings) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        UpstreamSettings quick = new UpstreamSettings(
                new UpstreamSettings.Timeouts(Duration.ofSeconds(2), Duration.ofMillis(700), Duration.ofMillis(700)),
                usual.pool(),
                usual.maxResponseSize(),
                0,
                usual.breaker(),
                usual.tls(),
                null);
        return new OAuthTokens(
                "tools",
                settings,
                RESOURCE,
                quick,
                new UpstreamServices(vertx, new SimpleMeterRegistry(), clock, Tracing.OFF),
                id -> Optional.ofNullable(callers.get(id)));
    }

    private OAuthTokens tokens(URI server) {
        return tokens(settings(server, null, List.of(), null));
    }

    /** A token of the issuer at {@code server} that is good for an hour. */
    private static CallerToken token(String text, URI server) {
        return new CallerToken(text, server + "/realm", START.plus(Duration.ofHours(1)));
    }

    private static FaultServer.Behaviour given(String text, long seconds) {
        return FaultServer.json("{\"access_token\":\"" + text + "\",\"token_type\":\"bearer\",\"expires_in\":" + seconds
                + ",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:access_token\"}");
    }

    private static String header(Authorization authorization) throws Exception {
        return authorization.headers().await(20, TimeUnit.SECONDS).get("Authorization");
    }

    private static ToolReply.Failed failure(Authorization authorization) {
        return assertThrows(ToolException.class, () -> header(authorization)).failed();
    }

    @Test
    void theCallersTokenIsTheSubjectOfAnExchangeForOneAudience() throws Exception {
        try (FaultServer server = new FaultServer(given("one", 300))) {
            OAuthTokens byAudience = tokens(settings(server.url(), "tools", List.of(), null));
            assertEquals("Bearer one", header(byAudience.of(token("a.b&c", server.url()))));
            assertEquals("Bearer one", header(tokens(server.url()).of(token("a.b&c", server.url()))));
            String subject =
                    "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=a.b%26c"
                            + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
                            + "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token";
            assertEquals(
                    List.of(subject + "&audience=tools", subject + "&resource=https%3A%2F%2Ftools.example%2Fmcp"),
                    server.bodies());
        }
    }

    @Test
    void manyCallsOfACallerShareOneExchangeAndCallersShareNone() throws Exception {
        try (FaultServer server = new FaultServer(given("one", 300), given("two", 300))) {
            OAuthTokens tokens = tokens(server.url());
            List<Future<Map<String, String>>> asked = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                asked.add(tokens.of(token("ada", server.url())).headers());
            }
            for (Future<Map<String, String>> each : asked) {
                assertEquals(Map.of("Authorization", "Bearer one"), each.await(20, TimeUnit.SECONDS));
            }
            assertEquals(1, server.requests().size());
            assertEquals("Bearer two", header(tokens.of(token("bob", server.url()))));
            assertEquals("Bearer one", header(tokens.of(token("ada", server.url()))));
            assertEquals(2, server.requests().size());
        }
    }

    @ParameterizedTest
    @CsvSource({"90,60", "300,270", "60,30", "40,20", "99999999,3600"})
    void aTokenIsUsedUntilShortlyBeforeItsEndAndNotLongerThanTheCallersOwn(long valid, long used) throws Exception {
        try (FaultServer server = new FaultServer(given("one", valid), given("two", valid))) {
            OAuthTokens tokens = tokens(server.url());
            CallerToken ada = token("ada", server.url());
            assertEquals("Bearer one", header(tokens.of(ada)));
            clock.forward(Duration.ofSeconds(used).minusMillis(1));
            assertEquals("Bearer one", header(tokens.of(ada)));
            clock.forward(Duration.ofMillis(1));
            assertEquals("Bearer two", header(tokens.of(ada)));
        }
    }

    @Test
    void aRefusedTokenIsNotUsedAgainAndANewerOneStays() throws Exception {
        try (FaultServer server = new FaultServer(given("one", 300), given("two", 300), given("three", 300))) {
            Authorization ada = tokens(server.url()).of(token("ada", server.url()));
            Map<String, String> first = ada.headers().await(20, TimeUnit.SECONDS);
            assertTrue(ada.refused(first));
            assertEquals("Bearer two", header(ada));
            assertTrue(ada.refused(first));
            assertEquals("Bearer two", header(ada), "another call has it already");
        }
    }

    @Test
    void theCallersOwnTokenIsNeverUsedEvenIfTheServerGivesItBack() {
        try (FaultServer server = new FaultServer(given("ada", 300))) {
            ToolReply.Failed failed = failure(tokens(server.url()).of(token("ada", server.url())));
            assertEquals(FailureKind.DENIED_UPSTREAM, failed.kind());
            assertTrue(failed.message().contains("gave back"), failed::message);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400,invalid_grant,DENIED,Sign in again",
        "400,invalid_request,DENIED,Sign in again",
        "403,access_denied,DENIED,Ask for access",
        "400,invalid_target,DENIED,oauth.audience",
        "401,invalid_client,DENIED_UPSTREAM,operator",
        "400,unauthorized_client,DENIED_UPSTREAM,operator",
        "400,consent_required,DENIED,oauth.consentUrl",
        "400,interaction_required,DENIED,oauth.consentUrl",
        "400,something-else,DENIED_UPSTREAM,operator",
        "200,invalid_grant,DENIED,Sign in again",
        "500,consent_required,UNAVAILABLE,in a moment",
        "429,consent_required,UNAVAILABLE,in a moment"
    })
    void aRefusalSaysWhatToDoAndNoneOfTheServersWords(int status, String error, FailureKind kind, String words) {
        String canary = "canary-words";
        try (FaultServer server = new FaultServer(FaultServer.reply(
                status,
                "application/json",
                "{\"error\":\"" + error + "\",\"error_description\":\"" + canary + " ada " + SECRET + "\"}"))) {
            ToolReply.Failed failed = failure(tokens(server.url()).of(token("ada-token-text", server.url())));
            assertEquals(kind, failed.kind(), failed::message);
            assertTrue(failed.message().contains(words), failed::message);
            for (String secret : List.of(canary, SECRET, "ada-token-text")) {
                assertFalse(failed.toString().contains(secret), failed::toString);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://as.example/consent?x=1,true",
        "http://127.0.0.1:9/consent,true",
        "http://as.example/consent,false",
        "javascript:alert(1),false",
        "https://ada:pw@as.example/,false",
        "https://as.example/?t=ada-token-text,false",
        "/consent,false",
        "'https://as.example/ x',false",
        "'',false"
    })
    void aPersonIsSentOnlyToAPageThatIsSafe(String page, boolean sent) {
        String answer = "{\"error\":\"consent_required\",\"error_uri\":\"" + page + "\"}";
        try (FaultServer server = new FaultServer(FaultServer.reply(400, "application/json", answer))) {
            ToolReply.Failed failed = failure(tokens(server.url()).of(token("ada-token-text", server.url())));
            assertEquals(TokenErrors.CONSENT_REQUIRED, failed.code());
            assertEquals(
                    sent ? page : null,
                    failed.details() == null
                            ? null
                            : failed.details().path("url").asText());
            assertEquals(sent, !page.isEmpty() && failed.message().contains(page), failed::message);

            URI configured = URI.create("https://portal.example/agree");
            OAuthTokens preferring = tokens(settings(server.url(), null, List.of(), configured));
            String told = failure(preferring.of(token("ada", server.url()))).message();
            assertTrue(told.contains("Open " + configured + ","), told);
        }
    }

    @Test
    void aLongAddressOfAPageIsNotShown() {
        String page = "https://as.example/" + "x".repeat(2_030);
        try (FaultServer server = new FaultServer(FaultServer.reply(
                400, "application/json", "{\"error\":\"consent_required\",\"error_uri\":\"" + page + "\"}"))) {
            assertEquals(
                    null,
                    failure(tokens(server.url()).of(token("ada", server.url()))).details());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"access_token\":7}",
                "{\"access_token\":\"\"}",
                "{\"access_token\":\"a\\r\\nX-Evil: b\"}",
                "{\"access_token\":\"\\u00fc\"}",
                "{\"access_token\":\"x\",\"token_type\":\"DPoP\"}",
                "{\"access_token\":\"x\",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:refresh_token\"}",
                "[]",
                "\"x\"",
                "{",
                ""
            })
    void garbageIsNoToken(String body) throws Exception {
        try (FaultServer server = new FaultServer(FaultServer.json(body), given("one", 300))) {
            Authorization ada = tokens(server.url()).of(token("ada", server.url()));
            assertEquals(FailureKind.DENIED_UPSTREAM, failure(ada).kind());
            assertEquals("Bearer one", header(ada), "a failure is not kept");
        }
    }

    @Test
    void aTokenThatNoHeaderCanCarryIsNone() {
        try (FaultServer server = new FaultServer(given("x".repeat(16_385), 300))) {
            assertEquals(
                    FailureKind.DENIED_UPSTREAM,
                    failure(tokens(server.url()).of(token("ada", server.url()))).kind());
        }
    }

    @Test
    void aServerThatIsDownSlowOrBrokenIsWaitedForBrieflyAndTriedAgain() throws Exception {
        try (FaultServer server = new FaultServer(
                FaultServer.silentAfter(""),
                FaultServer.endless(),
                FaultServer.reset(),
                FaultServer.closingAfter("no HTTP at all"),
                FaultServer.reply(500, "text/html", "<h1>canary</h1>"),
                given("one", 300))) {
            Authorization ada = tokens(server.url()).of(token("ada", server.url()));
            for (int i = 0; i < 5; i++) {
                ToolReply.Failed failed = failure(ada);
                assertEquals(FailureKind.UNAVAILABLE, failed.kind(), failed::message);
                assertTrue(failed.message().contains("authorization server"), failed::message);
                assertFalse(failed.message().contains("canary"), failed::message);
            }
            assertEquals("Bearer one", header(ada));
        }
    }

    @ParameterizedTest
    @CsvSource({"-5", "9223372036854775807", "99999999999999999999999"})
    void anOddLifeBreaksNothing(String seconds) throws Exception {
        try (FaultServer server =
                new FaultServer(FaultServer.json("{\"access_token\":\"one\",\"expires_in\":" + seconds + "}"))) {
            assertEquals("Bearer one", header(tokens(server.url()).of(token("ada", server.url()))));
        }
    }

    @Test
    void aFailureIsNotKept() throws Exception {
        URI closed;
        try (FaultServer server = new FaultServer(FaultServer.reset())) {
            closed = server.url();
        }
        OAuthTokens tokens = tokens(closed);
        for (int i = 0; i < 50; i++) {
            Authorization caller = tokens.of(token("caller-" + i, closed));
            assertThrows(ToolException.class, () -> header(caller));
        }
        assertEquals(0, tokens.kept());
    }

    private static String denied(OAuthTokens tokens, String call) {
        ToolException denied = assertThrows(ToolException.class, () -> tokens.of(call));
        assertEquals(FailureKind.DENIED, denied.failed().kind());
        return denied.failed().message();
    }

    @Test
    void onlyTokensOfTheIssuerItselfAreSentToItUnlessOthersAreNamed() throws Exception {
        try (FaultServer server = new FaultServer(given("one", 300))) {
            URI here = server.url();
            callers.put("own", token("ada", here));
            callers.put("other", token("eve", URI.create("https://other.example")));
            callers.put("port", token("eve", URI.create("http://127.0.0.1:1")));
            callers.put("odd", new CallerToken("eve", "an issuer", START.plusSeconds(60)));
            OAuthTokens usual = tokens(here);
            assertEquals("Bearer one", header(usual.of("own")));
            for (String call : List.of("other", "port", "odd")) {
                assertTrue(denied(usual, call).contains("oauth.issuers"), call);
            }
            assertTrue(denied(usual, "nobody").contains("sign in with OAuth"));
            OAuthTokens named = tokens(settings(here, null, List.of("https://other.example/realm"), null));
            assertEquals("Bearer one", header(named.of("other")));
            assertTrue(denied(named, "own").contains("oauth.issuers"));
        }
    }

    @Test
    void settingsThatCanNotWorkOrAreNotSafeAreRefused() {
        URI safe = URI.create("https://as.example");
        UpstreamSettings usual = UpstreamSettings.defaults();
        UpstreamSettings trusting = new UpstreamSettings(
                usual.timeouts(),
                usual.pool(),
                usual.maxResponseSize(),
                0,
                usual.breaker(),
                new UpstreamSettings.Tls(null, null, null, true),
                null);
        IllegalArgumentException insecure = assertThrows(
                IllegalArgumentException.class,
                () -> new OAuthTokens(
                        "tools",
                        settings(safe, null, List.of(), null),
                        RESOURCE,
                        trusting,
                        new UpstreamServices(vertx, new SimpleMeterRegistry(), clock, Tracing.OFF),
                        _ -> Optional.empty()));
        assertTrue(String.valueOf(insecure.getMessage()).contains("insecure"), insecure::toString);
        assertThrows(
                IllegalArgumentException.class, () -> settings(URI.create("http://as.example"), null, List.of(), null));
        assertThrows(
                IllegalArgumentException.class,
                () -> settings(safe, null, List.of(), URI.create("http://as.example/consent")));
        assertThrows(
                IllegalArgumentException.class,
                () -> new OAuthTokens(
                        "tools",
                        settings(safe, null, List.of(), null),
                        RESOURCE,
                        UpstreamSettings.defaults(),
                        new UpstreamServices(vertx, new SimpleMeterRegistry(), clock, Tracing.OFF),
                        CallerTokens.NONE));
        for (OAuthSettings.CalledAs as : OAuthSettings.CalledAs.values()) {
            boolean caller = as == OAuthSettings.CalledAs.CALLER;
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new OAuthSettings(
                            safe,
                            "id",
                            Secret.of(SECRET),
                            as,
                            null,
                            null,
                            null,
                            caller ? Secret.of("fixed") : null,
                            caller ? List.of() : List.of("x"),
                            null));
        }
    }

    @Test
    void aTokenIsNotShownByAnyText() {
        CallerToken token = token("ada-token-text", RESOURCE);
        assertFalse((token + " " + List.of(token)).contains("ada"));
        assertEquals(token, token("ada-token-text", RESOURCE));
        assertFalse(token.equals(token("ada-token-tex", RESOURCE)));
        assertFalse(
                new TokenEndpoint.AccessToken("secret-text", START).toString().contains("secret"));
    }
}
