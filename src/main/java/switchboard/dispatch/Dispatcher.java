package switchboard.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BusAddresses;
import switchboard.call.CallSteps;
import switchboard.call.Caller;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/**
 * Sends all calls on the event bus, and listens to all announcements of backends. Gives each call a permit, a deadline
 * and an entry among the calls under way, and removes all three however the call ends. Thread-safe. Replies and events
 * arrive on the context that sent the call.
 */
public final class Dispatcher implements DelegatedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private static final ToolReply.Failed CANCELLED =
            new ToolReply.Failed(FailureKind.CANCELLED, "The call was cancelled.");

    private final Vertx vertx;
    private final EventBus bus;
    private final DispatchLimits limits;
    private final Admission admission;
    private final DisabledBackends disabledBackends;
    private final CallObserver observer;
    private final LongSupplier nanos;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, InFlightCall> inFlight = new ConcurrentHashMap<>();
    private final Promise<Void> drained = Promise.promise();
    private volatile boolean draining;
    private volatile boolean givenUp;

    /** A dispatcher on the event bus of {@code vertx}, whose codecs are registered, with all backends switched on. */
    public Dispatcher(Vertx vertx, DispatchLimits limits, MeterRegistry meters) {
        this(vertx, limits, meters, new DisabledBackends(), CallObserver.NONE);
    }

    /** The same with backends that may be switched off, and an observer that is notified of each call, refused ones too. */
    public Dispatcher(
            Vertx vertx,
            DispatchLimits limits,
            MeterRegistry meters,
            DisabledBackends disabledBackends,
            CallObserver observer) {
        this(vertx, limits, meters, disabledBackends, observer, System::nanoTime);
    }

    /** The same with a clock in nanoseconds for how long calls wait and take. */
    Dispatcher(
            Vertx vertx,
            DispatchLimits limits,
            MeterRegistry meters,
            DisabledBackends disabledBackends,
            CallObserver observer,
            LongSupplier nanos) {
        this.vertx = vertx;
        this.bus = vertx.eventBus();
        this.limits = limits;
        this.admission = new Admission(limits, meters, nanos);
        this.disabledBackends = disabledBackends;
        this.observer = observer;
        this.nanos = nanos;
    }

    /** Sends {@code request} to the backend {@code backendId}, or refuses at once. */
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        CallObserver.Observation observed = observer.began(backendId, request, options.traceparent());
        CallSteps steps = options.steps().call(backendId, operation(request));
        return open(
                        backendId,
                        request,
                        caller,
                        options.in(observed.traceparent()).telling(steps))
                .onReply(observed::ended)
                .onReply(steps::ended);
    }

    @Override
    public Optional<Requester> requester(String callId) {
        return Optional.ofNullable(inFlight.get(callId)).map(inFlightCall -> inFlightCall.options.requester());
    }

    @Override
    public PendingCall send(String callId, String backendId, BackendRequest request, Caller caller, Duration timeout) {
        InFlightCall whole = inFlight.get(callId);
        if (whole == null) {
            return new RejectedCall(CANCELLED);
        }
        PendingCall part = send(backendId, request, caller, whole.options.part(caller, whole.atMost(timeout)));
        whole.part(part);
        return part;
    }

    private PendingCall open(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        return givenUp
                ? new RejectedCall(StopReply.NOT_BEGUN)
                : disabledBackends
                        .refusal(backendId)
                        .<PendingCall>map(RejectedCall::new)
                        .orElseGet(() -> admitted(backendId, request, caller, options));
    }

    private PendingCall admitted(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        return admission
                .enter(backendId, caller.chargedTeam())
                .<PendingCall>map(permit -> launch(permit, backendId, request, caller, options))
                .orElseGet(() -> queued(backendId, request, caller, options));
    }

    private PendingCall queued(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        QueuedCall call = new QueuedCall(
                vertx, nanos, (permit, waited) -> launch(permit, backendId, request, caller, options.after(waited)));
        Duration longest = options.patient()
                ? options.timeout()
                : Collections.min(List.of(options.timeout(), limits.longestWait()));
        return admission
                .queue(backendId, caller.chargedTeam(), call::room)
                .<PendingCall>map(permit -> call.within(longest, permit, () -> tooMany(backendId)))
                .orElseGet(() -> new RejectedCall(tooMany(backendId)));
    }

    private ToolReply.Failed tooMany(String backendId) {
        admission.rejected(backendId);
        return new ToolReply.Failed(
                        FailureKind.OVERLOADED,
                        "Too many calls are under way at \"" + backendId + "\". Try again in " + limits.retryAfterMs()
                                + " ms.")
                .withRetryAfterMs(limits.retryAfterMs());
    }

    /** Calls {@code listener} for changed lists of {@code backendId}, on the current event loop: must not block. */
    public void onListChanged(String backendId, Consumer<BackendEvent.ListChanged> listener) {
        bus.<BackendEvent>localConsumer(BusAddresses.changes(backendId), message -> {
            switch (message.body()) {
                case BackendEvent.ListChanged changed -> listener.accept(changed);
                case BackendEvent.ResourcesUpdated _,
                        BackendEvent.DocumentsChanged _ -> {} // have listeners of their own
                case BackendEvent.CallProgress _, BackendEvent.Log _ ->
                    LOG.warn("backend {} announced an event of a single call; ignored", backendId);
            }
        });
    }

    /** Calls {@code listener} with events of the backend {@code backendId} that have this type, as {@link #onListChanged} does. */
    public <E extends BackendEvent> void on(Class<E> type, String backendId, Consumer<E> listener) {
        bus.<BackendEvent>localConsumer(BusAddresses.changes(backendId), message -> {
            if (type.isInstance(message.body())) {
                listener.accept(type.cast(message.body()));
            }
        });
    }

    /**
     * Waits for the calls under way, at most {@code longest}. Those that are left then, and all later ones, are
     * answered that the gateway stops.
     *
     * @return completes when no call is under way
     */
    public Future<Void> drain(Duration longest) {
        draining = true;
        settle();
        long timer = vertx.setTimer(Math.max(1, longest.toMillis()), _ -> giveUp());
        return drained.future().onComplete(_ -> vertx.cancelTimer(timer));
    }

    private void giveUp() {
        givenUp = true;
        List.copyOf(inFlight.values()).forEach(InFlightCall::giveUp);
    }

    private void settle() {
        if (draining && inFlight.isEmpty()) {
            drained.tryComplete();
        }
    }

    /** How many calls are under way. */
    public int inFlight() {
        return inFlight.size();
    }

    /** The number of permits in use. Equals {@link #inFlight()} if nothing is being sent and nothing waits. */
    public int permitsTaken() {
        return admission.admitted();
    }

    private PendingCall launch(
            Admission.Permit permit, String backendId, BackendRequest request, Caller caller, CallOptions options) {
        if (givenUp) {
            permit.close();
            return new RejectedCall(StopReply.NOT_BEGUN);
        }
        options.steps().launched();
        String id = Long.toString(ids.incrementAndGet(), Character.MAX_RADIX);
        InFlightCall inFlightCall = new InFlightCall(id, backendId, operation(request), permit, options);
        inFlight.put(id, inFlightCall);
        long timeoutMs = Math.max(1, options.timeout().toMillis());
        Futures.finish(
                ask(inFlightCall, request, caller, options, timeoutMs),
                inFlightCall::finish,
                failure -> inFlightCall.finish(inFlightCall.failed(failure, timeoutMs)));
        return inFlightCall;
    }

    /** The name under which durations are compared. */
    private static String operation(BackendRequest request) {
        return request instanceof BackendRequest.CallTool call
                ? call.tool()
                : request.getClass().getSimpleName();
    }

    private Future<BackendReply> ask(
            InFlightCall inFlightCall, BackendRequest request, Caller caller, CallOptions options, long timeoutMs) {
        BackendCall call = new BackendCall(
                inFlightCall.id,
                request,
                caller,
                System.nanoTime() + options.timeout().toNanos(),
                options.wanted(),
                options.traceparent(),
                options.session(),
                options.interaction().client());
        try {
            return bus.<BackendReply>request(
                            BusAddresses.backend(inFlightCall.backendId),
                            call,
                            new DeliveryOptions().setLocalOnly(true).setSendTimeout(timeoutMs))
                    .map(Message::body);
        } catch (RuntimeException e) { // a bus that is closing throws
            return Future.failedFuture(e);
        }
    }

    private List<MessageConsumer<?>> listen(String id, CallOptions options) {
        List<MessageConsumer<?>> consumers = new ArrayList<>(2);
        Consumer<BackendEvent> events = options.events();
        if (events != null) {
            consumers.add(
                    bus.<BackendEvent>localConsumer(BusAddresses.events(id), message -> events.accept(message.body())));
        }
        if (options.interaction().client().askable()) {
            consumers.add(bus.<ClientQuestion>localConsumer(
                    BusAddresses.questions(id),
                    message -> Futures.finish(
                            options.interaction().ask(message.body()),
                            message::reply,
                            failure -> message.fail(0, String.valueOf(failure.getMessage())))));
        }
        return consumers;
    }

    private record RejectedCall(ToolReply.Failed failed) implements PendingCall {
        @Override
        public Future<BackendReply> reply() {
            return Future.succeededFuture(failed);
        }

        @Override
        public void cancel() {}
    }

    private final class InFlightCall implements PendingCall {
        private final String id;
        private final String backendId;
        private final String operation;
        private final long since = nanos.getAsLong();
        private final Admission.Permit permit;
        private final CallOptions options;
        private final List<MessageConsumer<?>> listeners;
        private final Queue<PendingCall> parts = new ConcurrentLinkedQueue<>();
        private final Promise<BackendReply> promise = Promise.promise();
        private final Context context = vertx.getOrCreateContext();

        InFlightCall(String id, String backendId, String operation, Admission.Permit permit, CallOptions options) {
            this.id = id;
            this.backendId = backendId;
            this.operation = operation;
            this.permit = permit;
            this.options = options;
            this.listeners = listen(id, options);
        }

        /** {@code timeout}, but no longer than this call. */
        Duration atMost(Duration timeout) {
            return Collections.min(List.of(timeout, options.timeout().minusNanos(nanos.getAsLong() - since)));
        }

        /** Cancels {@code part} when this call ends. */
        void part(PendingCall part) {
            parts.add(part);
            if (over()) {
                part.cancel();
            }
        }

        private boolean over() {
            return !inFlight.containsKey(id);
        }

        @Override
        public Future<BackendReply> reply() {
            return promise.future();
        }

        @Override
        public void cancel() {
            if (!over()) {
                abandon();
                finish(CANCELLED);
            }
        }

        /** Ends the call because the gateway stops. */
        void giveUp() {
            context.runOnContext(_ -> {
                if (!over()) {
                    abandon();
                    finish(StopReply.GIVEN_UP);
                }
            });
        }

        void finish(BackendReply reply) {
            if (inFlight.remove(id, this)) {
                if (showsSpeed(reply)) {
                    permit.took(operation, nanos.getAsLong() - since);
                }
                permit.close();
                listeners.forEach(MessageConsumer::unregister);
                parts.forEach(PendingCall::cancel);
                promise.complete(reply);
                settle();
            }
        }

        /** Whether the time until {@code reply} shows the backend's speed; immediate failures don't. */
        private static boolean showsSpeed(BackendReply reply) {
            return !(reply instanceof ToolReply.Failed failed) || failed.kind() == FailureKind.TIMEOUT;
        }

        ToolReply.Failed failed(Throwable failure, long timeoutMs) {
            ReplyFailure kind =
                    failure instanceof ReplyException reply ? reply.failureType() : ReplyFailure.RECIPIENT_FAILURE;
            return switch (kind) {
                case TIMEOUT -> {
                    abandon();
                    yield new ToolReply.Failed(
                            FailureKind.TIMEOUT,
                            "\"" + backendId + "\" did not answer within " + timeoutMs
                                    + " ms. Ask for less, or try again later.");
                }
                case NO_HANDLERS -> StopReply.notRunning(backendId);
                case RECIPIENT_FAILURE, ERROR -> {
                    LOG.error("call {} to {} failed on the bus", id, backendId, failure);
                    yield new ToolReply.Failed(
                            FailureKind.INTERNAL,
                            "Internal error; ask the operator to look into the log for call id " + id + ".");
                }
            };
        }

        private void abandon() {
            bus.publish(BusAddresses.cancellations(backendId), id, new DeliveryOptions().setLocalOnly(true));
        }
    }
}
