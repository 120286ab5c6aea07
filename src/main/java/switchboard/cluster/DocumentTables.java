package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.config.ClusterConfig;

/** The documents that gateways share. Failures are {@link ClusterUnavailableException}. Thread-safe. */
public final class DocumentTables {
    /** Most changes, or documents, that one answer names. */
    public static final int PAGE = 500;

    private static final int MOST_WAITING = 10_000;

    /** So many statements at most remove rows in a row. */
    private static final int SWEEPS = 40;

    private static final Duration LOOK = Duration.ofSeconds(3);
    private static final Duration PAGE_TIME = Duration.ofSeconds(14);

    private final ClusterDatabase database;
    private final DocumentSql sql;
    private final LibraryWrites writes;
    private final JobTable jobs;
    private final SearchSessionTable searchSessions;
    private final UnusedChunks unusedChunks;
    private final WatchTable watches;
    private final Consumer<String> announce;
    private final Map<String, LibraryListener> listeners = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final FairSemaphore busy;
    private volatile boolean open;

    /**
     * The tables.
     *
     * @param node the id of this node
     * @param share the part of what waits for connections that one team may use
     * @param announce tells other nodes that a library of a backend has changed
     */
    DocumentTables(
            ClusterDatabase database, ClusterConfig config, String node, TeamShare share, Consumer<String> announce) {
        String schema = '"' + config.schema() + '"';
        this.busy = new FairSemaphore(Math.max(1, config.connections() / 2), MOST_WAITING, share);
        this.database = database;
        this.sql = new DocumentSql(schema);
        this.announce = announce;
        this.jobs = new JobTable(database, schema, node);
        this.searchSessions = new SearchSessionTable(database, schema, config.connections() / 4, share);
        this.unusedChunks = new UnusedChunks(database, schema, () -> open);
        this.watches = new WatchTable(database, schema, node, () -> open);
        this.writes = new LibraryWrites(database, sql, jobs);
    }

    /** Work on documents that one node at a time does. */
    public JobTable jobs() {
        return jobs;
    }

    /** The search sessions of callers. */
    public SearchSessionTable searchSessions() {
        return searchSessions;
    }

    /** Chunks in an engine that no document uses. */
    public UnusedChunks unusedChunks() {
        return unusedChunks;
    }

    /** Standing questions of callers. */
    public WatchTable watches() {
        return watches;
    }

    /** The libraries of a backend can be looked at from now on. */
    void open() {
        open = true;
        poll(true);
    }

    /** Libraries of {@code backend} have changed on another node. */
    void changed(String backend) {
        LibraryListener listener = listeners.get(backend);
        if (listener != null) {
            listener.look(false);
        }
    }

    /**
     * Libraries may have changed.
     *
     * @param missed whether this node had no connection for notices
     */
    void poll(boolean missed) {
        listeners.values().forEach(listener -> listener.look(missed));
    }

    /** Is told when libraries may have changed on another node. It must not block. */
    @FunctionalInterface
    public interface LibraryListener {
        /** Looks at what may have changed; at everything after this node has {@code missed} notices. */
        void look(boolean missed);
    }

    /** Tells {@code listener} of libraries of {@code backend}. */
    public void listen(String backend, LibraryListener listener) {
        listeners.put(backend, listener);
    }

    /** Runs nothing for {@code backend} any more. */
    public void ignore(String backend) {
        listeners.remove(backend);
    }

    /** Tells the other nodes, which may look early then. */
    public void announce(String backend) {
        announce.accept(backend);
    }

    /**
     * What a look found.
     *
     * @param libraries those that may have changed since the look before, dropped ones included; all at first
     * @param next says what the next look can leave out
     */
    public record Look(List<LibraryRow> libraries, LookEnd next) {
        public Look {
            libraries = List.copyOf(libraries);
        }
    }

    /**
     * What a look has seen.
     *
     * @param oldest the oldest transaction that it could not see
     * @param server when the server started: another server counts its transactions anew
     */
    public record LookEnd(String oldest, String server) {
        /** Nothing. */
        public static final LookEnd NOTHING = new LookEnd("0", "");
    }

    /** The libraries of {@code backend} that may have changed since {@code before}. One statement. */
    public Future<Look> look(String backend, LookEnd before) {
        if (!open) {
            return Future.failedFuture(new ClusterUnavailableException(
                    NotDone.UNREACHED, "this gateway has not joined the others yet", null));
        }
        return database.read(
                connection -> connection
                        .preparedQuery(sql.look())
                        .execute(Tuple.of(backend, before.oldest()))
                        .map(rows -> {
                            List<LibraryRow> libraries = new ArrayList<>();
                            LookEnd seen = before;
                            for (Row row : rows) {
                                seen = new LookEnd(row.getString("oldest"), row.getString("server"));
                                if (row.getLong("id") != null) {
                                    libraries.add(LibraryWrites.library(row));
                                }
                            }
                            return new Look(libraries, seen);
                        }),
                LOOK);
    }

    /** A library as it is now; empty if it was dropped. */
    public Future<Optional<LibraryRow>> library(long id) {
        return database.read(
                connection -> connection
                        .preparedQuery(sql.library())
                        .execute(Tuple.of(id))
                        .map(rows -> rows.size() == 0
                                ? Optional.empty()
                                : Optional.of(
                                        LibraryWrites.library(rows.iterator().next()))),
                LOOK);
    }

