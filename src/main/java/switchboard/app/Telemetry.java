package switchboard.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Tracing;
import switchboard.call.Verb;
import switchboard.config.TracingConfig;
import switchboard.dispatch.CallObserver;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.GatewayMeters;
import switchboard.telemetry.Metrics;
import switchboard.telemetry.OperationMeters;
import switchboard.telemetry.OtlpTracing;
import switchboard.telemetry.RequestLog;

/** Passes the observations of the protocol to metrics and to the request log. Thread-safe. */
final class Telemetry implements OperationObserver, AutoCloseable {
    private final Metrics metrics = new Metrics();
    private final OperationMeters operations = metrics.operations();
    private final GatewayMeters gateway = new GatewayMeters(metrics.registry());
    private final RequestLog log;
    private final @Nullable OtlpTracing tracing;

    Telemetry(Clock clock, @Nullable TracingConfig config) {
        this.log = new RequestLog(clock);
        this.tracing = config == null ? null : tracing(config);
        gateway.build(Installation.version());
    }

    private static OtlpTracing tracing(TracingConfig config) {
        Supplier<Map<String, String>> headers = () -> {
            Map<String, String> now = new HashMap<>();
            config.headers().forEach((name, value) -> now.put(name, value.reveal()));
            return now;
        };
        return new OtlpTracing(config.endpoint(), headers, config.ratio(), Installation.version());
    }

    /** Makes spans; does nothing unless the configuration names a collector. */
    Tracing tracing() {
        return tracing == null ? Tracing.OFF : tracing;
    }

    /**
     * Counts calls of backends and makes spans for them.
     *
     * @param verbs the verbs of a backend's tool
     */
    CallObserver calls(BiFunction<String, String, Set<Verb>> verbs) {
        return new MeteredCalls(metrics.backendCalls(), tracing(), verbs);
    }

    /**
     * Registers gauges for the sessions of {@code endpoint}, of which there may be {@code most}, and for the data
     * folder.
     */
    void show(McpEndpoint endpoint, int most, Path data) {
        gateway.sessions(endpoint::liveSessions, most);
        gateway.sessionsEvicted(endpoint::evictedSessions);
        gateway.dataFolder(data);
    }

    PrometheusMeterRegistry registry() {
        return metrics.registry();
    }

    GatewayMeters gateway() {
        return gateway;
    }

    @Override
    public void finished(FinishedRequest request) {
        operations.record(request);
        log.record(request);
        String limit = request.outcome().limit();
        if (limit != null) {
            operations.limited(request.caller().team(), limit, 1);
        }
    }

    /** Counts the tokens of an answer to {@code team}. */
    void tokens(String team, long tokens) {
        operations.tokens(team, tokens);
    }

    @Override
    public void limited(InboundMessage inboundMessage, String limit, int calls) {
        operations.limited(inboundMessage.principal().team(), limit, calls);
    }

    @Override
    public void sessionEnded(Duration age) {
        gateway.sessionEnded(age);
    }

    @Override
    public void close() {
        if (tracing != null) {
            tracing.close();
        }
        log.close();
        metrics.close();
    }
}
