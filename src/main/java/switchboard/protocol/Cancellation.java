package switchboard.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * How a request ends before it is answered: its caller took it back, or nobody can take the answer any more. Used on the
 * exchange's event loop only.
 */
public final class Cancellation {
    private List<Runnable> actions = new ArrayList<>();
    private List<Runnable> ofReads = new ArrayList<>();
    private boolean cancelled;
    private boolean unread;

    /** What a request does to the world, which decides how it may end. */
    public enum Work {
        /** It only reads: without a reader for its answer it is in vain, and ends. */
        READS,
        /** It changes something: it ends only if it is taken back. */
        CHANGES
    }

    /** Whether the caller took the request back. */
    public boolean cancelled() {
        return cancelled;
    }

    /** Runs {@code action} when the caller takes the request back, at once if it has. */
    public void onCancel(Runnable action) {
        if (cancelled) {
            action.run();
        } else {
            actions.add(action);
        }
    }

    /** Runs {@code action}, which ends {@code work}, when that is to end early, at once if it is to. */
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

    /** Takes the request back; once. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            List<Runnable> waiting = actions;
            actions = List.of();
            waiting.forEach(Runnable::run);
        }
    }

    /** Nobody can take the answer any more: ends what only reads; once. */
    public void unread() {
        if (!unread) {
            unread = true;
            List<Runnable> waiting = ofReads;
            ofReads = List.of();
            waiting.forEach(Runnable::run);
        }
    }
}
