package switchboard.backend.mcp.peer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import switchboard.backend.UnheardCall;

/** A request that the gateway makes for itself, and that nobody takes back. */
public final class OwnCall implements UnheardCall {
    private static final Duration STANDING = Duration.ofHours(1);

    private final long deadlineNanos;

    private OwnCall(Duration timeout) {
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** One that may take {@code timeout}. */
    public static OwnCall within(Duration timeout) {
        return new OwnCall(timeout);
    }

    /** One that stays open. */
    static OwnCall standing() {
        return new OwnCall(STANDING);
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
