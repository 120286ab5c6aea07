package switchboard.protocol.legacy;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The changes of a session that are still to be made to its shared row, and the order of all that reads and writes the row. Thread-safe.
 */
final class UnwrittenChanges {
    /**
     * So many wait while the shared database can't be reached; further ones are made on this node only, and are lost when the row is
     * read again.
     */
    private static final int MOST = 2000;

    private final Deque<SessionChange> changes = new ArrayDeque<>();
    private Future<?> last = Future.succeededFuture();
    private Future<Void> written = Future.succeededFuture();
    /** Whether a write has been asked for that has not taken the changes yet. */
    private boolean waiting;

    private boolean noted;

    /** The session is shared from now on: changes are noted. */
    synchronized void begin() {
        noted = true;
    }

    /** Makes a change to the state here, by {@code here}, and notes it. */
    synchronized void make(SessionChange change, Runnable here) {
        here.run();
        if (noted && changes.size() < MOST) {
            changes.add(change);
        }
    }

    /** Whether there are changes that no write has taken. */
    synchronized boolean any() {
        return !changes.isEmpty();
    }

    /** Runs {@code takeOver}, which takes over the shared row, unless there are changes that it does not have yet; returns whether it ran. */
    synchronized boolean unlessAny(Runnable takeOver) {
        if (!changes.isEmpty()) {
            return false;
        }
        takeOver.run();
        return true;
    }

    /** The changes, which are to be made to the row now. */
    synchronized List<SessionChange> take() {
        waiting = false;
        List<SessionChange> all = List.copyOf(changes);
        changes.clear();
        return all;
    }

    /** Changes of {@link #take} that could not be made. */
    synchronized void putBack(List<SessionChange> unmade) {
        unmade.reversed().forEach(changes::addFirst);
    }

    /**
     * Completes when the changes are written and other nodes know, or after a moment: by {@code write}, which takes them, or by a
     * write that waits or has taken them already.
     */
    synchronized Future<Void> write(Supplier<Future<Void>> write) {
        if (!changes.isEmpty() && !waiting) {
            waiting = true;
            written = write.get();
        }
        return written;
    }

    /** Runs {@code step}, which reads or writes the row, after the steps before it. */
    synchronized <T> Future<T> inOrder(Supplier<Future<T>> step) {
        Future<T> next = last.transform(_ -> step.get());
        last = next;
        return next;
    }
}
