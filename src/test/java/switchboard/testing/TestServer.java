package switchboard.testing;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.impl.EventBusImpl;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Authenticator;
import switchboard.auth.Budget;
import switchboard.auth.OpenAuthenticator;
import switchboard.backend.Backend;
import switchboard.backend.BackendServices;
import switchboard.backend.BackendVerticle;
import switchboard.backend.ListChanges;
import switchboard.call.BusCodecs;
import switchboard.call.Tracing;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.dispatch.DispatchLimits;
import switchboard.dispatch.Dispatcher;
import switchboard.http.HttpMeters;
import switchboard.http.HttpServices;
import switchboard.http.HttpSettings;
import switchboard.http.HttpVerticle;
import switchboard.http.McpRoutes;
import switchboard.protocol.BackendCapabilities;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.Redactor;
import switchboard.protocol.legacy.LegacyEndpoint;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.session.SessionLimits;
import switchboard.telemetry.FinishedRequest;

/** A gateway with the {@link ToyBackend}, wired with plain constructors, on a free loopback port. */
public final class TestServer implements AutoCloseable {
    private static final int EVENT_LOOPS = 2;

    private final Vertx vertx;
    private final ToyBackend toy;
    private final MeterRegistry meters;
    private final HttpMeters http;
    private final Dispatcher dispatcher;
    private final McpEndpoint endpoint;
    private final List<FinishedRequest> operations = new CopyOnWriteArrayList<>();
    private final int port;
    private final int standingTimers;
    private final int standingConsumers;

    /**
     * What tests change about the server.
     *
     * @param http its HTTP side; the port is chosen by the system
     * @param protocol its protocol side
     * @param dispatch how many calls may be under way
     * @param sessions bounds of legacy sessions
     * @param resume bounds of their streams
     * @param ticker measures the idleness of sessions
     * @param authenticator who may call
     */
    public record Setup(
            HttpSettings http,
            ProtocolSettings protocol,
            DispatchLimits dispatch,
            SessionLimits sessions,
            ResumeLimits resume,
            Ticker ticker,
            Authenticator authenticator) {
        /** The shipped settings, and nobody is asked who they are. */
        public static final Setup DEFAULT = new Setup(
                LoopbackHttp.settings(0),
                ProtocolSettings.defaults("test"),
                DispatchLimits.DEFAULT,
                SessionLimits.DEFAULT,
                ResumeLimits.DEFAULT,
                Ticker.systemTicker(),
                new OpenAuthenticator());

        /** The same with other HTTP settings. */
        public Setup http(UnaryOperator<HttpSettings> change) {
            return new Setup(change.apply(http), protocol, dispatch, sessions, resume, ticker, authenticator);
        }

        /** The same with other protocol settings. */
        public Setup protocol(ProtocolSettings other) {
            return new Setup(http, other, dispatch, sessions, resume, ticker, authenticator);
        }

        /** The same with other limits of calls under way. */
        public Setup dispatch(DispatchLimits other) {
            return new Setup(http, protocol, other, sessions, resume, ticker, authenticator);
        }

        /** The same with other sessions. */
        public Setup sessions(SessionLimits other, Ticker otherTicker) {
            return new Setup(http, protocol, dispatch, other, resume, otherTicker, authenticator);
        }

        /** The same with other streams of legacy sessions. */
        public Setup resume(ResumeLimits other) {
            return new Setup(http, protocol, dispatch, sessions, other, ticker, authenticator);
        }

        /** The same with other callers. */
        public Setup authenticator(Authenticator other) {
            return new Setup(http, protocol, dispatch, sessions, resume, ticker, other);
        }
    }

