package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private final ApiKey good = ApiKey.generate(new SecureRandom());
    private final ApiKey old = ApiKey.generate(new SecureRandom());
    private final String foreign = "an-existing-key-of-the-team-0123456789abcdef";
    private final TeamDirectory teams = new TeamDirectory(List.of(
            new Team(
                    "a",
                    List.of(
                            new Team.Key("good", good.sha256(), NOW.plusSeconds(1)),
                            new Team.Key("old", old.sha256(), NOW),
                            new Team.Key("foreign", ApiKey.sha256(foreign), null)),
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
        assertEquals("expired", refusal("Bearer " + old.text(), null).reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "Bearer ", "Basic abc", "", "Bearer wrong", "good"})
    void anythingElseIsRefused(String authorization) {
        AuthOutcome.Challenge refusal = refusal(authorization, null);
        assertEquals(401, refusal.status());
        assertEquals("Bearer realm=\"switchboard\", error=\"invalid_token\"", refusal.wwwAuthenticate());
    }

    @Test
    void twoDifferentKeysAreRefused() {
        assertEquals("ambiguous", refusal("Bearer " + good.text(), foreign).reason());
    }

    @Test
    void aWrongKeyIsNotShown() {
        assertFalse(refusal("Bearer topsecret", null).toString().contains("topsecret"));
    }

    @Test
    void withoutAKeyOneIsAskedForOrTheAnonymousTeamActs() {
        assertEquals("missing", refusal(null, null).reason());
        AuthOutcome.Authenticated anonymous =
                assertInstanceOf(AuthOutcome.Authenticated.class, authenticate("public", null, null));
        assertEquals("public", anonymous.principal().team());
        assertInstanceOf(AuthOutcome.Challenge.class, authenticate("public", "Bearer wrong", null));
        assertInstanceOf(AuthOutcome.Challenge.class, authenticate("gone", null, null));
    }

    private String who(@Nullable String authorization, @Nullable String apiKey) {
        Principal principal = assertInstanceOf(
                        AuthOutcome.Authenticated.class, authenticate(null, authorization, apiKey))
                .principal();
        return principal.team() + "/" + principal.id();
    }

    private AuthOutcome.Challenge refusal(@Nullable String authorization, @Nullable String apiKey) {
        return assertInstanceOf(AuthOutcome.Challenge.class, authenticate(null, authorization, apiKey));
    }

    private AuthOutcome authenticate(
            @Nullable String anonymousTeam, @Nullable String authorization, @Nullable String apiKey) {
        return new KeyAuthenticator(() -> teams, anonymousTeam, Clock.fixed(NOW, ZoneOffset.UTC))
                .authenticate(new Credentials(authorization, apiKey))
                .await();
    }
}
