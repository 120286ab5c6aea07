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
    /** So many wait while the shared database can't be reached. */
    private static final int MOST = 2000;

    private final Deque<SessionChange> changes = new ArrayDeque<>();
    private Future<?> last = Future.succeededFuture();
    private Future<Void> written = Future.succeededFuture();
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

    /** Whether there are any. */
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
        List<SessionChange> all = List.copyOf(changes);
        changes.clear();
        return all;
    }

    /** Changes of {@link #take} that could not be made. */
    synchronized void putBack(List<SessionChange> unmade) {
        List<SessionChange> later = take();
        changes.addAll(unmade);
        changes.addAll(later);
    }

    /** Completes when the changes are written: by {@code write}, or by the write that has taken them already. */
    synchronized Future<Void> write(Supplier<Future<Void>> write) {
        if (!changes.isEmpty()) {
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