    private TestServer(Setup setup) {
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS));
        BusCodecs.register(vertx.eventBus());
        meters = new SimpleMeterRegistry();
        toy = new ToyBackend(vertx);
        deploy("toy", toy);
        deploy("mirror", ToyBackend.mirror());
        ToolCatalog catalog = ToolCatalog.of(
                List.of(
                        new ToolCatalog.BackendTools("toy", "toy", descriptors("toy")),
                        new ToolCatalog.BackendTools("mirror", "mirror", descriptors("mirror"))),
                List.of());
        dispatcher = new Dispatcher(vertx, setup.dispatch(), meters);
        ChangeHub changes = new ChangeHub(setup.protocol().maxStreams());
        List.of("toy", "mirror").forEach(id -> dispatcher.onListChanged(id, kind -> changes.publish(id, kind)));
        ProtocolServices services = new ProtocolServices(
                setup.protocol(),
                name -> catalog.view(name).orElseThrow(),
                new ToyProviders(),
                new AccessPolicy(),
                Budget.UNLIMITED,
                Redactor.NONE,
                RoughAnswers.fitter(),
                dispatcher::send,
                changes,
                new OperationObserver() {
                    @Override
                    public void finished(FinishedRequest operation) {
                        operations.add(operation);
                    }
                },
                Tracing.OFF,
                NoTasks.store());
        endpoint = new McpEndpoint(
                services,
                new LegacyEndpoint(
                        services, setup.sessions(), setup.resume(), Clock.systemUTC(), setup.ticker(), null));
        http = new HttpMeters(meters);
        HttpServices entry = new HttpServices(endpoint, setup.authenticator(), (principal, view) -> catalog.viewNames()
                .contains(view));
        List<HttpVerticle> servers = new CopyOnWriteArrayList<>();
        vertx.deployVerticle(
                        () -> {
                            HttpVerticle server =
                                    new HttpVerticle(setup.http(), http, new McpRoutes(setup.http(), http, entry));
                            servers.add(server);
                            return server;
                        },
                        new DeploymentOptions().setInstances(EVENT_LOOPS))
                .await();
        port = servers.getFirst().port();
        standingTimers = timers();
        standingConsumers = consumers();
    }

    /** A running server with {@code setup}. */
    public static TestServer start(Setup setup) {
        return new TestServer(setup);
    }

    /** A running server with the shipped settings. */
    public static TestServer start() {
        return start(Setup.DEFAULT);
    }

    /** The address of {@code path}. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** The port that is listened on. */
    public int port() {
        return port;
    }

    /** What it runs on. */
    public Vertx vertx() {
        return vertx;
    }

    /** The backend behind it. */
    public ToyBackend toy() {
        return toy;
    }

    /** The counters of the HTTP side. */
    public HttpMeters http() {
        return http;
    }

    /** All meters. */
    public MeterRegistry meters() {
        return meters;
    }

    /** The way to the backend. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** The protocol. */
    public McpEndpoint endpoint() {
        return endpoint;
    }

    /** The timers that wait, beyond those a server without callers has. */
    public int extraTimers() {
        return timers() - standingTimers;
    }

    /** Who listens on the event bus, beyond those who do on a server without callers. */
    public int extraConsumers() {
        return consumers() - standingConsumers;
    }

    /** How the backend {@code id} announces changed lists. */
    public ListChanges listChanges(String id) {
        return new BackendServices(vertx, meters, Clock.systemUTC(), Path.of(".")).listChanges(id);
    }

    /** Every request that was answered so far. */
    public List<FinishedRequest> operations() {
        return List.copyOf(operations);
    }

    @Override
    public void close() {
        endpoint.shutdown();
        toy.release();
        vertx.close().await();
        meters.close();
    }

    /** Vert.x says nowhere how many timers it has; its table of them does. */
    private int timers() {
        try {
            Field table = vertx.getClass().getDeclaredField("timeouts");
            table.setAccessible(true);
            return ((Map<?, ?>) table.get(vertx)).size();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("this version of Vert.x keeps its timers elsewhere", e);
        }
    }

    /** Nor does it say who listens on its bus. */
    private int consumers() {
        try {
            Field table = EventBusImpl.class.getDeclaredField("handlerMap");
            table.setAccessible(true);
            int all = 0;
            for (Object handlers : ((Map<?, ?>) table.get(vertx.eventBus())).values()) {
                for (Object _ : (Iterable<?>) handlers) {
                    all++;
                }
            }
            return all;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("this version of Vert.x keeps its consumers elsewhere", e);
        }
    }

    private void deploy(String id, Backend backend) {
        vertx.deployVerticle(() -> new BackendVerticle(id, backend), new DeploymentOptions().setInstances(EVENT_LOOPS))
                .await();
    }

    private static List<ToolDescriptor> descriptors(String type) {
        String file = "/toy/" + type + ".json";
        try (InputStream json = TestServer.class.getResourceAsStream(file)) {
            return DescriptorReader.read(
                    file, java.util.Objects.requireNonNull(json, file).readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static final class ToyProviders implements BackendCapabilities {
        private final ToyResources resources = new ToyResources();

        @Override
        public boolean resources(String backendId) {
            return backendId.equals("toy");
        }

        @Override
        public boolean owns(String backendId, String uri) {
            return backendId.equals("toy") && resources.owns(uri);
        }

        @Override
        public boolean prompts(String backendId) {
            return backendId.equals("toy");
        }
    }
}
