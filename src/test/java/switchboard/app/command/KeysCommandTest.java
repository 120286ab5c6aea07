package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import switchboard.auth.ApiKey;
import switchboard.config.ConfigLoader;
import switchboard.config.TeamKeyConfig;
import switchboard.config.TeamLimitsConfig;
import switchboard.config.TeamsConfig;

/** Keys are made, listed and revoked, and nothing else in the teams file changes. */
class KeysCommandTest {
    private static final String DIGEST = "0".repeat(64);

    @TempDir
    Path folder;

    private Path config;
    private Path teams;

    record Outcome(int code, String out, String err) {}

    @BeforeEach
    void files() throws IOException {
        config = Files.writeString(
                folder.resolve("switchboard.yaml"), "auth: {mode: keys}\nbackends: {vectordb: {type: vectordb}}\n");
        teams = folder.resolve("teams.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nobody yet\n",
                "teams: {}\n",
                "teams:\n",
                "teams: # later\n",
                "teams:\n  # a comment\n  other: {grants: [\"vectordb:*\"]}\n",
                "teams:\n  research:\n  other: {}\n",
                "teams:\n  research: ~\n",
                "teams:\n  research: {}\n",
                "teams:\n  research: {grants: [\"vectordb:*\"]}\n",
                "teams:\n  research:\n    # what they may\n    grants: [\"vectordb:*\"]\n",
                "teams:\n  research:\n    keys: []\n    grants: []\n",
                "teams:\n  research:\n    keys:\n    grants: []\n",
                "teams:\n  research:\n    keys: [{id: a, sha256: D}]\n",
                "teams:\n  research:\n    keys:\n      - id: a # the first\n        sha256: D\n      # the end\n    grants: []\n",
                "teams:\n  research:\n    keys:\n    - {id: a, sha256: D}\n",
                "teams: {research: {keys: [{id: a, sha256: D}]}, other: {}}",
                "teams: {other: {}}",
                "teams:\n  other:\n    keys:\n      - id: ä\n        sha256: D\n        name: 🔑\n  research:\n    grants: []\n    keys:\n      - id: a\n        sha256: D",
                "\"teams\":\r\n  \"research\":\r\n    grants: []\r\n"
            })
    void aKeyIsAddedAndRevokedAndEverythingElseStaysAsItWas(String written) throws IOException {
        String before = written.replace("D", DIGEST)
                .replace("id: ä", "id: b")
                .replace(DIGEST + "\n        name: 🔑", "1".repeat(64) + "\n        name: 🔑");
        Files.writeString(teams, before);
        TeamsConfig old = parse(before);

        Outcome create = run("create", "--team", "research", "--write", "--expires", "2030-01-31", "--name", "it's me");
        assertEquals(0, create.code(), create::toString);
        ApiKey key = shown(create);
        String with = Files.readString(teams);
        TeamKeyConfig added = new TeamKeyConfig(
                key.id(),
                key.sha256(),
                Instant.parse("2030-01-31T00:00:00Z"),
                "it's me",
                TeamLimitsConfig.NONE,
                Map.of());
        assertTrue(parse(with).teams().get("research").keys().contains(added), with);
        comments(before).forEach(comment -> assertTrue(with.contains(comment), with));
        assertTrue(run("list").out().contains(key.id()));

        Outcome revoke = run("revoke", key.id());
        assertEquals(0, revoke.code(), revoke::toString);
        String without = Files.readString(teams);
        assertFalse(without.contains(key.id()), without);
        comments(before).forEach(comment -> assertTrue(without.contains(comment), without));
        old.teams()
                .forEach((name, team) ->
                        assertEquals(team, parse(without).teams().get(name), without));
    }

    @Test
    void twoKeysAreValidAtOnceAndEachIsRevokedByItself() throws IOException {
        ApiKey first = shown(run("create", "--team", "research", "--write"));
        ApiKey second = shown(run("create", "--team", "research", "--write"));
        assertEquals(
                2, parse(Files.readString(teams)).teams().get("research").keys().size());
        assertEquals(0, run("revoke", first.id()).code());
        assertEquals(
                List.of(second.id()),
                parse(Files.readString(teams)).teams().get("research").keys().stream()
                        .map(TeamKeyConfig::id)
                        .toList());
    }

    @Test
    void withoutWriteTheLinesToAddAreShownAndNothingIsChanged() {
        Outcome create = run("create", "--team", "research");
        assertEquals(0, create.code(), create::toString);
        ApiKey key = shown(create);
        String lines = create.out()
                .substring(create.out().indexOf("\nteams:\n"), create.out().indexOf("\n\nA running"));
        assertEquals(
                key.sha256(),
                parse(lines).teams().get("research").keys().getFirst().sha256());
        assertFalse(Files.exists(teams));
    }

