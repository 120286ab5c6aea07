package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The search sessions of callers, which all nodes share. Failures are {@link ClusterUnavailableException}. Thread-safe. */
public final class SearchSessionTable {
    /** How long an expired session is told from one that never was. */
    private static final String GONE = "used + ttl * interval '1 millisecond' + interval '1 hour' < clock_timestamp()";

    private static final String COLUMNS = "id, ttl, created, used, clock_timestamp() AS moment, context, queries, seen";

    private final ClusterDatabase database;
    private final String lock;
    private final String forget;
    private final String trimOwner;
    private final String trimAll;
    private final String insert;
    private final String find;
    private final String write;
    private final String end;
    private final String sweep;

    SearchSessionTable(ClusterDatabase database, String schema) {
        String session = schema + ".search_session";
        String byUse = " ORDER BY used, id LIMIT greatest(0, (SELECT count(*) FROM " + session + " WHERE backend = $1";
        this.database = database;
        this.lock = "SELECT pg_advisory_xact_lock(hashtextextended('" + session + "', 0))";
        this.forget = "DELETE FROM " + session + " WHERE backend = $1 AND " + GONE;
        this.trimOwner = "DELETE FROM " + session + " WHERE backend = $1 AND id IN (SELECT id FROM " + session
                + " WHERE backend = $1 AND owner = $2" + byUse + " AND owner = $2) - $3::bigint))";
        this.trimAll = "DELETE FROM " + session + " WHERE backend = $1 AND id IN (SELECT id FROM " + session
                + " WHERE backend = $1 AND owner = (SELECT owner FROM " + session + " WHERE backend = $1 GROUP BY owner"
                + " ORDER BY count(*) DESC, owner LIMIT 1)" + byUse + ") - $2::bigint))";
        this.insert =
                "INSERT INTO " + session + " (backend, id, owner, ttl) VALUES ($1, $2, $3, $4) RETURNING " + COLUMNS;
        this.find =
                "SELECT " + COLUMNS + " FROM " + session + " WHERE backend = $1 AND id = $2 AND owner = $3 FOR UPDATE";
        this.write = "UPDATE " + session
                + " SET used = $3, context = $4, queries = $5, seen = $6 WHERE backend = $1 AND id = $2";
        this.end = "DELETE FROM " + session + " WHERE backend = $1 AND id = $2 AND owner = $3";
        this.sweep = "DELETE FROM " + session + " WHERE " + GONE;
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
        return database.run(connection -> connection
                .query(lock)
                .execute()
                .compose(_ -> connection.preparedQuery(forget).execute(Tuple.of(key.backend())))
                .compose(
                        _ -> connection.preparedQuery(trimOwner).execute(Tuple.of(key.backend(), owner, perOwner - 1L)))
                .compose(_ -> connection.preparedQuery(trimAll).execute(Tuple.of(key.backend(), all - 1L)))
                .compose(_ -> connection
                        .preparedQuery(insert)
                        .execute(Tuple.of(key.backend(), key.id(), owner, ttl.toMillis())))
                .map(rows -> row(rows.iterator().next())));
    }

    /** Works on a session, which nobody else changes meanwhile. */
    public <T> Future<T> change(SessionKey key, Function<Optional<SearchSessionRow>, ChangedSession<T>> work) {
        return database.run(connection -> changed(connection, key, work));
    }

    /** The same where it is no harm if a crash of the server takes the change back. */
    public <T> Future<T> use(SessionKey key, Function<Optional<SearchSessionRow>, ChangedSession<T>> work) {
        return database.runRelaxed(connection -> changed(connection, key, work));
    }

    private <T> Future<T> changed(
            SqlConnection connection, SessionKey key, Function<Optional<SearchSessionRow>, ChangedSession<T>> work) {
        return connection.preparedQuery(find).execute(key.values()).compose(found -> {
            ChangedSession<T> changed = work.apply(
                    found.size() == 0
                            ? Optional.empty()
                            : Optional.of(row(found.iterator().next())));
            return written(connection, key, changed.row()).map(changed.result());
        });
    }

    private Future<Void> written(SqlConnection connection, SessionKey key, @Nullable SearchSessionRow row) {
        if (row == null) {
            return Future.succeededFuture();
        }
        return connection
                .preparedQuery(write)
                .execute(Tuple.of(
                        key.backend(),
                        key.id(),
                        row.times().used().atOffset(ZoneOffset.UTC),
                        Buffer.buffer(row.context()),
                        Buffer.buffer(row.queries()),
                        Buffer.buffer(row.seen())))
                .mapEmpty();
    }

    /** Ends a session; false if the owner has no such session. */
    public Future<Boolean> end(SessionKey key) {
        return database.run(connection ->
                connection.preparedQuery(end).execute(key.values()).map(rows -> rows.rowCount() == 1));
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
                connection -> connection.query(sweep).execute().mapEmpty());
    }
}
