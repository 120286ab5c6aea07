package switchboard.app;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
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
import switchboard.telemetry.Outage;

/**
 * The health of each backend and embedder. It is checked in the background, with at most one check at a time for each
 * backend. Thread-safe.
 */
final class BackendHealth {
    private static final long PERIOD_MS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(BackendHealth.class);

    private final List<LoadedBackend> backends;
    private final DisabledBackends disabledBackends;
    private final Map<String, Health> last = new ConcurrentHashMap<>();
    private final Map<String, AtomicBoolean> asking = new ConcurrentHashMap<>();
    private volatile Runnable stop = () -> {};
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    BackendHealth(List<LoadedBackend> backends, DisabledBackends disabledBackends, GatewayMeters meters, Clock clock) {
        this.backends = backends;
        this.disabledBackends = disabledBackends;
        for (LoadedBackend backend : backends) {
            last.put(backend.id(), Health.down("not asked yet"));
            asking.put(backend.id(), new AtomicBoolean());
            outages.put(backend.id(), new Outage(LOG, "the engine of " + backend.id(), clock));
            meters.backend(backend.id(), () -> of(backend.id()).ok(), () -> disabledBackends
                    .reason(backend.id())
                    .isEmpty());
        }
    }

    /** Checks every backend now and then every ten seconds, until {@link #stop}. */
    Future<Void> watch(Vertx vertx) {
        long timer = vertx.setPeriodic(PERIOD_MS, _ -> probe());
        stop = () -> vertx.cancelTimer(timer);
        return probe();
    }

    /** Stops the checks. */
    void stop() {
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

    /** Runs the detailed checks of each backend ({@code doctor}), by backend id. The future never fails. */
    Future<Map<String, List<DiagnosticFinding>>> examine() {
        Map<String, List<DiagnosticFinding>> found = new ConcurrentSkipListMap<>();
        return Future.join(backends.stream()
                        .map(backend -> closely(backend).map(findings -> found.put(backend.id(), findings)))
                        .toList())
                .map(found);
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
                    case DOWN -> Readiness.Status.DOWN;
                };
        return new Readiness.Part(backend.id(), status, backend.required(), off.orElse(health.detail()));
    }

    private Health of(String id) {
        return last.getOrDefault(id, Health.down("not asked yet"));
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
        Outage outage = outages.get(id);
        if (outage == null) {
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
                    busy.set(false);
                })
                .mapEmpty();
    }
}
