package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/**
 * A cache of the columns of queries whose text never changes. If rows have other names than expected, the server is
 * asked again. Changes that rows don't show, such as another column type, are noticed when the entry expires.
 * Thread-safe.
 */
final class ColumnCache {
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final String sql;
    private final ServerFactCache<Where, List<RowPage.Column>> columns;

    /** The same text may mean other tables in another database, or for another role. */
    private record Where(ConnectionProfile.Database database, String role) {}

    ColumnCache(String sql, Ticker ticker) {
        this.sql = sql;
        this.columns = new ServerFactCache<>(KEPT, ticker);
    }

    /**
     * A page of the query's rows.
     *
     * @param session the session to run it on
     */
    Future<RowPage> query(DatabaseAccess.DatabaseSession session, int maxRows, long maxBytes, Tuple parameters) {
        return columns.with(
                new Where(session.database(), session.user()),
                () -> session.run((connection, database) ->
                        new QueryRunner(connection, database, maxRows, maxBytes).describe(sql, parameters, 0)),
                known -> session.runStatement((connection, database) ->
                                new QueryRunner(connection, database, maxRows, maxBytes).json(sql, parameters, 0))
                        .map(answer -> QueryRunner.page(known, answer, maxRows)),
                (_, failure) -> failure instanceof ResultJson.ColumnsChanged);
    }
}
