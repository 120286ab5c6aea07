package switchboard.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.auth.Principal;
import switchboard.backend.Backend;
import switchboard.backend.BackendVerticle;
import switchboard.backend.ToolHandler;
import switchboard.call.Arguments;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.BusCodecs;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.View;
import switchboard.testing.Eventually;
import switchboard.testing.OnContext;
import switchboard.testing.OpenTimers;
import switchboard.testing.logs.AsksForErrors;

@ExtendWith(VertxExtension.class)
class DispatcherTest {
    private Vertx vertx;
    private Dispatcher dispatcher;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
        BusCodecs.register(vertx.eventBus());
        dispatcher =
                new Dispatcher(vertx, new DispatchLimits(2, 2, 3, 0, Duration.ZERO, 250), new SimpleMeterRegistry());
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertEquals(0, dispatcher.inFlight());
        assertEquals(0, dispatcher.permitsTaken());
        Eventually.that(
                () -> OpenTimers.of(vertx).isEmpty(), () -> "timers of calls that are over: " + OpenTimers.of(vertx));
    }

    @Test
    void aReplyComesBack() {
        serve("b", context -> Future.succeededFuture(ToolReply.text("hello")));
        assertEquals(
                ToolReply.text("hello"),
                send("b", Duration.ofMinutes(1)).reply().await());
    }

    @Test
    void aBackendThatIsNotThereIsUnavailable() {
        assertEquals(FailureKind.UNAVAILABLE, kind(send("nobody", Duration.ofMinutes(1))));
    }

    @Test
    @AsksForErrors("call 1 to throws failed: java.lang.IllegalStateException: secret detail")
    void whateverAHandlerThrowsIsAnswered() {
        serve("throws", context -> {
            throw new IllegalStateException("secret detail");
        });
        ToolReply.Failed failed = failed(send("throws", Duration.ofMinutes(1)));
        assertEquals(FailureKind.INTERNAL, failed.kind());
        assertTrue(!failed.message().contains("secret"), failed.message());

        serve("fails", context -> Future.failedFuture(new ToolException(FailureKind.CONFLICT, "exists")));
        assertEquals(
                new ToolReply.Failed(FailureKind.CONFLICT, "exists"), failed(send("fails", Duration.ofMinutes(1))));
    }

    /** A backend that never answers: says when a call has come, and when the call was taken back. */
    private void serveHanging(Promise<Void> started, Runnable told) {
        serve("hangs", context -> {
            context.onCancel(told);
            started.complete();
            return Promise.<ToolReply>promise().future();
        });
    }

    @Test
    void theDeadlineEndsTheCallAndTellsTheHandler(VertxTestContext test) {
        serveHanging(Promise.promise(), test.checkpoint()::flag);
        assertEquals(FailureKind.TIMEOUT, kind(send("hangs", Duration.ofMillis(20))));
    }

    /** Long before any deadline of these tests, and long enough for a busy machine. */
    private static <T> T soon(Future<T> future) {
        try {
            return future.await(20, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not soon", e);
        }
    }

    @Test
    void cancellingEndsTheCallAndTellsTheHandlerOnce(VertxTestContext test) {
        Promise<Void> started = Promise.promise();
        serveHanging(started, test.checkpoint()::flag);
        PendingCall call = send("hangs", Duration.ofHours(1));
        soon(started.future());
        call.cancel();
        assertEquals(
                FailureKind.CANCELLED,
                assertInstanceOf(ToolReply.Failed.class, soon(call.reply())).kind());
        call.cancel();
    }

    private static final Requester SOMEBODY =
            new Requester(Principal.anonymous(), new View("v", Set.of("whole"), List.of(), Map.of(), Map.of()));

    private PendingCall sendFor(String backend, Duration timeout) {
        return dispatcher.send(
                backend,
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                CallOptions.withEvents(timeout, null, null).by(SOMEBODY));
    }

    private PendingCall part(CallContext whole, String backend, Duration timeout) {
        return dispatcher.send(
                whole.callId(),
                backend,
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                timeout);
    }

    @Test
    void whoAskedForACallIsKnownAsLongAsItIsUnderWay() {
        List<Optional<Requester>> seen = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        serve("part", context -> {
            seen.add(dispatcher.requester(context.callId()));
            return Future.succeededFuture(ToolReply.text("part"));
        });
        serve("whole", context -> {
            ids.add(context.callId());
            seen.add(dispatcher.requester(context.callId()));
            return part(context, "part", Duration.ofMinutes(1)).reply().map(ToolReply.class::cast);
        });
        assertEquals(
                ToolReply.text("part"),
                soon(sendFor("whole", Duration.ofMinutes(1)).reply()));
        assertEquals(List.of(Optional.of(SOMEBODY), Optional.of(SOMEBODY)), seen);
        assertEquals(Optional.empty(), dispatcher.requester(ids.getFirst()), "it is over");
        PendingCall late = dispatcher.send(
                ids.getFirst(),
                "part",
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                Duration.ofMinutes(1));
        assertEquals(FailureKind.CANCELLED, kind(late));
        assertEquals(2, seen.size(), "a call that is over asks for nothing");
    }

    @Test
    void aCallOfNobodyInParticularHasNoRequester() {
        List<Optional<Requester>> seen = new ArrayList<>();
        serve("own", context -> {
            seen.add(dispatcher.requester(context.callId()));
            return Future.succeededFuture(ToolReply.text("own"));
        });
        soon(send("own", Duration.ofMinutes(1)).reply());
        assertEquals(List.of(Optional.empty()), seen);
    }

    @Test
    void partsEndWithTheirCall(VertxTestContext test) {
        Promise<Void> started = Promise.promise();
        serveHanging(started, test.checkpoint()::flag);
        serve("whole", context -> {
            part(context, "hangs", Duration.ofHours(1));
            return Promise.<ToolReply>promise().future();
        });
        PendingCall whole = sendFor("whole", Duration.ofHours(1));
        soon(started.future());
        whole.cancel();
        Eventually.that(() -> dispatcher.inFlight() == 0, () -> dispatcher.inFlight() + " are under way");
        assertEquals(0, dispatcher.permitsTaken());
    }

    @Test
    void partsOfACallThatHasAnsweredEnd(VertxTestContext test) {
        Promise<Void> started = Promise.promise();
        serveHanging(started, test.checkpoint()::flag);
        serve("whole", context -> {
            part(context, "hangs", Duration.ofHours(1));
            return started.future().map(ToolReply.text("enough"));
        });
        assertEquals(
                ToolReply.text("enough"),
                soon(sendFor("whole", Duration.ofHours(1)).reply()));
        Eventually.that(() -> dispatcher.permitsTaken() == 0, () -> dispatcher.permitsTaken() + " permits are taken");
    }

    @Test
    void aPartHasNoMoreTimeThanItsCall() {
        List<Duration> left = new ArrayList<>();
        serve("part", context -> {
            left.add(context.remaining());
            return Future.succeededFuture(ToolReply.text("part"));
        });
        serve(
                "whole",
                context -> part(context, "part", Duration.ofHours(1)).reply().map(ToolReply.class::cast));
        soon(sendFor("whole", Duration.ofMinutes(2)).reply());
        assertTrue(left.getFirst().compareTo(Duration.ofMinutes(2)) <= 0, left::toString);
        assertTrue(left.getFirst().compareTo(Duration.ofMinutes(1)) > 0, left::toString);
    }

    @Test
    void givingUpTellsTheHandlerAndAnswersThatTheGatewayStops(VertxTestContext test) {
        Promise<Void> started = Promise.promise();
        serveHanging(started, test.checkpoint()::flag);
        PendingCall call = send("hangs", Duration.ofHours(1));
        soon(started.future());
        soon(dispatcher.drain(Duration.ofMillis(10)));
        ToolReply.Failed stopping = assertInstanceOf(ToolReply.Failed.class, soon(call.reply()));
        assertEquals(FailureKind.UNAVAILABLE, stopping.kind());
        assertEquals(5_000L, stopping.retryAfterMs());
        assertEquals(FailureKind.UNAVAILABLE, kind(send("hangs", Duration.ofHours(1))), "and so are later ones");
    }

    @Test
    void aDrainWaitsForCallsThatEndInTime() {
        Promise<ToolReply> answer = Promise.promise();
        serve("slow", context -> answer.future());
        PendingCall call = send("slow", Duration.ofHours(1));
        Future<Void> drained = dispatcher.drain(Duration.ofHours(1));
        assertFalse(drained.isComplete());
        answer.complete(ToolReply.text("just in time"));
        soon(drained);
        assertEquals(ToolReply.text("just in time"), soon(call.reply()));
    }

    @Test
    void whatACallListensToIsClosedWithIt() {
        serve("answers", context -> Future.succeededFuture(ToolReply.text("done")));
        ClientInteraction asking =
                ClientInteraction.with(new CallingClient(ROOTS, CallingClient.AskMode.DURING_CALL, null));
        for (int i = 0; i < 3; i++) {
            soon(dispatcher
                    .send(
                            "answers",
                            new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                            Caller.unrestricted(),
                            new CallOptions(Duration.ofHours(1), _ -> {}, null, null, null, asking))
                    .reply());
        }
        for (int id = 1; id <= 3; id++) {
            for (String address : List.of(BusAddresses.events("" + id), BusAddresses.questions("" + id))) {
                Eventually.that(() -> deaf(address), () -> address + " is still listened to");
            }
        }
    }

    private boolean deaf(String address) {
        Future<Message<Object>> asked = vertx.eventBus().request(address, new BackendEvent.CallProgress(1, 1.0, null));
        return asked.map(_ -> false)
                .otherwise(failure ->
                        failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS)
                .await();
    }

    @Test
    void theCallTooManyIsRefusedAtOnceAndOnlyAtItsBackend() {
        Promise<ToolReply> answer = Promise.promise();
        serve("busy", context -> answer.future());
        serve("idle", context -> Future.succeededFuture(ToolReply.text("ok")));
        List<PendingCall> held = IntStream.range(0, 2)
                .mapToObj(i -> send("busy", Duration.ofSeconds(30)))
                .toList();
        ToolReply.Failed refused = failed(send("busy", Duration.ofSeconds(30)));
        assertEquals(FailureKind.OVERLOADED, refused.kind());
        assertEquals(250L, refused.retryAfterMs());
        assertInstanceOf(
                ToolReply.Ok.class, send("idle", Duration.ofMinutes(1)).reply().await());
        answer.complete(ToolReply.text("late"));
        held.forEach(call -> assertInstanceOf(ToolReply.Ok.class, call.reply().await()));
    }

    /** Two at once, of which the third waits and the fourth is refused. */
    private Dispatcher withQueue(Duration longest) {
        return new Dispatcher(vertx, new DispatchLimits(2, 2, 10, 1, longest, 250), new SimpleMeterRegistry());
    }

    private static PendingCall send(Dispatcher queued, Duration timeout) {
        return queued.send(
                "busy",
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                CallOptions.withEvents(timeout, null, null));
    }

    @Test
    void aCallWaitsForRoomAndIsSentWhenItsTurnComes() {
        List<Promise<ToolReply>> answers = new CopyOnWriteArrayList<>();
        serve("busy", context -> {
            Promise<ToolReply> answer = Promise.promise();
            answers.add(answer);
            return answer.future();
        });
        Dispatcher queued = withQueue(Duration.ofMinutes(1));
        List<PendingCall> calls = hold(queued, 3);
        assertEquals(FailureKind.OVERLOADED, kind(send(queued, Duration.ofMinutes(2))), "one waits at most");
        Eventually.that(() -> answers.size() == 2, () -> answers.size() + " were sent");
        assertEquals(2, queued.inFlight());
        assertEquals(3, queued.permitsTaken());
        answers.getFirst().complete(ToolReply.text("first"));
        Eventually.that(() -> answers.size() == 3, () -> answers.size() + " were sent");
        answers.forEach(answer -> answer.tryComplete(ToolReply.text("ok")));
        calls.forEach(call -> assertInstanceOf(ToolReply.Ok.class, call.reply().await()));
        assertEquals(0, queued.permitsTaken());
    }

    private static List<PendingCall> hold(Dispatcher dispatcher, int calls) {
        return IntStream.range(0, calls)
                .mapToObj(i -> send(dispatcher, Duration.ofMinutes(2)))
                .toList();
    }

    @Test
    void aCallThatHasWaitedTooLongIsRefused() {
        Promise<ToolReply> answer = Promise.promise();
        serve("busy", context -> answer.future());
        Dispatcher queued = withQueue(Duration.ofMillis(20));
        List<PendingCall> held = hold(queued, 2);
        ToolReply.Failed refused = failed(send(queued, Duration.ofMinutes(2)));
        assertEquals(FailureKind.OVERLOADED, refused.kind());
        assertEquals(250L, refused.retryAfterMs());
        answer.complete(ToolReply.text("late"));
        held.forEach(call -> assertInstanceOf(ToolReply.Ok.class, call.reply().await()));
        assertEquals(0, queued.permitsTaken());
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsLeavesItsPlaceToOthers() {
        Promise<ToolReply> answer = Promise.promise();
        serve("busy", context -> answer.future());
        Dispatcher queued = withQueue(Duration.ofMinutes(1));
        List<PendingCall> held = hold(queued, 2);
        PendingCall waiting = send(queued, Duration.ofMinutes(2));
        waiting.cancel();
        assertEquals(FailureKind.CANCELLED, kind(waiting));
        assertEquals(2, queued.permitsTaken());
        PendingCall next = send(queued, Duration.ofMinutes(2));
        answer.complete(ToolReply.text("late"));
        held.forEach(call -> assertInstanceOf(ToolReply.Ok.class, call.reply().await()));
        assertInstanceOf(ToolReply.Ok.class, next.reply().await());
        assertEquals(0, queued.permitsTaken());
    }

    private final AtomicLong nanos = new AtomicLong(-5);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private Dispatcher byHand(DispatchLimits limits) {
        return new Dispatcher(vertx, limits, meters, new DisabledBackends(), CallObserver.NONE, nanos::get);
    }

    /** The limit of "busy" after twenty calls at once that took a second and were answered {@code reply}. */
    private double limitAfter(ToolReply reply) {
        List<Promise<ToolReply>> answers = new CopyOnWriteArrayList<>();
        serve("busy", context -> {
            Promise<ToolReply> answer = Promise.promise();
            answers.add(answer);
            return answer.future();
        });
        Dispatcher limited = byHand(new DispatchLimits(64, 1, 1_000, 0, Duration.ZERO, 250));
        List<PendingCall> calls = hold(limited, 20);
        Eventually.that(() -> answers.size() == 20, () -> answers.size() + " were sent");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        answers.forEach(answer -> answer.complete(reply));
        calls.forEach(call -> soon(call.reply()));
        return meters.get("switchboard.calls.limit").gauge().value();
    }

    @Test
    void answersSayHowFastABackendIs() {
        assertEquals(34, limitAfter(ToolReply.text("ok")), "as usual: more are allowed than the 32 of the beginning");
    }

    @Test
    void answersThatCameTooLateSayHowFastABackendIs() {
        assertEquals(34, limitAfter(new ToolReply.Failed(FailureKind.TIMEOUT, "late")));
    }

    @Test
    void whatFailsForAnotherReasonDoesNotSayHowFastABackendIs() {
        assertEquals(32, limitAfter(new ToolReply.Failed(FailureKind.INVALID_ARGUMENT, "no")));
    }

    @Test
    void theTimeThatACallHasWaitedIsNoLongerLeft() {
        Promise<ToolReply> answer = Promise.promise();
        List<Duration> left = new CopyOnWriteArrayList<>();
        serve("busy", context -> {
            left.add(context.remaining());
            return answer.future();
        });
        Dispatcher queued = byHand(new DispatchLimits(2, 2, 10, 1, Duration.ofHours(1), 250));
        List<PendingCall> held = hold(queued, 2);
        PendingCall waiting = send(queued, Duration.ofHours(2));
        nanos.addAndGet(Duration.ofMinutes(90).toNanos());
        answer.complete(ToolReply.text("ok"));
        assertInstanceOf(ToolReply.Ok.class, soon(waiting.reply()));
        held.forEach(call -> soon(call.reply()));
        assertEquals(3, left.size());
        assertTrue(left.getLast().compareTo(Duration.ofMinutes(30)) <= 0, left::toString);
        assertTrue(left.getLast().compareTo(Duration.ofMinutes(20)) > 0, left::toString);
    }

    @Test
    void aPatientCallWaitsForRoomLongerThanOthers() {
        Promise<ToolReply> answer = Promise.promise();
        serve("busy", context -> answer.future());
        Dispatcher queued = new Dispatcher(vertx, new DispatchLimits(2, 2, 10, 2, Duration.ofMillis(20), 250), meters);
        List<PendingCall> held = hold(queued, 2);
        PendingCall patient = queued.send(
                "busy",
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                CallOptions.withEvents(Duration.ofMinutes(2), null, null).patiently());
        assertEquals(FailureKind.OVERLOADED, kind(send(queued, Duration.ofMinutes(2))), "which begins to wait later");
        answer.complete(ToolReply.text("ok"));
        assertInstanceOf(ToolReply.Ok.class, soon(patient.reply()));
        held.forEach(call -> soon(call.reply()));
    }

    @Test
    void nobodyWaitsForRoomLongerThanForTheAnswer() {
        Promise<ToolReply> answer = Promise.promise();
        serve("busy", context -> answer.future());
        Dispatcher queued = withQueue(Duration.ofHours(1));
        List<PendingCall> held = hold(queued, 2);
        assertEquals(
                FailureKind.OVERLOADED,
                assertInstanceOf(
                                ToolReply.Failed.class,
                                soon(send(queued, Duration.ofMillis(20)).reply()))
                        .kind());
        answer.complete(ToolReply.text("ok"));
        held.forEach(call -> soon(call.reply()));
    }

    @Test
    void aPartOfACallThatEndsWhileThePartBeginsEndsToo() {
        serveHanging(Promise.promise(), () -> {});
        Promise<String> id = Promise.promise();
        serve("whole", context -> {
            id.complete(context.callId());
            return Promise.<ToolReply>promise().future();
        });
        AtomicReference<PendingCall> whole = new AtomicReference<>();
        Dispatcher observed = new Dispatcher(
                vertx, DispatchLimits.DEFAULT, meters, new DisabledBackends(), (backend, request, traceparent) -> {
                    if (backend.equals("hangs")) {
                        whole.get().cancel();
                    }
                    return CallObserver.NONE.began(backend, request, traceparent);
                });
        BackendRequest request = new BackendRequest.CallTool("t", Arguments.of(Json.object()));
        CallOptions options = CallOptions.withEvents(Duration.ofHours(1), null, null);
        whole.set(observed.send("whole", request, Caller.unrestricted(), options));
        PendingCall part =
                observed.send(soon(id.future()), "hangs", request, Caller.unrestricted(), Duration.ofHours(1));
        assertEquals(
                FailureKind.CANCELLED,
                assertInstanceOf(ToolReply.Failed.class, soon(part.reply())).kind());
        assertEquals(0, observed.permitsTaken());
    }

    @Test
    void roomThatIsMadeJustBeforeACallWaitsIsGivenToIt() {
        Admission admission =
                new Admission(new DispatchLimits(1, 1, 10, 1, Duration.ofHours(1), 250), meters, nanos::get);
        Admission.Permit first = admission.enter("busy", "").orElseThrow();
        assertEquals(Optional.empty(), admission.enter("busy", ""));
        first.close();
        List<Admission.Permit> given = new ArrayList<>();
        Admission.Permit second = admission.queue("busy", "", given::add).orElseThrow();
        assertEquals(List.of(second), given);
        second.close();
        assertEquals(0, admission.admitted());
    }

    @Test
    void aCallThatIsCancelledWhenItsTurnHasComeGivesItsPlaceBack() {
        Admission admission =
                new Admission(new DispatchLimits(1, 1, 10, 1, Duration.ofHours(1), 250), meters, nanos::get);
        Admission.Permit first = admission.enter("busy", "").orElseThrow();
        PendingCall cancelled = OnContext.call(vertx.getOrCreateContext(), () -> {
            QueuedCall call = new QueuedCall(vertx, nanos::get, (permit, waited) -> {
                throw new AssertionError("it was cancelled");
            });
            admission.queue("busy", "", call::room).orElseThrow();
            first.close(); // its turn comes when this is over
            call.cancel();
            return call;
        });
        assertEquals(FailureKind.CANCELLED, kind(cancelled));
        Eventually.that(() -> admission.admitted() == 0, () -> admission.admitted() + " places are taken");
        assertTrue(admission.enter("busy", "").isPresent());
    }

    @Test
    void eventsReachTheSenderInOrder() {
        serve("talks", context -> {
            for (int i = 1; i <= 100; i++) {
                context.progress(i, 100.0, null);
            }
            return Future.succeededFuture(ToolReply.text("done"));
        });
        List<BackendEvent> events = new CopyOnWriteArrayList<>();
        PendingCall call = OnContext.call(
                vertx.getOrCreateContext(),
                () -> dispatcher.send(
                        "talks",
                        new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                        Caller.unrestricted(),
                        CallOptions.withEvents(Duration.ofMinutes(1), events::add, null)));
        call.reply().await();
        assertEquals(
                IntStream.rangeClosed(1, 100)
                        .<BackendEvent>mapToObj(i -> new BackendEvent.CallProgress(i, 100.0, null))
                        .toList(),
                events);
    }

    @Test
    void aCallThatHasWaitedAndRunsIsCancelledAtItsBackend() {
        Promise<ToolReply> answer = Promise.promise();
        List<Promise<Void>> told = new CopyOnWriteArrayList<>();
        serve("busy", context -> {
            Promise<Void> cancelled = Promise.promise();
            context.onCancel(cancelled::tryComplete);
            told.add(cancelled);
            return told.size() <= 2
                    ? answer.future()
                    : Promise.<ToolReply>promise().future();
        });
        Dispatcher queued = withQueue(Duration.ofHours(1));
        List<PendingCall> held = hold(queued, 2);
        PendingCall waited = send(queued, Duration.ofHours(1));
        answer.complete(ToolReply.text("ok"));
        held.forEach(call -> soon(call.reply()));
        Eventually.that(() -> told.size() == 3, () -> "it runs");
        assertEquals(1, queued.permitsTaken());
        waited.cancel();
        assertEquals(FailureKind.CANCELLED, failed(waited).kind());
        soon(told.get(2).future());
        assertEquals(0, queued.inFlight());
        assertEquals(0, queued.permitsTaken());
    }

    private static final ClientAnswer.Declined NO = new ClientAnswer.Declined(-1, "No, thank you.");

    private static final ObjectNode ROOTS = Json.object().set("roots", Json.object());

    private PendingCall ask(ObjectNode capabilities, CallingClient.AskMode asking, List<ClientQuestion> asked) {
        CallingClient side = new CallingClient(capabilities, asking, null);
        ClientInteraction interaction = new ClientInteraction() {
            @Override
            public CallingClient client() {
                return side;
            }

            @Override
            public Future<ClientAnswer> ask(ClientQuestion question) {
                asked.add(question);
                return Future.succeededFuture(NO);
            }
        };
        return dispatcher.send(
                "asks",
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                new CallOptions(Duration.ofMinutes(1), null, null, null, null, interaction));
    }

    @Test
    void aQuestionOfABackendReachesAClientThatIsAskedDuringACall() {
        ClientQuestion question = new ClientQuestion("roots/list", Json.object());
        serve("asks", context -> context.ask(question).map(answer -> ToolReply.text(answer.toString())));
        for (CallingClient.AskMode asking : CallingClient.AskMode.values()) {
            List<ClientQuestion> asked = new CopyOnWriteArrayList<>();
            boolean during = asking == CallingClient.AskMode.DURING_CALL;
            assertEquals(
                    ToolReply.text((during ? NO : ClientAnswer.Declined.NOBODY).toString()),
                    soon(ask(ROOTS, asking, asked).reply()));
            assertEquals(during ? List.of(question) : List.of(), asked);
        }
    }

    @Test
    void aClientThatHasSaidNothingOfQuestionsIsNotAsked() {
        serve("asks", context -> context.ask(new ClientQuestion("roots/list", Json.object()))
                .map(answer -> ToolReply.text(answer.toString())));
        List<ClientQuestion> asked = new CopyOnWriteArrayList<>();
        assertEquals(
                ToolReply.text(ClientAnswer.Declined.NOBODY.toString()),
                soon(ask(Json.object(), CallingClient.AskMode.DURING_CALL, asked)
                        .reply()));
        assertEquals(List.of(), asked);
    }

    private void serve(String id, Function<CallContext, Future<ToolReply>> behaviour) {
        ToolHandler<NoArguments> handler = new Handler(behaviour);
        Backend backend = () -> List.of(handler);
        vertx.deployVerticle(() -> new BackendVerticle(id, backend), new io.vertx.core.DeploymentOptions())
                .await();
    }

    private PendingCall send(String backend, Duration timeout) {
        return dispatcher.send(
                backend,
                new BackendRequest.CallTool("t", Arguments.of(Json.object())),
                Caller.unrestricted(),
                CallOptions.withEvents(timeout, null, null));
    }

    private static FailureKind kind(PendingCall call) {
        return failed(call).kind();
    }

    private static ToolReply.Failed failed(PendingCall call) {
        return assertInstanceOf(ToolReply.Failed.class, call.reply().await());
    }

    private record NoArguments() {}

    private record Handler(Function<CallContext, Future<ToolReply>> behaviour) implements ToolHandler<NoArguments> {
        @Override
        public String name() {
            return "t";
        }

        @Override
        public Class<NoArguments> argsType() {
            return NoArguments.class;
        }

        @Override
        public Future<ToolReply> call(NoArguments args, CallContext context) {
            return behaviour.apply(context);
        }
    }
}
