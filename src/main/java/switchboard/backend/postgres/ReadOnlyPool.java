package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.FairSemaphore;

/**
 * Runs work in transactions that can't write and leave nothing behind.
 *
 * <p>Teams take turns for the connections, and each has its share. For each piece of work: take a connection, begin
 * {@code REPEATABLE READ READ ONLY} with timeouts from the call's deadline, fix the snapshot (after which the server
 * refuses to make the transaction writable), run the work, roll back, and reset the connection. A single statement
 * needs only itself if {@link TransactionPreamble} says so. A call that is cancelled or out of time is answered at
 * once. Its statement is cancelled on the server, and its connection is closed instead of reused, because the
 * cancellation may arrive late and affect another call.
 */
final class ReadOnlyPool {
    /** Makes the server close the session, because the client can't close a pooled connection. */
    private static final String RETIRE =
            "ROLLBACK; SET SESSION idle_in_transaction_session_timeout = '1ms'; BEGIN; SELECT 1";

    private static final int RETIRE_ATTEMPTS = 3;
    private static final long FIRST_CANCEL_PAUSE_MS = 50;
    private static final long LONGEST_CANCEL_PAUSE_MS = 5_000;

    private final Vertx vertx;
    private final Pool pool;
    private final FairSemaphore fairSemaphore;
    private final Duration longestWait;
    private final PoolMetrics use;
    private final TransactionPreamble transactionPreamble;
    private final SessionReset sessionReset;
    private final Cancellation cancellation;

