package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.TransactionRollbackException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * A transaction of which its caller learns whether it was made, was not made, or may have been made ({@link UnknownOutcomeException}).
 * One that takes too long is not committed any more.
 */
final class WriteTransaction {
    private static final Duration STATEMENT = Duration.ofSeconds(10);
    private static final Duration LOCK = Duration.ofSeconds(5);

    /** A node that is paused in a transaction must not hold a library. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private static final Duration WORK = Duration.ofSeconds(14);
    private static final String LIMITS =
            "SET LOCAL statement_timeout = " + STATEMENT.toMillis() + "; SET LOCAL lock_timeout = " + LOCK.toMillis()
                    + "; SET LOCAL idle_in_transaction_session_timeout = " + IDLE.toMillis();

    private enum CommitStage {
        WORKING,
        COMMITTING,
        ABANDONED
    }

    private final AtomicReference<CommitStage> stage = new AtomicReference<>(CommitStage.WORKING);

    private WriteTransaction() {}

    /** Runs {@code work} in a transaction on a connection of {@code pool}. */
    static <T> Future<T> run(Pool pool, Function<SqlConnection, Future<T>> work) {
        WriteTransaction one = new WriteTransaction();
        return pool.getConnection()
                .map(ClusterServers::quiet)
                .compose(connection -> one.on(connection, work).eventually(connection::close))
                .timeout(WORK.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(one.failed(failure)));
    }

    private Throwable failed(Throwable failure) {
        boolean late = failure instanceof TimeoutException;
        return late && !stage.compareAndSet(CommitStage.WORKING, CommitStage.ABANDONED)
                ? new UnknownOutcomeException(failure)
                : failure;
    }

    private <T> Future<T> on(SqlConnection connection, Function<SqlConnection, Future<T>> work) {
        return connection.begin().compose(transaction -> connection
                .query(LIMITS)
                .execute()
                .compose(_ -> work.apply(connection))
                .transform(done -> done.succeeded() && stage.compareAndSet(CommitStage.WORKING, CommitStage.COMMITTING)
                        ? commit(transaction).map(done.result())
                        : transaction.rollback().transform(_ -> Future.<T>failedFuture(cause(done.cause())))));
    }

    private static Throwable cause(Throwable failure) {
        return failure == null ? new TimeoutException("it took too long") : failure;
    }

    private static Future<Void> commit(Transaction transaction) {
        return transaction
                .commit()
                .recover(failure ->
                        Future.failedFuture(refused(failure) ? failure : new UnknownOutcomeException(failure)));
    }

    /** Whether the server has said that it rolled the transaction back. */
    private static boolean refused(Throwable failure) {
        return failure instanceof TransactionRollbackException
                || (failure instanceof PgException said
                        && said.getSqlState() != null
                        && (said.getSqlState().startsWith("40")
                                || said.getSqlState().startsWith("23")));
    }
}
