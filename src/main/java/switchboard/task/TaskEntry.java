package switchboard.task;

import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task and what is known of it in this process only. Guarded by its store, except for its final fields. */
final class TaskEntry {
    /** Completes when its end is on the disk. */
    final Promise<Void> ended = Promise.promise();

    final List<Consumer<Task>> listeners = new CopyOnWriteArrayList<>();

    /** What clients see. */
    Task task;

    /** How it has ended, until that is on the disk; null before. */
    @Nullable
    Task unwritten;

    /** Whether {@link #unwritten} is being written. */
    boolean writing;

    /** Whether its result was told. */
    boolean told;

    @Nullable
    TaskControl control;

    /** The turn of work of the gateway's own in this process. */
    TaskTurns.@Nullable Turn turn;

    TaskEntry(Task task, @Nullable Task unwritten) {
        this.task = task;
        this.unwritten = unwritten;
    }

    /** Whether its work is under way or waits, here. */
    boolean active() {
        return !task.over() && unwritten == null && !task.work().relayed();
    }

    void tell(Task now) {
        listeners.forEach(listener -> listener.accept(now));
    }
}
