package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenIdClient;
import switchboard.auth.Principal;
import switchboard.auth.TeamBudgets;
import switchboard.auth.TokenAuthenticator;
import switchboard.catalog.View;
import switchboard.cluster.Cluster;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.GatewayConfig;
import switchboard.config.IssuerConfig;
import switchboard.config.OpenIdConfig;
import switchboard.config.Secret;
import switchboard.console.CallAudience;
import switchboard.console.ConsoleFiles;
import switchboard.console.ConsoleSessions;
import switchboard.console.ConsoleSignIn;
import switchboard.console.Evaluations;
import switchboard.console.Judging;
import switchboard.console.JudgmentSets;
import switchboard.console.KeySignIn;
import switchboard.console.OpenIdSignIn;
import switchboard.console.OpenSignIn;
import switchboard.console.SignInSessions;
import switchboard.console.Uploads;
import switchboard.console.WatchedCalls;
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
 * @param calls the last calls, and how many there were
 */
record ConfiguredConsole(
        GatewayConfig config,
        Path data,
        Authentication authentication,
        Members members,
        ShownBackends backends,
        LiveCalls calls,
        Platform platform) {
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
            Function<String, View> views,
            ConfiguredCluster cluster,
            LiveTuning tuning) {}

    /** What its server answers, by calling {@code services}; {@code agents} is the URL of MCP for agents. */
    BiFunction<HttpSettings, HttpMeters, HttpVerticle.Routes> routes(HttpServices services, Supplier<String> agents) {
        return (settings, meters) -> new ConsoleRoutes(
                settings,
                meters,
                services,
                signIn(services.authenticator()),
                new ConsoleFiles(platform.executor("console", WAITING)),
                services(services, agents));
    }

    private ConsoleServices services(HttpServices services, Supplier<String> agents) {
        return new ConsoleServices(
                backends::operatesAll,
                agents,
                judging(),
                sources(),
                new WatchedCalls(
                        SharedCalls.of(calls, members.cluster(), platform.vertx()),
                        calls.usage().reports(platform.executor("usage", WAITING)),
                        this::audience,
                        platform.clock(),
                        config.cluster() != null),
                operators(services));
    }

    private ConsoleServices.SourceServices sources() {
        StoreSizes sizes = new StoreSizes(platform.meters(), platform.executor("sizes", WAITING), platform.clock());
        return new ConsoleServices.SourceServices(
                person -> sizes.added(backends.shown(person)), uploads(), backends::mayUpload, backends.schedules());
    }

    private ConsoleServices.OperatorServices operators(HttpServices services) {
        TeamKeys keys = new TeamKeys(config);
        BlockingExecutor executor = platform.executor("teams", WAITING);
        AuditedChanges changes = new AuditedChanges(members.audit(), executor);
        return new ConsoleServices.OperatorServices(
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
                        changes,
                        backends::operatesAll,
                        platform.clock()),
                new DefinitionApprovals(new HeldTools(config, data), changes, backends::operatesAll),
                new TuningDecisions(
                        config,
                        members.tuning(),
                        new TrialRun(
                                members.tuning().folder(),
                                members.cluster().searchLog(data, platform.clock()),
                                TuneRun.configured(config.search())),
                        // It may read long logs, and keys must not wait for that.
                        new AuditedChanges(members.audit(), platform.executor("decisions", WAITING)),
                        backends::operatesAll,
                        platform.clock()));
    }

    private Judging judging() {
        Path folder = data.resolve("judgments");
        JudgmentSets judgments = new JudgmentSets(folder, platform.executor("judgments", WAITING));
        return new Judging(judgments, new Evaluations(folder, judgments, platform.executor("evaluations", WAITING)));
    }

    private Uploads uploads() {
        return new Uploads(
                new UploadedFiles(data.resolve(UploadedFiles.FOLDER), platform.clock()),
                platform.executor("uploads", WAITING));
    }

    private ConsoleSignIn signIn(Authenticator authenticator) {
        return switch (config.auth().mode()) {
            case NONE -> new OpenSignIn();
            case KEYS -> {
                SignInSessions sessions = sessions();
                yield new KeySignIn(
                        authenticator,
                        sessions,
                        Optional.ofNullable(config.console().openid()).map(openId -> openId(openId, sessions)));
            }
        };
    }

    private SignInSessions sessions() {
        Cluster node = members.cluster().node();
        return node == null
                ? new ConsoleSessions(this::now, platform.clock(), Ticker.systemTicker())
                : SharedSignIns.of(
                        node.consoleSessions(), SavedGrant.of(config), node::joined, this::now, platform.clock());
    }

    private OpenIdSignIn openId(OpenIdConfig openId, SignInSessions sessions) {
        TokenAuthenticator tokens = authentication.tokens().orElseThrow();
        IssuerConfig issuer = Objects.requireNonNull(
                config.auth().tokens().issuers().get(openId.issuer()), "checked with the configuration");
        Secret secret = openId.clientSecret();
        OpenIdClient client = new OpenIdClient(
                platform.vertx(),
                new OpenIdClient.Registration(
                        openId.issuer(),
                        issuer.issuer(),
                        openId.clientId(),
                        () -> secret == null ? null : secret.reveal(),
                        openId.scopes(),
                        config.auth().tokens().clockSkew()),
                members.cluster().guard(tokens::person),
                Ticker.systemTicker());
        return new OpenIdSignIn(client, sessions);
    }

    private CallAudience audience(Principal principal) {
        if (backends.operatesAll(principal)) {
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

    /** What somebody who has signed in may do now; who uses a session uses its key. */
    private Optional<Principal> now(Principal principal) {
        Optional<Principal> found =
                members.teams().current().current(principal, platform.clock().instant());
        found.ifPresent(members.uses()::used);
        return found;
    }
}
