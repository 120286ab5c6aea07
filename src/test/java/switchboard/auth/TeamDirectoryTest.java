package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TeamDirectoryTest {
    private final ApiKey key = ApiKey.generate(new SecureRandom());

    @Test
    void aKeyIsReadBackAndShowsOnlyItsId() {
        assertEquals(key, ApiKey.parse(key.text()).orElseThrow());
        assertTrue(key.text().startsWith("sb_" + key.id() + "_"));
        assertFalse(key.toString().contains(key.text().substring(10)));
        assertEquals(64, key.sha256().length());
        assertTrue(ApiKey.parse(key.text() + "x").isEmpty());
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

    private static Team team(String name, Team.TeamKey... keys) {
        return new Team(name, List.of(keys), List.of(), Map.of(), null, TeamLimits.NONE);
    }

    private static Team.TeamKey key(String id, String sha256) {
        return new Team.TeamKey(id, sha256, null);
    }
}
