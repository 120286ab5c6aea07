package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/**
 * The columns of a query whose text never changes. When the rows turn out to have other names, the server is asked again.
 * What rows don't show, a column of another type or other columns where nothing was found, is noticed when the memory of
 * them ends. Thread-safe.
 */
final class ColumnCache {
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final String sql;
    private final ServerFactCache<Where, List<RowPage.Column>> columns;

    /** The same text may stand for other tables in another database, or to another role. */
    private record Where(ConnectionProfile.Database place, String role) {}

    ColumnCache(String sql, Ticker ticker) {
        this.sql = sql;
        this.columns = new ServerFactCache<>(KEPT, ticker);
    }

    /**
     * A page of the query's rows.
     *
     * @param way to where its tables are
     */
    Future<RowPage> query(DatabaseAccess.DatabaseSession way, int maxRows, long maxBytes, Tuple parameters) {
        return columns.with(
                new Where(way.place(), way.user()),
                () -> way.run((connection, place) ->
                        new QueryRunner(connection, place, maxRows, maxBytes).describe(sql, parameters, 0)),
                known -> way.runStatement((connection, place) ->
                                new QueryRunner(connection, place, maxRows, maxBytes).json(sql, parameters, 0))
                        .map(answer -> QueryRunner.page(known, answer, maxRows)),
                (_, failure) -> failure instanceof ResultJson.ColumnsChanged);
    }
}
