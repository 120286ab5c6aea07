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
 * Reloads teams, views and secrets when their files change. Ends the streams and sessions of principals whose rights
 * have changed or whose key has expired. Thread-safe. Reading files blocks.
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

    /** Starts following the teams file, which has been read once already. */
    synchronized void teams(Path file) {
        FileReloader watch = new FileReloader(
                () -> Set.of(file),
                () -> {
                    teams.reload();
                    return teams.current().teams().size() + " teams";
                },
                "the previous teams");
        meters.teamsOutdated(watch::failed);
        teamsFile = watch;
    }

    /** Starts following the views of the configuration. */
    synchronized void views(LiveViews views) {
        FileReloader watch = new FileReloader(
                views::files,
                () -> views.reload((before, after) -> endpoint.viewsChanged(before::view, after::view)),
                "the previous views");
        meters.viewsOutdated(watch::failed);
        configuration = watch;
    }

    /** Checks the files periodically, with a pause of {@code interval} in between, until {@code vertx} is closed. */
    void start(Vertx vertx, Duration interval) {
        vertx.setPeriodic(
                interval.toMillis(),
                _ -> executor.run(() -> {
                    look();
                    return true;
                }));
    }

    /** Checks the files now. */
    synchronized void look() {
        secrets.look(clock.instant());
        each(FileReloader::look);
    }

    /** Reads the files now, whether or not they have changed. */
    synchronized void reread() {
        secrets.look(clock.instant());
        secrets.look(clock.instant()); // the second look takes a version that the first one has seen
        each(FileReloader::read);
    }

    /** The teams file was written just now, as a whole; whoever wrote it need not wait for the next check. */
    synchronized void teamsWritten() {
        if (teamsFile != null) {
            teamsFile.read();
            enforce(teams.current());
        }
    }

    /** Teams or keys have changed, though not in their file. Does not block. */
    void teamsChanged() {
        executor.run(() -> {
            synchronized (this) {
                if (teamsFile != null) {
                    enforce(teams.current());
                }
            }
            return true;
        });
    }

    private interface ReloadStep {
        boolean read(FileReloader watch);
    }

    /**
     * Reloads teams before views: locking somebody out must not wait until another file is valid. Teams may name new
     * views, so they are tried again after the views.
     */
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
                principal -> !current.isCurrent(principal, clock.instant()),
                principalId -> !current.knows(principalId, clock.instant()));
    }
}
