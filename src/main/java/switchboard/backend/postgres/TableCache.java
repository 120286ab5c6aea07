package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;

/**
 * A cache of the searched tables' catalogue entries. The catalogue is read again if a search fails because of
 * something in the query (it may exist by now, or no longer), and if too few rows are found without an index (one may
 * have been created). Other changes, such as a new column, are noticed when the entry expires. Thread-safe.
 */
final class TableCache {
    private static final Duration KEPT = Duration.ofSeconds(30);

    private final DatabaseAccess databaseAccess;
    private final ServerFactCache<TableQuery, TableInfo> tables;

    /** The catalogue contains what the role may read. Callers see the part that their schemas and scope allow. */
    private record TableQuery(
            ConnectionProfile.Database database,
            String role,
            List<String> schemas,
            ResourceScope scope,
            String table) {}

    TableCache(DatabaseAccess databaseAccess, Ticker ticker) {
        this.databaseAccess = databaseAccess;
        this.tables = new ServerFactCache<>(KEPT, ticker);
    }

    /**
     * Searches the table that {@code caller} calls {@code name}; see {@link CatalogReader#table}.
     *
     * @param session the session to use
     * @param search checks the query against the table and searches; may run twice
     */
    Future<VectorSearch.Result> search(
            DatabaseAccess.DatabaseSession session,
            Caller caller,
            String name,
            Function<TableInfo, Future<VectorSearch.Result>> search) {
        List<String> schemas = databaseAccess.schemas(caller);
        return tables.with(
                new TableQuery(session.database(), session.user(), schemas, caller.scope(), name),
                () -> session.run((connection, _) -> new CatalogReader(
                                connection,
                                schemas,
                                table -> databaseAccess.visible(caller, table.schema(), table.name()))
                        .table(name)),
                search,
                TableCache::doubtful);
    }

    private static boolean doubtful(VectorSearch.@Nullable Result found, @Nullable Throwable failure) {
        return found == null ? aboutTheTable(failure) : found.mayLackRows();
    }

    private static boolean aboutTheTable(@Nullable Throwable failure) {
        return failure instanceof ToolException expected
                && switch (expected.failed().kind()) {
                    case INVALID_ARGUMENT, NOT_FOUND, DENIED_UPSTREAM -> true;
                    case DENIED, CONFLICT, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL -> false;
                };
    }
}
