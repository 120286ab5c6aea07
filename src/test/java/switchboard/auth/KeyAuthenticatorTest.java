package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
class KeyAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private final ApiKey good = ApiKey.generate(new SecureRandom());
    private final ApiKey old = ApiKey.generate(new SecureRandom());
    private final String foreign = "an-existing-key-of-the-team-0123456789abcdef";
    private final TeamDirectory teams = new TeamDirectory(List.of(
            new Team(
                    "a",
                    List.of(
                            new Team.TeamKey("good", good.sha256(), NOW.plusSeconds(1)),
                            new Team.TeamKey("old", old.sha256(), NOW),
                            new Team.TeamKey("foreign", ApiKey.sha256(foreign), null)),
                    List.of(),
                    Map.of(),
                    null,
                    TeamLimits.NONE),
            new Team("public", List.of(), List.of(), Map.of(), null, TeamLimits.NONE)));

    @Test
    void aKeyIsItsTeamInEitherHeader() {
        assertEquals("a/good", who("Bearer " + good.text(), null));
        assertEquals("a/good", who("bearer  " + good.text() + " ", null));
        assertEquals("a/good", who(null, good.text()));
        assertEquals("a/good", who("Bearer " + good.text(), good.text()));
        assertEquals("a/foreign", who("Bearer " + foreign, null));
    }

    @Test
    void anExpiredKeyIsRefusedFromThatInstantOn() {
        assertEquals("expired", refusal("Bearer " + old.text(), null).failure().word());
    }

    @ParameterizedTest
    @CsvSource({
        "Bearer,''",
        "Basic abc,''",
        "DPoP a.b.c,''",
        "'',''",
        "good,''",
        "Bearer wrong,', error=\"invalid_token\"'"
    })
    void anythingElseIsRefused(String authorization, String error) {
        AuthOutcome.Rejected refusal = refusal(authorization, null);
        assertEquals(401, refusal.failure().status());
        assertEquals(Map.of("WWW-Authenticate", "Bearer realm=\"switchboard\"" + error), refusal.headers());
    }

    @Test
    void twoDifferentKeysAreRefused() {
        assertEquals(
                "ambiguous", refusal("Bearer " + good.text(), foreign).failure().word());
    }

    @Test
    void aWrongKeyIsNotShown() {
        assertFalse(refusal("Bearer topsecret", null).toString().contains("topsecret"));
    }

    @Test
    void withoutAKeyOneIsAskedForOrTheAnonymousTeamActs() {
        assertEquals("missing", refusal(null, null).failure().word());
        AuthOutcome.Authenticated anonymous =
                assertInstanceOf(AuthOutcome.Authenticated.class, authenticate("public", null, null));
        assertEquals("public", anonymous.principal().team());
        assertInstanceOf(AuthOutcome.Rejected.class, authenticate("public", "Bearer wrong", null));
        assertInstanceOf(AuthOutcome.Rejected.class, authenticate("gone", null, null));
    }

    @Test
    void aHeaderThatCameTwiceIsRefusedWhateverIsInIt() {
        AuthOutcome outcome = new KeyAuthenticator(() -> teams, "public", null, Clock.fixed(NOW, ZoneOffset.UTC))
                .authenticate(new Credentials("192.0.2.1", "", "Bearer " + good.text(), null, true))
                .await();
        AuthOutcome.Rejected refused = assertInstanceOf(AuthOutcome.Rejected.class, outcome);
        assertEquals(AuthFailure.AMBIGUOUS, refused.failure());
        assertEquals("Authorization or X-API-Key came more than once.", refused.message());
        assertEquals(
                Map.of("WWW-Authenticate", "Bearer realm=\"switchboard\", error=\"invalid_request\""),
                refused.headers());
        assertEquals(null, refused.owner());
    }

    @Test
    void whatIsRefusedSaysWhyAndWhoseItWas() {
        AuthOutcome.Rejected expired = refusal("Bearer " + old.text(), null);
        assertEquals("The API key has expired.", expired.message());
        assertEquals("Ask the operator for a new key.", expired.fix());
        assertEquals("old", expired.owner().id());
        AuthOutcome.Rejected unknown = refusal(null, "nobody's");
        assertEquals("The API key is not known.", unknown.message());
        assertEquals(null, unknown.owner());
        assertEquals("An API key is needed.", refusal(null, null).message());
        assertEquals("unsupported", refusal("Basic abc", null).failure().word());
        assertEquals(
                "ambiguous",
                refusal("Basic abc", good.text()).failure().word(),
                "a proxy may have checked the other one");
    }

    @Test
    void theKeyOfAnExistingTeamMayLookLikeAToken(Vertx vertx) {
        String likeAToken = "abc.def.ghi";
        TeamDirectory directory = new TeamDirectory(List.of(new Team(
                "a",
                List.of(new Team.TeamKey("k", ApiKey.sha256(likeAToken), null)),
                List.of(),
                Map.of(),
                null,
                TeamLimits.NONE)));
        TokenAuthenticator tokens = new TokenAuthenticator(
                () -> directory,
                new ProtectedResource(
                        PublicUrl.of(java.net.URI.create("https://gw.example")), List.of("https://idp"), List.of()),
                List.of(),
                new TokenAuthenticator.Rules(
                        java.util.Set.of("RS256"), java.time.Duration.ZERO, ScopeRules.NONE, false),
                new DpopProofs(vertx, Clock.fixed(NOW, ZoneOffset.UTC), java.time.Duration.ofSeconds(60)),
                Clock.fixed(NOW, ZoneOffset.UTC));
        KeyAuthenticator both = new KeyAuthenticator(() -> directory, null, tokens, Clock.fixed(NOW, ZoneOffset.UTC));
        assertInstanceOf(
                AuthOutcome.Authenticated.class,
                both.authenticate(new Credentials("192.0.2.1", "", "Bearer " + likeAToken, null))
                        .await());
        for (Map.Entry<String, AuthFailure> other : Map.of(
                        "x.y.z", AuthFailure.TOKEN_MALFORMED, "xyz", AuthFailure.INVALID)
                .entrySet()) {
            AuthOutcome.Rejected refused = assertInstanceOf(
                    AuthOutcome.Rejected.class,
                    both.authenticate(new Credentials("192.0.2.1", "", "Bearer " + other.getKey(), null))
                            .await());
            assertEquals(other.getValue(), refused.failure());
            assertEquals(
                    Map.of(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"https://gw.example/.well-known/oauth-protected-resource/mcp\","
                                    + " error=\"invalid_token\", DPoP algs=\"ES256 ES384 EdDSA PS256 RS256\""),
                    refused.headers());
        }
    }

    private String who(@Nullable String authorization, @Nullable String apiKey) {
        Principal principal = assertInstanceOf(
                        AuthOutcome.Authenticated.class, authenticate(null, authorization, apiKey))
                .principal();
        return principal.team() + "/" + principal.id();
    }

    private AuthOutcome.Rejected refusal(@Nullable String authorization, @Nullable String apiKey) {
        return assertInstanceOf(AuthOutcome.Rejected.class, authenticate(null, authorization, apiKey));
    }

    private AuthOutcome authenticate(
            @Nullable String anonymousTeam, @Nullable String authorization, @Nullable String apiKey) {
        return new KeyAuthenticator(() -> teams, anonymousTeam, null, Clock.fixed(NOW, ZoneOffset.UTC))
                .authenticate(new Credentials("192.0.2.1", "", authorization, apiKey))
                .await();
    }
}
