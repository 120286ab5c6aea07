package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.session.SessionLimits;
import switchboard.session.SessionOwner;
import switchboard.session.SessionUse;

/** The sessions of all nodes. Times are the database's. Thread-safe. */
public final class SessionTable {
    private final ClusterDatabase database;
    private final SessionSql sql;
    private final long idleMs;
    private final int max;

    /** The table, with the limits of all nodes together. */
    SessionTable(ClusterDatabase database, String schema, SessionLimits limits) {
        this.database = database;
        this.sql = new SessionSql(schema);
        this.idleMs = limits.idleTtl().toMillis();
        this.max = limits.max();
    }

    /**
     * What became of a new session.
     *
     * @param made whether there was room
     * @param replaced the keys of the sessions that went for it
     */
    public record Creation(boolean made, List<String> replaced) {}

    /**
     * Adds a session. At the limit it replaces others, in the order of {@link SessionSql}, of those that {@code
     * replaceable} lets go.
     *
     * @param replaceable whether the session of that key may go; what it lets go is ended on this node, whatever follows
     */
    public Future<Creation> create(SessionRow row, Predicate<String> replaceable) {
        return database.run(connection -> connection
                .query(sql.lock())
                .execute()
                .compose(_ -> connection.preparedQuery(sql.count()).execute(Tuple.of(idleMs)))
                .map(rows -> rows.iterator().next().getLong(0) - max + 1)
                .compose(surplus -> surplus <= 0
                        ? Future.succeededFuture(List.<String>of())
                        : makeRoom(connection, row.owner().team(), surplus, replaceable))
                .compose(replaced -> replaced == null
                        ? Future.succeededFuture(new Creation(false, List.of()))
                        : insert(connection, row, replaced)));
    }

    /** Removes as many sessions as are too many; null if not so many can be replaced. */
    private Future<@Nullable List<String>> makeRoom(
            SqlConnection connection, String team, long surplus, Predicate<String> replaceable) {
        return connection
                .preparedQuery(sql.replaceable())
                .execute(Tuple.of(idleMs, team, surplus + SessionSql.BUSY_ELSEWHERE))
                .compose(rows -> {
                    List<String> going = new ArrayList<>();
                    for (Row row : rows) {
                        if (going.size() < surplus && replaceable.test(row.getString(0))) {
                            going.add(row.getString(0));
                        }
                    }
                    return going.size() < surplus
                            ? Future.succeededFuture(null)
                            : connection
                                    .preparedQuery(sql.endAll())
                                    .execute(Tuple.of(going.toArray(String[]::new)))
                                    .map(_ -> going);
                });
    }

    private Future<Creation> insert(SqlConnection connection, SessionRow row, List<String> replaced) {
        SessionRow.OpenConnection only = row.connection();
        Tuple values = Tuple.tuple()
                .addString(row.key())
                .addString(row.owner().team())
                .addString(row.owner().identity().id())
                .addString(row.owner().identity().proof())
                .addString(row.owner().view())
                .addString(row.state())
                .addString(only == null ? null : only.node())
                .addString(only == null ? null : only.rights());
        return connection.preparedQuery(sql.insert()).execute(values).map(_ -> new Creation(true, replaced));
    }

    /** The session of that key, unless it has expired. */
    public Future<Optional<SessionRow>> find(String key) {
        return database.run(connection -> connection
                .preparedQuery(sql.find())
                .execute(Tuple.of(key, idleMs))
                .map(rows -> rows.size() == 0
                        ? Optional.empty()
                        : Optional.of(row(key, rows.iterator().next()))));
    }

    private static SessionRow row(String key, Row row) {
        String node = row.getString("node");
        String rights = row.getString("rights");
        return new SessionRow(
                key,
                new SessionOwner(
                        new PrincipalId(row.getString("team"), row.getString("identity"), row.getString("proof")),
                        row.getString("view")),
                row.getString("state"),
                row.getLong("revision"),
                new SessionRow.Times(row.getLong("age"), row.getLong("idle")),
                row.getString("stream_node"),
                node == null
                        ? null
                        : new SessionRow.OpenConnection(node, row.getBoolean("alive"), rights == null ? "" : rights));
    }

