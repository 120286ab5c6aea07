package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.IoErrorMessage;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.telemetry.OutageLog;

/**
 * The connections for statements. Each piece of work is one short transaction with time limits on both sides. After a server could not be reached, work
 * fails at once for a moment. All failures are {@link ClusterUnavailableException}. Thread-safe.
 */
final class ClusterDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterDatabase.class);

    private static final Duration STATEMENT = Duration.ofSeconds(2);

    /** How much longer work may take than a statement, so that the server's answer comes first. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int MOST_WAITING = 512;

    /** Read-only, a table that is gone, and no right to use one. */
    private static final Set<String> OUTAGES = Set.of("25006", "42P01", "42501");

    /** Lost connections, logins, databases that are gone, a lack of resources, and an operator's intervention. */
    private static final Set<String> CLASSES_OF_OUTAGES = Set.of("08", "28", "3D", "53", "57");

    /** A lock was not free in time, and a statement took too long. */
    private static final Set<String> BUSY = Set.of("55P03", "57014");

    /** What the pool says if no connection was free in time. */
    private static final String NONE_FREE = "Timeout";

    private final Vertx vertx;
    private final Pool pool;
    private final OutageLog outage;
    /** How long work may take, with the wait for a connection and for the answer. */
    private final Duration longest;

    /** The statements that set the limits of a transaction. */
    private final String limits;

    private volatile long pausedUntil = System.nanoTime();

    /** When the server has done something last: what began before that and is too late is slow, but the server is not away. */
    private volatile long answered = System.nanoTime();

    private volatile boolean up;
    private volatile String lastRefusal = "";
    private volatile boolean closed;

    ClusterDatabase(Vertx vertx, ClusterServers servers, int connections, Clock clock) {
        this(vertx, servers, connections, clock, STATEMENT);
    }

    /**
     * The same with another time limit.
     *
     * @param statement how long a statement may take, and how long work waits for a connection
     */
    ClusterDatabase(Vertx vertx, ClusterServers servers, int connections, Clock clock, Duration statement) {
        this.vertx = vertx;
        this.longest = statement.plus(ANSWER);
        this.limits = "SET LOCAL statement_timeout = " + statement.toMillis()
                + "; SET LOCAL idle_in_transaction_session_timeout = " + statement.toMillis();
        this.outage = new OutageLog(LOG, "the cluster's database", clock);
        this.pool = PgBuilder.pool()
                .with(new PoolOptions()
                        .setMaxSize(connections)
                        .setMaxWaitQueueSize(MOST_WAITING)
                        .setConnectionTimeout(Math.toIntExact(statement.toSeconds()))
                        .setConnectionTimeoutUnit(TimeUnit.SECONDS)
                        .setMaxLifetime(10)
                        .setMaxLifetimeUnit(TimeUnit.MINUTES))
                .with(new NetClientOptions()
                        .setConnectTimeout(Math.toIntExact(ClusterServers.CONNECTING.toMillis()))
                        .setTcpKeepAlive(true)
                        .setIdleTimeout(15))
                .using(vertx)
                .connectingTo(() -> servers.writable(vertx))
                .build();
    }

    /** Runs {@code work} in a transaction. */
    <T> Future<T> run(Function<SqlConnection, Future<T>> work) {
        return run(limits, work);
    }

    /** Runs one statement without a transaction, which may read much. */
    <T> Future<T> read(Function<SqlConnection, Future<T>> statement, Duration most) {
        return told(() -> pool.getConnection()
                .map(ClusterServers::quiet)
                .compose(connection -> statement.apply(connection).eventually(connection::close))
                .timeout(most.toMillis(), TimeUnit.MILLISECONDS));
    }

    /**
     * Runs {@code work} in a transaction of which its caller learns whether it was made: it fails with {@link
     * UnknownOutcomeException} if nobody knows. Failures that {@code passed} accepts, and defects of the work, are passed on.
     */
    <T> Future<T> write(Function<SqlConnection, Future<T>> work, Predicate<Throwable> passed) {
        if (paused()) {
            return notReached();
        }
        long begun = System.nanoTime();
        Future<T> written = WriteTransaction.run(pool, work).map(Futures.also(_ -> answered = System.nanoTime()));
        return written.recover(failure -> {
            if (passed.test(failure) || ofTheWork(failure)) {
                return Future.failedFuture(failure);
            }
            ClusterUnavailableException why = unavailable(failure, begun);
            return Future.failedFuture(failure instanceof UnknownOutcomeException ? failure : why);
        });
    }

    private boolean paused() {
        return pausedUntil - System.nanoTime() > 0;
    }

    private static <T> Future<T> notReached() {
        return Future.failedFuture(
                new ClusterUnavailableException(NotDone.UNREACHED, "not reached a moment ago", null));
    }

    /** The same where it is no harm if a crash of the server takes the change back. */
    <T> Future<T> runRelaxed(Function<SqlConnection, Future<T>> work) {
        return run(limits + "; SET LOCAL synchronous_commit = off", work);
    }

    private <T> Future<T> run(String settings, Function<SqlConnection, Future<T>> work) {
        return told(() -> pool.getConnection()
                .map(ClusterServers::quiet)
                .compose(connection -> transaction(connection, settings, work).eventually(connection::close))
                .timeout(longest.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static <T> Future<T> transaction(
            SqlConnection connection, String settings, Function<SqlConnection, Future<T>> work) {
        return connection.begin().compose(transaction -> connection
                .query(settings)
                .execute()
                .compose(_ -> work.apply(connection))
                .compose(
                        done -> transaction.commit().map(done),
                        failure -> transaction.rollback().transform(_ -> Future.failedFuture(failure))));
    }

    /** Notes whether the server answers. */
    private <T> Future<T> told(Supplier<Future<T>> work) {
        if (paused()) {
            return notReached();
        }
        long begun = System.nanoTime();
        return work.get().transform(over -> {
            if (over.succeeded()) {
                answered = System.nanoTime();
                up = true;
                outage.ends();
                return Future.succeededFuture(over.result());
            }
            return Future.failedFuture(unavailable(over.cause(), begun));
        });
    }

    private ClusterUnavailableException unavailable(Throwable failure, long begun) {
        String why = reason(failure);
        boolean noneFree = NONE_FREE.equals(failure.getMessage());
        if ((noneFree || failure instanceof TimeoutException) && answered - begun > 0) {
            refused(why);
            return new ClusterUnavailableException(noneFree ? NotDone.BUSY : NotDone.LATE, why, failure);
        }
        boolean all = concernsAll(failure);
        if (all) {
            up = false;
            if (!closed) {
                outage.begins(why);
            }
        } else {
            refused(why);
        }
        if (failure instanceof IOException
                || failure instanceof TimeoutException
                || failure instanceof ClosedConnectionException) {
            pausedUntil = System.nanoTime() + PAUSE.toNanos();
        }
        return new ClusterUnavailableException(kind(failure), why, failure);
    }

    private static NotDone kind(Throwable failure) {
        if (failure instanceof ConnectionPoolTooBusyException
                || (failure instanceof PgException said && BUSY.contains(String.valueOf(said.getSqlState())))) {
            return NotDone.BUSY;
        }
        if (!concernsAll(failure)) {
            return NotDone.REFUSED;
        }
        return failure instanceof TimeoutException ? NotDone.LATE : NotDone.UNREACHED;
    }

    /** Whether work failed by itself, as it would without a database. */
    private static boolean ofTheWork(Throwable failure) {
        return failure instanceof NullPointerException
                || failure instanceof ClassCastException
                || failure instanceof IndexOutOfBoundsException
                || failure instanceof NoSuchElementException
                || failure instanceof UnsupportedOperationException
                || failure instanceof UncheckedIOException;
    }

    /** Whether other work fails as well, rather than only the statement that failed. */
    private static boolean concernsAll(Throwable failure) {
        if (failure instanceof PgException refused) {
            String state = String.valueOf(refused.getSqlState());
            return OUTAGES.contains(state)
                    || CLASSES_OF_OUTAGES.contains(state.substring(0, Math.min(2, state.length())));
        }
        return !(failure instanceof ConnectionPoolTooBusyException
                || failure instanceof IllegalStateException
                || ofTheWork(failure));
    }

    /** The same failure is not logged again and again. */
    private void refused(String why) {
        if (!why.equals(lastRefusal)) {
            lastRefusal = why;
            LOG.warn("work in the cluster's database failed: {}", why);
        }
    }

    /** What went wrong, for operators: the server's own words don't contain a password, and neither do those of the network. */
    static String reason(Throwable failure) {
        return switch (failure) {
            case PgException refused -> refused.getErrorMessage() + " (" + refused.getSqlState() + ")";
            case SQLException refused ->
                oneLine(String.valueOf(refused.getMessage())) + " (" + refused.getSQLState() + ")";
            case FlywayException migration when migration.getCause() instanceof SQLException refused -> reason(refused);
            case IOException network -> oneLine(IoErrorMessage.of(network));
            default -> failure.getClass().getSimpleName() + ": " + oneLine(String.valueOf(failure.getMessage()));
        };
    }

    private static String oneLine(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining(" "));
    }

    /** Completes when it may be worth a try again. */
    Future<?> later() {
        return vertx.timer(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether it could be reached the last time. */
    boolean up() {
        return up;
    }

    Future<Void> close() {
        closed = true;
        return pool.close();
    }
}
