package switchboard.app;

import java.time.Duration;
import switchboard.protocol.OperationObserver;
import switchboard.telemetry.GatewayMeters;
import switchboard.telemetry.OperationMeters;
import switchboard.telemetry.RequestLog;

/** Carries what the protocol did to the meters and the request log, which know nothing of the protocol. */
public final class OperationTelemetry implements OperationObserver {
    private final OperationMeters operations;
    private final GatewayMeters gateway;
    private final RequestLog log;

    /** An observer that feeds all three. */
    public OperationTelemetry(OperationMeters operations, GatewayMeters gateway, RequestLog log) {
        this.operations = operations;
        this.gateway = gateway;
        this.log = log;
    }

    @Override
    public void finished(Operation operation) {
        var record = new switchboard.telemetry.Operation(
                operation.method(),
                operation.tool(),
                operation.error(),
                new switchboard.telemetry.Operation.Origin(
                        operation.transport(),
                        operation.protocolVersion(),
                        operation.view(),
                        operation.team(),
                        operation.principal()),
                operation.duration());
        operations.record(record);
        log.record(record);
    }

    @Override
    public void sessionEnded(Duration age) {
        gateway.sessionEnded(age);
    }
}
