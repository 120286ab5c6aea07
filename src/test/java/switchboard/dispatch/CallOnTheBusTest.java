package switchboard.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.auth.Principal;
import switchboard.call.Arguments;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.BusCodecs;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.SessionValues;
import switchboard.call.ToolReply;
import switchboard.catalog.View;
import switchboard.testing.Eventually;
import switchboard.testing.OpenTimers;
import switchboard.testing.TeamShares;
import switchboard.testing.logs.AsksForErrors;

/** What a backend is told of a call, what the others hear, and what they are told of what they did not get. */
@ExtendWith(VertxExtension.class)
class CallOnTheBusTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String SPAN = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    private static final BackendRequest REQUEST = new BackendRequest.CallTool("t", Arguments.of(Json.object()));
    private static final Caller CALLER = new Caller("red", "k", Rights.ALL, ResourceScope.ALL, Map.of("tenant", "r"));
    private static final SessionValues KEPT = SessionValues.of("cursor", "7");
    private static final CallingClient CLIENT = new CallingClient(
            Json.object().put("roots", true),
            CallingClient.AskMode.IN_REPLY,
            new CallingClient.ClientResponses(Json.object(), "state"));
    private static final Requester SOMEBODY =
            new Requester(Principal.anonymous(), new View("v", Set.of("raw"), List.of(), Map.of(), Map.of()));
    private static final Consumer<BackendEvent> DEAF = _ -> {};
    private static final CallOptions EVERYTHING = new CallOptions(
            Duration.ofMinutes(3), DEAF, LogLevel.NOTICE, TRACE, KEPT, ClientInteraction.with(CLIENT), true, SOMEBODY);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final DisabledBackends disabled = new DisabledBackends();
    private final List<Message<BackendCall>> arrived = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();
    private final List<String> observed = new CopyOnWriteArrayList<>();
    private Vertx vertx;
    private Dispatcher dispatcher;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
        BusCodecs.register(vertx.eventBus());
        for (String backend : List.of("raw", "other")) {
            vertx.eventBus().<BackendCall>localConsumer(BusAddresses.backend(backend), arrived::add);
            vertx.eventBus()
                    .<String>localConsumer(
                            BusAddresses.cancellations(backend),
                            message -> cancelled.add(backend + " " + message.body()));
        }
        dispatcher = new Dispatcher(
                vertx, new DispatchLimits(1, 1, 10, 1, Duration.ofHours(1), 250), meters, disabled, this::observe);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertEquals(0, dispatcher.inFlight());
        assertEquals(0, dispatcher.permitsTaken());
        Eventually.that(
                () -> OpenTimers.of(vertx).isEmpty(), () -> "timers of calls that are over: " + OpenTimers.of(vertx));
    }

    private CallObserver.Observation observe(String backend, BackendRequest request, @Nullable String traceparent) {
        assertSame(REQUEST, request);
        observed.add("began " + backend + " " + traceparent);
        return new CallObserver.Observation() {
            @Override
            public String traceparent() {
                return SPAN;
            }

            @Override
            public void ended(BackendReply reply) {
                observed.add("ended " + (reply instanceof ToolReply.Failed failed ? failed.kind() : "well"));
            }
        };
    }

    private PendingCall send(CallOptions options) {
        return dispatcher.send("raw", REQUEST, CALLER, options);
    }

    private PendingCall send() {
        return send(CallOptions.withEvents(Duration.ofHours(1), null, null));
    }

    /** The call that has arrived as the {@code number}th, from 1. */
    private Message<BackendCall> arrived(int number) {
        Eventually.that(() -> arrived.size() >= number, () -> arrived.size() + " calls have arrived");
        return arrived.get(number - 1);
    }

    private static BackendReply soon(PendingCall call) {
        return soon(call.reply());
    }

    private static <T> T soon(Future<T> future) {
        try {
            return future.await(20, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not soon", e);
        }
    }

    private static ToolReply.Failed failed(PendingCall call) {
        return assertInstanceOf(ToolReply.Failed.class, soon(call));
    }

    @Test
    void aBackendIsToldWhatWhoseAndUntilWhen() {
        long before = System.nanoTime();
        PendingCall call = send(EVERYTHING);
        long after = System.nanoTime();
        BackendCall told = arrived(1).body();
        assertSame(REQUEST, told.request());
        assertSame(CALLER, told.caller());
        long minutes = Duration.ofMinutes(3).toNanos();
        assertTrue(told.deadlineNanos() - before >= minutes && told.deadlineNanos() - after <= minutes);
        assertEquals(new BackendCall.WantedEvents(true, LogLevel.NOTICE), told.events());
        assertEquals(SPAN, told.traceparent(), "the span of the call, in the trace that it came with");
        assertSame(KEPT, told.session());
        assertSame(CLIENT, told.client());
        arrived(1).reply(ToolReply.text("ok"));
        assertEquals(ToolReply.text("ok"), soon(call));
        assertEquals(List.of("began raw " + TRACE, "ended well"), observed);
    }

    @Test
    void whereNobodyListensNoEventsAreWanted() {
        PendingCall call = send();
        BackendCall told = arrived(1).body();
        assertEquals(new BackendCall.WantedEvents(false, null), told.events());
        assertNull(told.session());
        assertSame(CallingClient.SILENT, told.client());
        arrived(1).reply(ToolReply.text("ok"));
        soon(call);
    }

    @Test
    void eachCallHasAnIdOfItsOwn() {
        PendingCall one = send();
        PendingCall other =
                dispatcher.send("other", REQUEST, CALLER, CallOptions.withEvents(Duration.ofHours(1), null, null));
        String first = arrived(1).body().id();
        String second = arrived(2).body().id();
        assertFalse(first.equals(second), first);
        one.cancel();
        soon(one);
        Eventually.that(() -> cancelled.equals(List.of("raw " + first)), cancelled::toString);
        other.cancel();
        soon(other);
    }

    @Test
    void aPartOfACallHasItsTraceAndItsRequesterAndNoneOfItsListeners() {
        PendingCall whole = send(EVERYTHING);
        String id = arrived(1).body().id();
        PendingCall part = dispatcher.send(id, "other", REQUEST, CALLER, Duration.ofSeconds(30));
        BackendCall told = arrived(2).body();
        assertEquals("began other " + SPAN, observed.getLast());
        assertEquals(SOMEBODY, dispatcher.requester(told.id()).orElseThrow());
        assertEquals(new BackendCall.WantedEvents(false, null), told.events());
        assertNull(told.session());
        assertSame(CallingClient.SILENT, told.client());
        assertTrue(told.deadlineNanos() - System.nanoTime()
                <= Duration.ofSeconds(30).toNanos());
        arrived(2).reply(ToolReply.text("part"));
        assertEquals(ToolReply.text("part"), soon(part));
        arrived(1).reply(ToolReply.text("whole"));
        assertEquals(ToolReply.text("whole"), soon(whole));
        assertEquals(List.of(), cancelled, "both have ended by themselves");
    }

    /** The observer writes the audit log: what the caller hears must be in it before. */
    @Test
    void theObserverHearsOfTheEndBeforeTheCaller() {
        List<String> order = new CopyOnWriteArrayList<>();
        PendingCall call = send();
        Future<BackendReply> heard = call.reply().andThen(_ -> order.addAll(observed));
        arrived(1).reply(ToolReply.text("ok"));
        soon(heard);
        assertEquals(List.of("began raw null", "ended well"), order);
    }

    @Test
    void theObserverHearsOfWhatIsRefusedToo() {
        PendingCall under = send();
        arrived(1);
        PendingCall waits = send();
        assertEquals(FailureKind.OVERLOADED, failed(send()).kind());
        disabled.off("other", "");
        PendingCall off =
                dispatcher.send("other", REQUEST, CALLER, CallOptions.withEvents(Duration.ofHours(1), null, null));
        assertEquals("switched_off", failed(off).code());
        assertEquals(
                List.of(
                        "began raw null",
                        "began raw null",
                        "began raw null",
                        "ended OVERLOADED",
                        "began other null",
                        "ended UNAVAILABLE"),
                observed);
        assertEquals(1, meters.get("switchboard.calls.rejected").counter().count());
        waits.cancel();
        under.cancel();
        soon(waits);
        soon(under);
        assertEquals(List.of("ended CANCELLED", "ended CANCELLED"), observed.subList(6, 8));
    }

    @Test
    void aBackendThatIsSwitchedOffGetsNothingAndOnceItIsOnAgainEverything() {
        PendingCall underWay = send();
        arrived(1);
        disabled.off("raw", "moves");
        ToolReply.Failed refused = failed(send());
        assertEquals(FailureKind.UNAVAILABLE, refused.kind());
        assertTrue(refused.message().contains("(moves)"), refused.message());
        arrived(1).reply(ToolReply.text("finished"));
        assertEquals(ToolReply.text("finished"), soon(underWay));
        assertEquals(1, arrived.size());
        disabled.on("raw");
        PendingCall again = send();
        arrived(2).reply(ToolReply.text("on"));
        assertEquals(ToolReply.text("on"), soon(again));
    }

    @Test
    void whatIsRefusedSaysWhenToTryAgain() {
        PendingCall under = send();
        PendingCall waits = send();
        ToolReply.Failed refused = failed(send());
        assertEquals("Too many calls are under way at \"raw\". Try again in 250 ms.", refused.message());
        assertEquals(250L, refused.retryAfterMs());
        waits.cancel();
        under.cancel();
        soon(waits);
        soon(under);
    }

    @Test
    void aTimeoutSaysHowLongWasWaitedAndTellsTheBackend() {
        ToolReply.Failed late = failed(send(CallOptions.withEvents(Duration.ofMillis(30), null, null)));
        assertEquals(FailureKind.TIMEOUT, late.kind());
        assertEquals("\"raw\" did not answer within 30 ms. Ask for less, or try again later.", late.message());
        String id = arrived(1).body().id();
        Eventually.that(() -> cancelled.equals(List.of("raw " + id)), cancelled::toString);
    }

    @Test
    void aCallWithoutTimeIsOverAtOnce() {
        assertEquals(
                FailureKind.TIMEOUT,
                failed(send(CallOptions.withEvents(Duration.ZERO, null, null))).kind());
    }

    @Test
    void aCallThatIsOverIsNotCancelled() {
        PendingCall call = send();
        arrived(1).reply(ToolReply.text("ok"));
        soon(call);
        call.cancel();
        PendingCall next = send();
        String id = arrived(2).body().id();
        next.cancel();
        assertEquals(FailureKind.CANCELLED, failed(next).kind());
        Eventually.that(() -> !cancelled.isEmpty(), () -> "the second is cancelled");
        assertEquals(List.of("raw " + id), cancelled);
    }

    @Test
    void changedListsReachWhoListensAndEventsOfCallsDoNot() {
        List<ListChanged> heard = new CopyOnWriteArrayList<>();
        dispatcher.onListChanged("raw", heard::add);
        DeliveryOptions local = new DeliveryOptions().setLocalOnly(true);
        ListChanged tools = new ListChanged(ListChanged.ListType.TOOLS);
        ListChanged resource = new ListChanged(ListChanged.ListType.RESOURCES, "file:///a", _ -> true);
        vertx.eventBus().publish(BusAddresses.changes("raw"), tools, local);
        vertx.eventBus().publish(BusAddresses.changes("raw"), new BackendEvent.CallProgress(1, null, null), local);
        vertx.eventBus()
                .publish(BusAddresses.changes("raw"), new BackendEvent.Log(LogLevel.INFO, null, Json.object()), local);
        vertx.eventBus().publish(BusAddresses.changes("other"), tools, local);
        vertx.eventBus().publish(BusAddresses.changes("raw"), resource, local);
        Eventually.that(() -> heard.contains(resource), heard::toString);
        assertEquals(List.of(tools, resource), heard);
    }

    @Test
    void whenTheGatewayStopsWhatRunsAndWhatWaitsIsAnsweredAndNothingElseIsSent() {
        PendingCall runs = send();
        String id = arrived(1).body().id();
        PendingCall waits = send();
        Future<Void> drained = dispatcher.drain(Duration.ofMillis(10));
        ToolReply.Failed stopping = failed(runs);
        assertEquals(FailureKind.UNAVAILABLE, stopping.kind());
        assertTrue(stopping.message().startsWith("The gateway is stopping"), stopping.message());
        assertEquals(5_000L, stopping.retryAfterMs());
        assertTrue(stopping.message().contains("look first whether it was carried out"), stopping.message());
        assertTrue(StopReply.givenUp(stopping) && !StopReply.notBegun(stopping, "toy"));
        ToolReply.Failed notBegun = failed(waits);
        assertTrue(notBegun.message().contains("has not begun this call"), notBegun.message());
        assertTrue(StopReply.notBegun(notBegun, "toy") && !StopReply.givenUp(notBegun));
        soon(drained);
        assertEquals(notBegun, failed(send()));
        Eventually.that(() -> cancelled.equals(List.of("raw " + id)), cancelled::toString);
        assertEquals(1, arrived.size());
    }

    @Test
    void aGatewayThatHasNothingToDoStopsAtOnce() {
        assertTrue(dispatcher.drain(Duration.ofHours(1)).isComplete());
    }

    @Test
    void whatBeginsWhileOthersAreWaitedForIsWaitedForToo() {
        PendingCall first = send();
        Future<Void> drained = dispatcher.drain(Duration.ofHours(1));
        PendingCall second =
                dispatcher.send("other", REQUEST, CALLER, CallOptions.withEvents(Duration.ofHours(1), null, null));
        arrived(1).reply(ToolReply.text("1"));
        assertEquals(ToolReply.text("1"), soon(first));
        assertFalse(drained.isComplete());
        arrived(2).reply(ToolReply.text("2"));
        assertEquals(ToolReply.text("2"), soon(second));
        soon(drained);
    }

    @Test
    void aQuestionAboutACallerUsesTheShareOfWhoAsks() {
        Dispatcher shared = new Dispatcher(
                vertx,
                new DispatchLimits(2, 2, 10, 0, Duration.ofSeconds(1), 250, TeamShares.among(0.5, 2)),
                new SimpleMeterRegistry());
        CallOptions options = CallOptions.withEvents(Duration.ofHours(1), null, null);
        PendingCall first = shared.send("raw", REQUEST, CALLER, options);
        arrived(1);
        assertEquals(
                FailureKind.OVERLOADED,
                failed(shared.send("raw", REQUEST, CALLER, options)).kind());
        PendingCall question = shared.send("raw", REQUEST, CALLER.inspectedBy("blue"), options);
        assertEquals("red", arrived(2).body().caller().team(), "the backend is asked as the caller");
        arrived.forEach(message -> message.reply(ToolReply.text("done")));
        assertEquals(ToolReply.text("done"), soon(first));
        assertEquals(ToolReply.text("done"), soon(question));
    }

    /** Each way to change options, and what it must leave as it was. */
    @Test
    void whatChangesOneOptionLeavesTheOthers() {
        ClientInteraction interaction = EVERYTHING.interaction();
        assertEquals(
                new CallOptions(Duration.ofMinutes(2), DEAF, LogLevel.NOTICE, TRACE, KEPT, interaction, true, SOMEBODY),
                EVERYTHING.after(Duration.ofMinutes(1)));
        assertEquals(
                new CallOptions(Duration.ofMinutes(3), DEAF, LogLevel.NOTICE, SPAN, KEPT, interaction, true, SOMEBODY),
                EVERYTHING.in(SPAN));
        assertEquals(
                new CallOptions(Duration.ofSeconds(5), null, null, TRACE, null, ClientInteraction.NONE, true, SOMEBODY),
                EVERYTHING.part(CALLER, Duration.ofSeconds(5)));
        assertEquals(
                new CallOptions(Duration.ofSeconds(5), null, null, TRACE, null, ClientInteraction.NONE, true, null),
                EVERYTHING.part(CALLER.inspectedBy("red"), Duration.ofSeconds(5)),
                "another caller than the requester, also of its team");
        CallOptions plain = new CallOptions(Duration.ofMinutes(3), DEAF, LogLevel.NOTICE, TRACE, KEPT, interaction);
        assertFalse(plain.patient());
        assertNull(plain.requester());
        assertEquals(EVERYTHING, plain.patiently().by(SOMEBODY));
        assertEquals(EVERYTHING, plain.by(SOMEBODY).patiently());
        assertEquals(
                new CallOptions(
                        Duration.ofMinutes(3), DEAF, LogLevel.DEBUG, null, null, ClientInteraction.NONE, false, null),
                CallOptions.withEvents(Duration.ofMinutes(3), DEAF, LogLevel.DEBUG));
        assertEquals(
                new CallOptions(Duration.ofMinutes(3), null, null, null, null, ClientInteraction.NONE, false, null),
                CallOptions.withEvents(Duration.ofMinutes(3), null, null));
    }

    @Test
    void aClientThatHasAnsweredCanStillBeAsked() {
        List<ClientQuestion> asked = new ArrayList<>();
        Promise<ClientAnswer> answer = Promise.promise();
        ClientInteraction interaction = new ClientInteraction() {
            @Override
            public CallingClient client() {
                return CLIENT;
            }

            @Override
            public Future<ClientAnswer> ask(ClientQuestion question) {
                asked.add(question);
                return answer.future();
            }
        };
        CallingClient.ClientResponses given =
                new CallingClient.ClientResponses(Json.object().put("a", 1), null);
        ClientInteraction again = interaction.answering(given);
        assertEquals(CLIENT.answering(given), again.client());
        ClientQuestion question = new ClientQuestion("roots/list", Json.object());
        assertSame(answer.future(), again.ask(question));
        assertEquals(List.of(question), asked);
        assertEquals(
                ClientAnswer.Declined.NOBODY,
                soon(ClientInteraction.with(CLIENT).ask(question)));
    }

    @Test
    void aQuestionThatFailsIsAnsweredWithItsFailure() {
        ClientInteraction failing = new ClientInteraction() {
            @Override
            public CallingClient client() {
                ObjectNode capabilities = Json.object();
                capabilities.putObject("elicitation");
                return new CallingClient(capabilities, CallingClient.AskMode.DURING_CALL, null);
            }

            @Override
            public Future<ClientAnswer> ask(ClientQuestion question) {
                return Future.failedFuture("the client is gone");
            }
        };
        PendingCall call = send(new CallOptions(Duration.ofHours(1), null, null, null, null, failing));
        String address = BusAddresses.questions(arrived(1).body().id());
        Future<Message<Object>> asked = vertx.eventBus()
                .request(
                        address,
                        new ClientQuestion("roots/list", Json.object()),
                        new DeliveryOptions().setLocalOnly(true));
        assertEquals(
                "the client is gone",
                assertThrows(ReplyException.class, () -> soon(asked)).getMessage());
        arrived(1).reply(ToolReply.text("ok"));
        soon(call);
    }

    @Test
    @AsksForErrors("failed on the bus")
    void aCallOnABusThatIsClosedIsAnsweredAndHoldsNoPlace() {
        Vertx ended = Vertx.vertx();
        BusCodecs.register(ended.eventBus());
        Dispatcher late =
                new Dispatcher(ended, new DispatchLimits(1, 1, 1, 0, Duration.ZERO, 250), new SimpleMeterRegistry());
        ended.close().await();
        for (int i = 0; i < 3; i++) {
            PendingCall call =
                    late.send("raw", REQUEST, CALLER, CallOptions.withEvents(Duration.ofHours(1), null, null));
            assertEquals(FailureKind.INTERNAL, failed(call).kind());
            assertEquals(0, late.permitsTaken());
        }
    }

    // ---- how fast a backend is

    private final AtomicLong nanos = new AtomicLong(Duration.ofDays(7).toNanos());
    private final SimpleMeterRegistry ofLimit = new SimpleMeterRegistry();

    /** 64 calls at once at most, 32 in the beginning, on a clock that only the test moves. */
    private Dispatcher measured() {
        return new Dispatcher(
                vertx,
                new DispatchLimits(64, 1, 1_000, 0, Duration.ZERO, 250),
                ofLimit,
                disabled,
                CallObserver.NONE,
                nanos::get);
    }

    /** Ten calls of each of {@code requests} at once; those of the first are answered first, after the first of {@code times}. */
    private void round(Dispatcher measured, List<BackendRequest> requests, Duration... times) {
        int before = arrived.size();
        List<List<PendingCall>> calls = new ArrayList<>();
        for (BackendRequest request : requests) {
            calls.add(IntStream.range(0, 10)
                    .mapToObj(_ -> measured.send(
                            "raw", request, CALLER, CallOptions.withEvents(Duration.ofHours(1), null, null)))
                    .toList());
        }
        arrived(before + 10 * requests.size());
        for (int i = 0; i < times.length; i++) {
            nanos.addAndGet(times[i].toNanos());
            arrived.subList(before + 10 * i, before + 10 * i + 10)
                    .forEach(message -> message.reply(ToolReply.text("ok")));
            calls.get(i).forEach(CallOnTheBusTest::soon);
        }
    }

    private double limit() {
        return ofLimit.get("switchboard.calls.limit").gauge().value();
    }

    static Stream<List<BackendRequest>> aQuickAndASlowOperation() {
        return Stream.of(
                List.of(
                        new BackendRequest.CallTool("quick", Arguments.of(Json.object())),
                        new BackendRequest.CallTool("slow", Arguments.of(Json.object()))),
                List.of(new BackendRequest.ListPrompts(null), new BackendRequest.ReadResource("file:///a")),
                List.of(
                        new BackendRequest.ListPrompts(null),
                        new BackendRequest.CallTool("slow", Arguments.of(Json.object()))));
    }

    @ParameterizedTest
    @MethodSource("aQuickAndASlowOperation")
    void whatAlwaysTakesLongerThanSomethingElseDoesNotShowThatABackendIsSlow(List<BackendRequest> both) {
        round(measured(), both, Duration.ofMillis(1), Duration.ofSeconds(1));
        assertEquals(34, limit(), "more are allowed than in the beginning");
    }

    @Test
    void whatTakesLongerThanItDidShowsThatABackendIsSlow() {
        Dispatcher measured = measured();
        List<BackendRequest> twice = List.of(REQUEST, REQUEST);
        round(measured, twice, Duration.ofMillis(1), Duration.ofMillis(1));
        assertEquals(32, limit(), "half a second is not over");
        round(measured, twice, Duration.ofSeconds(1), Duration.ZERO);
        assertTrue(limit() < 32, () -> "limit " + limit());
    }

    @Test
    void whoeverObservesNothingKeepsTheTrace() {
        CallObserver.Observation none = CallObserver.NONE.began("raw", REQUEST, TRACE);
        none.ended(ToolReply.text("ok"));
        assertEquals(TRACE, none.traceparent());
    }
}
