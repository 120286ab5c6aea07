package switchboard.app;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.TeamDirectory;
import switchboard.protocol.McpEndpoint;

/**
 * Looks after the teams while the gateway runs: reads the file again when it changes, and ends the streams and sessions
 * of whoever is not what they were when they opened them: because the file says so, or because a key has expired.
 */
final class TeamsWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TeamsWatch.class);
    private static final long PERIOD_MS = TimeUnit.SECONDS.toMillis(1);

    private final TeamsInForce teams;
    private final Path file;
    private final McpEndpoint endpoint;
    private final Clock clock;
    private FileStamp seen;
    private volatile boolean failed;

    TeamsWatch(TeamsInForce teams, Path file, McpEndpoint endpoint, Clock clock) {
        this.teams = teams;
        this.file = file;
        this.endpoint = endpoint;
        this.clock = clock;
        this.seen = FileStamp.of(file);
    }

    /** Looks once a second from now on; ends with {@code vertx}. */
    void start(Vertx vertx) {
        vertx.setPeriodic(
                PERIOD_MS,
                _ -> vertx.executeBlocking(() -> {
                    look();
                    return null;
                }));
    }

    /** Whether the file as it is could not be read, so that the teams in force are older. */
    boolean failed() {
        return failed;
    }

    /** Looks now. */
    synchronized void look() {
        FileStamp now = FileStamp.of(file);
        if (!now.equals(seen)) {
            seen = now;
            reload();
        }
        enforce();
    }

    /** Reads the file now, changed or not. */
    synchronized void reread() {
        seen = FileStamp.of(file);
        reload();
        enforce();
    }

    private void enforce() {
        TeamDirectory current = teams.current();
        endpoint.accessChanged(
                principal -> !current.stands(principal, clock.instant()),
                (team, id) -> current.principal(team, id, clock.instant()).isEmpty());
    }

    private void reload() {
        try {
            teams.reload();
            failed = false;
            LOG.info(
                    "read {} again: {} teams",
                    file.getFileName(),
                    teams.current().teams().size());
        } catch (BootException e) {
            failed = true;
            LOG.error(
                    "{} has changed and can't be used; the teams in force stay: {}",
                    file.getFileName(),
                    e.getMessage());
        }
    }
}
