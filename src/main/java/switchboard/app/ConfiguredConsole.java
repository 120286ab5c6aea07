package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.auth.TeamBudgets;
import switchboard.catalog.View;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.GatewayConfig;
import switchboard.console.ConsoleFiles;
import switchboard.console.ConsoleSignIn;
import switchboard.console.JudgmentSets;
import switchboard.console.KeySignIn;
import switchboard.console.OpenSignIn;
import switchboard.console.Uploads;
import switchboard.files.UploadedFiles;
import switchboard.http.ConsoleRoutes;
import switchboard.http.ConsoleServices;
import switchboard.http.HttpMeters;
import switchboard.http.HttpServices;
import switchboard.http.HttpSettings;
import switchboard.http.HttpVerticle;

/**
 * Makes the console from the configuration.
 *
 * @param members what it shows of teams, and changes
 */
record ConfiguredConsole(GatewayConfig config, Path data, Members members, ShownBackends backends, Platform platform) {
    private static final String GATEWAY = "switchboard";

    /** How much work may wait. */
    private static final int WAITING = 64;

    /**
     * The parts of the gateway that know about teams and keys.
     *
     * @param views the view of a name that there is
     */
    record Members(
            LiveTeams teams,
            TeamBudgets budgets,
            LastUses uses,
            ConfigReloader files,
            AuditRecorder audit,
            Function<String, View> views) {}

    /** What its server answers, by calling {@code services}. */
    BiFunction<HttpSettings, HttpMeters, HttpVerticle.Routes> routes(HttpServices services) {
        return (settings, meters) -> new ConsoleRoutes(
                settings,
                meters,
                services,
                signIn(services.authenticator()),
                new ConsoleFiles(platform.executor("console", WAITING)),
                services(services));
    }

    private ConsoleServices services(HttpServices services) {
        TeamKeys keys = new TeamKeys(config);
        BlockingExecutor executor = platform.executor("teams", WAITING);
        return new ConsoleServices(
                principal -> backends.operates(principal, GATEWAY),
                new JudgmentSets(data.resolve("judgments"), platform.executor("judgments", WAITING)),
                uploads(),
                backends,
                new ShownTeams(
                        config.auth().mode(),
                        members.teams(),
                        members.budgets(),
                        members.uses(),
                        keys,
                        new ShownAccess(members.teams(), members.views(), services.views()),
                        backends::operatesAll,
                        executor),
                new KeyChanges(
                        config.auth().mode(),
                        keys,
                        members.teams(),
                        members.files(),
                        members.audit(),
                        backends::operatesAll,
                        executor,
                        platform.clock()));
    }

    private Uploads uploads() {
        return new Uploads(
                new UploadedFiles(data.resolve(UploadedFiles.FOLDER), platform.clock()),
                platform.executor("uploads", WAITING));
    }

    private ConsoleSignIn signIn(Authenticator authenticator) {
        return switch (config.auth().mode()) {
            case NONE -> new OpenSignIn();
            case KEYS -> new KeySignIn(authenticator, this::now, platform.clock(), Ticker.systemTicker());
        };
    }

    /** What the holder of a key may do now; who uses a session uses its key. */
    private Optional<Principal> now(PrincipalId holder) {
        Optional<Principal> found = members.teams()
                .current()
                .principal(holder.team(), holder.id(), platform.clock().instant())
                .filter(principal -> principal.identity().equals(holder));
        found.ifPresent(members.uses()::used);
        return found;
    }
}
