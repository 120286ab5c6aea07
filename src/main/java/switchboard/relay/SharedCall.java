package switchboard.relay;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import switchboard.async.Futures;
import switchboard.call.BackendCall;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.NotOwnerException;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.relay.DataOwner.Ownership;

/**
 * One call for shared data. The owner answers it, this process or another one. It waits while there is no owner that
 * answers: for a limited time, and so that its caller still hears why if its deadline is sooner. A change that may have
 * been carried out is not repeated.
 */
final class SharedCall {
    /** How long a call waits for an owner. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

    private static final int PAUSE_MS = 100;

    private final Vertx vertx;
    private final String id;
    private final DataOwner owner;
    private final BackendCall call;
    private final CallContext context;
    private final boolean repeatable;
    private final Supplier<Future<BackendReply>> here;
    private boolean waiting;
    private boolean repeated;
    private long end;

    /**
     * A call that is not sent yet.
     *
     * @param id the backend, for messages
     * @param repeatable whether it changes nothing
     * @param here answers it in this process
     */
    SharedCall(
            Vertx vertx,
            String id,
            DataOwner owner,
            BackendCall call,
            CallContext context,
            boolean repeatable,
            Supplier<Future<BackendReply>> here) {
        this.vertx = vertx;
        this.id = id;
        this.owner = owner;
        this.call = call;
        this.context = context;
        this.repeatable = repeatable;
        this.here = here;
    }

    /** Its reply. */
    Future<BackendReply> answer() {
        if (context.cancelled()) {
            return Future.failedFuture(new ToolException(
                    FailureKind.CANCELLED, "The call was cancelled, or its time was over, before it was carried out."));
        }
        return switch (owner.now()) {
            case Ownership.LocalOwner _ -> here.get();
            case Ownership.NoOwner _ -> await().compose(_ -> answer());
            case Ownership.RemoteOwner there ->
                there.owner()
                        .send(call, context, repeatable)
                        .recover(failure -> failure instanceof OwnerUnavailableException gone
                                ? again(there, gone)
                                : Future.failedFuture(failure));
        };
    }

    private Future<BackendReply> again(Ownership.RemoteOwner there, OwnerUnavailableException gone) {
        owner.leave(there);
        if (gone.reached() && !repeatable) {
            owner.settle(); // so that the caller finds an owner when it looks
            return Future.failedFuture(new ToolException(
                    FailureKind.UNAVAILABLE,
                    "Outcome unknown: the process that owned the data of " + id + " ended during the call. Acknowledged"
                            + " changes are kept. Check whether this call was carried out, and call again if not."));
        }
        if (gone.reached() && repeated) {
            return Future.failedFuture(
                    unavailable("lost its owner twice while this call ran. Ask for less, or ask the" + " operator"));
        }
        repeated = repeated || gone.reached();
        boolean first = !waiting;
        if (first) {
            waiting = true;
            end = System.nanoTime() + longest().toNanos();
        }
        // Not at once if one that was just found refuses calls, too.
        Future<Void> pause = first
                ? Future.succeededFuture()
                : vertx.timer(PAUSE_MS, TimeUnit.MILLISECONDS).mapEmpty();
        return pause.compose(_ -> await()).compose(_ -> answer());
    }

    private Duration longest() {
        Duration untilTold = beforeDeadline(context);
        return untilTold.compareTo(LONGEST_WAIT) < 0 ? untilTold : LONGEST_WAIT;
    }

    /** The time until shortly before the call's deadline, when its caller can still be told what happened. */
    static Duration beforeDeadline(CallContext context) {
        long remaining = context.remaining().toMillis();
        return Duration.ofMillis(Math.max(1, remaining - Math.min(250, remaining / 10)));
    }

    /** Completes when there is an owner that may answer; fails with a {@link ToolException} if there is none in time. */
    private Future<Void> await() {
        if (!waiting) {
            waiting = true;
            end = System.nanoTime() + longest().toNanos();
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
            return Future.failedFuture(noOwner());
        }
        Promise<Void> settled = Promise.promise();
        context.onCancel(() -> settled.tryFail(new ToolException(FailureKind.CANCELLED, "The call was cancelled.")));
        owner.settle().onComplete(outcome -> {
            if (outcome.succeeded()) {
                settled.tryComplete();
            } else {
                settled.tryFail(outcome.cause());
            }
        });
        return Futures.here(settled.future().timeout(left, TimeUnit.MILLISECONDS))
                .recover(failure -> switch (failure) {
                    case TimeoutException _ -> Future.failedFuture(noOwner());
                    case NotOwnerException _ -> await(); // the search that others had begun has ended
                    case ToolException told -> Future.failedFuture(told);
                    default -> Future.failedFuture(unavailable("could not be taken over: " + failure.getMessage()));
                });
    }

    private ToolException noOwner() {
        return unavailable("has no owner at the moment: the process that has it is stopping or does not answer."
                + " This process takes the data over as soon as that one has ended. This call was not carried out."
                + " Try again in a moment; if it fails again, ask the operator");
    }

    private ToolException unavailable(String what) {
        return new ToolException(new ToolReply.Failed(FailureKind.UNAVAILABLE, "The data of " + id + " " + what + ".")
                .withRetryAfterMs(LONGEST_WAIT.toMillis()));
    }
}
