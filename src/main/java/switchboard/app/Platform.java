package switchboard.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.BackendServices;
import switchboard.call.BusCodecs;
import switchboard.call.CallerTokens;
import switchboard.call.Verb;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.GatewayConfig;
import switchboard.config.LlmConfig;
import switchboard.config.SearchConfig;
import switchboard.dispatch.DisabledBackends;
import switchboard.dispatch.Dispatcher;
import switchboard.embed.EmbedderFactory;
import switchboard.embed.Embedders;
import switchboard.embed.RerankerFactory;
import switchboard.llm.ChatModel;
import switchboard.llm.Llm;
import switchboard.upstream.UpstreamServices;

/**
 * The runtime that all parts of a gateway use. It is closed last.
 *
 * @param vertx event loops and event bus
 * @param telemetry metrics and request log
 * @param models embedders and language model
 * @param clock the time of day
 * @param executors for the gateway's own blocking work
 * @param share the part of each bounded resource that one team may hold
 * @param callers the access tokens of callers, for backends that call their servers as these
 */
record Platform(
        Vertx vertx,
        Telemetry telemetry,
        ModelServices models,
        Clock clock,
        GatewayExecutors executors,
        TeamShare share,
        SharedOperators operators,
        RequesterTokens callers)
        implements AutoCloseable {
    /**
     * One for each processor, since more would only compete; at least two, so that one that is held up does not stop
     * everything.
     */
    static final int EVENT_LOOPS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final Logger LOG = LoggerFactory.getLogger(Platform.class);

    /** Seconds that one step of a stop may take; longer than the longest grace period that can be configured. */
    private static final long STEP_SECONDS = 40;

    /** Event loops for a gateway, or for a command that has no more of it. */
    static Vertx eventLoops() {
        return Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(EVENT_LOOPS));
    }

    /** A platform for a gateway with this configuration. */
    static Platform create(GatewayConfig config, Installation installation, Clock clock) {
        Vertx vertx = eventLoops();
        BusCodecs.register(vertx.eventBus());
        Telemetry telemetry = new Telemetry(clock, config.tracing());
        TeamShare share = new TeamShare(config.limits().teamShare());
        try {
            Embedders embedders = new EmbedderFactory(vertx, telemetry.registry(), clock, share, installation.models())
                    .create(config.embedders());
            UpstreamServices services = new UpstreamServices(vertx, telemetry.registry(), clock, telemetry.tracing());
            RerankerFactory rerankers = new RerankerFactory(services, share, installation.models());
            ModelServices models = new ModelServices(
                    embedders,
                    llm(config, services),
                    Optional.ofNullable(config.rerank()).map(rerankers::create));
            return of(vertx, telemetry, models, clock, share);
        } catch (IllegalArgumentException e) {
            of(vertx, telemetry, ModelServices.none(), clock, share).close();
            throw new BootException(BootException.Stage.CONFIGURATION, List.of(String.valueOf(e.getMessage())));
        }
    }

    private static Platform of(
            Vertx vertx, Telemetry telemetry, ModelServices modelServices, Clock clock, TeamShare share) {
        return new Platform(
                vertx,
                telemetry,
                modelServices,
                clock,
                new GatewayExecutors(vertx, telemetry.registry(), share),
                share,
                new SharedOperators(),
                new RequesterTokens());
    }

    /**
     * A platform for a command without a stop sequence of its own. When the process is told to stop, it ends after the
     * texts that are being embedded, because native code must not run while its library is unloaded.
     */
    static Platform forCommand(GatewayConfig config, Installation installation, Clock clock) {
        Platform platform = create(config, installation, clock);
        Thread last = new Thread(() -> finish("models", platform.models().close()), "shutdown");
        Runtime.getRuntime().addShutdownHook(last);
        return platform;
    }

    private static Optional<Llm> llm(GatewayConfig config, UpstreamServices services) {
        LlmConfig llm = config.llm();
        if (llm == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Llm(new ChatModel(llm, services), llm.indexing()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("llm: " + e.getMessage(), e);
        }
    }

    /** The dispatcher of all calls, in which the tokens of callers are looked for. */
    Dispatcher dispatcher(
            GatewayConfig config, DisabledBackends disabled, BiFunction<String, String, Set<Verb>> verbs) {
        Dispatcher dispatcher = new Dispatcher(
                vertx, ConfiguredLimits.dispatch(config, share), meters(), disabled, telemetry.calls(verbs));
        callers.lookIn(dispatcher);
        return dispatcher;
    }

    /** The services for backends, with the embedders that the configuration declares for their sources. */
    BackendServices services(Installation installation, GatewayConfig config) {
        return services(installation, config, ConfiguredCluster.NONE);
    }

    /** The same for backends that share documents with other gateways. */
    BackendServices services(Installation installation, GatewayConfig config, ConfiguredCluster cluster) {
        SearchConfig search = config.search();
        return new BackendServices(
                vertx,
                meters(),
                clock,
                installation.data(),
                telemetry.tracing(),
                FederatedTools.embedders(search),
                search.sources(),
                share,
                operators,
                Authentication.acceptsTokens(config) ? callers : CallerTokens.NONE,
                cluster.documents());
    }

    PrometheusMeterRegistry meters() {
        return telemetry.registry();
    }

    /** Waits for work under way, then closes what it runs on, so that no result is passed to a closed event loop. */
    @Override
    public void close() {
        finish("blocking work", executors.close());
        finish("models", models.close());
        finish("runtime", vertx.close());
        telemetry.close();
    }

    /** Blocks for {@code time}, so that {@code others} notice that the gateway stops. */
    void pause(String others, Duration time) {
        if (time.isPositive()) {
            finish(others, vertx.timer(time.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** Waits for one step of a stop. A step that fails or takes too long is logged, and the next one follows. */
    static void finish(String what, Future<?> step) {
        try {
            step.await(STEP_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) { // await rethrows what the step failed with, checked or not
            LOG.warn("{} did not stop cleanly: {}", what, e.toString());
        }
    }

    /** An executor of one thread for computing on long texts; it is closed before Vert.x. */
    BlockingExecutor executor(String name, int maxWaiting) {
        return executors.open(name, 1, maxWaiting);
    }
}