    /** The failure of a call that waited too long for a connection. */
    static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Busy() {
            super("no connection came free in time, or too many calls wait for one", null, false, false);
        }
    }

    /**
     * A pool.
     *
     * @param fairSemaphore shares the connections of {@code pool} between teams
     * @param longestWait how long a call waits for its turn
     */
    ReadOnlyPool(
            Vertx vertx,
            Pool pool,
            FairSemaphore fairSemaphore,
            Duration longestWait,
            PoolMetrics use,
            TransactionPreamble transactionPreamble,
            SessionReset sessionReset,
            Cancellation cancellation) {
        this.vertx = vertx;
        this.pool = pool;
        this.fairSemaphore = fairSemaphore;
        this.longestWait = longestWait;
        this.use = use;
        this.transactionPreamble = transactionPreamble;
        this.sessionReset = sessionReset;
        this.cancellation = cancellation;
    }

    /**
     * Runs {@code work} for a call. Failures of the database are passed on; see {@link DatabaseFailures}.
     *
     * @param work gets a connection in the transaction; must not use it after its future has completed
     */
    <T> Future<T> run(CallContext context, Function<SqlConnection, Future<T>> work) {
        return run(context, new Lease<>(work, context.remaining(), false));
    }

    /** The same for {@code work} that is one statement of the gateway's or of its operator. */
    <T> Future<T> runStatement(CallContext context, Function<SqlConnection, Future<T>> work) {
        return run(context, new Lease<>(work, context.remaining(), transactionPreamble.needless(context.remaining())));
    }

    private static <T> Future<T> run(CallContext context, Lease<T> turn) {
        context.onCancel(() -> turn.giveUp(
                new ToolException(FailureKind.CANCELLED, "The call was cancelled; its query was stopped.")));
        return turn.start();
    }

    /** Runs {@code work} outside a call. */
    <T> Future<T> run(Duration within, Function<SqlConnection, Future<T>> work) {
        return new Lease<>(work, within, false).start();
    }

    Future<Void> close() {
        return pool.close();
    }

    /**
     * Has the server end the session; the pool forgets the connection when it closes. It never returns to the pool. A late
     * cancellation may hit this too, but only once.
     */
    static void retire(SqlConnection connection) {
        retire(connection, RETIRE_ATTEMPTS);
    }

    private static void retire(SqlConnection connection, int attempts) {
        if (attempts > 0) {
            connection.query(RETIRE).execute().onFailure(late -> retire(connection, attempts - 1));
        }
    }

    /** One use of a connection. The first to complete the answer decides whether the connection is kept. */
    private final class Lease<T> {
        private final Function<SqlConnection, Future<T>> work;
        private final Duration remaining;
        private final boolean statement;
        private final Promise<T> answer = Promise.promise();
        private final Promise<Void> over = Promise.promise();
        private final AtomicBoolean begun = new AtomicBoolean();
        private final AtomicReference<@Nullable SqlConnection> running = new AtomicReference<>();
        private final AtomicLong cancelTimer = new AtomicLong(-1);

        /** A use that may last {@code remaining}; a {@code statement} is a transaction by itself. */
        Lease(Function<SqlConnection, Future<T>> work, Duration remaining, boolean statement) {
            this.work = work;
            this.remaining = remaining;
            this.statement = statement;
        }

        Future<T> start() {
            long timer = vertx.setTimer(
                    Math.max(1, remaining.toMillis()),
                    id -> giveUp(new ToolException(
                            FailureKind.TIMEOUT, "The query did not finish in time and was stopped. Ask for less.")));
            long patience = vertx.setTimer(longestWait.toMillis(), id -> {
                if (!begun.get()) {
                    answer.tryFail(new Busy());
                }
            });
            // With the answer, and not later: who has it may stop the backend.
            answer.future().onComplete(done -> {
                vertx.cancelTimer(timer);
                vertx.cancelTimer(patience);
            });
            use.asked();
            fairSemaphore.run(this::begin, Busy::new, answer.future()).onFailure(notBegun -> {
                use.gotNone();
                answer.tryFail(notBegun);
            });
            return answer.future();
        }

        /** Runs the work; the future completes when the connection is free for the next call. */
        private Future<Void> begin() {
            begun.set(true);
            if (answer.future().isComplete()) {
                use.gotNone();
                return Future.succeededFuture();
            }
            Futures.settle(
                    pool.getConnection(),
                    got -> {
                        if (got.failed()) {
                            answer.tryFail(use.gotNone() ? none(got.cause()) : got.cause());
                            over.tryComplete();
                            return;
                        }
                        use.got();
                        got.result().exceptionHandler(_ -> {}); // the work on it fails, and Vert.x would print a trace
                        if (answer.future().isComplete()) { // no longer wanted, and nothing was sent yet
                            got.result().close().onComplete(closed -> done());
                        } else {
                            use(got.result());
                        }
                    },
                    thrown -> {
                        answer.tryFail(thrown);
                        over.tryComplete();
                    });
            return over.future();
        }

        private void done() {
            use.done();
            over.tryComplete();
        }

        /** The failure of a wait. If no connection is in use, a timeout means that the server gives none. */
        private static Throwable none(Throwable failure) {
            return DatabaseFailures.waitedInVain(failure)
                    ? new ConnectException("it gave no connection in time")
                    : failure;
        }

        /** Answers now; whatever the server is doing for it is cancelled. */
        void giveUp(ToolException reason) {
            if (answer.tryFail(reason)) {
                SqlConnection connection = running.get();
                if (connection != null) {
                    cancel(connection, FIRST_CANCEL_PAUSE_MS);
                }
            }
        }

        /** Again and again: a cancellation that arrives between two statements of the work is lost. */
        private void cancel(SqlConnection connection, long pauseMs) {
            if (running.get() != null) {
                cancellation.request(PgConnection.cast(connection));
                cancelTimer.set(vertx.setTimer(
                        pauseMs, id -> cancel(connection, Math.min(2 * pauseMs, LONGEST_CANCEL_PAUSE_MS))));
                if (running.get() == null) { // it ended meanwhile
                    vertx.cancelTimer(cancelTimer.get());
                }
            }
        }

        private void ended() {
            running.set(null);
            vertx.cancelTimer(cancelTimer.get());
        }

        private void use(SqlConnection connection) {
            running.set(connection);
            Futures.settle(
                    opened(connection)
                            .compose(opened -> answer.future().isComplete()
                                    ? Future.<T>failedFuture("no longer wanted")
                                    : work.apply(connection)),
                    outcome -> {
                        ended();
                        boolean delivered = outcome.succeeded()
                                ? answer.tryComplete(outcome.result())
                                : answer.tryFail(outcome.cause());
                        if (delivered) {
                            Futures.finish(
                                    cleared(connection).compose(clean -> connection.close()),
                                    closed -> done(),
                                    doubtful -> lose(connection));
                        } else {
                            lose(connection);
                        }
                    },
                    thrown -> {
                        answer.tryFail(thrown);
                        lose(connection);
                    });
        }

        private Future<?> opened(SqlConnection connection) {
            return statement
                    ? Future.succeededFuture()
                    : connection
                            .query(transactionPreamble.statements(remaining) + sessionReset.afterBegin())
                            .execute();
        }

        private Future<Void> cleared(SqlConnection connection) {
            return statement ? Future.succeededFuture() : sessionReset.clear(connection);
        }

        private void lose(SqlConnection connection) {
            done();
            retire(connection);
        }
    }
}
