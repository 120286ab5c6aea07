package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TeamDirectoryTest {
    private final ApiKey key = ApiKey.generate(new SecureRandom());

    @Test
    void aKeyShowsOnlyItsId() {
        assertTrue(key.text().startsWith("sb_" + key.id() + "_"));
        assertFalse(key.toString().contains(key.text().substring(10)));
        assertEquals(64, key.sha256().length());
    }

    @Test
    void findsTheTeamOfAKey() {
        TeamDirectory directory = new TeamDirectory(List.of(team("a", key("k1", key.sha256())), team("b")));
        assertEquals("a", directory.memberWith(key.text()).orElseThrow().team().name());
        assertTrue(directory.memberWith(key.sha256()).isEmpty());
        assertTrue(directory.memberWith("").isEmpty());
        assertTrue(directory.memberWith(key.text() + " ").isEmpty());
    }

    @Test
    void refusesWhatIsThereTwice() {
        String digest = key.sha256();
        List<Team> teams = List.of(team("a", key("k", digest)), team("a", key("k", digest)));
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> new TeamDirectory(teams));
        assertEquals("there twice: team a, key id k, the sha256 of key k", refusal.getMessage());
    }

    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final TokenGrant TOKEN =
            new TokenGrant(Set.of("docs.read"), NOW.plusSeconds(60), URI.create("https://gw.example/meta"));

    @Test
    void aPrincipalStandsWhileItsTeamAndItsKeyDo() {
        Team.TeamKey valid = new Team.TeamKey("k", key.sha256(), NOW.plusMillis(1));
        TeamDirectory directory = new TeamDirectory(List.of(team("a", valid)));
        Principal principal = directory.principal("a", "k", NOW).orElseThrow();
        assertEquals(key.sha256(), principal.proof());
        assertTrue(directory.isCurrent(principal, NOW));
        assertTrue(directory.knows(principal.identity(), NOW));
        assertFalse(directory.isCurrent(principal, NOW.plusMillis(1)), "its key has expired");
        assertFalse(directory.knows(principal.identity(), NOW.plusMillis(1)));
        assertFalse(TeamDirectory.EMPTY.isCurrent(principal, NOW));
        assertFalse(TeamDirectory.EMPTY.knows(principal.identity(), NOW));
        assertEquals(Optional.empty(), directory.principal("a", "k2", NOW));
        assertEquals(Optional.empty(), directory.principal("b", "k", NOW));

        TeamDirectory replaced = new TeamDirectory(
                List.of(team("a", key("k", ApiKey.generate(new SecureRandom()).sha256()))));
        assertFalse(replaced.knows(principal.identity(), NOW), "another key of that name");
        TeamDirectory otherRights = new TeamDirectory(List.of(
                new Team("a", List.of(valid), List.of(Grant.parse("docs:read")), Map.of(), null, TeamLimits.NONE)));
        assertTrue(otherRights.knows(principal.identity(), NOW));
        assertFalse(otherRights.isCurrent(principal, NOW));
    }

    @Test
    void aBearerOfATokenStandsUntilTheTokenExpires() {
        TeamDirectory directory = new TeamDirectory(List.of(team("a")));
        String id = TeamDirectory.tokenId("idp", "ada");
        assertEquals("jwt:idp:ada", id);
        Principal bearer = directory.principal("a", id, NOW).orElseThrow().by(TOKEN);
        assertTrue(directory.isCurrent(bearer, NOW));
        assertTrue(directory.isCurrent(bearer, NOW.plusSeconds(60).minusMillis(1)));
        assertFalse(directory.isCurrent(bearer, NOW.plusSeconds(60)));
        assertTrue(directory.knows(bearer.identity(), NOW.plusSeconds(60)), "a new token makes it whole");
        assertFalse(TeamDirectory.EMPTY.isCurrent(bearer, NOW));
    }

    @Test
    void whoHasNoKeyIsAnonymousWhichNoKeyMayBeCalled() {
        TeamDirectory directory = new TeamDirectory(List.of(team("a")));
        assertTrue(
                directory.isCurrent(directory.principal("a", "anonymous", NOW).orElseThrow(), NOW));
        List<Team> teams = List.of(team("a", key("anonymous", key.sha256())));
        assertEquals(
                "the key id anonymous is reserved for callers without a key",
                assertThrows(IllegalArgumentException.class, () -> new TeamDirectory(teams))
                        .getMessage());
    }

    @Test
    void teamsAreListedByName() {
        assertEquals(
                List.of("a", "b", "c"),
                new TeamDirectory(List.of(team("b"), team("c"), team("a")))
                        .teams().stream().map(Team::name).toList());
    }

    private static Team team(String name, Team.TeamKey... keys) {
        return new Team(name, List.of(keys), List.of(), Map.of(), null, TeamLimits.NONE);
    }

    private static Team.TeamKey key(String id, String sha256) {
        return new Team.TeamKey(id, sha256, null);
    }
}
