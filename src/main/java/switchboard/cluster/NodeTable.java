package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The rows of the nodes that run. The database's clock decides which do. */
final class NodeTable {
    /** A node that was not seen for so long gets no more messages. */
    static final String ALIVE = "seen > now() - interval '10 seconds'";

    private final ClusterDatabase database;
    private final String beat;
    private final String others;
    private final String presence;
    private final String leave;
    private final String sweep;

    NodeTable(ClusterDatabase database, String schema) {
        this.database = database;
        String node = schema + ".node";
        this.beat = "INSERT INTO " + node + " (id, name, version) VALUES ($1, $2, $3)"
                + " ON CONFLICT (id) DO UPDATE SET seen = now()";
        this.others = "SELECT id FROM " + node + " WHERE id <> $1 AND " + ALIVE;
        this.presence = "SELECT " + ALIVE + " FROM " + node + " WHERE id = $1";
        this.leave = "DELETE FROM " + node + " WHERE id = $1";
        this.sweep = "DELETE FROM " + node + " WHERE seen < now() - interval '1 hour'";
    }

    /** Says that the node {@code id} runs; returns the others that do. */
    Future<Set<String>> beat(String id, String name, String version) {
        return database.runRelaxed(connection -> connection
                .preparedQuery(beat)
                .execute(Tuple.of(id, name, version))
                .compose(_ -> connection.preparedQuery(others).execute(Tuple.of(id)))
                .map(rows -> {
                    Set<String> alive = new HashSet<>();
                    for (Row row : rows) {
                        alive.add(row.getString(0));
                    }
                    return alive;
                }));
    }

    /** Whether the node {@code id} was seen just now; empty if it has left or is long gone. */
    Future<Optional<Boolean>> presence(String id) {
        return database.runRelaxed(connection -> connection
                .preparedQuery(presence)
                .execute(Tuple.of(id))
                .map(rows -> rows.size() == 0
                        ? Optional.empty()
                        : Optional.of(rows.iterator().next().getBoolean(0))));
    }

    Future<Void> leave(String id) {
        return database.run(connection ->
                connection.preparedQuery(leave).execute(Tuple.of(id)).mapEmpty());
    }

    /** Removes the rows of nodes that are long gone. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sweep).execute().mapEmpty());
    }
}
