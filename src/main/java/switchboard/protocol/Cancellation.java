package switchboard.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * How a request ends before it is answered: its caller cancelled it, or its answer can't be delivered any more. Used
 * on the exchange's event loop only.
 */
public final class Cancellation {
    private final Signal cancelled = new Signal();
    private final Signal unread = new Signal();

    /** An event that happens at most once. */
    private static final class Signal {
        private List<Runnable> actions = new ArrayList<>();
        private boolean given;

        void then(Runnable action) {
            if (given) {
                action.run();
            } else {
                actions.add(action);
            }
        }

        void give() {
            given = true;
            List<Runnable> waiting = actions;
            actions = List.of();
            waiting.forEach(Runnable::run);
        }
    }

    /** Whether a request changes something, which decides how it may end. */
    public enum Work {
        /** It only reads, so it is cancelled when its answer can't be delivered. */
        READS,
        /** It changes something, so it ends early only if it is cancelled. */
        CHANGES
    }

    /** Whether the caller has cancelled the request. */
    public boolean cancelled() {
        return cancelled.given;
    }

    /** Runs {@code action} when the caller cancels the request, or at once if it has. */
    public void onCancel(Runnable action) {
        cancelled.then(action);
    }

    /** Runs {@code action} when {@code work} must end early, or at once if it must. */
    public void ends(Work work, Runnable action) {
        onCancel(action);
        switch (work) {
            case READS -> unread.then(action);
            case CHANGES -> {}
        }
    }

    /** Cancels the request. Further calls do nothing. */
    public void cancel() {
        cancelled.give();
    }

    /** The answer can't be delivered any more: cancels requests that only read. Further calls do nothing. */
    public void unread() {
        unread.give();
    }
}
