package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/** Files that lose their text, whole or in part, while a gateway follows them: nobody loses what they may do. */
class CutFilesTest {
    private static final String CONFIGURATION = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            views:
              papers: {backends: [vectordb]}
              notes: {backends: [vectordb]}
            """;

    private static final int TRIES = 50;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    private Path teams;
    private Path configuration;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        teams = Files.writeString(folder.resolve("teams.yaml"), whole());
        configuration = Files.writeString(folder.resolve("switchboard.yaml"), CONFIGURATION);
        gateway = TestGateway.start(CONFIGURATION, folder);
        gateway.follow(configuration);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private String whole() {
        return """
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(red.sha256(), blue.sha256());
    }

    private int status(ApiKey key, String view) {
        return gateway.modern(view)
                .with("X-API-Key", key.text())
                .request("tools/list", Json.object())
                .status();
    }

    private boolean shows(String line) {
        return gateway.management("/metrics").body().contains(line);
    }

    private void metric(String line) {
        Eventually.that(() -> shows(line), () -> line);
    }

    private boolean bothMay(String... views) {
        return Stream.of(views).allMatch(view -> status(red, view) == 200 && status(blue, view) == 200);
    }

    /**
     * While {@code failed} says that {@code file}, which has only {@code cut}, is not used, both may what they could. A slow
     * machine may take so long to ask that the gateway believes in the meantime that the rest is to be gone: then it is done
     * again.
     */
    private void bothMayWhileRefused(Path file, String cut, String failed, String... views) throws IOException {
        String whole = Files.readString(file);
        boolean refused = false;
        for (int tries = 0; tries < TRIES && !refused; tries++) {
            Files.writeString(file, cut);
            Eventually.that(() -> shows(failed + " 1") || !bothMay(views), () -> "the cut is seen: " + cut);
            boolean may = bothMay(views);
            refused = shows(failed + " 1");
            assertTrue(may || !refused, cut);
            Files.writeString(file, whole);
            Eventually.that(() -> shows(failed + " 0") && bothMay(views), () -> "the whole is read again after " + cut);
        }
        assertTrue(refused, () -> "never refused for long enough to ask: " + cut);
    }

    @AsksForErrors("FileReloader - teams.yaml has changed")
    @Test
    void teamsStayWhenTheirFileIsEmptiedCutOrGone() throws IOException {
        String all = whole();
        List<String> cuts = List.of(
                "",
                "# nobody\n",
                "teams:\n",
                "teams:\n  red:\n",
                all.substring(0, all.indexOf("blue")),
                all.substring(0, all.length() - 8));
        for (String cut : cuts) {
            bothMayWhileRefused(teams, cut, "switchboard_teams_reload_failed", "");
        }
        Files.delete(teams);
        metric("switchboard_teams_reload_failed 1");
        assertTrue(bothMay(""), "gone");
        gateway.app().reload();
        assertTrue(bothMay(""), "gone, and read at once");
        Files.writeString(teams, "");
        gateway.app().reload();
        assertTrue(bothMay(""), "empty, and read at once");
    }

    @Test
    void noTeamsAtAllIsSaidInSoManyWords() throws IOException {
        ReplacedFile.write(teams, "teams: {}\n");
        Eventually.that(() -> status(red, "") == 401 && status(blue, "") == 401, () -> "nobody may");
        metric("switchboard_teams_reload_failed 0");
    }

    @AsksForErrors("FileReloader - switchboard.yaml has changed")
    @Test
    void viewsStayWhenTheConfigurationIsEmptiedCutOrGone() throws IOException {
        for (String cut : List.of(
                "",
                "# nothing\n",
                CONFIGURATION.substring(0, CONFIGURATION.indexOf("views:")),
                CONFIGURATION.substring(0, CONFIGURATION.indexOf("  notes:")))) {
            bothMayWhileRefused(configuration, cut, "switchboard_config_reload_failed", "papers", "notes");
        }
        Files.delete(configuration);
        metric("switchboard_config_reload_failed 1");
        assertTrue(bothMay("notes"), "gone");
    }
}
