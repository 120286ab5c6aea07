package switchboard.dispatch;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.BackendReply;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** A call that waits for room at its backend, for a limited time. Starts on the context that sent it. Thread-safe. */
final class QueuedCall implements PendingCall {
    private final Context context;
    private final BiFunction<Admission.Permit, Duration, PendingCall> launch;
    private final Promise<BackendReply> promise = Promise.promise();
    private final LongSupplier nanos;
    private final long since;
    private Admission.@Nullable Permit permit;
    private @Nullable PendingCall launched;
    private boolean cancelled;

    /**
     * A call that is not queued yet.
     *
     * @param launch sends it, with a permit and the time it has waited
     */
    QueuedCall(Vertx vertx, LongSupplier nanos, BiFunction<Admission.Permit, Duration, PendingCall> launch) {
        this.context = vertx.getOrCreateContext();
        this.launch = launch;
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /** Queues it with {@code waiting}; it gets {@code refusal} if its turn does not come in time. */
    QueuedCall within(Duration longest, Admission.Permit waiting, Supplier<ToolReply.Failed> refusal) {
        synchronized (this) {
            permit = waiting;
        }
        long timer = context.owner().setTimer(Math.max(1, longest.toMillis()), _ -> {
            if (waiting.giveUp()) {
                promise.tryComplete(refusal.get());
            }
        });
        promise.future().onComplete(_ -> context.owner().cancelTimer(timer));
        return this;
    }

    /** Its turn has come. */
    void room(Admission.Permit granted) {
        context.runOnContext(_ -> start(granted));
    }

    private void start(Admission.Permit granted) {
        PendingCall call;
        synchronized (this) {
            if (cancelled) {
                granted.close();
                return;
            }
            call = launch.apply(granted, Duration.ofNanos(nanos.getAsLong() - since));
            launched = call;
        }
        Futures.finish(call.reply(), promise::tryComplete, promise::tryFail);
    }

    @Override
    public Future<BackendReply> reply() {
        return promise.future();
    }

    @Override
    public void cancel() {
        PendingCall running;
        synchronized (this) {
            running = launched;
            cancelled = true;
            if (running == null && permit != null) {
                permit.giveUp();
            }
        }
        if (running != null) {
            running.cancel();
        } else {
            promise.tryComplete(new ToolReply.Failed(FailureKind.CANCELLED, "The call was cancelled."));
        }
    }
}
