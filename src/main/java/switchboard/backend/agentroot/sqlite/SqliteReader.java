package switchboard.backend.agentroot.sqlite;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import switchboard.backend.BackendServices;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;

/**
 * Runs statements, a few at once, on an executor of their own. The process of a statement is ended when its time is up, when its call is cancelled and when this is closed. Thread-safe.
 */
public final class SqliteReader {
    private static final int MAX_WAITING = 64;

    /** The time that an answer needs to be sent in time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final BlockingExecutor executor;
    private final SqliteLimits limits;
    private final Set<SqliteProcess> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /**
     * A reader.
     *
     * @param name the name of its executor
     * @param atOnce maximum number of processes
     */
    public SqliteReader(BackendServices services, String name, int atOnce, SqliteLimits limits) {
        this.vertx = services.vertx();
        this.executor = services.executor(name, atOnce, MAX_WAITING);
        this.limits = limits;
    }

    /** Work with a process that has been started for it. */
    public interface ProcessTask<T> {
        T with(SqliteProcess process) throws Exception;
    }

    /** Does {@code work}. */
    public <T> Future<T> run(CallContext context, ProcessTask<T> work) {
        return executor.run(context, () -> {
            SqliteLimits bounded = limits.within(left(context));
            try (SqliteProcess process = SqliteProcess.start(bounded)) {
                running.add(process);
                // After it can be seen by a close, which comes before or after this.
                if (closing) {
                    process.kill(closed());
                }
                context.onCancel(() -> process.kill(cancelled()));
                long timer =
                        vertx.setTimer(Math.max(1, bounded.time().toMillis()), _ -> process.kill(process.tooLate()));
                try {
                    return work.with(process);
                } finally {
                    vertx.cancelTimer(timer);
                    running.remove(process);
                }
            }
        });
    }

    /** The remaining time of the call, less the time for the answer. */
    private static Duration left(CallContext context) {
        Duration remaining = context.remaining();
        Duration fifth = remaining.dividedBy(5);
        return remaining.minus(Collections.min(List.of(fifth, MARGIN)));
    }

    private static ToolException cancelled() {
        return new ToolException(FailureKind.CANCELLED, "The statement was stopped: the call was cancelled.");
    }

    /** Ends what runs, takes no more. */
    public Future<Void> close() {
        closing = true;
        running.forEach(process -> process.kill(closed()));
        return executor.close();
    }

    private static ToolException closed() {
        return new ToolException(FailureKind.UNAVAILABLE, "The statement was stopped: the gateway shuts down.");
    }
}
