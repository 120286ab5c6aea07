package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Authenticator;
import switchboard.auth.KeyAuthenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.TeamBudgets;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.BackendVerticle;
import switchboard.call.BusCodecs;
import switchboard.catalog.ToolCatalog;
import switchboard.config.GatewayConfig;
import switchboard.dispatch.DispatchLimits;
import switchboard.dispatch.Dispatcher;
import switchboard.http.HttpEntry;
import switchboard.http.Readiness;
import switchboard.protocol.ChangeHub;
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
    private static final long STEP_SECONDS = 30;

    private final GatewayConfig config;
    private final Clock clock;
    private final Vertx vertx;
    private final TeamsInForce teams;
    private final Telemetry telemetry;
    private final Servers servers;
    private final List<LoadedBackend> backends;
    private final ToolCatalog catalog;
    private final BackendHealth health;
    private final Dispatcher dispatcher;
    private final McpEndpoint endpoint;
    private final List<LoadedBackend> started = new ArrayList<>();
    private final List<String> deployments = new ArrayList<>();
    private volatile State state = State.STARTING;

    private enum State {
        STARTING("starting"),
        SERVING("serving"),
        STOPPING("stopping");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private GatewayApp(
            GatewayConfig config, Vertx vertx, Telemetry telemetry, List<LoadedBackend> backends, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.vertx = vertx;
        this.telemetry = telemetry;
        this.backends = backends;
        this.servers = new Servers(vertx, config, telemetry);
        this.catalog =
                ToolCatalog.of(backends.stream().map(LoadedBackend::tools).toList());
        this.teams =
                new TeamsInForce(config.auth().teamsFile(), config.backends().keySet(), catalog.viewNames());
        this.health = new BackendHealth(backends, telemetry.gateway());
        this.dispatcher = new Dispatcher(vertx, limits(config), telemetry.registry());
        this.endpoint = protocol();
    }

    /**
     * Starts a gateway and returns when it takes calls.
     *
     * @throws BootException if it can't start; nothing is left running then
     */
    public static GatewayApp start(
            GatewayConfig config, Installation installation, List<BackendModule<?>> modules, Clock clock) {
        Vertx vertx = Vertx.vertx();
        Telemetry telemetry = new Telemetry(clock);
        try {
            BusCodecs.register(vertx.eventBus());
            BackendServices services = new BackendServices(vertx, telemetry.registry(), clock, installation.data());
            List<LoadedBackend> backends = new BackendLoader(installation, modules).load(config.backends(), services);
            GatewayApp app = new GatewayApp(config, vertx, telemetry, backends, clock);
            app.open();
            return app;
        } catch (RuntimeException e) {
            finish("runtime", vertx.close());
            telemetry.close();
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
        stopServing();
        finish("runtime", vertx.close());
        telemetry.close();
        LOG.info("stopped");
    }

    private void open() {
        try {
            backends.forEach(this::startBackend);
            servers.openManagement(this::readiness);
            health.watch(vertx);
            telemetry.gateway().sessions(endpoint::liveSessions);
            servers.openMcp(new HttpEntry(
                    endpoint,
                    authenticator(),
                    (principal, view) -> catalog.view(view).isPresent() && principal.mayUseView(view)));
        } catch (RuntimeException e) {
            stopServing();
            throw e;
        }
        state = State.SERVING;
    }

    private void startBackend(LoadedBackend loaded) {
        Backend backend = loaded.backend();
        DeploymentOptions options = new DeploymentOptions()
                .setInstances(
                        switch (backend.concurrency()) {
                            case ONE_EVENT_LOOP -> 1;
                            case EVERY_EVENT_LOOP -> VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE;
                        });
        try {
            backend.start().await();
            started.add(loaded);
            deployments.add(vertx.deployVerticle(() -> new BackendVerticle(loaded.id(), backend), options)
                    .await());
        } catch (Exception e) { // await rethrows what the start failed with, checked or not
            throw new BootException(Stage.ENVIRONMENT, "backend " + loaded.id() + " can't start: " + e.getMessage(), e);
        }
    }

    private void stopServing() {
        endpoint.shutdown();
        finish("HTTP server", servers.closeMcp());
        deployments.forEach(deployment -> finish("consumer of a backend", vertx.undeploy(deployment)));
        started.forEach(
                loaded -> finish("backend " + loaded.id(), loaded.backend().stop()));
        finish("management server", servers.closeManagement());
    }

    private Readiness readiness() {
        return new Readiness(state == State.SERVING, state.word, health.parts());
    }

    private McpEndpoint protocol() {
        ProtocolSettings usual = ProtocolSettings.defaults(Installation.version());
        ProtocolServices services = new ProtocolServices(
                usual,
                name -> catalog.view(name).orElseThrow(),
                new BackendOffers(backends),
                new AccessPolicy(),
                new TeamBudgets(teams::current, clock),
                dispatcher::send,
                new ChangeHub(usual.maxStreams()),
                telemetry);
        SessionLimits sessions =
                new SessionLimits(config.sessions().max(), config.sessions().idleTtl());
        return new McpEndpoint(services, new LegacyEndpoint(services, sessions, Ticker.systemTicker()));
    }

    private Authenticator authenticator() {
        return switch (config.auth().mode()) {
            case NONE -> new OpenAuthenticator();
            case KEYS -> {
                teams.reload();
                yield new KeyAuthenticator(
                        teams::current, config.auth().anonymous().team(), clock);
            }
        };
    }

    private static DispatchLimits limits(GatewayConfig config) {
        return new DispatchLimits(
                config.limits().callsPerBackend(), config.limits().calls(), DispatchLimits.DEFAULT.retryAfterMs());
    }

    /** Waits for one step of the stop; a step that fails or takes too long is logged, and the next one follows. */
    private static void finish(String what, Future<?> step) {
        try {
            step.await(STEP_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) { // await rethrows what the step failed with, checked or not
            LOG.warn("{} did not stop cleanly: {}", what, e.toString());
        }
    }
}
