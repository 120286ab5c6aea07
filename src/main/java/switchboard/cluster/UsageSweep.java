package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import switchboard.async.Futures;

/**
 * Keeps the usage of all gateways within the bounds of a gateway by itself: hours become days after a week, days go after
 * ninety, and there are so many rows at most. Each step is a transaction, so that what was done stays. The database's clock
 * decides, so that a gateway whose clock is ahead removes nothing.
 */
final class UsageSweep {
    /** Of all hours and days; then the oldest hours become days early, and the oldest days go. */
    static final int MOST_ROWS = 20_000;

    /** Of an hour or a day, besides those of the tool {@code other}. */
    static final int MOST_NAMES = 1000;

    private static final int DAY = 24;
    private static final int HOURS = 7 * DAY;
    private static final int DAYS = 90;

    /** How many hours become days in one step. */
    private static final int STEP = 24;

    private final ClusterDatabase database;
    private final String lock;

    /** Statements for what is wrong whatever its age. */
    private final List<String> wrong;

    private final String claim;
    private final String rollUp;
    private final String removeDays;
    private final String size;
    private final String forget;

    UsageSweep(ClusterDatabase database, String schema) {
        this.database = database;
        String usage = schema + ".usage";
        this.lock = lock(schema);
        this.claim = "UPDATE " + schema + ".usage_sweep SET swept = now() WHERE swept < now() - interval '50 seconds'"
                + " RETURNING floor(extract(epoch FROM now()) / 3600)::bigint AS hour";
        this.rollUp = moved(
                usage,
                "unit = '" + UsageRow.HOUR + "' AND hour <= $1::bigint",
                "'" + UsageRow.DAY + "'::text, hour / 24 * 24, team, backend, tool");
        this.removeDays = "DELETE FROM " + usage + " WHERE unit = '" + UsageRow.DAY + "' AND hour <= $1::bigint";
        String ahead = "DELETE FROM " + usage + " WHERE (unit = '" + UsageRow.HOUR
                + "' AND hour > $1::bigint + 1) OR hour >= ($1::bigint / 24 + 2) * 24";
        String names = "NOT (backend = '' AND tool = 'other')";
        String others = "backend = '' AND tool = 'other' AND team <> ''";
        this.wrong = List.of(ahead, folded(usage, names, "team"), folded(usage, others, "''::text"));
        this.size = size(usage);
        this.forget = "DELETE FROM " + schema + ".usage_run WHERE at < now() - interval '" + (DAYS + 2) + " days'";
    }

    /** The statement that has writers wait for each other. */
    static String lock(String schema) {
        return "SELECT 1 FROM " + schema + ".usage_sweep FOR UPDATE";
    }

    /** Moves the rows that are {@code which} to the rows with the key {@code key}. */
    private static String moved(String usage, String which, String key) {
        return "WITH moved AS (DELETE FROM " + usage + " WHERE " + which + " RETURNING *) "
                + UsageTable.added(
                        usage, "SELECT " + key + ", " + UsageTable.SUMS + " FROM moved GROUP BY 1, 2, 3, 4, 5");
    }

    /** Of hours and days with too many rows, those with the fewest calls among {@code which} become one for {@code team}. */
    private static String folded(String usage, String which, String team) {
        String large = "SELECT unit, hour FROM " + usage + " GROUP BY unit, hour HAVING count(*) > " + 2 * MOST_NAMES;
        String ranked = "SELECT unit, hour, team, backend, tool, row_number() OVER (PARTITION BY unit, hour"
                + " ORDER BY counts[1] + counts[2] + counts[3] + counts[4] DESC, team, backend, tool) AS place FROM "
                + usage + " WHERE " + which + " AND $1::bigint > 0 AND (unit, hour) IN (" + large + ")";
        return moved(
                usage,
                "(unit, hour, team, backend, tool) IN (SELECT unit, hour, team, backend, tool FROM (" + ranked
                        + ") AS r WHERE place >= " + MOST_NAMES + ")",
                "unit, hour, " + team + ", ''::text, 'other'::text");
    }

    /** How many rows there are, and up to which hour, or else day, they should go; it needs no more than that. */
    private static String size(String usage) {
        String enough = "(SELECT coalesce(min(hour) FILTER (WHERE total.n - upto <= " + MOST_ROWS
                + "), max(hour)) FROM (SELECT * FROM period WHERE unit = ";
        String first = " ORDER BY hour LIMIT " + STEP + ") AS p)";
        String days =
                "'" + UsageRow.DAY + "' AND hour < (SELECT max(hour) FROM period WHERE unit = '" + UsageRow.DAY + "')";
        return "WITH period AS (SELECT unit, hour, sum(count(*)) OVER (PARTITION BY unit ORDER BY hour) AS upto FROM "
                + usage + " GROUP BY unit, hour), total AS (SELECT count(*) AS n FROM " + usage + ") SELECT n, "
                + enough + "'" + UsageRow.HOUR + "' AND hour < $1::bigint - 1" + first + " AS hour, " + enough + days
                + first + " AS day FROM total";
    }

    /** Sweeps, unless that was done in the last minute. */
    Future<Void> run() {
        return database.write(connection -> connection.query(claim).execute(), _ -> false)
                .compose(claimed -> claimed.size() == 0
                        ? Future.succeededFuture()
                        : at(claimed.iterator().next().getLong("hour")));
    }

    /** Sweeps as at the hour {@code hour} since 1970. */
    Future<Void> at(long hour) {
        return Futures.oneByOne(wrong.iterator(), statement -> execute(statement, hour))
                .compose(_ -> execute(rollUp, hour - HOURS - 1))
                .compose(_ -> execute(removeDays, (hour / DAY - DAYS - 1) * DAY))
                .compose(_ -> Futures.repeat(hour, now -> alone(connection -> shrunk(connection, now))))
                .compose(_ -> alone(connection -> connection.query(forget).execute()))
                .mapEmpty();
    }

    private <T> Future<T> alone(Function<SqlConnection, Future<T>> work) {
        return database.write(
                connection -> connection.query(lock).execute().compose(_ -> work.apply(connection)), _ -> false);
    }

    private Future<?> execute(String statement, long hour) {
        return alone(connection -> connection.preparedQuery(statement).execute(Tuple.of(hour)));
    }

    /** Makes one step towards the number of rows that there may be; returns whether another one is needed. */
    private Future<Optional<Long>> shrunk(SqlConnection connection, long now) {
        return connection.preparedQuery(size).execute(Tuple.of(now)).compose(sizes -> {
            Row sized = sizes.iterator().next();
            Long hour = sized.getLong("hour");
            Long day = sized.getLong("day");
            if (sized.getLong("n") <= MOST_ROWS || (hour == null && day == null)) {
                return Future.succeededFuture(Optional.empty());
            }
            return connection
                    .preparedQuery(hour == null ? removeDays : rollUp)
                    .execute(Tuple.of(hour == null ? day : hour))
                    .map(Optional.of(now));
        });
    }
}
