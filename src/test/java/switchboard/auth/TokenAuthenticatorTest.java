package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.CallerToken;
import switchboard.call.Claim;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.testing.HandClock;
import switchboard.testing.TestIssuer;

/** Which access tokens are accepted, as whom, and what is said of the others. */
@ExtendWith(VertxExtension.class)
class TokenAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final RSAKey KEY = TestIssuer.rsa("first");
    private static final RSAKey OTHER = TestIssuer.rsa("first");
    private static final String ISS = "https://idp.example";
    private static final List<Grant> GRANTS = List.of(Grant.parse("docs:read"));

    private final HandClock clock = new HandClock(NOW);
    private BlockingExecutor executor;
    private TokenAuthenticator tokens;
    private boolean down;

    @BeforeEach
    void open(Vertx vertx) {
        executor = new BlockingExecutor(vertx, new SimpleMeterRegistry(), "keys", 1, 10, TeamShare.ALL);
        IssuerKeys keys = new IssuerKeys(
                vertx,
                "idp",
                this::read,
                new IssuerKeys.Trust(Set.of("RS256", "PS256"), Duration.ofMinutes(10), Duration.ofHours(1)),
                executor,
                clock);
        TokenIssuer issuer = new TokenIssuer(
                "idp",
                ISS,
                keys,
                Set.of("urn:legacy"),
                new TokenIssuer.Membership.ByClaim("group", Map.of()),
                "scope",
                Set.of("email"));
        TeamDirectory teams = new TeamDirectory(List.of(team("red"), team("blue")));
        tokens = new TokenAuthenticator(
                () -> teams,
                new ProtectedResource(
                        PublicUrl.of(URI.create("https://gw.example/mcp")), List.of(ISS), List.of("docs.read")),
                List.of(issuer),
                new TokenAuthenticator.Rules(Set.of("RS256"), Duration.ofSeconds(60), ScopeRules.NONE, true),
                new DpopProofs(vertx, clock, Duration.ofSeconds(60)),
                clock);
    }

    @AfterEach
    void close() {
        executor.close().await();
    }

    private static Team team(String name) {
        return new Team(
                name, List.of(), GRANTS, Map.of("docs", Map.of("tenant", name)), Set.of("", "v"), TeamLimits.NONE);
    }

    private byte[] read() throws IOException {
        if (down) {
            throw new IOException("the issuer is down");
        }
        return new JWKSet(KEY).toPublicJWKSet().toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> claims() {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", ISS);
        claims.put("aud", "https://gw.example/mcp");
        claims.put("sub", "ada");
        claims.put("group", "red");
        claims.put("iat", NOW.getEpochSecond());
        claims.put("exp", NOW.plusSeconds(300).getEpochSecond());
        return claims;
    }

    private static Map<String, Object> idClaims() {
        Map<String, Object> claims = claims();
        claims.put("aud", "console");
        claims.put("nonce", "n1");
        claims.put("email", "ada@example.com");
        claims.put("at_hash", "hash of an access token");
        return claims;
    }

    private AuthOutcome person(Map<String, Object> claims) {
        return person(TestIssuer.sign(claims, KEY, "first"));
    }

    private AuthOutcome person(String token) {
        return tokens.person(
                        token, new ExpectedIdToken("idp", "console", "n1", Set.of("openid"), NOW.plusSeconds(28_800)))
                .await();
    }

    @Test
    void anIdTokenNamesAPersonWithTheGrantedScopesUntilTheSessionEnds() {
        Principal ada = assertInstanceOf(AuthOutcome.Authenticated.class, person(idClaims()))
                .principal();
        assertEquals("red", ada.team());
        assertEquals("jwt:idp:ada", ada.id());
        TokenGrant grant = ada.delegation();
        assertEquals(Set.of("openid"), grant.scopes());
        assertEquals(NOW.plusSeconds(28_800), grant.expires());
        assertEquals(Set.of("email"), grant.claims().keySet());
        assertEquals(Optional.empty(), grant.token(), "an ID token is never sent on");
    }

    @Test
    void anIdTokenIsNotForCalls() {
        AuthOutcome outcome = authenticate(TestIssuer.sign(idClaims(), KEY, "first"), "");
        assertInstanceOf(AuthOutcome.Rejected.class, outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "aud, another, TOKEN_AUDIENCE",
        "aud, https://gw.example/mcp, TOKEN_AUDIENCE",
        "nonce, n2, TOKEN_AUDIENCE",
        "nonce, '', TOKEN_AUDIENCE",
        "azp, another, TOKEN_AUDIENCE",
        "sub, '', TOKEN_AUDIENCE",
        "iss, https://other.example, TOKEN_ISSUER",
        "group, green, TOKEN_TEAM"
    })
    void anIdTokenThatIsNotTheAnswerIsRefused(String claim, String value, AuthFailure failure) {
        Map<String, Object> claims = idClaims();
        claims.put(claim, value);
        assertEquals(
                failure,
                assertInstanceOf(AuthOutcome.Rejected.class, person(claims)).failure());
    }

    @Test
    void anIdTokenForSeveralHasToSayThatItIsForThisClient() {
        Map<String, Object> claims = idClaims();
        claims.put("aud", List.of("console", "another"));
        assertEquals(
                AuthFailure.TOKEN_AUDIENCE,
                assertInstanceOf(AuthOutcome.Rejected.class, person(claims)).failure());
        claims.put("azp", "console");
        assertInstanceOf(AuthOutcome.Authenticated.class, person(claims));
    }

    @Test
    void anIdTokenIsSignedByTheIssuerAndCurrent() {
        Map<String, Object> old = idClaims();
        old.put("exp", NOW.minusSeconds(61).getEpochSecond());
        assertEquals(
                AuthFailure.TOKEN_EXPIRED,
                assertInstanceOf(AuthOutcome.Rejected.class, person(old)).failure());
        String forged = TestIssuer.sign(idClaims(), OTHER, "first");
        assertEquals(
                AuthFailure.TOKEN_SIGNATURE,
                assertInstanceOf(AuthOutcome.Rejected.class, person(forged)).failure());
        assertEquals(
                AuthFailure.TOKEN_MALFORMED,
                assertInstanceOf(AuthOutcome.Rejected.class, person("")).failure());
    }

    private AuthOutcome authenticate(String token, String view) {
        return tokens.authenticate(new ShownToken(TokenScheme.BEARER, token, view, Possession.NONE))
                .await();
    }

    /** The outcome for the usual claims with a change. */
    private AuthOutcome with(Consumer<Map<String, Object>> change) {
        Map<String, Object> claims = claims();
        change.accept(claims);
        return authenticate(TestIssuer.sign(claims, KEY, "first"), "");
    }

    private AuthOutcome claim(String name, Object value) {
        return with(claims -> claims.put(name, value));
    }

    private static Principal accepted(AuthOutcome outcome) {
        return assertInstanceOf(AuthOutcome.Authenticated.class, outcome, outcome.toString())
                .principal();
    }

    private static AuthOutcome.Rejected rejected(AuthFailure failure, String message, AuthOutcome outcome) {
        AuthOutcome.Rejected refused = assertInstanceOf(AuthOutcome.Rejected.class, outcome, outcome.toString());
        assertEquals(failure, refused.failure());
        assertEquals(message, refused.message());
        return refused;
    }

    private static void expired(AuthOutcome outcome) {
        rejected(AuthFailure.TOKEN_EXPIRED, "The access token has expired.", outcome);
    }

    private static void early(AuthOutcome outcome) {
        rejected(AuthFailure.TOKEN_EARLY, "The access token is not valid yet.", outcome);
    }

    @Test
    void aGoodTokenIsItsBearerInItsTeamWithItsScopesAndClaims() {
        Principal principal = accepted(with(claims -> {
            claims.put("scope", "docs.read docs.write");
            claims.put("email", "ada@example.org");
        }));
        assertEquals(
                new Principal(
                        "red",
                        "jwt:idp:ada",
                        GRANTS,
                        Map.of("docs", Map.of("tenant", "red")),
                        Set.of("", "v"),
                        new TokenGrant(
                                Set.of("docs.read", "docs.write"),
                                NOW.plusSeconds(360),
                                URI.create("https://gw.example/.well-known/oauth-protected-resource/mcp"),
                                Map.of("email", Claim.of("ada@example.org")),
                                TokenScheme.BEARER,
                                Objects.requireNonNull(principal.delegation()).token())),
                principal);
        CallerToken shown =
                Objects.requireNonNull(principal.delegation()).token().orElseThrow();
        assertEquals(ISS, shown.issuer());
        assertEquals(NOW.plusSeconds(300), shown.expires());
        assertFalse(principal.toString().contains(shown.reveal()), principal::toString);
    }

    @Test
    void aTokenIsAcceptedUntilAMinuteAfterItsEnd() {
        long end = NOW.plusSeconds(300).getEpochSecond();
        clock.forward(Duration.ofSeconds(360).minusMillis(1));
        accepted(claim("exp", end));
        clock.forward(Duration.ofMillis(1));
        expired(claim("exp", end));
        expired(with(claims -> claims.remove("exp")));
        expired(claim("exp", 100_000_000_000L));
        accepted(claim("exp", 99_999_999_999L));
        expired(claim("exp", -1));
    }

    @Test
    void aTokenIsAcceptedFromAMinuteBeforeItsBeginning() {
        for (String name : List.of("nbf", "iat")) {
            accepted(claim(name, NOW.plusSeconds(60).getEpochSecond()));
            early(claim(name, NOW.plusSeconds(61).getEpochSecond()));
            early(claim(name, 1e12));
            accepted(claim(name, 0));
            accepted(with(claims -> claims.remove(name)));
        }
    }

    @Test
    void aTokenIsForTheGatewayOrTheViewOrAnAudienceOfItsIssuer() {
        for (String audience :
                List.of("https://gw.example", "https://GW.example:443/mcp/", "urn:legacy", "https://gw.example/mcp")) {
            accepted(claim("aud", audience));
            accepted(claim("aud", List.of("https://else.example", audience)));
        }
        for (Object audience : List.of("https://gw.example/mcp/v", "https://else.example", "", List.of(), 7)) {
            AuthOutcome.Rejected refused = rejected(
                    AuthFailure.TOKEN_AUDIENCE,
                    "The access token is for another server; ask for one with resource=https://gw.example/mcp.",
                    claim("aud", audience));
            assertEquals("Get a new access token from the issuer, for this server.", refused.fix());
            assertEquals(
                    Map.of(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"https://gw.example/.well-known/oauth-protected-resource/mcp\","
                                    + " scope=\"docs.read\", error=\"invalid_token\","
                                    + " DPoP algs=\"ES256 ES384 EdDSA PS256 RS256\""),
                    refused.headers());
        }
        Map<String, Object> ofView = claims();
        ofView.put("aud", "https://gw.example/mcp/v");
        String token = TestIssuer.sign(ofView, KEY, "first");
        assertEquals(
                URI.create("https://gw.example/.well-known/oauth-protected-resource/mcp/v"),
                accepted(authenticate(token, "v")).delegation().metadata());
    }

    @Test
    void theBearerIsTheSubjectOrElseTheClient() {
        assertEquals("jwt:idp:ada", accepted(claim("client_id", "app")).id());
        assertEquals(
                "jwt:idp:app",
                accepted(with(claims -> {
                            claims.remove("sub");
                            claims.put("client_id", "app");
                        }))
                        .id());
        assertEquals(
                "jwt:idp:" + "s".repeat(255),
                accepted(claim("sub", "s".repeat(255))).id());
        for (Object subject : List.of("", "s".repeat(256), "a b", "a\nb", "ä", 7)) {
            rejected(AuthFailure.TOKEN_MALFORMED, "The access token names no subject (sub).", claim("sub", subject));
        }
    }

    @Test
    void theBearerBelongsToExactlyOneTeam() {
        assertEquals(
                "blue", accepted(claim("group", List.of("unknown", "blue"))).team());
        AuthOutcome.Rejected none = rejected(
                AuthFailure.TOKEN_TEAM,
                "The access token is valid, but its bearer belongs to no team here.",
                claim("group", "unknown"));
        assertEquals("Ask the operator to assign you to exactly one team.", none.fix());
        assertEquals(Map.of(), none.headers(), "another token does not help");
        rejected(
                AuthFailure.TOKEN_TEAM,
                "The access token is valid, but its bearer belongs to several teams here.",
                claim("group", List.of("red", "blue")));
    }

    @Test
    void onlyTheConfiguredAlgorithmsAndIssuersAndTheirKeysAreTrusted() {
        Map<String, Object> claims = claims();
        rejected(
                AuthFailure.TOKEN_ALGORITHM,
                "The access token is not signed with one of RS256.",
                authenticate(signed(claims, JWSAlgorithm.PS256), ""));
        String unknown = "The issuer of the access token is not trusted here.";
        rejected(AuthFailure.TOKEN_ISSUER, unknown, claim("iss", "https://other.example"));
        rejected(AuthFailure.TOKEN_ISSUER, unknown, claim("iss", ISS + "/"));
        rejected(AuthFailure.TOKEN_ISSUER, unknown, claim("iss", List.of(ISS)));
        rejected(AuthFailure.TOKEN_ISSUER, unknown, with(changed -> changed.remove("iss")));
        rejected(
                AuthFailure.TOKEN_KEY,
                "The access token is signed with a key that its issuer does not have.",
                authenticate(TestIssuer.sign(claims, KEY, "second"), ""));
        rejected(
                AuthFailure.TOKEN_SIGNATURE,
                "The signature of the access token is wrong.",
                authenticate(TestIssuer.sign(claims, OTHER, "first"), ""));
        String good = TestIssuer.sign(claims, KEY, "first");
        String body = new String(Base64.getUrlDecoder().decode(good.split("\\.")[1]), StandardCharsets.UTF_8);
        String changed = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(body.replace("red", "blue").getBytes(StandardCharsets.UTF_8));
        rejected(
                AuthFailure.TOKEN_SIGNATURE,
                "The signature of the access token is wrong.",
                authenticate(good.split("\\.")[0] + "." + changed + "." + good.split("\\.")[2], ""));
    }

    private static String signed(Map<String, Object> claims, JWSAlgorithm algorithm) {
        try (TestIssuer issuer = TestIssuer.start()) {
            return issuer.sign(claims, algorithm);
        }
    }

    @Test
    void withoutTheIssuersKeysNothingIsKnownOfATokenAndLaterItMayBe() {
        down = true;
        AuthOutcome.Rejected unchecked = rejected(
                AuthFailure.TOKEN_UNCHECKED,
                "The access token can't be checked now, because its issuer's keys are not available.",
                with(_ -> {}));
        assertEquals(Map.of("Retry-After", "30"), unchecked.headers());
        assertEquals("Try again later.", unchecked.fix());
    }

    /** Claims whose names mean something to libraries, with whatever an issuer puts there. */
    @Test
    void aClaimThatTheGatewayDoesNotReadIsOfAnyType() {
        for (String name : List.of("permissions", "amr", "roles", "username", "auth_time", "nonce", "rootClaim")) {
            for (Object value : List.of("text", 7, true, List.of(1, "two"), Map.of("a", 1))) {
                assertEquals("jwt:idp:ada", accepted(claim(name, value)).id(), name + "=" + value);
            }
        }
    }

    // ---- the form

    private static String part(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static boolean readable(String header, String claims) {
        return UnverifiedJwt.accessToken(part(header) + "." + part(claims) + ".c2ln")
                .isPresent();
    }

    @Test
    void aTokenIsReadByItsHeaderAndItsClaims() {
        UnverifiedJwt read = UnverifiedJwt.accessToken(
                        part("{'alg':'RS256','kid':'k'}") + "." + part("{'sub':'a'}") + ".c2ln")
                .orElseThrow();
        assertEquals("RS256", read.algorithm());
        assertEquals("k", read.kid());
        assertEquals("a", read.claims().path("sub").asText());
        assertEquals("UnverifiedJwt[RS256]", read.toString());
        assertEquals(
                null,
                UnverifiedJwt.accessToken(part("{'alg':'RS256'}") + "." + part("{}") + ".c2ln")
                        .orElseThrow()
                        .kid());
        for (String type : List.of("JWT", "at+jwt", "application/at+JWT")) {
            assertTrue(readable("{'alg':'RS256','typ':'" + type + "'}", "{'exp':1,'nbf':2.5,'iat':3}"), type);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'alg':'RS256','typ':'id+jwt'}|{}",
                "{'alg':'RS256','crit':['x']}|{}",
                "{'alg':'RS256','b64':false}|{}",
                "{'alg':'RS256','kid':7}|{}",
                "{'alg':7}|{}",
                "{}|{}",
                "['alg']|{}",
                "{'alg':'RS256'}|[]",
                "{'alg':'RS256'}|{",
                "{'alg':'RS256'}|{'exp':'1'}",
                "{'alg':'RS256'}|{'nbf':null}",
                "{'alg':'RS256'}|{'iat':true}"
            })
    void anythingElseIsNoToken(String parts) {
        assertEquals(false, readable(parts.split("\\|")[0], parts.split("\\|")[1]), parts);
    }

    @Test
    void aTokenHasThreePartsAndASignature() {
        String two = part("{'alg':'RS256'}") + "." + part("{}");
        for (String text : List.of(two, two + ".", two + ".c2ln.more", "", "..", ".." + "c2ln", "a.b.c")) {
            assertEquals(true, UnverifiedJwt.accessToken(text).isEmpty(), text);
            rejected(
                    AuthFailure.TOKEN_MALFORMED,
                    "The access token is not a signed JWT of the type at+jwt or JWT.",
                    authenticate(text, ""));
        }
        assertEquals(true, UnverifiedJwt.looksLikeOne(two + "."));
        assertEquals(false, UnverifiedJwt.looksLikeOne(two));
        assertEquals(false, UnverifiedJwt.looksLikeOne("a..c"));
    }
}
