package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.Principal;
import switchboard.auth.Team;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;

class LiveTeamsTest {
    private static final String DIGEST = "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    @Test
    void readsWhatATeamMayDo() throws IOException {
        LiveTeams teams = teams("""
                teams:
                  a:
                    keys: [{id: k, sha256: %s, expires: 2027-01-01}]
                    grants: ["vectordb:read:x*"]
                    bindings: {vectordb: {owner: me}}
                    views: [default, mine]
                    limits: {callsPerSecond: 2, resultSize: 64KiB}
                """.formatted(DIGEST));
        teams.reload();
        Team team = teams.current().team("a").orElseThrow();
        assertEquals(2, team.limits().callsPerSecond());
        assertEquals(65536, team.limits().resultBytes());
        Principal principal = teams.current()
                .principal("a", "k", Instant.parse("2026-12-31T23:59:59Z"))
                .orElseThrow();
        assertEquals(Map.of("vectordb", Map.of("owner", "me")), principal.bindings());
        assertEquals(Set.of("", "mine"), principal.views());
        assertTrue(teams.current()
                .principal("a", "k", Instant.parse("2027-01-01T00:00:00Z"))
                .isEmpty());
    }

    @Test
    void claimsOfAKeyAreBoundedAndSaySo() throws IOException {
        for (String claims : List.of("{desk: []}", "{desk: [" + "x".repeat(1001) + "]}")) {
            LiveTeams teams = teams("teams: {a: {keys: [{id: k, sha256: " + DIGEST + ", claims: " + claims + "}]}}");
            BootException refusal = assertThrows(BootException.class, teams::reload);
            assertTrue(refusal.getMessage().contains("claims.desk has 1 to 1000 values"), refusal.getMessage());
        }
    }

    @Test
    void bindingsThatWouldDoNothingAreRefused() throws IOException {
        LiveTeams teams = teams("teams: {a: {bindings: {wiki: {user: ann}}}}");
        BootException refusal = assertThrows(BootException.class, teams::reload);
        assertTrue(refusal.getMessage().contains("team a: bindings.wiki: a backend of this type knows no bindings"));
    }

    @Test
    void saysEverythingThatIsWrongAndKeepsWhatWasInForce() throws IOException {
        LiveTeams teams = teams("teams: {a: {}}");
        teams.reload();
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  b:
                    grants: ["vectordb:fly", "nowhere:read", "nonsense"]
                    bindings: {elsewhere: {x: y}}
                    views: [gone]
                """);
        BootException refusal = assertThrows(BootException.class, teams::reload);
        assertEquals(
                List.of(
                        "teams.yaml: team b: grant \"vectordb:fly\": unknown verb \"fly\"; verbs are read search create"
                                + " update delete admin files fetch embed llm",
                        "teams.yaml: team b: grant \"nowhere:read\": there is no backend \"nowhere\"",
                        "teams.yaml: team b: grant \"nonsense\" is not of the form <backend>:<verbs>[:<resource glob>]",
                        "teams.yaml: team b: bindings: there is no backend \"elsewhere\"",
                        "teams.yaml: team b: there is no view \"gone\""),
                refusal.problems());
        assertTrue(teams.current().team("a").isPresent());
    }

    @Test
    void coreIsAViewByItselfButNotInPlaceOfAConfiguredOne() throws IOException {
        LiveTeams teams = teams("teams: {a: {views: [core]}}");
        teams.reload();
        assertEquals(Set.of("core"), teams.current().team("a").orElseThrow().views());
        assertEquals(List.of(), teams.missingViews(Set.of()));
        teams.views(Set.of("core"));
        assertEquals(
                List.of("views: \"core\" is missing, which team a has in teams.yaml"), teams.missingViews(Set.of()));
        assertEquals(List.of(), teams.missingViews(Set.of("core", "other")));
    }

    @Test
    void aFileThatIsNotThereIsAnError() {
        LiveTeams teams = new LiveTeams(config());
        assertThrows(BootException.class, teams::reload);
    }

    private LiveTeams teams(String yaml) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), yaml);
        return new LiveTeams(config());
    }

    private GatewayConfig config() {
        return new ConfigLoader(BackendTypes.shipped().settings(), Map.of())
                .parse("""
                        auth: {mode: keys}
                        backends: {vectordb: {type: vectordb}, wiki: {type: mcp, url: "http://127.0.0.1:1/mcp"}}
                        views: {mine: {backends: [vectordb]}}
                        """, "switchboard.yaml", folder, Overrides.NONE);
    }
}
