package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.backend.postgres.sql.Identifiers;

/**
 * Finds out when tables were last written to. PostgreSQL does not record this, but many tables have a column for it.
 * If that column has an index, its last entry is read without reading the table.
 */
final class TableFreshness {
    /** Usual names of that column. */
    private static final Set<String> NAMES = Set.of(
            "updated_at",
            "updated_on",
            "updated",
            "last_updated",
            "last_updated_at",
            "modified_at",
            "modified_on",
            "modified",
            "last_modified",
            "last_modified_at");

    private static final int MOST_TABLES = 100;

    /** A table that is being rebuilt is not waited for. */
    private static final String BRIEFLY = "SET LOCAL lock_timeout = 100; SET LOCAL statement_timeout = 500";

    private record Dated(TableInfo table, String column) {
        String sql() {
            return "(SELECT to_char(max(t." + Identifiers.quote(column)
                    + ") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM " + table.sql() + " AS t)";
        }
    }

    private final SqlConnection connection;

    /** Reads on {@code connection}, whose transaction must end afterwards. */
    TableFreshness(SqlConnection connection) {
        this.connection = connection;
    }

    /** The times (ISO 8601) that are known of {@code tables}, by their full names; never fails. */
    Future<Map<String, String>> of(List<TableInfo> tables) {
        List<Dated> dated = tables.stream()
                .flatMap(table -> column(table).map(column -> new Dated(table, column)).stream())
                .limit(MOST_TABLES)
                .toList();
        if (dated.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        String sql =
                "SELECT " + String.join(", ", dated.stream().map(Dated::sql).toList());
        return connection
                .query(BRIEFLY)
                .execute()
                .compose(_ -> connection.query(sql).execute())
                .map(rows -> read(dated, rows.iterator().next()))
                .otherwise(Map.of());
    }

    private static Map<String, String> read(List<Dated> dated, Row row) {
        Map<String, String> times = new HashMap<>();
        for (int i = 0; i < dated.size(); i++) {
            String time = row.getString(i);
            if (time != null) {
                times.put(dated.get(i).table().fullName(), time);
            }
        }
        return times;
    }

    /** The column; empty for a table with row security, because hidden rows would have to be skipped. */
    private static Optional<String> column(TableInfo table) {
        return table.rows() == null
                ? Optional.empty()
                : table.columns().stream()
                        .filter(column -> column.baseType().equals("timestamp with time zone"))
                        .map(TableInfo.Column::name)
                        .filter(NAMES::contains)
                        .filter(name -> table.indexes().stream().anyMatch(index -> index.sorts(name)))
                        .findFirst();
    }
}
