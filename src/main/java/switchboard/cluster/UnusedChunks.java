package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Chunks in an engine that no document uses, so that they are removed whatever becomes of the gateway that wrote or left them. Failures
 * are {@link ClusterUnavailableException}. Thread-safe.
 */
public final class UnusedChunks {
    /** What writes chunks takes at most so long; afterwards they are removed, and their document can't be stored. */
    static final Duration LONGEST_WRITE = Duration.ofMinutes(10);

    /**
     * Chunks that are not used any more stay so long: for gateways whose files still name them, which may be older by the longest
     * {@code freshness} and some lag, and because what was given up may still be written.
     */
    static final Duration KEPT = Duration.ofMinutes(3);

    /** What removes chunks has so long, before another may try. */
    static final Duration CLAIM = Duration.ofMinutes(1);

    /** {@link #claim} takes at most so many. */
    public static final int PAGE = 50;

    private final ClusterDatabase database;
    private final BooleanSupplier open;
    private final String table;
    private final String library;
    private final String document;

    /**
     * Unused chunks.
     *
     * @param open whether the schema is there, and may be used
     */
    UnusedChunks(ClusterDatabase database, String schema, BooleanSupplier open) {
        this.database = database;
        this.open = open;
        this.table = schema + ".unused_chunks";
        this.library = schema + ".library";
        this.document = schema + ".document";
    }

    /**
     * What can be removed.
     *
     * @param collection the incarnation of the library
     * @param document the id of the document; empty for the whole library
     * @param live whether the library is there
     * @param current whether the document is there after all, so that its chunks stay
     * @param ready when it is offered again; another time if it was noted again
     */
    public record Unused(UUID collection, String document, boolean live, boolean current, OffsetDateTime ready) {}

    /** Notes that chunks of a document are about to be written. */
    public Future<Void> begin(String backend, UUID collection, String id) {
        return note(backend, collection, id, LONGEST_WRITE);
    }

    /** Notes that what was begun will not be used. */
    public Future<Void> release(String backend, UUID collection, String id) {
        return note(backend, collection, id, KEPT);
    }

    /** Notes chunks of documents that nobody knows; those that are noted already stay as they are. */
    public Future<Void> unknown(String backend, UUID collection, List<String> ids) {
        if (ids.isEmpty()) {
            return Future.succeededFuture();
        }
        return database.run(connection -> connection
                .preparedQuery("INSERT INTO " + table + " (collection, document, backend, ready)"
                        + " SELECT $1, id, $2, now() + $3 * interval '1 second' FROM unnest($4::text[]) AS id"
                        + " ON CONFLICT (collection, document) DO NOTHING")
                .execute(Tuple.of(collection, backend, (double) LONGEST_WRITE.toSeconds(), ids.toArray(String[]::new)))
                .mapEmpty());
    }

    private Future<Void> note(String backend, UUID collection, String id, Duration after) {
        return database.run(connection -> connection
                .preparedQuery("INSERT INTO " + table + " (collection, document, backend, ready)"
                        + " VALUES ($1, $2, $3, now() + $4 * interval '1 second')"
                        + " ON CONFLICT (collection, document) DO UPDATE SET ready = EXCLUDED.ready")
                .execute(Tuple.of(collection, id, backend, (double) after.toSeconds()))
                .mapEmpty());
    }

    /** Takes some of what can be removed, which is offered again after {@link #CLAIM} unless it is {@link #gone}. */
    public Future<List<Unused>> claim(String backend) {
        if (!open.getAsBoolean()) {
            return Future.succeededFuture(List.of());
        }
        String ready = "SELECT collection, document FROM " + table
                + " WHERE backend = $1 AND ready < now() ORDER BY ready LIMIT " + PAGE + " FOR UPDATE SKIP LOCKED";
        String there = "SELECT 1 FROM " + library + " l WHERE l.incarnation = u.collection AND l.live";
        return database.run(connection -> connection
                .preparedQuery("UPDATE " + table + " u SET claimed = true, ready = now() + $2 * interval '1 second'"
                        + " WHERE (collection, document) IN (" + ready
                        + ") RETURNING collection, document, ready, EXISTS ("
                        + there + ") AS live, EXISTS (" + there + " AND EXISTS (SELECT 1 FROM " + document
                        + " d WHERE d.library = l.id AND d.id = u.document)) AS current")
                .execute(Tuple.of(backend, (double) CLAIM.toSeconds()))
                .map(rows -> {
                    List<Unused> unused = new ArrayList<>();
                    for (Row row : rows) {
                        unused.add(new Unused(
                                row.getUUID("collection"),
                                row.getString("document"),
                                row.getBoolean("live"),
                                row.getBoolean("current"),
                                row.getOffsetDateTime("ready")));
                    }
                    return unused;
                }));
    }

    /** Forgets what was removed, or is used after all, unless it was noted again meanwhile. */
    public Future<Void> gone(Unused unused) {
        return database.run(connection -> connection
                .preparedQuery("DELETE FROM " + table + " WHERE collection = $1 AND document = $2 AND ready = $3")
                .execute(Tuple.of(unused.collection(), unused.document(), unused.ready()))
                .mapEmpty());
    }
}
