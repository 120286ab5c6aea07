package switchboard.upstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.DetachedCallContext;

/** A call with a deadline that a test takes back when it likes. */
final class FakeCall implements DetachedCallContext {
    private final long deadline;
    private final List<Runnable> actions = new ArrayList<>();
    private volatile boolean cancelled;

    FakeCall(Duration timeout) {
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    synchronized void cancel() {
        cancelled = true;
        actions.forEach(Runnable::run);
    }

    @Override
    public String callId() {
        return "call";
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return cancelled || remaining().isZero();
    }

    @Override
    public synchronized void onCancel(Runnable action) {
        actions.add(action);
        if (cancelled) {
            action.run();
        }
    }

    @Override
    public String traceparent() {
        return "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    }
}
