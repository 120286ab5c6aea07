package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import switchboard.cluster.ClusterUnavailableException.NotDone;

/**
 * What was proposed, tried and decided about weights of searches on all gateways. Failures are {@link ClusterUnavailableException}, or an
 * exception that says that nobody knows. Thread-safe.
 */
public final class TuningTable {
    private static final Duration READ = Duration.ofSeconds(8);

    private final ClusterDatabase database;
    private final BooleanSupplier open;
    private final String since;
    private final String next;
    private final String insert;
    private final String update;

    /**
     * A table.
     *
     * @param open whether the schema is there, and may be used
     */
    TuningTable(ClusterDatabase database, String schema, BooleanSupplier open) {
        this.database = database;
        this.open = open;
        String rows = schema + ".tuning";
        this.since = "SELECT team, name, content, revision FROM " + rows + " WHERE revision > $1 ORDER BY revision";
        // The lock of the one row puts changes in order. The time is in the revision, so that one after a fail-over
        // that lost some
        // differs from all that gateways have seen.
        this.next = "UPDATE " + schema + ".tuning_state SET revision = greatest(revision + 1,"
                + " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) RETURNING revision";
        this.insert = "INSERT INTO " + rows + " (team, name, content, revision) SELECT $1, $2, $3, $4 WHERE $5 = 0"
                + " ON CONFLICT DO NOTHING RETURNING revision";
        this.update = "UPDATE " + rows + " SET content = $3, revision = $4 WHERE team = $1 AND name = $2 AND revision ="
                + " $5 RETURNING revision";
    }

    private static <T> Future<T> notJoined() {
        return Future.failedFuture(new ClusterUnavailableException(NotDone.UNREACHED, "not joined yet", null));
    }

    /** What has changed after the revision {@code revision}, in the order of the changes. */
    public Future<List<TuningRow>> since(long revision) {
        return open.getAsBoolean()
                ? database.read(
                        connection -> connection
                                .preparedQuery(since)
                                .execute(Tuple.of(revision))
                                .map(rows -> rows.stream().map(TuningTable::row).toList()),
                        READ)
                : notJoined();
    }

    private static TuningRow row(Row row) {
        return new TuningRow(
                row.getString("team"), row.getString("name"), row.getString("content"), row.getLong("revision"));
    }

    /**
     * Writes {@code row}, if what is there has its revision.
     *
     * @return its new revision; empty if it has changed meanwhile
     */
    public Future<OptionalLong> put(TuningRow row) {
        return open.getAsBoolean() ? database.write(connection -> put(connection, row), _ -> false) : notJoined();
    }

    private Future<OptionalLong> put(SqlConnection connection, TuningRow row) {
        return connection.query(next).execute().compose(revisions -> {
            long revision = revisions.iterator().next().getLong("revision");
            Tuple values =
                    Tuple.of(InsightRow.storable(row.team()), row.name(), row.content(), revision, row.revision());
            return connection
                    .preparedQuery(row.revision() == 0 ? insert : update)
                    .execute(values)
                    .map(written -> written.rowCount() == 0 ? OptionalLong.empty() : OptionalLong.of(revision));
        });
    }
}