    /** The changes of a library from {@code position} on, in their order; at most {@value #PAGE}. */
    public Future<List<ChangeRow>> changes(long library, long position) {
        return slowly(() -> database.read(
                connection -> connection
                        .preparedQuery(sql.changes())
                        .execute(Tuple.of(library, position, PAGE))
                        .map(rows -> {
                            List<ChangeRow> changes = new ArrayList<>();
                            rows.forEach(row -> changes.add(new ChangeRow(
                                    LibraryWrites.change(row),
                                    row.getBuffer("key").getBytes(),
                                    row.getBuffer("source").getBytes(),
                                    row.getInteger("size"))));
                            return changes;
                        }),
                PAGE_TIME));
    }

    /**
     * The key of a document and its size in bytes.
     *
     * @param key the SHA-256 of its source
     */
    public record Key(byte[] key, int size) {}

    /** The next documents of a library in the order of their keys; at most {@value #PAGE}. */
    public Future<List<Key>> keys(long library, byte[] after) {
        return slowly(() -> database.read(
                connection -> connection
                        .preparedQuery(sql.keys())
                        .execute(Tuple.of(library, Buffer.buffer(after), PAGE))
                        .map(rows -> {
                            List<Key> keys = new ArrayList<>();
                            rows.forEach(
                                    row -> keys.add(new Key(row.getBuffer("key").getBytes(), row.getInteger("size"))));
                            return keys;
                        }),
                PAGE_TIME));
    }

    /** How many documents a library has. */
    public Future<Long> count(long library) {
        return slowly(() -> database.read(
                connection -> connection
                        .preparedQuery(sql.count())
                        .execute(Tuple.of(library))
                        .map(rows -> rows.iterator().next().getLong("number")),
                PAGE_TIME));
    }

    /** The documents with these keys, in no order; those that are gone are left out. */
    public Future<List<DocumentRow>> documents(long library, List<byte[]> keys) {
        return documents(sql.documents(), library, keys);
    }

    /** The same with what is known of each document only; the rest is empty. */
    public Future<List<DocumentRow>> facts(long library, List<byte[]> keys) {
        return documents(sql.facts(), library, keys);
    }

    private Future<List<DocumentRow>> documents(String query, long library, List<byte[]> keys) {
        if (keys.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        Buffer[] wanted = keys.stream().map(Buffer::buffer).toArray(Buffer[]::new);
        return slowly(() -> database.read(
                connection -> connection
                        .preparedQuery(query)
                        .execute(Tuple.tuple().addLong(library).addArrayOfBuffer(wanted))
                        .map(rows -> {
                            List<DocumentRow> documents = new ArrayList<>();
                            rows.forEach(row -> documents.add(document(row)));
                            return documents;
                        }),
                PAGE_TIME));
    }

    private static DocumentRow document(Row row) {
        return new DocumentRow(
                row.getBuffer("key").getBytes(),
                row.getString("id"),
                row.getBoolean("restricted"),
                new DocumentRow.Body(
                        row.getBuffer("facts").getBytes(),
                        row.getBuffer("text").getBytes(),
                        row.getBuffer("chunks").getBytes(),
                        row.getBuffer("vectors").getBytes()));
    }

    /** Where a library is: its backend, owner and name. */
    public record Place(String backend, String owner, String name) {
        /** The same as a job beside others on the library: no backend's id has a colon. */
        public Place reindex() {
            return new Place(backend + ":reindex", owner, name);
        }
    }

    /**
     * What is to be changed.
     *
     * @param create whether the library is made if it is missing
     * @param lease the lease that must last until the change is made; null if it needs none
     */
    public record ChangeTarget(
            Place place, boolean create, @Nullable JobLease lease) {}

    /**
     * A change that was made.
     *
     * @param library the library after it; null if there is none, or if nothing was changed
     * @param result its result; null if there is no library
     */
    public record Made<T>(
            @Nullable LibraryRow library, @Nullable T result) {}

    /**
     * Makes a change. {@code work} may run several times, if another change comes between; not at all if there is no library.
     *
     * @return fails with what {@code work} fails with; with {@link ClusterUnavailableException} or {@link LeaseLostException} if
     *     nothing was changed, and with {@link PerhapsMadeException} if nobody knows
     */
    public <T> Future<Made<T>> change(ChangeTarget target, LibraryWrites.ChangeWork<T> work) {
        return slowly(() -> writes.change(target, work));
    }

    /**
     * Drops a library; false if there is none.
     *
     * @param reader sees the facts of all its documents that not everyone may read, and refuses by throwing
     * @param also is done in the same transaction
     */
    public Future<Boolean> drop(
            ChangeTarget target, Consumer<byte[]> reader, Function<LibraryTransaction, Future<Void>> also) {
        return slowly(() -> writes.drop(target, reader, also));
    }

    /** Removes some of what nobody needs any more, unless that is still being done. */
    void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            Future<Void> swept = swept(sql.adopt(), 1)
                    .compose(_ -> swept(sql.sweepDocuments(), SWEEPS))
                    .compose(_ -> swept(sql.sweepChanges(), SWEEPS))
                    .compose(_ -> swept(sql.sweepOldChanges(), SWEEPS))
                    .compose(_ -> swept(sql.sweepLibraries(), 1))
                    .compose(_ -> jobs.sweep())
                    .compose(_ -> searchSessions.sweep())
                    .compose(_ -> watches.sweep());
            Futures.settle(swept, _ -> sweeping.set(false), _ -> {});
        }
    }

    private Future<Void> swept(String statement, int most) {
        return database.runRelaxed(
                        connection -> connection.query(statement).execute().map(SqlResult::rowCount))
                .compose(removed -> removed > 0 && most > 1 ? swept(statement, most - 1) : Future.succeededFuture());
    }

    /** Runs what may take long. Sessions and limits have the other connections. */
    private <T> Future<T> slowly(Supplier<Future<T>> work) {
        return busy.run(
                work, () -> new ClusterUnavailableException(NotDone.BUSY, "too much work on documents waits", null));
    }
}
