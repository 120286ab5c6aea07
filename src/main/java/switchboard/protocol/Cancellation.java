package switchboard.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * How a request ends before it is answered: its caller cancelled it, or its answer can't be delivered any more. Used
 * on the exchange's event loop only.
 */
public final class Cancellation {
    private List<Runnable> actions = new ArrayList<>();
    private List<Runnable> ofReads = new ArrayList<>();
    private boolean cancelled;
    private boolean unread;

    /** Whether a request changes something, which decides how it may end. */
    public enum Work {
        /** It only reads, so it is cancelled when its answer can't be delivered. */
        READS,
        /** It changes something, so it ends early only if it is cancelled. */
        CHANGES
    }

    /** Whether the caller has cancelled the request. */
    public boolean cancelled() {
        return cancelled;
    }

    /** Runs {@code action} when the caller cancels the request, or at once if it has. */
    public void onCancel(Runnable action) {
        if (cancelled) {
            action.run();
        } else {
            actions.add(action);
        }
    }

    /** Runs {@code action} when {@code work} must end early, or at once if it must. */
    public void ends(Work work, Runnable action) {
        onCancel(action);
        switch (work) {
            case READS -> {
                if (unread) {
                    action.run();
                } else {
                    ofReads.add(action);
                }
            }
            case CHANGES -> {}
        }
    }

    /** Cancels the request. Further calls do nothing. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            List<Runnable> waiting = actions;
            actions = List.of();
            waiting.forEach(Runnable::run);
        }
    }

    /** The answer can't be delivered any more: cancels requests that only read. Further calls do nothing. */
    public void unread() {
        if (!unread) {
            unread = true;
            List<Runnable> waiting = ofReads;
            ofReads = List.of();
            waiting.forEach(Runnable::run);
        }
    }
}
