package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import switchboard.auth.BudgetAnswer;
import switchboard.auth.BudgetGrant;
import switchboard.auth.BudgetPayer;
import switchboard.auth.BudgetReport;

/**
 * The rows of what is used of limits. An exchange is one short transaction for all payers of a node: it locks their rows, always in the same
 * order, so that nodes don't wait for each other in a circle. Thread-safe.
 */
final class BudgetTable {
    private final ClusterDatabase database;
    private final String add;
    private final String lock;
    private final String write;
    private final String sweep;

    BudgetTable(ClusterDatabase database, String schema) {
        this.database = database;
        String budget = schema + ".budget";
        this.add = "INSERT INTO " + budget + " (team, key) SELECT * FROM unnest($1::text[], $2::text[]) AS p(team, key)"
                + " ORDER BY team COLLATE \"C\", key COLLATE \"C\" ON CONFLICT DO NOTHING";
        this.lock = "SELECT b.team, b.key, day, calls, tokens, level, at, leases,"
                + " (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM " + budget
                + " b JOIN unnest($1::text[], $2::text[]) AS p(team, key) ON b.team = p.team AND b.key = p.key"
                + " ORDER BY b.team COLLATE \"C\", b.key COLLATE \"C\" FOR UPDATE OF b";
        this.write = "UPDATE " + budget
                + " b SET day = n.day, calls = n.calls, tokens = n.tokens, level = n.level, at = n.at,"
                + " leases = n.leases, used = now(), full_at = to_timestamp(n.full_at / 1000.0)"
                + " FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::double precision[],"
                + " $7::bigint[], $8::text[], $9::bigint[])"
                + " AS n(team, key, day, calls, tokens, level, at, leases, full_at) WHERE b.team = n.team AND b.key = n.key";
        this.sweep = "DELETE FROM " + budget + " WHERE used < now() - interval '2 days' AND full_at < now()";
    }

    /**
     * Exchanges slices of {@code node}.
     *
     * @param nodes how many nodes there are
     * @param latest whether the node has made no other exchange since. One that was given up may be carried out late; it writes nothing,
     *     as it would undo what the later one has written. Looked at while the rows are locked, so that a later one waits for them
     */
    Future<BudgetAnswer> exchange(String node, List<BudgetReport> reports, int nodes, BooleanSupplier latest) {
        SortedMap<BudgetPayer, BudgetReport> byPayer = new TreeMap<>();
        reports.forEach(report -> byPayer.put(report.payer(), report));
        return exact(reports)
                ? database.run(connection -> exchange(connection, node, byPayer, nodes, latest))
                : database.runRelaxed(connection -> exchange(connection, node, byPayer, nodes, latest));
    }

    /** Whether a crash of the server may not take it back: a day's budget may not be given twice. */
    private static boolean exact(List<BudgetReport> reports) {
        return reports.stream()
                .map(BudgetReport::limits)
                .anyMatch(limits -> limits.callsPerDay() != null || limits.tokensPerDay() != null);
    }

    private Future<BudgetAnswer> exchange(
            SqlConnection connection,
            String node,
            SortedMap<BudgetPayer, BudgetReport> reports,
            int nodes,
            BooleanSupplier latest) {
        if (reports.isEmpty()) {
            return nothing(connection);
        }
        List<BudgetPayer> first = reports.values().stream()
                .filter(BudgetReport::first)
                .map(BudgetReport::payer)
                .toList();
        Future<?> added = first.isEmpty()
                ? Future.succeededFuture()
                : connection.preparedQuery(add).execute(payers(first));
        return added.compose(_ -> connection.preparedQuery(lock).execute(payers(List.copyOf(reports.keySet()))))
                .compose(rows -> {
                    List<Row> locked = new ArrayList<>();
                    rows.forEach(locked::add);
                    return locked.isEmpty() || !latest.getAsBoolean()
                            ? nothing(connection)
                            : exchange(connection, node, reports, locked, nodes);
                });
    }

    /** The answer that grants nothing. */
    private static Future<BudgetAnswer> nothing(SqlConnection connection) {
        return connection
                .query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
                .execute()
                .map(rows -> new BudgetAnswer(rows.iterator().next().getLong(0), Map.of()));
    }

    private Future<BudgetAnswer> exchange(
            SqlConnection connection,
            String node,
            Map<BudgetPayer, BudgetReport> reports,
            List<Row> locked,
            int nodes) {
        Map<BudgetPayer, BudgetGrant> grants = new HashMap<>();
        List<Written> written = new ArrayList<>();
        long now = 0;
        for (Row row : locked) {
            BudgetPayer payer = new BudgetPayer(row.getString("team"), row.getString("key"));
            BudgetReport report = reports.get(payer);
            if (report != null) {
                now = Math.max(now, row.getLong("now"));
                BudgetRow.Exchanged exchanged = read(row).exchange(node, report, row.getLong("now"), nodes);
                grants.put(payer, exchanged.grant());
                written.add(new Written(payer, exchanged.row(), exchanged.row().fullAtMillis(report.limits())));
            }
        }
        return connection.preparedQuery(write).execute(values(written)).map(new BudgetAnswer(now, grants));
    }

    private record Written(BudgetPayer payer, BudgetRow row, long fullAt) {}

    private static Tuple payers(List<BudgetPayer> payers) {
        return Tuple.tuple()
                .addArrayOfString(payers.stream().map(BudgetPayer::team).toArray(String[]::new))
                .addArrayOfString(payers.stream().map(BudgetPayer::key).toArray(String[]::new));
    }

    private static Tuple values(List<Written> rows) {
        return Tuple.tuple()
                .addArrayOfString(rows.stream().map(row -> row.payer().team()).toArray(String[]::new))
                .addArrayOfString(rows.stream().map(row -> row.payer().key()).toArray(String[]::new))
                .addArrayOfLong(rows.stream().map(row -> row.row().day()).toArray(Long[]::new))
                .addArrayOfLong(rows.stream().map(row -> row.row().calls()).toArray(Long[]::new))
                .addArrayOfLong(rows.stream().map(row -> row.row().tokens()).toArray(Long[]::new))
                .addArrayOfDouble(rows.stream().map(row -> row.row().level()).toArray(Double[]::new))
                .addArrayOfLong(rows.stream().map(row -> row.row().atMillis()).toArray(Long[]::new))
                .addArrayOfString(rows.stream()
                        .map(row -> BudgetLeases.write(row.row().leases()))
                        .toArray(String[]::new))
                .addArrayOfLong(rows.stream().map(Written::fullAt).toArray(Long[]::new));
    }

    private static BudgetRow read(Row row) {
        return new BudgetRow(
                row.getLong("day"),
                row.getLong("calls"),
                row.getLong("tokens"),
                row.getDouble("level"),
                row.getLong("at"),
                BudgetLeases.read(row.getString("leases")));
    }

    /** Removes the rows of those who have used nothing for a while. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sweep).execute().mapEmpty());
    }
}