    /** Ends the session of that key; returns whether it was in the table. */
    public Future<Boolean> end(String key) {
        return database.run(connection ->
                connection.preparedQuery(sql.end()).execute(Tuple.of(key)).map(rows -> rows.rowCount() > 0));
    }

    /**
     * Changes the state; returns the revision that it has now, or nothing if the session has ended. Changes on several nodes are made
     * one after another.
     */
    public Future<OptionalLong> change(String key, UnaryOperator<String> change) {
        return database.run(connection -> connection
                .preparedQuery(sql.stateForChange())
                .execute(Tuple.of(key))
                .compose(rows -> rows.size() == 0
                        ? Future.succeededFuture(OptionalLong.empty())
                        : connection
                                .preparedQuery(sql.change())
                                .execute(Tuple.of(
                                        key, change.apply(rows.iterator().next().getString(0))))
                                .map(SessionTable::revision)));
    }

    private static OptionalLong revision(RowSet<Row> rows) {
        return rows.size() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(rows.iterator().next().getLong(0));
    }

    /**
     * The stream of a session is open on {@code node} now; returns the revision that the row has then, or nothing if the session has
     * ended.
     */
    public Future<OptionalLong> streamOpened(String key, String node) {
        return database.run(connection -> connection
                .preparedQuery(sql.streamOpened())
                .execute(Tuple.of(key, node))
                .map(SessionTable::revision));
    }

    /** The stream of a session on {@code node} is over; returns the revision now, or nothing if it was not there. */
    public Future<OptionalLong> streamClosed(String key, String node) {
        return database.run(connection -> connection
                .preparedQuery(sql.streamClosed())
                .execute(Tuple.of(key, node))
                .map(SessionTable::revision));
    }

    /** Writes down when sessions were last used; a crash of the server may lose it. */
    public Future<Void> used(List<SessionUse> uses) {
        if (uses.isEmpty()) {
            return Future.succeededFuture();
        }
        String[] keys = uses.stream().map(SessionUse::key).toArray(String[]::new);
        Tuple values = Tuple.of(
                keys,
                uses.stream().map(use -> use.ago().toMillis()).toArray(Long[]::new),
                uses.stream().map(SessionUse::calls).toArray(Boolean[]::new),
                uses.stream().map(SessionUse::stream).toArray(Boolean[]::new));
        // Locked in order first, so that two nodes don't wait for each other.
        return database.runRelaxed(connection -> connection
                .preparedQuery(sql.lockRows())
                .execute(Tuple.of(keys))
                .compose(_ -> connection.preparedQuery(sql.used()).execute(values))
                .mapEmpty());
    }

    /**
     * What the table says about a session.
     *
     * @param open whether it has not expired
     * @param streamNode the node where its stream is open, or null; a node that is gone has none
     */
    public record State(
            long revision, boolean open, @Nullable String streamNode) {}

    /** The states of these sessions, by key. A session that has ended is left out. */
    public Future<Map<String, State>> states(List<String> keys) {
        return database.runRelaxed(connection -> connection
                .preparedQuery(sql.states())
                .execute(Tuple.of(keys.toArray(String[]::new), idleMs))
                .map(rows -> {
                    Map<String, State> states = new HashMap<>();
                    rows.forEach(row -> states.put(
                            row.getString(0), new State(row.getLong(1), row.getBoolean(2), row.getString(3))));
                    return states;
                }));
    }

    /** Removes what has expired for a while, and the sessions whose connection was on a node that is gone. */
    public Future<Void> sweep() {
        return database.runRelaxed(connection ->
                connection.preparedQuery(sql.sweep()).execute(Tuple.of(idleMs)).mapEmpty());
    }

    /** The node {@code node} stops: its streams and connections are over. */
    Future<Void> left(String node) {
        return database.run(connection -> connection
                .preparedQuery(sql.streamsOver())
                .execute(Tuple.of(node))
                .compose(_ -> connection.preparedQuery(sql.connectionsOver()).execute(Tuple.of(node)))
                .mapEmpty());
    }
}