    @Test
    void theFileKeepsItsPermissionsAndALinkStaysALink() throws IOException {
        Path real = Files.writeString(folder.resolve("real.yaml"), "teams: {}\n");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(teams, real);
        shown(run("create", "--team", "research", "--write"));
        assertTrue(Files.isSymbolicLink(teams));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
        assertTrue(Files.readString(real).contains("research"));
    }

    @Test
    void theKeysOfAllTeamsAreListed() throws IOException {
        Files.writeString(teams, """
                teams:
                  zoo: {keys: [{id: z1, sha256: "%s", expires: 2030-01-31, name: Zoe}]}
                  art:
                    keys:
                      - {id: a2, sha256: "%s"}
                      - {id: a1, sha256: "%s", name: "Ä B"}
                  empty: {}
                """.formatted("1".repeat(64), "2".repeat(64), "3".repeat(64)));
        Outcome list = run("list");
        assertEquals(
                List.of(
                        "TEAM                 KEY            EXPIRES                NAME",
                        "art                  a2             never                  ",
                        "art                  a1             never                  Ä B",
                        "zoo                  z1             2030-01-31T00:00:00Z   Zoe"),
                list.out().lines().toList());
        assertEquals(new Outcome(0, list.out(), ""), list);
    }

    @Test
    void whatIsToBeDoneNextIsSaid() throws IOException {
        Outcome first = run("create", "--team", "research", "--write");
        String written =
                "Team research has the key in " + teams + " from now on; a running gateway reads the file by itself.\n";
        String grants = "The team is new: give it grants there; without them it may do nothing.\n";
        assertTrue(first.out().startsWith("The key, shown this once:\n\n  sb_"), first::toString);
        assertTrue(first.out().endsWith("\n\n" + written + grants), first::toString);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(teams)));
        Outcome second = run("create", "--team", "research", "--write");
        assertTrue(second.out().endsWith("\n\n" + written), second::toString);
        ApiKey key = shown(second);
        assertEquals(
                new Outcome(0, "Key " + key.id() + " of team research is revoked.\n", ""), run("revoke", key.id()));
        Outcome lines = run("create", "--team", "research");
        assertTrue(
                lines.out().startsWith("The key, shown this once:")
                        && lines.out().contains("under \"keys\" of team research, or use --write:")
                        && lines.out()
                                .endsWith("To revoke the key: switchboard keys revoke "
                                        + shown(lines).id() + "\n"),
                lines::toString);
        assertFalse(lines.out().contains("expires") || lines.out().contains("name:"), lines::toString);
        for (Outcome outcome : List.of(first, second, lines)) {
            assertEquals("", outcome.err());
        }
    }

    @Test
    void aNoteOfSeveralLinesIsRefusedBeforeThereIsAKey() {
        for (String name : List.of("two\nlines", "tab\t", "\u007f")) {
            Outcome refused = run("create", "--team", "research", "--write", "--name", name);
            assertEquals(2, refused.code(), refused::toString);
            assertEquals("", refused.out());
            assertTrue(refused.err().contains("--name is one line of text."), refused::toString);
            assertFalse(Files.exists(teams));
        }
    }

    @Test
    void whatIsWrongIsSaidAndTheFileStays() throws IOException {
        Files.writeString(teams, "teams: {research: {grants: [nonsense}}");
        assertEquals(2, run("create", "--team", "research", "--write").code());
        assertEquals("teams: {research: {grants: [nonsense}}", Files.readString(teams));
        Files.writeString(teams, "teams:\n  a: &x {keys: [{id: k, sha256: " + DIGEST + "}]}\n  b: *x\n");
        String before = Files.readString(teams);
        Outcome shared = run("revoke", "k");
        assertEquals(1, shared.code());
        assertEquals("", shared.out());
        assertTrue(shared.err().contains("change it by hand"), shared::toString);
        assertEquals(before, Files.readString(teams));
        Outcome unknown = run("revoke", "never-seen");
        assertEquals(2, unknown.code());
        assertEquals(before, Files.readString(teams));
        assertTrue(unknown.err().contains("There is no key \"never-seen\""), unknown::toString);
    }

    private Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new KeysCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(new CommandFailures());
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("--config", config.toString()));
        int code = command.execute(all.toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    private static ApiKey shown(Outcome create) {
        Matcher key = Pattern.compile("  (sb_([^_\\s]+)_\\S+)").matcher(create.out());
        assertTrue(key.find(), create::toString);
        return new ApiKey(key.group(2), key.group(1));
    }

    private static List<String> comments(String yaml) {
        return yaml.lines()
                .filter(line -> line.contains("#"))
                .map(line -> line.substring(line.indexOf('#')))
                .toList();
    }

    private static TeamsConfig parse(String yaml) {
        return new ConfigLoader(Map.of(), Map.of()).parseTeams(yaml, "teams.yaml");
    }
}
