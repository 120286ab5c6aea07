package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
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

    private void metric(String line) {
        Eventually.that(() -> gateway.management("/metrics").body().contains(line), () -> line);
    }

    private void bothMay(String view, String when) {
        assertEquals(List.of(200, 200), List.of(status(red, view), status(blue, view)), when);
    }

    @AsksForErrors("FileWatch - teams.yaml has changed")
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
            Files.writeString(teams, cut);
            metric("switchboard_teams_reload_failed 1");
            bothMay("", cut);
            Files.writeString(teams, all);
            metric("switchboard_teams_reload_failed 0");
        }
        Files.delete(teams);
        metric("switchboard_teams_reload_failed 1");
        bothMay("", "gone");
        gateway.app().reload();
        bothMay("", "gone, and read at once");
        Files.writeString(teams, "");
        gateway.app().reload();
        bothMay("", "empty, and read at once");
    }

    @Test
    void noTeamsAtAllIsSaidInSoManyWords() throws IOException {
        Files.writeString(teams, "teams: {}\n");
        Eventually.that(() -> status(red, "") == 401 && status(blue, "") == 401, () -> "nobody may");
        metric("switchboard_teams_reload_failed 0");
    }

    @AsksForErrors("FileWatch - switchboard.yaml has changed")
    @Test
    void viewsStayWhenTheConfigurationIsEmptiedCutOrGone() throws IOException {
        for (String cut : List.of(
                "",
                "# nothing\n",
                CONFIGURATION.substring(0, CONFIGURATION.indexOf("views:")),
                CONFIGURATION.substring(0, CONFIGURATION.indexOf("  notes:")))) {
            Files.writeString(configuration, cut);
            metric("switchboard_config_reload_failed 1");
            bothMay("papers", cut);
            bothMay("notes", cut);
            Files.writeString(configuration, CONFIGURATION);
            metric("switchboard_config_reload_failed 0");
        }
        Files.delete(configuration);
        metric("switchboard_config_reload_failed 1");
        bothMay("notes", "gone");
    }
}
