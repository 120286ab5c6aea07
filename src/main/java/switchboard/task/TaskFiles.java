package switchboard.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.DiskError;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.telemetry.OutageLog;

/** Reads and writes the folder of tasks outside the event loops, one file after the other. Thread-safe. */
final class TaskFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TaskFiles.class);
    private static final String RESTARTED = "The gateway was restarted while this ran, so the call was not finished."
            + " Call the tool again: what it has stored already is kept and is not embedded twice.";

    private final TaskFolder folder;
    private final BlockingExecutor executor;
    private final Clock clock;
    private final OutageLog outage;

    TaskFiles(TaskFolder folder, BlockingExecutor executor, Clock clock) {
        this.folder = folder;
        this.executor = executor;
        this.clock = clock;
        this.outage = new OutageLog(LOG, "the folder for tasks", clock);
    }

    /**
     * A task that an earlier process has left.
     *
     * @param task the task, without detail
     * @param unwritten how it has ended, if that could not be written
     */
    record Known(Task task, @Nullable Task unwritten) {}

    /**
     * Takes over what an earlier process has left: what was under way then has failed. A file that can't be written or deleted
     * concerns its own task only. Blocks.
     *
     * @return the tasks; empty if another process uses the folder or it can't be read
     */
    Optional<List<Known>> takeOver() {
        try {
            if (!folder.take()) {
                return Optional.empty();
            }
            List<Known> known = new ArrayList<>();
            outage.ends();
            for (Task task : folder.load()) {
                if (task.expired(clock.instant())) {
                    tried(() -> folder.delete(task.id()));
                } else {
                    known.add(taken(task));
                }
            }
            return Optional.of(known);
        } catch (IOException e) {
            outage.begins(problem(e));
            return Optional.empty();
        }
    }

    private Known taken(Task task) {
        if (task.over() || task.call().relayed()) {
            return new Known(task.brief(), null);
        }
        Task failed = task.in(TaskState.lost(RESTARTED), clock.instant());
        return tried(() -> folder.write(failed)) ? new Known(failed.brief(), null) : new Known(task.brief(), failed);
    }

    private interface FileAction {
        void run() throws IOException;
    }

    private boolean tried(FileAction action) {
        try {
            action.run();
            return true;
        } catch (IOException e) {
            outage.begins(problem(e));
            return false;
        }
    }

    private static String problem(Throwable failure) {
        return failure instanceof ToolException refused ? refused.failed().message() : DiskError.problem(failure);
    }

    /** Runs {@code blocking} outside the event loops, as work of the task's team. */
    private <T> Future<T> run(Task task, Callable<T> blocking) {
        return executor.run(task.call().owner().team(), () -> false, blocking);
    }

    /** Writes {@code task}. Whether it is on the disk; never fails. */
    Future<Boolean> write(Task task) {
        return run(task, () -> {
                    folder.write(task);
                    return true;
                })
                .transform(done -> {
                    if (done.failed()) {
                        outage.begins(problem(done.cause()));
                    } else {
                        outage.ends();
                    }
                    return Future.succeededFuture(done.succeeded());
                });
    }

    /** {@code task} with the detail of its state. Fails with {@code ToolException} or {@link IOException}. */
    Future<Task> detailed(Task task) {
        return run(task, () -> {
            ObjectNode detail =
                    folder.detail(task.id()).orElseThrow(() -> new IOException("a task without its detail"));
            TaskState state = new TaskState(task.state().status(), task.state().message(), detail);
            return task.in(state, task.updated());
        });
    }

    /** Deletes the file of {@code task}, after what is being written. */
    void delete(Task task) {
        run(task, () -> {
                    folder.delete(task.id());
                    return task;
                })
                .onFailure(failure -> LOG.debug("the file of a task can't be deleted", failure));
    }

    /** Runs {@code opening} outside the event loops. */
    void openLater(Runnable opening) {
        executor.run(() -> {
                    opening.run();
                    return this;
                })
                .onFailure(failure -> LOG.debug("the folder for tasks can't be opened", failure));
    }

    /** Lets another process use the folder. Blocks. */
    void release() {
        try {
            folder.release();
        } catch (IOException e) {
            LOG.debug("the lock of the folder for tasks can't be released", e);
        }
    }
}
