package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;

/**
 * The search sessions of callers, which all nodes share. Each call reads and writes only what it needs of a session, which may be
 * large. Failures are {@link ClusterUnavailableException}. Thread-safe.
 */
public final class SearchSessionTable {
    private static final int MOST_WAITING = 10_000;

    private static final String TIME_LEFT = "used + ttl * interval '1 millisecond' > clock_timestamp()";

    /** How long an expired session is told from one that never was. */
    private static final String GONE = "used + ttl * interval '1 millisecond' + interval '1 hour' < clock_timestamp()";

    private static final String TIMES = "id, ttl, created, used, clock_timestamp() AS moment";
    private static final String WHOLE = TIMES + ", context, queries, seen";
    private static final String SEEN = TIMES + ", ''::bytea AS context, ''::bytea AS queries, seen";
    private static final String CONTEXT = TIMES + ", context, ''::bytea AS queries, ''::bytea AS seen";
    private static final String SEARCHES = TIMES + ", ''::bytea AS context, queries, seen";

    private final ClusterDatabase database;
    private final FairSemaphore permits;
    private final SessionStatements sql;

    /**
     * The table.
     *
     * @param connections how many of the database's connections work on sessions may take at once
     * @param share the part of what waits that one team may use
     */
    SearchSessionTable(ClusterDatabase database, String schema, int connections, TeamShare share) {
        this.database = database;
        this.permits = new FairSemaphore(Math.max(1, connections), MOST_WAITING, share);
        this.sql = new SessionStatements(schema + ".search_session");
    }

    /** The statements on the table. */
    private record SessionStatements(String table) {
        private static final String ONE = " WHERE backend = $1 AND id = $2 AND owner = $3";

        String lock() {
            return "SELECT pg_advisory_xact_lock(hashtextextended('" + table + ' ' + "' || $1::text, 0))";
        }

        String trimOwner() {
            return "DELETE FROM " + table + " WHERE backend = $1 AND id IN (SELECT id FROM " + table
                    + " WHERE backend = $1 AND owner = $2 ORDER BY used, id LIMIT greatest(0, (SELECT count(*) FROM "
                    + table + " WHERE backend = $1 AND owner = $2) - $3::bigint))";
        }

        String count() {
            return "SELECT count(*) AS number FROM " + table + " WHERE backend = $1";
        }

        /** Removes one of the owner with most. */
        String trimOne() {
            return "DELETE FROM " + table + " WHERE backend = $1 AND id = (SELECT id FROM " + table
                    + " WHERE backend = $1 AND owner = (SELECT owner FROM " + table
                    + " WHERE backend = $1 GROUP BY owner"
                    + " ORDER BY count(*) DESC, owner LIMIT 1) ORDER BY used, id LIMIT 1)";
        }

        /** The same as often as {@code $2} says. */
        String trimMany() {
            return "DELETE FROM " + table
                    + " WHERE backend = $1 AND id IN (SELECT id FROM (SELECT id, used, row_number()"
                    + " OVER (PARTITION BY owner ORDER BY used DESC, id DESC) AS place FROM " + table
                    + " WHERE backend = $1) places ORDER BY place DESC, used, id LIMIT $2)";
        }

        String insert() {
            return "INSERT INTO " + table + " (backend, id, owner, ttl) VALUES ($1, $2, $3, $4) RETURNING " + WHOLE;
        }

        /** An expired session stays as it is. */
        String use(String columns) {
            return "UPDATE " + table + " SET used = CASE WHEN " + TIME_LEFT + " THEN clock_timestamp() ELSE used END"
                    + ONE + " RETURNING " + columns;
        }

        String find(String columns) {
            return "SELECT " + columns + " FROM " + table + ONE + " FOR UPDATE";
        }

        String context() {
            return "UPDATE " + table + " SET used = $4, context = $5" + ONE;
        }

        String searches() {
            return "UPDATE " + table + " SET queries = $4, seen = $5" + ONE;
        }

        String end() {
            return "DELETE FROM " + table + ONE;
        }

        String sweep() {
            return "DELETE FROM " + table + " WHERE " + GONE;
        }
    }

    /**
     * Whose session it is.
     *
     * @param owner a digest of the owner
     */
    public record SessionKey(String backend, UUID id, byte[] owner) {
        private Tuple values() {
            return Tuple.of(backend, id, Buffer.buffer(owner));
        }
    }

    /** What became of some work: the session as it is now, or null if it has not changed, and the result. */
    public record ChangedSession<T>(@Nullable SearchSessionRow row, T result) {}

