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
 * What the catalogue says of the tables that are searched. When a search fails because of what was asked for, which then
 * may be there by now, or no longer, or be of another kind, the catalogue is read again; and also when it finds too little
 * without an index, because with one that was made meanwhile it would have had to look further. What searches don't show, a
 * new column or another table that the name means first, is noticed when the memory ends. Thread-safe.
 */
final class TableCache {
    private static final Duration KEPT = Duration.ofSeconds(30);

    private final DatabaseAccess databaseAccess;
    private final ServerFactCache<TableQuery, TableInfo> tables;

    /** The catalogue shows a role what it may read; of that a caller is shown what its schemas and its scope allow. */
    private record TableQuery(
            ConnectionProfile.Database place, String role, List<String> schemas, ResourceScope scope, String table) {}

    TableCache(DatabaseAccess databaseAccess, Ticker ticker) {
        this.databaseAccess = databaseAccess;
        this.tables = new ServerFactCache<>(KEPT, ticker);
    }

    /**
     * Searches the table that {@code caller} calls {@code name}; see {@link CatalogReader#table}.
     *
     * @param way to where the table is
     * @param search checks what is asked for against the table and searches; may be called twice
     */
    Future<VectorSearch.Result> search(
            DatabaseAccess.DatabaseSession way,
            Caller caller,
            String name,
            Function<TableInfo, Future<VectorSearch.Result>> search) {
        List<String> schemas = databaseAccess.schemas(caller);
        return tables.with(
                new TableQuery(way.place(), way.user(), schemas, caller.scope(), name),
                () -> way.run((connection, _) -> new CatalogReader(
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
