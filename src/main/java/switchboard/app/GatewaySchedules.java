package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ScheduleProvider;
import switchboard.backend.ScheduledCalls;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RecordedSteps;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.dispatch.Requester;
import switchboard.federation.FederationBackend;
import switchboard.protocol.BackendCaller;
import switchboard.telemetry.FinishedRequest;
import switchboard.telemetry.RequestCaller;
import switchboard.telemetry.RequestSource;

/**
 * What backends do at set times, and standing questions. Their calls go the way of callers' calls to the backend, and are in the audit log and among
 * the last calls.
 */
record GatewaySchedules(
        List<LoadedBackend> backends,
        BackendCaller caller,
        AuditRecorder audit,
        LiveCalls live,
        SearchInsight insight) {
    private static final String METHOD = "schedule";

    void begin() {
        backends.forEach(loaded -> loaded.backend()
                .schedules()
                .ifPresent(schedules -> schedules.begin((tool, arguments, resource, who, longest) ->
                        call(new Called(loaded.id(), tool, arguments, List.of(resource)), who, null, longest))));
        insight.watches().begin(backends, (who, as, arguments) -> call(
                        new Called(FederationBackend.ID, FederationBackend.SEARCH, arguments, List.of()),
                        as,
                        who,
                        GatewayWatches.LONGEST)
                .reply());
        insight.deliveries().begin(new WebhookCalls(caller, audit));
    }

    /** Completes when nothing that was scheduled is under way. */
    Future<Void> halt() {
        return Future.join(Stream.concat(
                                backends.stream()
                                        .flatMap(loaded -> loaded.backend().schedules().stream())
                                        .map(ScheduleProvider::halt),
                                Stream.of(
                                        insight.watches().halt(),
                                        insight.deliveries().halt()))
                        .toList())
                .mapEmpty();
    }

    private record Called(String backend, String tool, ObjectNode arguments, List<String> resources) {}

    /** Calls as {@code who}; {@code requester} is who wants it done, if somebody does. */
    private ScheduledCalls.ScheduledCall call(
            Called called, Caller who, @Nullable Requester requester, Duration longest) {
        long since = System.nanoTime();
        RecordedSteps steps = new RecordedSteps(since);
        CallOptions options =
                CallOptions.withEvents(longest, null, null).patiently().telling(steps);
        PendingCall call = caller.send(
                called.backend(),
                new BackendRequest.CallTool(called.tool(), Arguments.of(called.arguments())),
                who,
                requester == null ? options : options.by(requester));
        Future<ToolReply> reply = call.reply().map(answer -> finished(called, who, answer, since, steps));
        return new ScheduledCalls.ScheduledCall() {
            @Override
            public Future<ToolReply> reply() {
                return reply;
            }

            @Override
            public void cancel() {
                call.cancel();
            }
        };
    }

    private ToolReply finished(Called called, Caller who, BackendReply answer, long since, RecordedSteps steps) {
        ToolReply reply = answer instanceof ToolReply known
                ? known
                : ToolReply.failed(FailureKind.INTERNAL, "The backend gave another answer than that of a tool.");
        JsonNode structured = reply instanceof ToolReply.Ok ok ? ok.structured() : null;
        FinishedRequest request = new FinishedRequest(
                RequestSource.unread(null, "local", ""),
                new RequestCaller(who.team(), who.principal()),
                new FinishedRequest.Channel("schedule", ""),
                new FinishedRequest.Subject(METHOD, called.tool(), null, called.resources(), called.arguments()),
                new FinishedRequest.Outcome(
                        FinishedRequest.AccessDecision.ALLOWED,
                        null,
                        reply instanceof ToolReply.Failed failed ? failed.kind().name() : null,
                        null),
                Duration.ofNanos(System.nanoTime() - since),
                structured == null ? 0 : Json.bytes(structured).length,
                new FinishedRequest.RequestWork(called.backend(), steps.steps(), steps.omitted()));
        audit.finished(request);
        live.finished(request);
        return reply;
    }
}