    /**
     * Begins a session. At the limit the owner's least recently used one is replaced, then that of the owner with most.
     *
     * @param perOwner how many one owner has at most
     * @param all how many there are at most
     */
    public Future<SearchSessionRow> start(SessionKey key, Duration ttl, int perOwner, int all) {
        Buffer owner = Buffer.buffer(key.owner());
        Tuple backend = Tuple.of(key.backend());
        return permitted(() -> database.run(connection -> connection
                .preparedQuery(sql.lock())
                .execute(backend)
                .compose(_ -> connection
                        .preparedQuery(sql.trimOwner())
                        .execute(Tuple.of(key.backend(), owner, perOwner - 1L)))
                .compose(_ -> connection.preparedQuery(sql.count()).execute(backend))
                .compose(counted -> trimmed(
                        connection, key.backend(), counted.iterator().next().getLong("number") - (all - 1L)))
                .compose(_ -> connection
                        .preparedQuery(sql.insert())
                        .execute(Tuple.of(key.backend(), key.id(), owner, ttl.toMillis())))
                .map(rows -> row(rows.iterator().next()))));
    }

    private Future<?> trimmed(SqlConnection connection, String backend, long excess) {
        if (excess <= 0) {
            return Future.succeededFuture();
        }
        return excess == 1
                ? connection.preparedQuery(sql.trimOne()).execute(Tuple.of(backend))
                : connection.preparedQuery(sql.trimMany()).execute(Tuple.of(backend, excess));
    }

    /** Uses a session, and reads all of it; one that has expired is as it was. */
    public Future<Optional<SearchSessionRow>> use(SessionKey key) {
        return used(key, WHOLE);
    }

    /** The same, which reads only the results that it has seen. */
    public Future<Optional<SearchSessionRow>> useSeen(SessionKey key) {
        return used(key, SEEN);
    }

    private Future<Optional<SearchSessionRow>> used(SessionKey key, String columns) {
        return permitted(() -> database.runRelaxed(connection ->
                connection.preparedQuery(sql.use(columns)).execute(key.values()).map(SearchSessionTable::first)));
    }

    /** Changes the values of a session and its last use. The work gets only the values of it. */
    public <T> Future<T> changeContext(SessionKey key, Function<Optional<SearchSessionRow>, ChangedSession<T>> work) {
        return permitted(() -> database.run(connection -> changed(connection, key, CONTEXT, work, row -> connection
                .preparedQuery(sql.context())
                .execute(key.values()
                        .addValue(row.times().used().atOffset(ZoneOffset.UTC))
                        .addValue(Buffer.buffer(row.context()))))));
    }

    /** Changes the searches of a session, which is no harm if a crash of the server takes it back. The work gets only these. */
    public <T> Future<T> changeSearches(SessionKey key, Function<Optional<SearchSessionRow>, ChangedSession<T>> work) {
        return permitted(
                () -> database.runRelaxed(connection -> changed(connection, key, SEARCHES, work, row -> connection
                        .preparedQuery(sql.searches())
                        .execute(key.values()
                                .addValue(Buffer.buffer(row.queries()))
                                .addValue(Buffer.buffer(row.seen()))))));
    }

    private <T> Future<T> changed(
            SqlConnection connection,
            SessionKey key,
            String columns,
            Function<Optional<SearchSessionRow>, ChangedSession<T>> work,
            Function<SearchSessionRow, Future<?>> write) {
        return connection.preparedQuery(sql.find(columns)).execute(key.values()).compose(found -> {
            ChangedSession<T> changed = work.apply(first(found));
            SearchSessionRow row = changed.row();
            return (row == null ? Future.succeededFuture() : write.apply(row)).map(changed.result());
        });
    }

    /** Ends a session; false if the owner has no such session. */
    public Future<Boolean> end(SessionKey key) {
        return permitted(() -> database.run(connection ->
                connection.preparedQuery(sql.end()).execute(key.values()).map(rows -> rows.rowCount() == 1)));
    }

    private static Optional<SearchSessionRow> first(RowSet<Row> rows) {
        return rows.size() == 0
                ? Optional.empty()
                : Optional.of(row(rows.iterator().next()));
    }

    private static SearchSessionRow row(Row row) {
        return new SearchSessionRow(
                row.getUUID("id"),
                Duration.ofMillis(row.getLong("ttl")),
                new SearchSessionRow.Times(
                        row.getOffsetDateTime("created").toInstant(),
                        row.getOffsetDateTime("used").toInstant(),
                        row.getOffsetDateTime("moment").toInstant()),
                row.getBuffer("context").getBytes(),
                row.getBuffer("queries").getBytes(),
                row.getBuffer("seen").getBytes());
    }

    /** Removes sessions that nobody asks for any more. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sql.sweep()).execute().mapEmpty());
    }

    /** Many searches at once leave connections to other work. */
    private <T> Future<T> permitted(Supplier<Future<T>> work) {
        return permits.run(
                work,
                () -> new ClusterUnavailableException(NotDone.BUSY, "too much work on search sessions waits", null));
    }
}
