package switchboard.app;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.TeamDirectory;
import switchboard.concurrent.BlockingExecutor;
import switchboard.protocol.McpEndpoint;
import switchboard.telemetry.GatewayMeters;

/**
 * Looks after teams, views and secrets while the gateway runs: reads their files again when they change, and ends the streams and
 * sessions of whoever is not what they were when they opened them: because a file says so, or because a key has expired.
 * Thread-safe; reading blocks.
 */
final class ConfigReloader {
    private final LiveTeams teams;
    private final McpEndpoint endpoint;
    private final Clock clock;
    private final GatewayMeters meters;
    private final BlockingExecutor executor;
    private final SecretReloader secrets;
    private @Nullable FileReloader teamsFile;
    private @Nullable FileReloader configuration;

    ConfigReloader(LiveTeams teams, McpEndpoint endpoint, SecretReloader secrets, Platform platform) {
        this.teams = teams;
        this.endpoint = endpoint;
        this.clock = platform.clock();
        this.meters = platform.telemetry().gateway();
        this.executor = platform.executor("files", 1);
        this.secrets = secrets;
        meters.filesOutdated("secrets", secrets::failed);
    }

    /** Follows the teams in {@code file}, which has been read, from now on. */
    synchronized void teams(Path file) {
        FileReloader watch = new FileReloader(
                () -> Set.of(file),
                () -> {
                    teams.reload();
                    return teams.current().teams().size() + " teams";
                },
                "the teams in force");
        meters.teamsOutdated(watch::failed);
        teamsFile = watch;
    }

    /** Follows the views of the configuration from now on. */
    synchronized void views(LiveViews views) {
        FileReloader watch = new FileReloader(
                views::files,
                () -> views.reload((before, after) -> endpoint.viewsChanged(before::view, after::view)),
                "the views in force");
        meters.viewsOutdated(watch::failed);
        configuration = watch;
    }

    /** Looks from now on, with a pause of {@code interval} between; ends with {@code vertx}. */
    void start(Vertx vertx, Duration interval) {
        vertx.setPeriodic(
                interval.toMillis(),
                _ -> executor.run(() -> {
                    look();
                    return true;
                }));
    }

    /** Looks now. */
    synchronized void look() {
        secrets.look(clock.instant());
        each(FileReloader::look);
    }

    /** Reads the files now, changed or not. */
    synchronized void reread() {
        secrets.look(clock.instant());
        secrets.look(clock.instant()); // the second takes what the first has seen
        each(FileReloader::read);
    }

    private interface ReloadStep {
        boolean read(FileReloader watch);
    }

    /** The teams first: whom they lock out must not wait for another file to be right. They may name new views, though. */
    private void each(ReloadStep step) {
        if (teamsFile != null) {
            step.read(teamsFile);
        }
        if (configuration != null && step.read(configuration) && teamsFile != null && teamsFile.failed()) {
            teamsFile.read();
        }
        if (teamsFile != null) {
            enforce(teams.current());
        }
    }

    private void enforce(TeamDirectory current) {
        endpoint.accessChanged(
                principal -> !current.stands(principal, clock.instant()),
                principalId -> !current.knows(principalId, clock.instant()));
    }
}
