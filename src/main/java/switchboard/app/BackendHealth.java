package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;
import switchboard.dispatch.DisabledBackends;
import switchboard.embed.Embedders;
import switchboard.http.Readiness;
import switchboard.telemetry.GatewayMeters;
import switchboard.telemetry.OutageLog;

/**
 * The health of each backend and embedder. It is checked in the background, with at most one check at a time for each
 * backend. Thread-safe.
 */
final class BackendHealth {
    /** The pause between two checks of a backend that is starting. */
    private static final long STARTING_MS = 500;

    /** Before the first answer. */
    private static final Health NOT_ASKED = Health.down("not asked yet");

    private static final Logger LOG = LoggerFactory.getLogger(BackendHealth.class);

    private final List<LoadedBackend> backends;
    private final Duration period;
    private final DisabledBackends disabledBackends;
    private final Map<String, Health> last = new ConcurrentHashMap<>();
    private final Map<String, AtomicBoolean> asking = new ConcurrentHashMap<>();
    private volatile Runnable stop = () -> {};
    private volatile boolean stopped;

    /** Whether there was once no backend left that was starting: then the gateway stays ready if one starts anew. */
    private volatile boolean started;

    private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();

    /** Of the backends of a gateway. */
    static BackendHealth of(
            List<LoadedBackend> backends, DisabledBackends disabledBackends, Platform platform, Periods periods) {
        return new BackendHealth(
                backends, disabledBackends, platform.telemetry().gateway(), platform.clock(), periods.health());
    }

    BackendHealth(
            List<LoadedBackend> backends,
            DisabledBackends disabledBackends,
            GatewayMeters meters,
            Clock clock,
            Duration period) {
        this.backends = backends;
        this.period = period;
        this.disabledBackends = disabledBackends;
        for (LoadedBackend backend : backends) {
            last.put(backend.id(), NOT_ASKED);
            asking.put(backend.id(), new AtomicBoolean());
            outages.put(backend.id(), new OutageLog(LOG, "the engine of " + backend.id(), clock));
            meters.backend(backend.id(), () -> of(backend.id()).ok(), () -> disabledBackends
                    .reason(backend.id())
                    .isEmpty());
        }
    }

    /** Checks every backend now and then once in each period, until {@link #stop}. */
    Future<Void> watch(Vertx vertx) {
        long timer = vertx.setPeriodic(period.toMillis(), _ -> probe());
        long starting = vertx.setPeriodic(STARTING_MS, _ -> backends.stream()
                .filter(backend -> starting(of(backend.id())))
                .forEach(this::probe));
        stop = () -> {
            vertx.cancelTimer(timer);
            vertx.cancelTimer(starting);
        };
        return probe();
    }

    /** Stops the checks. One that is under way then says nothing of the engine, because it is cancelled. */
    void stop() {
        stopped = true;
        stop.run();
    }

    /** The last result for each backend, sorted by id. */
    List<Readiness.Part> parts() {
        return backends.stream().map(this::part).toList();
    }

    /** The health of the embedders in use. */
    static List<Readiness.Part> embedders(Embedders embedders) {
        return embedders.readiness().entrySet().stream()
                .map(entry -> switch (entry.getValue()) {
                    case switchboard.embed.ModelReadiness.Failed(String reason) ->
                        new Readiness.Part(entry.getKey(), Readiness.Status.DOWN, false, reason);
                    case switchboard.embed.ModelReadiness.Idle _ ->
                        new Readiness.Part(entry.getKey(), Readiness.Status.UP, false, "not asked yet");
                    case switchboard.embed.ModelReadiness.Loading _ ->
                        new Readiness.Part(entry.getKey(), Readiness.Status.UP, false, "loading");
                    case switchboard.embed.ModelReadiness.Ready _ ->
                        new Readiness.Part(entry.getKey(), Readiness.Status.UP, false, "up");
                })
                .toList();
    }

