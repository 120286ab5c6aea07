package switchboard.backend.mcp.peer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.call.DetachedCallContext;

/** The context of a request that the gateway makes itself. It is never cancelled. */
public final class InternalCallContext implements DetachedCallContext {
    private static final Duration STANDING = Duration.ofHours(1);

    private final long deadlineNanos;

    private InternalCallContext(Duration timeout) {
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** A context with the time limit {@code timeout}. */
    public static InternalCallContext within(Duration timeout) {
        return new InternalCallContext(timeout);
    }

    /** A context for a request that stays open. */
    static InternalCallContext standing() {
        return new InternalCallContext(STANDING);
    }

    @Override
    public String callId() {
        return "own";
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return remaining().isZero();
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public @Nullable String traceparent() {
        return null;
    }
}
