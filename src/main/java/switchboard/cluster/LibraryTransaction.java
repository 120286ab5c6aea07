package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** A transaction that changes one document of a library. What it reads of a document stays locked until its end. */
public final class LibraryTransaction {
    private final SqlConnection connection;
    private final DocumentSql sql;
    private final LibraryRow row;
    private final long library;
    private final Instant now;

    LibraryTransaction(SqlConnection connection, DocumentSql sql, LibraryRow row, Instant now) {
        this.connection = connection;
        this.sql = sql;
        this.row = row;
        this.library = row.id();
        this.now = now;
    }

    /** The library, before the change. */
    public LibraryRow library() {
        return row;
    }

    /**
     * A document that was found.
     *
     * @param key the SHA-256 of its source
     * @param facts what is known of it
     */
    public record LockedDocument(byte[] key, byte[] facts) {}

    /** The database's time. */
    public Instant now() {
        return now;
    }

    /** The document with the source of that key. */
    public Future<Optional<LockedDocument>> bySource(byte[] key) {
        return found(sql.bySource(), Buffer.buffer(key));
    }

    /** The document with that id. */
    public Future<Optional<LockedDocument>> byId(String id) {
        return found(sql.byId(), id);
    }

    private Future<Optional<LockedDocument>> found(String query, Object which) {
        return execute(query, Tuple.of(library, which)).map(rows -> {
            if (rows.size() == 0) {
                return Optional.empty();
            }
            Row row = rows.iterator().next();
            return Optional.of(new LockedDocument(
                    row.getBuffer("key").getBytes(), row.getBuffer("facts").getBytes()));
        });
    }

    /** Adds a document; false if there is one with its source, which another transaction has just added. */
    public Future<Boolean> insert(DocumentRow row) {
        return execute(sql.insert(), all(row)).map(rows -> rows.size() == 1);
    }

    /** Replaces the document with the same source, which was found before. */
    public Future<Void> replace(DocumentRow row) {
        return execute(sql.replace(), all(row)).mapEmpty();
    }

    private Tuple all(DocumentRow row) {
        DocumentRow.Body body = row.body();
        return Tuple.tuple()
                .addLong(library)
                .addBuffer(Buffer.buffer(row.key()))
                .addString(row.id())
                .addBoolean(row.restricted())
                .addInteger(body.size())
                .addBuffer(Buffer.buffer(body.facts()))
                .addBuffer(Buffer.buffer(body.text()))
                .addBuffer(Buffer.buffer(body.chunks()))
                .addBuffer(Buffer.buffer(body.vectors()));
    }

    /** Changes what is known of a document that was found before. */
    public Future<Void> describe(byte[] key, boolean restricted, byte[] facts) {
        return execute(sql.describe(), Tuple.of(library, Buffer.buffer(key), restricted, Buffer.buffer(facts)))
                .mapEmpty();
    }

    /** Gives other vectors to a document that was found before. */
    public Future<Void> giveVectors(byte[] key, byte[] facts, byte[] vectors) {
        return execute(
                        sql.giveVectors(),
                        Tuple.of(library, Buffer.buffer(key), Buffer.buffer(facts), Buffer.buffer(vectors)))
                .mapEmpty();
    }

    /** Removes a document that was found before. */
    public Future<Void> delete(byte[] key) {
        return execute(sql.delete(), Tuple.of(library, Buffer.buffer(key))).mapEmpty();
    }

    /**
     * The document's chunks in an engine are used from now on: {@link UnusedChunks#begin} has noted them. False if they are being
     * removed, because that took too long.
     */
    public Future<Boolean> useChunks(String document) {
        return execute(sql.useChunks(), Tuple.of(row.incarnation(), document)).map(rows -> rows.rowCount() == 1);
    }

    /** The chunks in an engine of a document that was replaced or removed are to be removed soon. */
    public Future<Void> leaveChunks(String backend, String document) {
        return execute(sql.leaveChunks(), Tuple.of(row.incarnation(), document, backend))
                .mapEmpty();
    }

    /** Shows {@code reader} the facts of all documents that not everyone may read. */
    Future<Void> restricted(Consumer<byte[]> reader) {
        return restricted(reader, "");
    }

    private Future<Void> restricted(Consumer<byte[]> reader, String after) {
        return execute(sql.restricted(), Tuple.of(library, after)).compose(rows -> {
            String last = after;
            for (Row row : rows) {
                reader.accept(row.getBuffer("facts").getBytes());
                last = row.getString("id");
            }
            return rows.size() == 0 ? Future.succeededFuture() : restricted(reader, last);
        });
    }

    private Future<RowSet<Row>> execute(String query, Tuple values) {
        return connection.preparedQuery(query).execute(values);
    }
}
