package switchboard.protocol;

import java.util.ArrayList;
import java.util.List;

/** Whether the caller took a request back. Used on the exchange's event loop only. */
public final class Cancellation {
    private List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    /** Whether it did. */
    public boolean cancelled() {
        return cancelled;
    }

    /** Runs {@code action} when it does, at once if it has. */
    public void onCancel(Runnable action) {
        if (cancelled) {
            action.run();
        } else {
            actions.add(action);
        }
    }

    /** Takes the request back; once. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            List<Runnable> waiting = actions;
            actions = List.of();
            waiting.forEach(Runnable::run);
        }
    }
}
