package switchboard.backend;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendCall;
import switchboard.call.BackendEvent;
import switchboard.call.BusAddresses;
import switchboard.call.CallContext;
import switchboard.call.CallSteps;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;

/** The context of one call for its handler. */
final class RunningCall implements CallContext {
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private final BackendCall call;
    private final EventBus bus;
    private final Object lock = new Object();
    private List<Runnable> onCancel = new ArrayList<>();
    private volatile boolean taken;

    RunningCall(BackendCall call, EventBus bus) {
        this.call = call;
        this.bus = bus;
    }

    @Override
    public CallSteps steps() {
        return call.events().steps();
    }

    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public String callId() {
        return call.id();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, call.deadlineNanos() - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return taken || call.deadlineNanos() - System.nanoTime() <= 0;
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (lock) {
            if (!taken) {
                onCancel.add(action);
                return;
            }
        }
        action.run();
    }

    /** Cancels the call. */
    void cancel() {
        List<Runnable> actions;
        synchronized (lock) {
            taken = true;
            actions = onCancel;
            onCancel = List.of();
        }
        actions.forEach(Runnable::run);
    }

    @Override
    public void progress(double progress, @Nullable Double total, @Nullable String message) {
        emit(new BackendEvent.CallProgress(progress, total, message));
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        if (call.events().logLevel() != null && level.compareTo(call.events().logLevel()) >= 0) {
            emit(new BackendEvent.Log(level, logger, data));
        }
    }

    @Override
    public boolean wantsEvents() {
        return call.events().any();
    }

    @Override
    public boolean wantsGiven() {
        return call.events().given();
    }

    @Override
    public @Nullable LogLevel logLevel() {
        return call.events().logLevel();
    }

    @Override
    public CallingClient client() {
        return call.client();
    }

    @Override
    public Future<ClientAnswer> ask(ClientQuestion question) {
        if (!call.client().askable() || cancelled()) {
            return Future.succeededFuture(ClientAnswer.Declined.NOBODY);
        }
        DeliveryOptions options = new DeliveryOptions()
                .setLocalOnly(true)
                .setSendTimeout(Math.max(1, remaining().toMillis()));
        return bus.<ClientAnswer>request(BusAddresses.questions(call.id()), question, options)
                .map(Message::body)
                .otherwise(ClientAnswer.Declined.LATE);
    }

    @Override
    public @Nullable String traceparent() {
        return call.traceparent();
    }

    @Override
    public @Nullable SessionValues session() {
        return call.session();
    }

    private void emit(BackendEvent event) {
        if (call.events().any() && !taken) {
            bus.send(BusAddresses.events(call.id()), event, LOCAL);
        }
    }
}
