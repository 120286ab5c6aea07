package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;

/**
 * The sessions of the console, which all nodes share. Times are the database's. Failures are {@link
 * ClusterUnavailableException}. Thread-safe.
 */
public final class ConsoleSessionTable {
    private static final String OPEN = "ends > now() AND used + idle * interval '1 millisecond' > now()";

    private final ClusterDatabase database;
    private final ConsoleSessionSql sql;

    ConsoleSessionTable(ClusterDatabase database, String schema) {
        this.database = database;
        this.sql = new ConsoleSessionSql(schema + ".console_session");
    }

    /**
     * The limits of a new session.
     *
     * @param longest how long it lasts at most
     * @param idle how long it lasts without use
     * @param perOwner how many its owner has at most; the oldest one goes first
     * @param all how many there are at most; the one that was not used for longest goes first
     */
    public record ConsoleSessionLimits(Duration longest, Duration idle, int perOwner, int all) {}

    /** The statements on the table. */
    private record ConsoleSessionSql(String table) {
        /** So that two people who sign in at once are counted one after the other. */
        String lock() {
            return "SELECT pg_advisory_xact_lock(hashtextextended('" + table + "', 0))";
        }

        String trimOwner() {
            return "DELETE FROM " + table + " WHERE key IN (SELECT key FROM " + table
                    + " WHERE team = $1 AND identity = $2 AND proof IS NOT DISTINCT FROM $3::text"
                    + " ORDER BY ends DESC, key OFFSET $4)";
        }

        String trimAll() {
            return "DELETE FROM " + table + " WHERE key IN (SELECT key FROM " + table
                    + " ORDER BY used DESC, key OFFSET $1)";
        }

        String insert() {
            return "INSERT INTO " + table + " (key, team, identity, proof, token_grant, ends, idle)"
                    + " VALUES ($1, $2, $3, $4, $5, now() + $6::bigint * interval '1 millisecond', $7) RETURNING ends";
        }

        /** A use is written once a minute at most. */
        String find() {
            return "SELECT team, identity, proof, token_grant, ends, used < now() - interval '1 minute' AS due FROM "
                    + table + " WHERE key = $1 AND " + OPEN;
        }

        String used() {
            return "UPDATE " + table + " SET used = now() WHERE key = $1";
        }

        String end() {
            return "DELETE FROM " + table + " WHERE key = $1";
        }

        String sweep() {
            return "DELETE FROM " + table + " WHERE NOT (" + OPEN + ")";
        }
    }

    /** Opens the session of that key; returns when it ends at the latest. */
    public Future<Instant> open(String key, PrincipalId owner, @Nullable String grant, ConsoleSessionLimits limits) {
        Tuple values = Tuple.tuple()
                .addString(key)
                .addString(owner.team())
                .addString(owner.id())
                .addString(owner.proof())
                .addString(grant)
                .addLong(limits.longest().toMillis())
                .addLong(limits.idle().toMillis());
        return database.run(connection -> connection
                .query(sql.lock())
                .execute()
                .compose(_ -> makeRoom(connection, owner, limits))
                .compose(_ -> connection.preparedQuery(sql.insert()).execute(values))
                .map(rows -> rows.iterator().next().getOffsetDateTime("ends").toInstant()));
    }

    /** Those that are over take nobody's place. */
    private Future<?> makeRoom(SqlConnection connection, PrincipalId owner, ConsoleSessionLimits limits) {
        return connection
                .query(sql.sweep())
                .execute()
                .compose(_ -> connection
                        .preparedQuery(sql.trimOwner())
                        .execute(Tuple.of(owner.team(), owner.id(), owner.proof(), limits.perOwner() - 1L)))
                .compose(_ -> connection.preparedQuery(sql.trimAll()).execute(Tuple.of(limits.all() - 1L)));
    }

    /** Uses the session of that key, unless it has ended. */
    public Future<Optional<ConsoleSessionRow>> find(String key) {
        return database.runRelaxed(connection -> connection
                .preparedQuery(sql.find())
                .execute(Tuple.of(key))
                .compose(rows -> rows.size() == 0
                        ? Future.succeededFuture(Optional.empty())
                        : used(connection, key, rows.iterator().next())));
    }

    private Future<Optional<ConsoleSessionRow>> used(SqlConnection connection, String key, Row row) {
        Future<?> written = row.getBoolean("due")
                ? connection.preparedQuery(sql.used()).execute(Tuple.of(key))
                : Future.succeededFuture();
        return written.map(_ -> Optional.of(new ConsoleSessionRow(
                new PrincipalId(row.getString("team"), row.getString("identity"), row.getString("proof")),
                row.getString("token_grant"),
                row.getOffsetDateTime("ends").toInstant())));
    }

    /** Ends the session of that key, if there is one. */
    public Future<Void> end(String key) {
        return database.run(connection ->
                connection.preparedQuery(sql.end()).execute(Tuple.of(key)).mapEmpty());
    }

    /** Removes what has ended. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sql.sweep()).execute().mapEmpty());
    }
}
