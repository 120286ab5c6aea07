package switchboard.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A part of a call that may take less time than the whole, and has no listener of its own. It is cancelled with the whole,
 * and when its time is up. Thread-safe.
 */
public final class LimitedCall implements DetachedCallContext {
    private final @Nullable CallContext whole;
    private final String id;
    private final long deadline;

    private LimitedCall(@Nullable CallContext whole, String id, Duration limit) {
        this.whole = whole;
        this.id = id;
        this.deadline = System.nanoTime() + limit.toNanos();
    }

    /** A part of {@code whole}. */
    public static LimitedCall of(CallContext whole, Duration limit) {
        return new LimitedCall(whole, whole.callId(), limit);
    }

    /** Work of the gateway itself. */
    public static LimitedCall alone(String id, Duration limit) {
        return new LimitedCall(null, id, limit);
    }

    @Override
    public Caller caller() {
        return whole == null ? Caller.unrestricted() : whole.caller();
    }

    @Override
    public String callId() {
        return id;
    }

    @Override
    public Duration remaining() {
        Duration own = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        Duration others = whole == null ? own : whole.remaining();
        return own.compareTo(others) < 0 ? own : others;
    }

    @Override
    public boolean cancelled() {
        return deadline - System.nanoTime() <= 0 || (whole != null && whole.cancelled());
    }

    @Override
    public void onCancel(Runnable action) {
        if (whole != null) {
            whole.onCancel(action);
        }
    }

    @Override
    public @Nullable String traceparent() {
        return whole == null ? null : whole.traceparent();
    }
}
