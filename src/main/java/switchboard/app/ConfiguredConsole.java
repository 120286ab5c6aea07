package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;
import switchboard.config.GatewayConfig;
import switchboard.console.CallAudience;
import switchboard.console.ConsoleFiles;
import switchboard.console.ConsoleSignIn;
import switchboard.console.JudgmentSets;
import switchboard.console.KeySignIn;
import switchboard.console.OpenSignIn;
import switchboard.console.RecentCalls;
import switchboard.console.WatchedCalls;
import switchboard.http.ConsoleRoutes;
import switchboard.http.HttpMeters;
import switchboard.http.HttpServices;
import switchboard.http.HttpSettings;
import switchboard.http.HttpVerticle;

/** Makes the console from the configuration. */
record ConfiguredConsole(
        GatewayConfig config,
        Path data,
        LiveTeams teams,
        ShownBackends backends,
        RecentCalls calls,
        Platform platform) {
    private static final String GATEWAY = "switchboard";

    /** How much work may wait. */
    private static final int WAITING = 64;

    /** What its server answers, by calling {@code services}. */
    BiFunction<HttpSettings, HttpMeters, HttpVerticle.Routes> routes(HttpServices services) {
        return (settings, meters) -> new ConsoleRoutes(
                settings,
                meters,
                services,
                signIn(services.authenticator()),
                principal -> backends.operates(principal, GATEWAY),
                new ConsoleFiles(platform.executor("console", WAITING)),
                new JudgmentSets(data.resolve("judgments"), platform.executor("judgments", WAITING)),
                backends,
                new WatchedCalls(calls, this::audience, platform.clock(), config.cluster() != null));
    }

    private ConsoleSignIn signIn(Authenticator authenticator) {
        return switch (config.auth().mode()) {
            case NONE -> new OpenSignIn();
            case KEYS -> new KeySignIn(authenticator, this::now, platform.clock(), Ticker.systemTicker());
        };
    }

    private CallAudience audience(Principal principal) {
        if (backends.operates(principal, GATEWAY)) {
            return new CallAudience.Everybody();
        }
        Set<String> operated = backends.backends().stream()
                .map(LoadedBackend::id)
                .filter(backend -> backends.operates(principal, backend))
                .collect(Collectors.toSet());
        return operated.isEmpty()
                ? new CallAudience.OfTeam(principal.team())
                : new CallAudience.OfBackends(principal.team(), operated);
    }

    private Optional<Principal> now(PrincipalId holder) {
        return teams.current()
                .principal(holder.team(), holder.id(), platform.clock().instant())
                .filter(found -> found.identity().equals(holder));
    }
}
