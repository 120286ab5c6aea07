package switchboard.task;

import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A task and what is known of it in this process only. Guarded by its store, except for its final fields. */
final class TaskEntry {
    /** Completes when its end is on the disk. */
    final Promise<Void> ended = Promise.promise();

    final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** The task as clients see it: its end appears here only once it is on the disk. */
    Task task;

    /** How it has ended, until that is on the disk; null before. */
    @Nullable
    Task unwritten;

    /** Whether {@link #unwritten} is being written. */
    boolean writing;

    /** Whether its result was told. */
    boolean told;

    /** Its work, if the gateway does it and it has not ended. */
    @Nullable
    TaskWork work;

    /** The turn of work of the gateway's own in this process. */
    TaskTurns.@Nullable Turn turn;

    TaskEntry(Task task, @Nullable Task unwritten) {
        this.task = task;
        this.unwritten = unwritten;
    }

    /** Whether this gateway still has to do its work, which runs or waits; never for another server's task. */
    boolean active() {
        return !task.over() && unwritten == null && !task.call().relayed();
    }

    void tell() {
        listeners.forEach(Runnable::run);
    }
}
