package switchboard.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import switchboard.protocol.Inbound;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.GatewayMeters;
import switchboard.telemetry.Metrics;
import switchboard.telemetry.OperationMeters;
import switchboard.telemetry.RequestLog;

/** Passes what the protocol says about its requests on to metrics and the request log. Thread-safe. */
final class Telemetry implements OperationObserver, AutoCloseable {
    private final Metrics metrics = new Metrics();
    private final OperationMeters operations = new OperationMeters(metrics.registry());
    private final GatewayMeters gateway = new GatewayMeters(metrics.registry());
    private final RequestLog log;

    Telemetry(Clock clock) {
        this.log = new RequestLog(clock);
    }

    PrometheusMeterRegistry registry() {
        return metrics.registry();
    }

    GatewayMeters gateway() {
        return gateway;
    }

    @Override
    public void finished(Operation operation) {
        var seen = new switchboard.telemetry.Operation(
                operation.method(),
                operation.tool(),
                operation.error(),
                new switchboard.telemetry.Operation.Origin(
                        operation.transport(),
                        operation.protocolVersion(),
                        operation.view(),
                        operation.team(),
                        operation.principal()),
                operation.duration(),
                operation.resultBytes());
        operations.record(seen);
        log.record(seen);
        String limit = operation.trail().limit();
        if (limit != null) {
            operations.limited(operation.team(), limit, 1);
        }
    }

    /** Counts the {@code tokens} of an answer that {@code team} got. */
    void tokens(String team, long tokens) {
        operations.tokens(team, tokens);
    }

    @Override
    public void limited(Inbound inbound, String limit, int calls) {
        operations.limited(inbound.principal().team(), limit, calls);
    }

    @Override
    public void sessionEnded(Duration age) {
        gateway.sessionEnded(age);
    }

    @Override
    public void close() {
        metrics.close();
    }
}
