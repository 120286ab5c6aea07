package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Runs work in transactions that cannot write and leave nothing behind.
 *
 * <p>Each turn takes a connection, opens {@code REPEATABLE READ READ ONLY} with timeouts from the call's deadline, waits
 * until that stands, fixes the snapshot (after which the server refuses to make the transaction writable), runs the work,
 * rolls back and clears the connection. A call that is cancelled or out of time is answered at once; its statement is
 * cancelled on the server, and its connection is closed instead of reused, because the cancellation may arrive late and
 * hit somebody else.
 */
final class ReadOnlyLane {
    /** Kept back from the deadline so that the server's timeout speaks before the gateway's. */
    private static final long SLACK_MS = 100;

    /** Makes the server close the session: the client can only give a connection back, not close it. */
    private static final String RETIRE =
            "ROLLBACK; SET SESSION idle_in_transaction_session_timeout = '1ms'; BEGIN; SELECT 1";

    private static final int RETIRE_ATTEMPTS = 3;
    private static final long FIRST_CANCEL_PAUSE_MS = 50;
    private static final long LONGEST_CANCEL_PAUSE_MS = 5_000;

    private final Vertx vertx;
    private final Pool pool;
    private final PoolUse use;
    private final PostgresSettings.Limits limits;
    private final Leftovers leftovers;
    private final Cancellation cancellation;

    ReadOnlyLane(
            Vertx vertx,
            Pool pool,
            PoolUse use,
            PostgresSettings.Limits limits,
            Leftovers leftovers,
            Cancellation cancellation) {
        this.vertx = vertx;
        this.pool = pool;
        this.use = use;
        this.limits = limits;
        this.leftovers = leftovers;
        this.cancellation = cancellation;
    }

    /**
     * Runs {@code work} for a call. Failures of the database come as they are; see {@link DatabaseFailures}.
     *
     * @param work gets a connection inside the transaction; must not use it after its future has settled
     */
    <T> Future<T> run(CallContext context, Function<SqlConnection, Future<T>> work) {
        Turn<T> turn = new Turn<>(work);
        context.onCancel(() -> turn.giveUp(
                new ToolException(FailureKind.CANCELLED, "The call was cancelled; its query was stopped.")));
        return turn.start(context.remaining());
    }

    /** Runs {@code work} that no call asked for. */
    <T> Future<T> run(Duration within, Function<SqlConnection, Future<T>> work) {
        return new Turn<>(work).start(within);
    }

    Future<Void> close() {
        return pool.close();
    }

    /** The statements that open a transaction for a call with {@code remaining} time. Numbers only: nothing to escape. */
    private String opening(Duration remaining) {
        long left = Math.max(1, remaining.toMillis() - SLACK_MS);
        long statement = Math.min(left, limits.statementTimeout().toMillis());
        long lock = Math.min(left, limits.lockTimeout().toMillis());
        return "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
                + "; SET LOCAL statement_timeout = " + statement
                + "; SET LOCAL lock_timeout = " + lock
                + "; SET LOCAL idle_in_transaction_session_timeout = "
                + (left + limits.statementTimeout().toMillis())
                + "; SET LOCAL standard_conforming_strings = on; SET LOCAL extra_float_digits = 3; SELECT 1"
                + leftovers.afterBegin();
    }

    /** One use of a connection. Whoever completes the answer first decides whether the connection is kept. */
    private final class Turn<T> {
        private final Function<SqlConnection, Future<T>> work;
        private final Promise<T> answer = Promise.promise();
        private final AtomicReference<@Nullable SqlConnection> running = new AtomicReference<>();

        Turn(Function<SqlConnection, Future<T>> work) {
            this.work = work;
        }

        Future<T> start(Duration remaining) {
            long timer = vertx.setTimer(
                    Math.max(1, remaining.toMillis()),
                    id -> giveUp(new ToolException(
                            FailureKind.TIMEOUT, "The query did not finish in time and was stopped. Ask for less.")));
            answer.future().onComplete(done -> vertx.cancelTimer(timer));
            use.asked();
            pool.getConnection()
                    .onSuccess(connection -> {
                        use.got();
                        if (answer.future().isComplete()) { // no longer wanted, and nothing was sent yet
                            connection.close().onComplete(closed -> use.done());
                        } else {
                            use(connection, remaining);
                        }
                    })
                    .onFailure(failure -> answer.tryFail(use.gotNone() ? none(failure) : failure));
            return answer.future();
        }

        /** When nobody uses a connection, a wait in vain means that the server gives none. */
        private static Throwable none(Throwable failure) {
            return DatabaseFailures.waitedInVain(failure)
                    ? new ConnectException("it gave no connection in time")
                    : failure;
        }

        /** Answers now; whatever the server is doing for this turn is cancelled. */
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
                vertx.setTimer(pauseMs, id -> cancel(connection, Math.min(2 * pauseMs, LONGEST_CANCEL_PAUSE_MS)));
            }
        }

        private void use(SqlConnection connection, Duration remaining) {
            running.set(connection);
            connection
                    .query(opening(remaining))
                    .execute()
                    .compose(opened -> answer.future().isComplete()
                            ? Future.<T>failedFuture("no longer wanted")
                            : work.apply(connection))
                    .onComplete((result, failure) -> {
                        running.set(null);
                        boolean delivered = failure == null ? answer.tryComplete(result) : answer.tryFail(failure);
                        if (delivered) {
                            leftovers
                                    .clear(connection)
                                    .compose(clean -> connection.close())
                                    .onSuccess(closed -> use.done())
                                    .onFailure(doubtful -> lose(connection));
                        } else {
                            lose(connection);
                        }
                    });
        }

        private void lose(SqlConnection connection) {
            use.done();
            retire(connection, RETIRE_ATTEMPTS);
        }

        /**
         * Has the server end the session; the pool forgets the connection when it closes. It is never given back. A late
         * cancellation may hit this too, but only once.
         */
        private void retire(SqlConnection connection, int attempts) {
            if (attempts > 0) {
                connection.query(RETIRE).execute().onFailure(late -> retire(connection, attempts - 1));
            }
        }
    }
}
