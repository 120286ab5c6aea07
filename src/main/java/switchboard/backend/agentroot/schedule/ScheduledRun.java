package switchboard.backend.agentroot.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.call.Lifetime;

/** The lifetime of one scheduled update. Thread-safe. */
final class ScheduledRun implements Lifetime {
    private final Lifetime longest;
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    ScheduledRun(Duration longest) {
        this.longest = Lifetime.within(longest);
    }

    void cancel() {
        List<Runnable> told;
        synchronized (this) {
            cancelled = true;
            told = List.copyOf(actions);
            actions.clear();
        }
        told.forEach(Runnable::run);
    }

    /** Whether {@link #cancel} was called. */
    synchronized boolean stopped() {
        return cancelled;
    }

    @Override
    public Duration remaining() {
        return longest.remaining();
    }

    @Override
    public boolean cancelled() {
        return stopped() || longest.cancelled();
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public @Nullable String traceparent() {
        return null;
    }
}
