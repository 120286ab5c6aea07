package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Authenticator;
import switchboard.auth.KeyAuthenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.TeamBudgets;
import switchboard.backend.BackendServices;
import switchboard.catalog.ToolCatalog;
import switchboard.config.GatewayConfig;
import switchboard.dispatch.DispatchLimits;
import switchboard.dispatch.Dispatcher;
import switchboard.dispatch.SwitchedOff;
import switchboard.http.HttpEntry;
import switchboard.http.Readiness;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.ComposedOutbound;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.legacy.LegacyEndpoint;
import switchboard.session.SessionLimits;

/**
 * A gateway in this process. {@link #start} and {@link #close} block the calling thread, which must not be an event
 * loop.
 */
public final class GatewayApp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayApp.class);

    private enum State {
        STARTING,
        SERVING,
        STOPPING
    }

    private final GatewayConfig config;
    private final Path data;
    private final Platform platform;
    private final List<LoadedBackend> backends;
    private final RunningBackends running;
    private final Servers servers;
    private final Composition composition;
    private final ToolCatalog catalog;
    private final TeamsInForce teams;
    private final SwitchedOff switchedOff = new SwitchedOff();
    private final BackendHealth health;
    private final Dispatcher dispatcher;
    private final McpEndpoint endpoint;
    private volatile State state = State.STARTING;

    private GatewayApp(
            GatewayConfig config, Installation installation, Platform platform, List<LoadedBackend> backends) {
        this.config = config;
        this.data = installation.data();
        this.platform = platform;
        this.backends = backends;
        this.running = new RunningBackends(platform.vertx());
        this.servers = new Servers(platform.vertx(), config, platform.telemetry());
        this.composition = Composition.of(backends, installation);
        this.catalog = ConfiguredViews.catalog(backends, composition, config.views());
        this.teams = new TeamsInForce(config);
        this.health =
                new BackendHealth(backends, switchedOff, platform.telemetry().gateway());
        this.dispatcher = new Dispatcher(platform.vertx(), limits(config), platform.meters(), switchedOff);
        this.endpoint = protocol();
    }

    /**
     * Starts a gateway and returns when it takes calls.
     *
     * @throws BootException if it can't start; nothing is left running then
     */
    public static GatewayApp start(GatewayConfig config, Installation installation, BackendTypes types, Clock clock) {
        Platform platform = Platform.create(config, clock);
        try {
            BackendServices services =
                    new BackendServices(platform.vertx(), platform.meters(), clock, installation.data());
            List<LoadedBackend> backends = new BackendLoader(installation, types.modules(platform.embedders()))
                    .load(config.backends(), services);
            GatewayApp app = new GatewayApp(config, installation, platform, backends);
            app.open();
            return app;
        } catch (RuntimeException e) {
            platform.close();
            throw e;
        }
    }

    /** Where agents connect: the default view. */
    public URI endpointUrl() {
        return servers.endpoint();
    }

    /** Where operators look. */
    public URI managementUrl() {
        return servers.managementUrl();
    }

    /** The tools of all views. */
    public ToolCatalog catalog() {
        return catalog;
    }

    /** What is under way, for tests that look for leaks. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** The protocol, for tests that look for leaks. */
    public McpEndpoint endpoint() {
        return endpoint;
    }

    /**
     * Stops in an order that loses no answer: not ready any more, no new calls while those under way finish, then the
     * backends, then the rest. Calling it again does nothing.
     */
    @Override
    public synchronized void close() {
        if (state == State.STOPPING) {
            return;
        }
        state = State.STOPPING;
        LOG.info("stopping");
        stop();
        platform.close();
        LOG.info("stopped");
    }

    private void open() {
        try {
            backends.forEach(running::start);
            servers.openManagement(
                    this::readiness, new OperatorSwitch(config.backends().keySet(), switchedOff));
            health.watch(platform.vertx());
            platform.telemetry().gateway().sessions(endpoint::liveSessions);
            servers.openMcp(new HttpEntry(
                    endpoint,
                    authenticator(),
                    (principal, view) -> catalog.view(view).isPresent() && principal.mayUseView(view)));
            RunningGateway.announce(data, endpointUrl());
        } catch (IOException e) {
            stop();
            throw new BootException(Stage.ENVIRONMENT, "can't write to the data folder " + data + ": " + e, e);
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
        state = State.SERVING;
    }

    private void stop() {
        try {
            RunningGateway.withdraw(data);
        } catch (IOException e) {
            LOG.warn("can't remove the announcement in {}: {}", data, e.toString());
        }
        endpoint.shutdown();
        Platform.finish("HTTP server", servers.closeMcp());
        running.stop();
        Platform.finish("management server", servers.closeManagement());
    }

    private Readiness readiness() {
        return new Readiness(state == State.SERVING, state.name().toLowerCase(Locale.ROOT), health.parts());
    }

    private McpEndpoint protocol() {
        ProtocolSettings settings = protocolSettings();
        AccessPolicy policy = new AccessPolicy();
        ChangeHub changes = new ChangeHub(settings.maxStreams());
        backends.forEach(
                backend -> dispatcher.onListChanged(backend.id(), kind -> changes.publish(backend.id(), kind)));
        ProtocolServices services = new ProtocolServices(
                settings,
                name -> catalog.view(name).orElseThrow(),
                new BackendOffers(backends),
                policy,
                new TeamBudgets(teams::current, platform.clock()),
                new ComposedOutbound(dispatcher::send, composition.composer(platform, policy, dispatcher::send)),
                changes,
                platform.telemetry());
        SessionLimits sessions =
                new SessionLimits(config.sessions().max(), config.sessions().idleTtl());
        return new McpEndpoint(services, new LegacyEndpoint(services, sessions, Ticker.systemTicker()));
    }

    private ProtocolSettings protocolSettings() {
        ProtocolSettings usual = ProtocolSettings.defaults(Installation.version());
        return new ProtocolSettings(
                usual.serverName(),
                usual.serverTitle(),
                usual.serverVersion(),
                usual.instructions(),
                config.limits().batchSize(),
                usual.batchConcurrency(),
                usual.pageSize(),
                usual.listTtl(),
                usual.maxStreams(),
                config.server().requestTimeout());
    }

    private Authenticator authenticator() {
        return switch (config.auth().mode()) {
            case NONE -> new OpenAuthenticator();
            case KEYS -> {
                teams.reload();
                TeamsWatch watch = new TeamsWatch(teams, config.auth().teamsFile(), endpoint, platform.clock());
                platform.telemetry().gateway().teamsOutdated(watch::failed);
                watch.start(platform.vertx());
                yield new KeyAuthenticator(
                        teams::current, config.auth().anonymous().team(), platform.clock());
            }
        };
    }

    private static DispatchLimits limits(GatewayConfig config) {
        return new DispatchLimits(
                config.limits().callsPerBackend(), config.limits().calls(), DispatchLimits.DEFAULT.retryAfterMs());
    }
}
