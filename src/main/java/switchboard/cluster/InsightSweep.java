package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import switchboard.async.Futures;

/**
 * Removes lines of the search log in steps, each in a transaction of its own, so that what was done stays. The database's clock decides
 * what is old, so that a gateway whose clock is ahead removes nothing.
 */
record InsightSweep(ClusterDatabase database, InsightSql sql) {
    Future<Boolean> claim() {
        return database.write(
                connection -> connection
                        .query(sql.claim())
                        .execute()
                        .compose(claimed -> claimed.size() == 0
                                ? Future.succeededFuture(false)
                                : connection.query(sql.removeNotes()).execute().map(true)),
                _ -> false);
    }

    Future<Void> tidy(String team, Duration keepFor, long maxBytes) {
        return steps(sql.removeOld(), Tuple.of(team, (double) keepFor.toSeconds()))
                .compose(_ -> database.write(
                        connection -> connection.preparedQuery(sql.tooMuch()).execute(Tuple.of(team, maxBytes)),
                        _ -> false))
                .compose(rows -> {
                    Long newest = rows.iterator().next().getLong("number");
                    return newest == null
                            ? Future.succeededFuture(0L)
                            : steps(sql.removeUntil(), Tuple.of(team, newest));
                })
                .mapEmpty();
    }

    /** Runs a statement that removes some lines until there are none; returns how many there were. */
    Future<Long> steps(String statement, Tuple values) {
        AtomicLong all = new AtomicLong();
        return Futures.repeat(true, _ -> step(statement, values).map(step -> {
                    all.addAndGet(step.getLong("gone"));
                    return step.getLong("found") == 0 ? Optional.<Boolean>empty() : Optional.of(true);
                }))
                .map(_ -> all.get());
    }

    private Future<Row> step(String statement, Tuple values) {
        return database.write(
                connection -> connection
                        .preparedQuery(statement)
                        .execute(values)
                        .map(rows -> rows.iterator().next()),
                _ -> false);
    }
}
