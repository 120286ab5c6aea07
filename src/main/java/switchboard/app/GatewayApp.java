package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Principal;
import switchboard.auth.TeamBudgets;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Verb;
import switchboard.catalog.View;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.GatewayConfig;
import switchboard.config.SecretFiles;
import switchboard.dispatch.DisabledBackends;
import switchboard.dispatch.Dispatcher;
import switchboard.federation.AnswerFitter;
import switchboard.http.BodyMemoryLimiter;
import switchboard.http.HttpServices;
import switchboard.http.Readiness;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ResourceWatches;
import switchboard.protocol.legacy.LegacyEndpoint;
import switchboard.relay.RelayServer;
import switchboard.relay.SharedBackend;
import switchboard.stdio.StdioConnection;
import switchboard.stdio.StdioLimits;

/** A gateway in this process. {@link #start} and {@link #close} block, so they must not be called on an event loop. */
public final class GatewayApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayApp.class);

    /** Normally one certificate is made in the life of a gateway; more only if that fails. */
    private static final int RELAY_WORK = 8;

    private enum Lifecycle {
        STARTING,
        SERVING,
        STOPPING
    }

    private volatile boolean piped;
    private final GatewayConfig config;
    private final Path data;
    private final Platform platform;
    private final List<LoadedBackend> backends;
    private final RunningBackends running;
    private final HttpServers servers;
    private final AccessPolicy policy;
    private final LiveCatalog catalog;
    private final LiveTeams teams;
    private final DisabledBackends disabledBackends = new DisabledBackends();
    private final Authentication authentication;
    private final BackendHealth health;
    private final DiskHealth disks;
    private final AuditRecorder audit;
    private final LiveCalls calls;
    private final SearchInsight insight;
    private final Dispatcher dispatcher;
    private final RelayServer relays;
    private final McpEndpoint endpoint;
    private final ConfigReloader files;
    private final TeamBudgets budgets;
    private final SavedFolders saved;
    private final GatewayTasks tasks;
    private final GatewaySchedules schedules;
    private final AuthenticatorFactory authenticatorFactory;
    private final ConfiguredCluster cluster;
    private volatile Lifecycle state = Lifecycle.STARTING;

    private GatewayApp(
            GatewayConfig config,
            Installation installation,
            Platform platform,
            List<LoadedBackend> backends,
            ConfiguredCluster cluster) {
        this.config = config;
        this.data = installation.data();
        this.platform = platform;
        this.teams = new LiveTeams(config);
        platform.share().among(() -> teams.current().teams().size());
        this.dispatcher = platform.dispatcher(config, disabledBackends, this::verbs);
        this.relays = new RelayServer(platform.vertx(), dispatcher::send, platform.executor("relay", RELAY_WORK));
        this.authentication = new Authentication(config);
        this.policy = new AccessPolicy(authentication.scopes());
        List<LoadedBackend> own = LoadedBackend.shared(backends, platform.vertx(), relays);
        LiveMembers members = LiveMembers.of(config, teams, this::view, platform.clock());
        this.insight = new SearchInsight(config, cluster, data, platform, dispatcher, members, policy);
        this.backends = FederatedTools.of(own, installation, config.auth().mode())
                .beside(own, platform, config.search(), policy, dispatcher, members, insight.learned(), insight.desk());
        this.running = new RunningBackends(platform.vertx());
        this.servers = new HttpServers(platform, config);
        this.catalog = new LiveCatalog(this.backends, ConfiguredViews.specs(config.views()));
        this.health = BackendHealth.of(this.backends, disabledBackends, platform, installation.periods());
        this.disks = new DiskHealth(data, platform, installation.periods());
        this.audit = AuditRecorder.open(config.audit(), data, platform.meters(), platform.clock());
        this.calls = new LiveCalls(servers::hasConsole, cluster.usage(platform.clock()), platform.clock());
        AnswerTokens tokens = new AnswerTokens(platform.executor("tokens", 256));
        this.cluster = cluster;
        this.budgets = cluster.budgets(teams, tokens, platform);
        this.tasks = new GatewayTasks(config, data, platform);
        this.schedules = new GatewaySchedules(this.backends, audit.guard(dispatcher::send), audit, calls, insight);
        this.endpoint = protocol(tokens);
        this.saved = SavedFolders.of(config, data, endpoint, budgets, calls, platform);
        this.files = new ConfigReloader(teams, endpoint, new SecretReloader(SecretFiles.of(config)), platform);
        cluster.follow(platform.operators(), disabledBackends, teams, files);
        this.authenticatorFactory = new AuthenticatorFactory(config, authentication, teams, files, platform);
    }

    /**
     * Starts a gateway and returns when it takes calls.
     *
     * @throws BootException if it can't start; nothing is left running then
     */
    public static GatewayApp start(GatewayConfig config, Installation installation, BackendTypes types, Clock clock) {
        DataFolder.checkWritable(installation.data());
        return start(config, installation, types, clock, GatewayApp::open);
    }

    /**
     * Starts a gateway that opens no port: its only client is the one of {@link #serveStdio}. Models are loaded late.
     *
     * @throws BootException if it can't start; nothing is left running then
     */
    public static GatewayApp startWithoutPorts(
            GatewayConfig config, Installation installation, BackendTypes types, Clock clock) {
        AuditRecorder.checkWithoutPorts(config.audit(), installation.data());
        return start(config.alone(), installation, types, clock, app -> app.openingFailsWhole(app::startBackends));
    }

    private static GatewayApp start(
            GatewayConfig config,
            Installation installation,
            BackendTypes types,
            Clock clock,
            Consumer<GatewayApp> opening) {
        Platform platform = Platform.create(config, installation, clock);
        try {
            ConfiguredCluster cluster = ConfiguredCluster.of(config, installation, platform);
            List<LoadedBackend> backends = new BackendLoader(installation, types.modules(platform.models()))
                    .load(config.backends(), platform.services(installation, config, cluster));
            GatewayApp app = new GatewayApp(config, installation, platform, backends, cluster);
            opening.accept(app);
            return app;
        } catch (RuntimeException e) {
            platform.close();
            throw e;
        }
    }

    /** The verbs of a tool. Reads the catalog late, because it is created after the dispatcher. */
    private Set<Verb> verbs(String backendId, String tool) {
        return catalog.verbs(backendId, tool);
    }

    /** A view, of the catalog that is made after those who ask for views. */
    private View view(String name) {
        return catalog.view(name);
    }

    /** The URL of the default view, for agents. */
    public URI endpointUrl() {
        return servers.endpoint();
    }

    /**
     * Serves one client on a pair of streams, as the team that the configuration names.
     *
     * @param view what it sees, {@code ""} for the default view
     * @return when the input has ended and everything is answered
     * @throws BootException if there is no such view or team
     */
    public Future<Void> serveStdio(String view, InputStream in, OutputStream out) {
        piped = true;
        StdioLimits limits = StdioLimits.DEFAULT.withMaxLineBytes(
                config.server().maxBodySize().toInt());
        return new StdioConnection(
                        platform.vertx(), endpoint, view, authenticatorFactory.local(), this::visible, limits)
                .serve(in, out);
    }

    /** The URL of the management port, for operators. */
    public URI managementUrl() {
        return servers.managementUrl();
    }

    /** The URL of the console, for people; empty if there is none. */
    public Optional<URI> consoleUrl() {
        return servers.consoleUrl();
    }

    /** The ids of the backends that keep data themselves, in this process or in the one that owns the data folder. */
    public List<String> keepers() {
        return backends.stream()
                .filter(backend -> backend.backend() instanceof SharedBackend)
                .map(LoadedBackend::id)
                .toList();
    }

    /** Runs the detailed checks of each backend and of each model that another server runs, by what is checked. */
    public Future<Map<String, List<DiagnosticFinding>>> examine() {
        return health.examine(platform.models());
    }

    /** The dispatcher, which sends all calls to backends. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** The protocol, for tests that look for leaks. */
    public McpEndpoint endpoint() {
        return endpoint;
    }

    /**
     * Reloads the views of {@code file} whenever it changes. Other changes in it need a restart, which is logged.
     *
     * @param source reads the file in the same way as for the start; fails with a {@link
     *     switchboard.config.ConfigException}
     */
    public void follow(Path file, Supplier<GatewayConfig> source) {
        files.views(new LiveViews(file, source, config, catalog, teams));
    }

    /**
     * Reads the teams, the views and the signing keys of token issuers again, whether or not they have changed. A file
     * that can't be used is logged and changes nothing.
     */
    public void reload() {
        files.reread();
        authentication.refreshKeys();
    }

    /**
     * Stops without losing answers: readiness goes down, after a delay no new calls are accepted while those under way
     * finish, then the backends stop, then the rest. Calling it again does nothing.
     */
    @Override
    public synchronized void close() {
        if (state == Lifecycle.STOPPING) {
            return;
        }
        boolean serving = state == Lifecycle.SERVING;
        state = Lifecycle.STOPPING;
        LOG.info("stopping");
        if (serving) {
            servers.leave();
            platform.pause("load balancers", config.server().drain().delay());
        }
        stop();
        platform.close();
        saved.close(); // last, because tokens of the last answers are still counted
        tasks.close();
        LOG.info("stopped");
    }

    private void open() {
        openingFailsWhole(() -> {
            startBackends();
            servers.openManagement(
                    this::readiness,
                    platform.operators()
                            .admin(backends.stream().map(LoadedBackend::id).toList(), disabledBackends));
            saved.restore();
            tasks.open();
            cluster.start();
            LastUses uses = new LastUses(platform.clock());
            HttpServices services = new HttpServices(
                    endpoint,
                    uses.watching(cluster.guard(authenticatorFactory.agents()), config.consoleUse()),
                    audit,
                    new BodyMemoryLimiter(config.limits().bodies().bytes()),
                    this::visible,
                    authentication.resource());
            servers.openConsole(new ConfiguredConsole(
                            config,
                            data,
                            authentication,
                            new ConfiguredConsole.Members(
                                    teams, budgets, uses, files, audit, catalog::view, cluster, insight.tuning()),
                            new ShownBackends(backends, health, policy, platform.meters(), schedules),
                            calls,
                            platform)
                    .routes(services, servers::agentsUrl));
            servers.openMcp(services);
            RunningGateway.announce(data, endpointUrl(), consoleUrl());
            saved.watch(platform.vertx());
            platform.models().embedders().warmUp(); // last, because the first callers ask for lists
        });
    }

    private void openingFailsWhole(Runnable opening) {
        try {
            opening.run();
        } catch (RuntimeException e) {
            stop();
            saved.close();
            tasks.close();
            throw e;
        }
        state = Lifecycle.SERVING;
    }

    private void startBackends() {
        backends.forEach(running::start);
        BootException.throwIfAny(catalog.relistAll());
        health.watch(platform.vertx());
        disks.watch(platform.vertx());
        insight.watch(platform.vertx(), audit);
        schedules.begin();
        files.start(platform.vertx(), config.reload().interval());
        platform.telemetry().show(endpoint, ConfiguredLimits.sessions(config).max(), data);
    }

    private boolean visible(Principal principal, String view) {
        return catalog.current().view(view).isPresent() && principal.mayUseView(view);
    }

    private void stop() {
        RunningGateway.withdraw(data);
        endpoint.shutdown();
        tasks.stop();
        Platform.finish("scheduled updates", schedules.halt());
        calls.close();
        Future<Void> drained = dispatcher.drain(config.server().drain().grace());
        Future<Void> relayed = relays.close(config.server().drain().grace());
        Platform.finish("HTTP server", servers.closeMcp(cluster.readElsewhere(drained)));
        if (piped) {
            Platform.finish("calls under way", drained);
        }
        Platform.finish("relay server", relayed);
        health.stop();
        disks.stop();
        running.stop();
        insight.close();
        Platform.finish("cluster", cluster.close()); // after the backends, whose writes go on until they have stopped
        Platform.finish("management server", servers.closeManagement());
        audit.close();
    }

    private Readiness readiness() {
        return new Readiness(
                state == Lifecycle.SERVING,
                state.name().toLowerCase(Locale.ROOT),
                health.parts(),
                BackendHealth.embedders(platform.models().embedders()),
                BackendHealth.llm(platform.models()).orElse(null),
                audit.part().orElse(null),
                disks.parts(),
                cluster.part());
    }

    private McpEndpoint protocol(AnswerTokens tokens) {
        ProtocolSettings settings = ConfiguredLimits.protocol(config);
        ChangeHub changes = new ChangeHub(settings.maxStreams());
        CatalogUpdates.of(catalog, platform, changes).follow(dispatcher, backends);
        ProtocolServices services = new ProtocolServices(
                settings,
                catalog::view,
                new LoadedBackendCapabilities(backends),
                policy,
                budgets,
                new TeamRedactor(teams::current, platform.executor("redaction", 256)),
                new AnswerFitter(GatewayExecutors.composed(platform.executor("answers", 256)), tokens),
                audit.guard(dispatcher::send),
                changes,
                OperationObserver.all(List.of(platform.telemetry(), audit, calls, insight)),
                platform.telemetry().tracing(),
                tasks.store());
        BlockingExecutor watches = platform.executor("watches", 1);
        changes.passOn(new ResourceWatches(services, look -> watches.run("", () -> false, look), platform.vertx()));
        return new McpEndpoint(
                services,
                new LegacyEndpoint(
                        services,
                        ConfiguredLimits.sessions(config),
                        ConfiguredLimits.resume(config),
                        platform.clock(),
                        Ticker.systemTicker(),
                        cluster.node()));
    }
}
