package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/**
 * The columns of a query whose text never changes: asking for them costs more than its rows, so they are kept for a while.
 * When the rows turn out to have other names, the server is asked again. What rows don't show, a column of another type or
 * other columns where nothing was found, is noticed when that while is over. Thread-safe.
 */
final class KnownColumns {
    private static final int MOST = 256;
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final String sql;
    private final Cache<Where, List<RowPage.Column>> columns =
            Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(KEPT).build();

    /** The same text may stand for other tables in another database, or to another role. */
    private record Where(Target.Place place, String role) {}

    KnownColumns(String sql) {
        this.sql = sql;
    }

    /**
     * A page of the query's rows.
     *
     * @param role of the caller's binding, or empty
     */
    Future<RowPage> query(QueryRunner runner, Target.Place place, String role, Tuple parameters) {
        Where where = new Where(place, role);
        List<RowPage.Column> known = columns.getIfPresent(where);
        if (known == null) {
            return asked(runner, where, parameters);
        }
        return runner.rows(sql, parameters, known, 0)
                .recover(failure -> failure instanceof ResultJson.ColumnsChanged
                        ? asked(runner, where, parameters)
                        : Future.failedFuture(failure));
    }

    private Future<RowPage> asked(QueryRunner runner, Where where, Tuple parameters) {
        return runner.describe(sql, parameters, 0).compose(described -> {
            columns.put(where, described);
            return runner.rows(sql, parameters, described, 0);
        });
    }
}
