package switchboard.backend.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Cursor;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.backend.postgres.sql.CallerStatement;
import switchboard.call.ToolException;

/**
 * Runs one query in an open read-only transaction and reads a bounded page of its rows.
 *
 * <p>The query is first prepared unchanged, which ensures that it is one complete statement and gives errors their
 * correct position. Then it runs inside two other queries: one gets the names and types of its columns without
 * executing it; the other makes the server write each row as JSON and stop at the limits of rows and bytes, so that a
 * huge result never leaves the server. Everything uses the extended protocol, in which a message contains one
 * statement.
 */
final class QueryRunner {
    private static final String INNER = "SELECT * FROM (";

    private final SqlConnection connection;
    private final ConnectionProfile.Database database;
    private final int maxRows;
    private final long maxBytes;

    QueryRunner(SqlConnection connection, ConnectionProfile.Database database, int maxRows, long maxBytes) {
        this.connection = connection;
        this.database = database;
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    /** A page of {@code statement}'s rows, after the first {@code offset}. */
    Future<RowPage> run(CallerStatement statement, long offset) {
        return switch (statement.shape()) {
            case QUERY -> query(statement.sql(), Tuple.tuple(), offset, 0);
            case REPORT -> report(statement.sql());
        };
    }

    /**
     * A page of a query's rows.
     *
     * @param sql one complete statement that can be put in parentheses
     * @param parameters the values of its {@code $1}, {@code $2}, ...
     * @param callerAt start of the caller's text in it; positions in errors count from there
     */
    Future<RowPage> query(String sql, Tuple parameters, long offset, int callerAt) {
        return describe(sql, parameters, callerAt).compose(columns -> rows(sql, parameters, columns, offset));
    }

    /** The columns of a query, which is not executed. */
    Future<List<RowPage.Column>> describe(String sql, Tuple parameters, int callerAt) {
        return check(sql, callerAt).compose(valid -> columns(sql, parameters, INNER.length() + callerAt));
    }

    /** Succeeds if {@code sql} is one complete statement that the server would run. */
    Future<Void> check(String sql, int callerAt) {
        return connection
                .prepare(sql)
                .compose(PreparedStatement::close)
                .recover(failure -> Future.failedFuture(located(failure, callerAt)));
    }

    private Future<List<RowPage.Column>> columns(String sql, Tuple parameters, int callerAt) {
        // A statement of this one use: a kept one would fail once the query has other columns.
        return connection
                .prepare(INNER + sql + "\n) AS q LIMIT 0")
                .compose(statement -> statement.query().execute(parameters).eventually(statement::close))
                .compose(
                        empty -> {
                            List<String> names = new ArrayList<>();
                            for (ColumnDescriptor column : empty.columnDescriptors()) {
                                names.add(column.name());
                            }
                            return types(sql, parameters, names);
                        },
                        failure -> Future.failedFuture(located(failure, callerAt)));
    }

    /** Gets the types with an outer join that finds nothing: the planner removes the query without executing it. */
    private Future<List<RowPage.Column>> types(String sql, Tuple parameters, List<String> names) {
        if (names.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        StringBuilder typeOf = new StringBuilder("SELECT ");
        StringBuilder aliases = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String separator = i == 0 ? "" : ", ";
            typeOf.append(separator)
                    .append("pg_catalog.pg_typeof(q.c")
                    .append(i)
                    .append(")::text");
            aliases.append(separator).append('c').append(i);
        }
        return connection
                .preparedQuery(
                        typeOf + " FROM (SELECT 1) AS one LEFT JOIN (" + sql + "\n) AS q(" + aliases + ") ON false")
                .execute(parameters)
                .map(answer -> {
                    Row row = answer.iterator().next();
                    List<RowPage.Column> columns = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        columns.add(new RowPage.Column(names.get(i), row.getString(i)));
                    }
                    return columns;
                });
    }

    /** A page of rows of a query with known columns. */
    Future<RowPage> rows(String sql, Tuple parameters, List<RowPage.Column> columns, long offset) {
        return json(sql, parameters, offset).map(answer -> page(columns, answer, maxRows));
    }

    /** The same as the server sends them, for {@link #page}; one statement. */
    Future<RowSet<Row>> json(String sql, Tuple parameters, long offset) {
        String bounded = "SELECT CASE WHEN total <= " + maxBytes + " THEN j END, size FROM ("
                + "SELECT j, octet_length(j) AS size,"
                + " sum(octet_length(j)) OVER (ROWS UNBOUNDED PRECEDING) AS total FROM ("
                + "SELECT pg_catalog.row_to_json(q.*)::text AS j FROM (" + sql + "\n) AS q"
                + " LIMIT " + (maxRows + 1L) + " OFFSET " + offset + ") AS r) AS s";
        return connection.preparedQuery(bounded).execute(parameters);
    }

    /** At most {@code maxRows} rows of the result of {@link #json}. */
    static RowPage page(List<RowPage.Column> columns, RowSet<Row> answer, int maxRows) {
        List<List<JsonNode>> rows = new ArrayList<>();
        for (Row row : answer) {
            String json = row.getString(0);
            if (json == null || rows.size() == maxRows) {
                return new RowPage(columns, rows, true, rows.isEmpty() ? row.getLong(1) : null);
            }
            rows.add(ResultJson.cells(json, columns));
        }
        return new RowPage(columns, rows, false, null);
    }

    /** {@code SHOW} and {@code EXPLAIN} can't stand in parentheses: a cursor bounds their lines. */
    private Future<RowPage> report(String sql) {
        return connection
                .prepare(sql)
                .compose(statement -> {
                    Cursor cursor = statement.cursor(Tuple.tuple());
                    return cursor.read(maxRows + 1);
                })
                .map(this::lines)
                .recover(failure -> Future.failedFuture(located(failure, 0)));
    }

    private RowPage lines(RowSet<Row> answer) {
        List<RowPage.Column> columns = new ArrayList<>();
        for (ColumnDescriptor column : answer.columnDescriptors()) {
            columns.add(new RowPage.Column(column.name(), column.typeName().toLowerCase(Locale.ROOT)));
        }
        List<List<JsonNode>> rows = new ArrayList<>();
        long bytes = 0;
        for (Row row : answer) {
            List<JsonNode> cells = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                Object value = row.getValue(i);
                JsonNode cell = value == null ? NullNode.instance : ResultJson.reported(value);
                bytes += cell.toString().length();
                cells.add(cell);
            }
            if (rows.size() == maxRows || bytes > maxBytes) {
                return new RowPage(columns, rows, true, rows.isEmpty() ? bytes : null);
            }
            rows.add(cells);
        }
        return new RowPage(columns, rows, false, null);
    }

    private Throwable located(@Nullable Throwable failure, int offset) {
        return failure instanceof PgException error
                ? new ToolException(DatabaseFailures.error(error, database, offset))
                : java.util.Objects.requireNonNull(failure);
    }
}