    /** The last known health of the language model; empty without one. */
    static Optional<Readiness.Part> llm(ModelServices models) {
        return models.llm().map(llm -> {
            Health health = llm.model().health();
            return new Readiness.Part(
                    llm.model().name(),
                    health.ok() ? Readiness.Status.UP : Readiness.Status.DOWN,
                    false,
                    health.detail());
        });
    }

    /**
     * Runs the detailed checks ({@code doctor}) of each backend, by its id, and of each model that somebody uses. The
     * future never fails.
     */
    Future<Map<String, List<DiagnosticFinding>>> examine(ModelServices models) {
        Map<String, List<DiagnosticFinding>> found = new ConcurrentSkipListMap<>();
        List<Future<?>> checks = new ArrayList<>();
        backends.forEach(backend -> checks.add(closely(backend).map(findings -> found.put(backend.id(), findings))));
        // No backend's id has a space.
        models.embedders()
                .check()
                .forEach((name, check) ->
                        checks.add(check.map(health -> found.put("embedder " + name, List.of(finding(health))))));
        models.llm()
                .ifPresent(llm -> checks.add(
                        llm.model().check().map(health -> found.put("language model", List.of(finding(health))))));
        models.reranking()
                .ifPresent(second -> checks.add(
                        second.reranker().check().map(health -> found.put("reranker", List.of(finding(health))))));
        return Future.join(checks).map(found);
    }

    private static DiagnosticFinding finding(Health health) {
        return new DiagnosticFinding(health.ok(), "provider", health.ok() ? "answers" : health.detail());
    }

    private static Future<List<DiagnosticFinding>> closely(LoadedBackend backend) {
        try {
            return backend.backend()
                    .examine()
                    .otherwise(
                            failure -> List.of(DiagnosticFinding.bad("engine", String.valueOf(failure.getMessage()))));
        } catch (RuntimeException e) {
            return Future.succeededFuture(List.of(DiagnosticFinding.bad("engine", String.valueOf(e.getMessage()))));
        }
    }

    private Readiness.Part part(LoadedBackend backend) {
        Optional<String> off = disabledBackends.reason(backend.id());
        Health health = of(backend.id());
        Readiness.Status status = off.isPresent()
                ? Readiness.Status.OFF
                : switch (health.state()) {
                    case UP -> Readiness.Status.UP;
                    case DEGRADED -> Readiness.Status.DEGRADED;
                    case STARTING, DOWN -> Readiness.Status.DOWN;
                };
        boolean required = backend.required() || (starting(health) && !started);
        return new Readiness.Part(backend.id(), status, required, off.orElse(health.detail()));
    }

    private static boolean starting(Health health) {
        return health.state() == Health.HealthStatus.STARTING;
    }

    private void noteStarted() {
        if (backends.stream()
                .filter(backend -> disabledBackends.reason(backend.id()).isEmpty())
                .map(backend -> of(backend.id()))
                .noneMatch(health -> starting(health) || health.equals(NOT_ASKED))) {
            started = true;
        }
    }

    private Health of(String id) {
        return last.getOrDefault(id, NOT_ASKED);
    }

    private Future<Void> probe() {
        return Future.join(backends.stream().map(this::probe).toList()).mapEmpty();
    }

    private static Future<Health> ask(LoadedBackend backend) {
        try {
            return backend.backend().health();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private void tell(String id, Health health) {
        OutageLog outage = outages.get(id);
        if (outage == null || stopped || starting(health)) {
            return;
        }
        if (health.ok()) {
            outage.ends();
        } else {
            outage.begins(health.detail());
        }
    }

    private Future<Void> probe(LoadedBackend backend) {
        AtomicBoolean busy = asking.getOrDefault(backend.id(), new AtomicBoolean());
        if (!busy.compareAndSet(false, true)) {
            return Future.succeededFuture();
        }
        return ask(backend)
                .otherwise(failure -> Health.down(failure.getClass().getSimpleName()))
                // Stored before the future completes, so that whoever waits for it reads the new
                // result.
                .andThen(health -> {
                    last.put(backend.id(), health.result());
                    tell(backend.id(), health.result());
                    noteStarted();
                    busy.set(false);
                })
                .mapEmpty();
    }
}
