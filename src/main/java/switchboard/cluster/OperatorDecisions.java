package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;

/**
 * What operators have decided, as the database has it: read before the node joins, after a notice, and when a poll finds another
 * revision. While the database is away, what was read last holds. Thread-safe.
 */
public final class OperatorDecisions {
    private final ClusterDatabase database;
    private final DecisionSql sql;
    private final Supplier<Future<Void>> tell;
    private final List<Consumer<Decisions>> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private boolean reading;
    private @Nullable Promise<Void> wanted;
    private volatile Decisions current = Decisions.UNREAD;

    /**
     * Decisions, which have not been read.
     *
     * @param tell tells the other nodes that there is a new one; completes when they know, or after a moment
     */
    OperatorDecisions(ClusterDatabase database, String schema, Supplier<Future<Void>> tell) {
        this.database = database;
        this.sql = new DecisionSql(schema);
        this.tell = tell;
    }

    /** What was read last; {@link Decisions#UNREAD} before the first time. Does not block. */
    public Decisions current() {
        return current;
    }

    /** Calls {@code listener} with what is read from now on, if it is new; it must not block. */
    public void listen(Consumer<Decisions> listener) {
        listeners.add(listener);
    }

    /**
     * Reads them, one reader after the other, so that an older state never replaces a newer one. Those who want that while one
     * reads share the next.
     */
    Future<Void> read() {
        synchronized (lock) {
            Promise<Void> next = wanted == null ? Promise.promise() : wanted;
            wanted = next;
            if (!reading) {
                readNow(next);
            }
            return next.future();
        }
    }

    private void readNow(Promise<Void> asked) {
        wanted = null;
        reading = true;
        Futures.settle(
                database.runRelaxed(this::decisions).map(this::apply),
                done -> {
                    readNext();
                    asked.handle(done);
                },
                asked::tryFail);
    }

    private void readNext() {
        synchronized (lock) {
            reading = false;
            if (wanted != null) {
                readNow(wanted);
            }
        }
    }

    private @Nullable Void apply(Decisions read) {
        Decisions now = read.andRevoked(current.revoked());
        if (!now.equals(current)) {
            current = now;
            listeners.forEach(listener -> listener.accept(now));
        }
        return null;
    }

    /** Reads them if there is another revision than the one that is known. */
    Future<Void> compare() {
        return database.runRelaxed(this::revision)
                .compose(revision -> revision == current.revision() ? Future.succeededFuture() : read());
    }

    private Future<Long> revision(SqlConnection connection) {
        return connection.query(sql.revision()).execute().map(rows -> rows.iterator()
                .next()
                .getLong(0));
    }

    /** The revision is read first: what is decided meanwhile is read again. */
    private Future<Decisions> decisions(SqlConnection connection) {
        return revision(connection).compose(revision -> connection
                .query(sql.off())
                .execute()
                .compose(off -> connection.query(sql.revoked()).execute().compose(revoked -> connection
                        .query(sql.approvals())
                        .execute()
                        .map(approved -> new Decisions(revision, off(off), revoked(revoked), approvals(approved))))));
    }

    private static Map<String, String> off(RowSet<Row> rows) {
        Map<String, String> off = new HashMap<>();
        rows.forEach(row -> off.put(row.getString(0), row.getString(1)));
        return off;
    }

    private static Set<String> revoked(RowSet<Row> rows) {
        Set<String> revoked = new HashSet<>();
        rows.forEach(row -> revoked.add(row.getString(0)));
        return revoked;
    }

    private static Map<String, Map<String, Decisions.ApprovedDefinition>> approvals(RowSet<Row> rows) {
        Map<String, Map<String, Decisions.ApprovedDefinition>> approvals = new HashMap<>();
        rows.forEach(row -> approvals
                .computeIfAbsent(row.getString(0), _ -> new HashMap<>())
                .put(row.getString(1), new Decisions.ApprovedDefinition(row.getString(2), row.getBoolean(3))));
        approvals.replaceAll((_, tools) -> Map.copyOf(tools));
        return approvals;
    }

    /** Switches a backend off on all nodes; completes when this one knows, and the others most probably. */
    public Future<Void> switchOff(String backend, String reason) {
        return decide(connection -> connection
                .preparedQuery(sql.switchOff())
                .execute(Tuple.of(backend, storable(reason)))
                .map(true));
    }

    /** Switches a backend on again on all nodes; completes as {@link #switchOff} does. */
    public Future<Void> switchOn(String backend) {
        return decide(connection -> connection
                .preparedQuery(sql.switchOn())
                .execute(Tuple.of(backend))
                .map(true));
    }

    /**
     * Notes that these definitions are approved, by tool, so that another node does not take another one for the first. What is noted
     * already stays.
     */
    public Future<Void> pin(String backend, Map<String, String> hashes) {
        List<String> tools = List.copyOf(hashes.keySet());
        Tuple values = Tuple.of(
                backend,
                tools.toArray(String[]::new),
                tools.stream().map(hashes::get).toArray(String[]::new));
        return decide(connection ->
                connection.preparedQuery(sql.pin()).execute(values).map(rows -> rows.size() > 0));
    }

    /** Runs {@code change}, which returns whether it has changed anything, in a transaction that ends with the next revision. */
    private Future<Void> decide(Function<SqlConnection, Future<Boolean>> change) {
        return database.run(connection -> connection
                        .query(sql.lock())
                        .execute()
                        .compose(_ -> change.apply(connection))
                        .compose(changed -> changed
                                ? connection.query(sql.decided()).execute().map(true)
                                : Future.succeededFuture(false)))
                .compose(changed -> read().compose(_ -> changed ? tell.get() : Future.succeededFuture()));
    }

    /** PostgreSQL has no U+0000 in texts. */
    private static String storable(String text) {
        return text.replace('\0', '\ufffd');
    }
}
