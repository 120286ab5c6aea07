package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import switchboard.async.Futures;

/**
 * Keeps the usage of all gateways within the bounds of a gateway by itself: hours become days after a week, days go after
 * ninety, and there are so many rows at most. The database's clock decides, so that a gateway whose clock is ahead removes
 * nothing.
 */
final class UsageSweep {
    /** Of all hours and days; then the oldest hours become days early, and the oldest days go. */
    static final int MOST_ROWS = 20_000;

    /** Of an hour or a day, besides those of the tool {@code other}. */
    static final int MOST_NAMES = 1000;

    private static final int DAY = 24;
    private static final int HOURS = 7 * DAY;
    private static final int DAYS = 90;

    /** A statement of what is over at the hour {@code $1}. */
    private final List<String> over;

    private final String claim;
    private final String rollUp;
    private final String removeDay;
    private final String size;
    private final String forget;

    UsageSweep(String schema) {
        String usage = schema + ".usage";
        this.claim = "UPDATE " + schema + ".usage_sweep SET swept = now() WHERE swept < now() - interval '50 seconds'"
                + " RETURNING floor(extract(epoch FROM now()) / 3600)::bigint AS hour";
        this.rollUp = moved(
                usage,
                "unit = '" + UsageRow.HOUR + "' AND hour <= $1::bigint",
                "'day'::text, hour / 24 * 24, team, backend, tool");
        this.removeDay = "DELETE FROM " + usage + " WHERE unit = '" + UsageRow.DAY + "' AND hour <= $1::bigint";
        String ahead = "DELETE FROM " + usage + " WHERE unit = '" + UsageRow.HOUR + "' AND hour > $1::bigint + 1"
                + " OR hour > ($1::bigint / 24 + 2) * 24 - 1";
        String names = "NOT (backend = '' AND tool = 'other')";
        String others = "backend = '' AND tool = 'other' AND team <> ''";
        this.over = List.of(ahead, folded(usage, names, "team"), folded(usage, others, "''::text"));
        this.size = "SELECT count(*) AS rows, min(hour) FILTER (WHERE unit = '" + UsageRow.HOUR
                + "' AND hour < $1::bigint - 1) AS hour, min(hour) FILTER (WHERE unit = '" + UsageRow.DAY
                + "') AS day, max(hour) FILTER (WHERE unit = '" + UsageRow.DAY + "') AS last_day FROM " + usage;
        this.forget = "DELETE FROM " + schema + ".usage_run WHERE at < now() - interval '" + (DAYS + 2) + " days'";
    }

    /** Moves the rows that are {@code which} to the rows with the key {@code key}. */
    private static String moved(String usage, String which, String key) {
        return "WITH moved AS (DELETE FROM " + usage + " WHERE " + which + " RETURNING *) "
                + UsageTable.added(usage, key, "moved");
    }

    /** Of hours and days with too many rows, those with the fewest calls among {@code which} become one for {@code team}. */
    private static String folded(String usage, String which, String team) {
        String large = "SELECT unit, hour FROM " + usage + " GROUP BY unit, hour HAVING count(*) > " + 2 * MOST_NAMES;
        String ranked = "SELECT unit, hour, team, backend, tool, row_number() OVER (PARTITION BY unit, hour"
                + " ORDER BY counts[1] + counts[2] + counts[3] + counts[4] DESC, team, backend, tool) AS place FROM "
                + usage + " WHERE " + which + " AND (unit, hour) IN (" + large + ")";
        return moved(
                usage,
                "(unit, hour, team, backend, tool) IN (SELECT unit, hour, team, backend, tool FROM (" + ranked
                        + ") AS r WHERE place >= " + MOST_NAMES + ")",
                "unit, hour, " + team + ", ''::text, 'other'::text");
    }

    /** Sweeps, unless that was done in the last minute. */
    Future<Void> run(SqlConnection connection) {
        return connection
                .query(claim)
                .execute()
                .compose(claimed -> claimed.size() == 0
                        ? Future.succeededFuture()
                        : run(connection, claimed.iterator().next().getLong("hour")));
    }

    /** Sweeps as at the hour {@code hour} since 1970. */
    Future<Void> run(SqlConnection connection, long hour) {
        return Futures.oneByOne(over.iterator(), statement -> execute(connection, statement, hour))
                .compose(_ -> execute(connection, rollUp, hour - HOURS - 1))
                .compose(_ -> execute(connection, removeDay, (hour / DAY - DAYS - 1) * DAY))
                .compose(_ -> Futures.repeat(hour, now -> shrunk(connection, now)))
                .compose(_ -> connection.query(forget).execute())
                .mapEmpty();
    }

    private static Future<?> execute(SqlConnection connection, String statement, long hour) {
        Tuple values = statement.contains("$1") ? Tuple.of(hour) : Tuple.tuple();
        return connection.preparedQuery(statement).execute(values);
    }

    /** Makes one step towards the number of rows that there may be; returns whether another one is needed. */
    private Future<Optional<Long>> shrunk(SqlConnection connection, long now) {
        return connection.preparedQuery(size).execute(Tuple.of(now)).compose(sizes -> {
            Row sized = sizes.iterator().next();
            Long hour = sized.getLong("hour");
            Long day = sized.getLong("day");
            if (sized.getLong("rows") <= MOST_ROWS) {
                return Future.succeededFuture(Optional.empty());
            }
            if (hour != null) {
                return execute(connection, rollUp, hour).map(Optional.of(now));
            }
            return day == null || day.equals(sized.getLong("last_day"))
                    ? Future.succeededFuture(Optional.empty())
                    : execute(connection, removeDay, day).map(Optional.of(now));
        });
    }
}
