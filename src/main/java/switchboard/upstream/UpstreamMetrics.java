package switchboard.upstream;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import switchboard.telemetry.MetricNames;

/** Metrics of a backend's requests to its engine. Labels are bounded: no path, no client input. */
final class UpstreamMetrics {
    private final MeterRegistry meters;
    private final String backend;
    private final Counter retries;
    private final Map<AttemptOutcome, Timer> durations = new ConcurrentHashMap<>();

    /** The outcome of an attempt: its kind and, if the engine answered, the class of the HTTP status. */
    private record AttemptOutcome(String outcome, String status) {}

    UpstreamMetrics(MeterRegistry meters, String backend) {
        this.meters = meters;
        this.backend = backend;
        this.retries = Counter.builder(MetricNames.UPSTREAM_RETRIES)
                .description("requests to an engine that were sent again")
                .tag("backend", backend)
                .register(meters);
    }

    void watch(CircuitBreaker breaker, Supplier<Number> inFlight, Supplier<Number> standing) {
        Gauge.builder(MetricNames.UPSTREAM_BREAKER, breaker, UpstreamSettings.Breaker::level)
                .description("0 closed, 1 half open, 2 open")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder(MetricNames.UPSTREAM_IN_FLIGHT, inFlight)
                .description("requests to an engine under way or waiting for a connection")
                .tag("backend", backend)
                .register(meters);
        Gauge.builder(MetricNames.UPSTREAM_STREAMS, standing)
                .description(
                        "streams of an MCP server that stay open on purpose: change notifications, and resumed answers")
                .tag("backend", backend)
                .register(meters);
    }

    /** An attempt that the engine answered with {@code status}. */
    void answered(int status, Duration took) {
        attempt(new AttemptOutcome("answered", status / 100 + "xx"), took);
    }

    /** An attempt that ended with a fault of the kind {@code fault}. */
    void failed(String fault, Duration took) {
        attempt(new AttemptOutcome(fault, ""), took);
    }

    private void attempt(AttemptOutcome end, Duration took) {
        durations
                .computeIfAbsent(end, label -> Timer.builder(MetricNames.UPSTREAM_DURATION)
                        .description("one attempt, from asking for a connection to the answer's last byte")
                        .tag("backend", backend)
                        .tag("outcome", label.outcome())
                        .tag("status", label.status())
                        .publishPercentileHistogram()
                        .register(meters))
                .record(took);
    }

    void retry() {
        retries.increment();
    }
}
