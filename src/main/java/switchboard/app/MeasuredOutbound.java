package switchboard.app;

import java.time.Duration;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.protocol.Outbound;
import switchboard.telemetry.BackendMeters;

/**
 * Counts how calls of backends end and how long they take, those that are refused too.
 *
 * @param next sends them
 * @param meters is told
 */
record MeasuredOutbound(Outbound next, BackendMeters meters) implements Outbound {
    @Override
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        long start = System.nanoTime();
        return next.send(backendId, request, caller, options).heardBy(answer -> {
            FailureKind error = answer instanceof ToolReply.Failed failed ? failed.kind() : null;
            meters.called(backendId, error, Duration.ofNanos(System.nanoTime() - start), options.traceparent());
        });
    }
}
