package switchboard.app;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.Requester;
import switchboard.federation.FederationBackend;
import switchboard.protocol.BackendCaller;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;
import switchboard.watch.Watch;

/** Reads for webhooks, and notes in the audit log what they were told. */
record WebhookCalls(BackendCaller caller, AuditRecorder audit) implements WatchDeliveries.DeliveryCalls {
    private static final String METHOD = "webhook";

    @Override
    public Future<BackendReply> read(Requester who, Caller as, String uri) {
        return caller.send(
                        FederationBackend.ID,
                        new BackendRequest.ReadResource(uri),
                        as,
                        CallOptions.withEvents(GatewayWatches.LONGEST, null, null)
                                .patiently()
                                .by(who))
                .reply();
    }

    /** The path of {@code url} is not noted: it may be a secret of the receiver. */
    @Override
    public void sent(Watch watch, URI url, int bytes, @Nullable FailureKind error, Duration took) {
        audit.finished(new FinishedRequest(
                RequestSource.unread(null, "local", ""),
                new RequestCaller(watch.owner().team(), watch.owner().id()),
                new FinishedRequest.Channel("http", ""),
                new FinishedRequest.Subject(
                        METHOD, null, null, List.of(watch.uri()), Json.object().put("host", url.getRawAuthority())),
                new FinishedRequest.Outcome(
                        FinishedRequest.AccessDecision.ALLOWED, null, error == null ? null : error.name(), null),
                took,
                bytes));
    }
}
