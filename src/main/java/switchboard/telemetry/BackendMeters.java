package switchboard.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;

/**
 * Measures duration and outcome of backend calls, for service level objectives per backend. There is one timer for
 * each backend and kind of failure, so their number is bounded by the configuration. Thread-safe.
 */
public final class BackendMeters {
    private static final Duration[] BUCKETS = Stream.of(
                    5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final CurrentTrace trace;
    private final Map<CallOutcome, Timer> timers = new ConcurrentHashMap<>();

    private record CallOutcome(String backend, String error) {}

    /** Meters in {@code registry}, which shows {@code trace} as exemplars. */
    BackendMeters(MeterRegistry registry, CurrentTrace trace) {
        this.registry = registry;
        this.trace = trace;
    }

    /**
     * Counts a call of {@code backend}.
     *
     * @param error the kind of failure; null on success
     * @param duration from dispatch to answer, for refused calls, too
     * @param traceparent the W3C trace context that it belongs to, if any
     */
    public void called(String backend, @Nullable FailureKind error, Duration duration, @Nullable String traceparent) {
        Timer timer = timers.computeIfAbsent(new CallOutcome(backend, error == null ? "" : error.name()), this::timer);
        trace.with(traceparent, () -> timer.record(duration));
    }

    private Timer timer(CallOutcome end) {
        return Timer.builder(MetricNames.BACKEND_CALLS)
                .description("Calls of a backend, from dispatch to answer")
                .serviceLevelObjectives(BUCKETS)
                .tag(MetricNames.BACKEND, end.backend())
                .tag(MetricNames.ERROR, end.error())
                .register(registry);
    }
}
