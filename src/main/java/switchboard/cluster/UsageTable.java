package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.cluster.ClusterUnavailableException.NotDone;

/**
 * What teams have called on all gateways. Gateways add batches of counts, each of them once. Failures are
 * {@link ClusterUnavailableException}, or {@link UnknownOutcomeException} where nobody knows: then the batch is sent again.
 * Thread-safe.
 */
public final class UsageTable {
    /** How many rows one statement adds. */
    private static final int PAGE = 1000;

    /** A read that takes longer is given up; before that nobody may forget what it may not have. */
    private static final Duration READ = Duration.ofSeconds(8);

    private static final String KEY = "unit, hour, team, backend, tool";

    /** The counts of rows, added up. */
    static final String SUMS = each(i -> "sum(counts[" + i + "])");

    private final ClusterDatabase database;
    private final BooleanSupplier open;
    private final UsageSweep sweep;
    private final String lock;
    private final String take;
    private final String add;
    private final String read;

    /**
     * A table.
     *
     * @param open whether the schema is there, and may be used
     */
    UsageTable(ClusterDatabase database, String schema, BooleanSupplier open) {
        this.database = database;
        this.open = open;
        this.sweep = new UsageSweep(database, schema);
        String usage = schema + ".usage";
        String run = schema + ".usage_run";
        this.lock = UsageSweep.lock(schema);
        this.take = "INSERT INTO " + run + " AS r (run, written) VALUES ($1, $2::bigint) ON CONFLICT (run) DO UPDATE"
                + " SET written = EXCLUDED.written, at = now() WHERE r.written < EXCLUDED.written RETURNING run";
        this.add = added(
                usage,
                "SELECT " + KEY + ", counts::bigint[] FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[],"
                        + " $5::text[], $6::text[]) AS n(" + KEY + ", counts)");
        this.read = "SELECT (SELECT min(hour) FROM " + usage + " WHERE unit = '" + UsageRow.HOUR + "') AS first_hour,"
                + " (SELECT min(hour) FROM " + usage + " WHERE unit = '" + UsageRow.DAY + "') AS first_day,"
                + " (SELECT array_agg(run ORDER BY run) FROM " + run + " WHERE run = ANY($5::text[])) AS runs,"
                + " (SELECT array_agg(written ORDER BY run) FROM " + run + " WHERE run = ANY($5::text[])) AS written,"
                + " u.* FROM (SELECT 1) AS one LEFT JOIN (SELECT (hour + $4::bigint) / $3::bigint * $3::bigint - $4::bigint AS start, team, backend, tool, "
                + SUMS + " AS counts FROM " + usage + " WHERE hour >= $1::bigint AND hour < $2::bigint AND (unit = '"
                + UsageRow.HOUR
                + "' OR $3::bigint > 1) GROUP BY 1, 2, 3, 4 ORDER BY 1 DESC LIMIT " + 2 * UsageSweep.MOST_ROWS
                + ") AS u ON true";
    }

    /** Adds the rows that {@code select} has to those that are there. */
    static String added(String usage, String select) {
        return "INSERT INTO " + usage + " AS u (" + KEY + ", counts) " + select + " ON CONFLICT (" + KEY
                + ") DO UPDATE SET counts = " + each(i -> "u.counts[" + i + "] + EXCLUDED.counts[" + i + "]");
    }

    private static String each(Function<Integer, String> value) {
        return IntStream.rangeClosed(1, UsageRow.COUNTS)
                .boxed()
                .map(value)
                .collect(Collectors.joining(", ", "ARRAY[", "]::bigint[]"));
    }

    /** Adds {@code batch}, unless that was done. */
    public Future<Void> write(UsageBatch batch) {
        return open.getAsBoolean() ? database.write(connection -> write(connection, batch), _ -> false) : notJoined();
    }

    private static <T> Future<T> notJoined() {
        return Future.failedFuture(new ClusterUnavailableException(NotDone.UNREACHED, "not joined yet", null));
    }

    private Future<Void> write(SqlConnection connection, UsageBatch batch) {
        return connection
                .query(lock)
                .execute()
                .compose(_ -> connection.preparedQuery(take).execute(Tuple.of(batch.run(), batch.number())))
                .compose(taken -> Futures.oneByOne(
                        taken.size() == 0 ? List.<List<UsageRow>>of().iterator() : pages(batch.rows()),
                        page -> connection.preparedQuery(add).execute(values(page))));
    }

    private static Iterator<List<UsageRow>> pages(List<UsageRow> all) {
        List<UsageRow> rows = List.copyOf(all.stream()
                .map(UsageRow::storable)
                .collect(Collectors.toMap(UsageRow::key, row -> row, UsageRow::plus, LinkedHashMap::new))
                .values());
        return IntStream.range(0, Math.ceilDiv(rows.size(), PAGE))
                .mapToObj(page -> rows.subList(page * PAGE, Math.min(rows.size(), (page + 1) * PAGE)))
                .iterator();
    }

    private static Tuple values(List<UsageRow> rows) {
        return Tuple.tuple()
                .addArrayOfString(texts(rows, UsageRow::unit))
                .addArrayOfLong(rows.stream().map(UsageRow::hour).toArray(Long[]::new))
                .addArrayOfString(texts(rows, UsageRow::team))
                .addArrayOfString(texts(rows, UsageRow::backend))
                .addArrayOfString(texts(rows, UsageRow::tool))
                .addArrayOfString(texts(
                        rows,
                        row -> row.counts().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"))));
    }

    private static String[] texts(List<UsageRow> rows, Function<UsageRow, String> value) {
        return rows.stream().map(value).toArray(String[]::new);
    }

    /** What was counted in {@code span}, and which batches of {@code runs} are in it. */
    public Future<UsageRead> read(UsageSpan span, Collection<String> runs) {
        if (!open.getAsBoolean()) {
            return notJoined();
        }
        Tuple asked = Tuple.of(span.from(), span.to(), span.hours(), span.before())
                .addArrayOfString(runs.toArray(String[]::new));
        return database.read(
                connection -> connection.preparedQuery(read).execute(asked).map(rows -> read(span, rows)), READ);
    }

    private static UsageRead read(UsageSpan span, RowSet<Row> all) {
        List<UsageRow> rows = new ArrayList<>();
        for (Row row : all) {
            if (row.getLong("start") != null) {
                rows.add(new UsageRow(
                        span.unit(),
                        row.getLong("start"),
                        row.getString("team"),
                        row.getString("backend"),
                        row.getString("tool"),
                        List.of(row.getArrayOfLongs("counts"))));
            }
        }
        Row any = all.iterator().next();
        return new UsageRead(rows, written(any), any.getLong("first_hour"), any.getLong("first_day"));
    }

    private static Map<String, Long> written(Row row) {
        String @Nullable [] runs = row.getArrayOfStrings("runs");
        Map<String, Long> written = new HashMap<>();
        if (runs != null) {
            Iterator<Long> numbers = Stream.of(row.getArrayOfLongs("written")).iterator();
            Stream.of(runs).forEach(run -> written.put(run, numbers.next()));
        }
        return written;
    }

    /** Removes what is old or too much, if nobody has done so in the last minute. */
    public Future<Void> sweep() {
        return open.getAsBoolean() ? sweep.run() : notJoined();
    }
}
