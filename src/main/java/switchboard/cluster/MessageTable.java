package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The messages that wait for nodes. Each is read once, by the node that it is for, which deletes it. */
final class MessageTable {
    private static final int PAGE = 200;

    /** How many messages of a kind that a node has not read yet, and which are not the important ones, another one may leave for it. */
    private static final int MOST_UNREAD = 8;

    private final ClusterDatabase database;
    private final String toNode;
    private final String toOthers;
    private final String toStream;
    private final String toReaders;
    private final String take;
    private final String sweep;

    /** A message with its place in the order of all. */
    private record Numbered(long id, NodeMessage message) {}

    MessageTable(ClusterDatabase database, String schema) {
        this.database = database;
        String insert = "INSERT INTO " + schema + ".message (target, kind, session, body) ";
        String alive =
                "SELECT id, $1::text, $2::text, $3::text FROM " + schema + ".node WHERE " + NodeTable.ALIVE + " AND ";
        this.toNode = insert + alive + "id = $4 RETURNING target";
        this.toOthers = insert + alive + "id <> $4 RETURNING target";
        this.toStream = insert + alive + "id = (SELECT stream_node FROM " + schema
                + ".session WHERE key = $2 AND stream_node <> $4) RETURNING target";
        this.toReaders = insert + alive + "id = ANY($4::text[]) AND (SELECT count(*) FROM " + schema
                + ".message WHERE target = node.id AND kind = $1 AND session = $2) < " + MOST_UNREAD
                + " RETURNING target";
        this.take = "DELETE FROM " + schema + ".message WHERE id IN (SELECT id FROM " + schema
                + ".message WHERE target = $1 ORDER BY id LIMIT " + PAGE + ") RETURNING id, kind, session, body";
        this.sweep = "DELETE FROM " + schema + ".message WHERE created < now() - interval '5 minutes'";
    }

    /** Leaves a message for the node {@code target}; returns the nodes that have it now: that one, or none if it is gone. */
    Future<List<String>> toNode(NodeMessage message, String target) {
        return insert(toNode, message, target);
    }

    /** Leaves a message for all nodes but {@code self}. It does not wait for the disk, because it may be lost. */
    Future<List<String>> toOthers(NodeMessage message, String self) {
        Tuple values = values(message, self);
        return database.runRelaxed(connection -> targets(connection, toOthers, values));
    }

    /** Leaves a message for the node with the stream of the message's session, if that is not {@code self}. */
    Future<List<String>> toStream(NodeMessage message, String self) {
        return insert(toStream, message, self);
    }

    /**
     * Leaves a message for those of {@code nodes} that run, and have read what the sender, {@code message.session()}, has left for them
     * before.
     */
    Future<List<String>> toReaders(NodeMessage message, Set<String> nodes) {
        Tuple values = Tuple.of(kind(message), message.session(), message.body(), nodes.toArray(String[]::new));
        return database.runRelaxed(connection -> targets(connection, toReaders, values));
    }

    private Future<List<String>> insert(String sql, NodeMessage message, String node) {
        Tuple values = values(message, node);
        return database.run(connection -> targets(connection, sql, values));
    }

    private static Tuple values(NodeMessage message, String node) {
        return Tuple.of(kind(message), message.session(), message.body(), node);
    }

    private static String kind(NodeMessage message) {
        return message.kind().name().toLowerCase(Locale.ROOT);
    }

    private static Future<List<String>> targets(SqlConnection connection, String sql, Tuple values) {
        return connection.preparedQuery(sql).execute(values).map(rows -> stream(rows)
                .map(row -> row.getString(0))
                .toList());
    }

    /** Takes the oldest messages for the node {@code self}, some at a time, in their order. */
    Future<List<NodeMessage>> take(String self) {
        return database.runRelaxed(connection -> connection
                .preparedQuery(take)
                .execute(Tuple.of(self))
                .map(rows -> stream(rows)
                        .map(MessageTable::numbered)
                        .flatMap(Optional::stream)
                        .sorted(Comparator.comparingLong(Numbered::id))
                        .map(Numbered::message)
                        .toList()));
    }

    /** A message; empty if it is of a kind that only newer versions know. */
    private static Optional<Numbered> numbered(Row row) {
        return Stream.of(NodeMessage.Kind.values())
                .filter(kind -> kind.name().equalsIgnoreCase(row.getString(1)))
                .findFirst()
                .map(kind -> new Numbered(row.getLong(0), new NodeMessage(kind, row.getString(2), row.getString(3))));
    }

    /** Removes what nobody has read. */
    Future<Void> sweep() {
        return database.runRelaxed(
                connection -> connection.query(sweep).execute().mapEmpty());
    }

    private static Stream<Row> stream(RowSet<Row> rows) {
        List<Row> all = new ArrayList<>();
        rows.forEach(all::add);
        return all.stream();
    }
}
