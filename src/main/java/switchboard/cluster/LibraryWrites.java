package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.cluster.DocumentTables.ChangeTarget;
import switchboard.cluster.DocumentTables.Made;
import switchboard.cluster.DocumentTables.Place;

/** Changes of libraries: each is one transaction, which takes its position in its last statement. */
public final class LibraryWrites {
    private static final int ATTEMPTS = 8;
    private static final int LOOKS = 8;

    /** A serialization failure, a deadlock, and a document or a library that was added at the same moment. */
    private static final Set<String> AGAIN = Set.of("40001", "40P01", "23505");

    private final ClusterDatabase database;
    private final DocumentSql sql;
    private final JobTable jobs;

    LibraryWrites(ClusterDatabase database, DocumentSql sql, JobTable jobs) {
        this.database = database;
        this.sql = sql;
        this.jobs = jobs;
    }

    /** Changes at most one document, and says how. */
    @FunctionalInterface
    public interface ChangeWork<T> {
        /** Works in {@code transaction}. A future that fails undoes it. */
        Future<Done<T>> in(LibraryTransaction transaction);
    }

    /**
     * What became of some work.
     *
     * @param step what it changed; null for nothing
     * @param result its result
     */
    public record Done<T>(@Nullable DocumentChange step, T result) {}

    /**
     * A change of a document.
     *
     * @param kind {@code put}, {@code describe}, {@code delete} or {@code reindex}
     * @param key the SHA-256 of its source
     * @param source its source
     */
    public record DocumentChange(String kind, byte[] key, String source) {}

    /** Another change came between; nothing was changed. */
    static final class ChangedMeanwhileException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ChangedMeanwhileException() {
            super("another change came between", null, false, false);
        }
    }

    /** Work is to be done again because of another change that came between. */
    public static RuntimeException again() {
        return new ChangedMeanwhileException();
    }

    /** The library of a transaction, and when it began. */
    private record Begun(LibraryRow library, LibraryTransaction transaction) {}

    <T> Future<Made<T>> change(ChangeTarget target, ChangeWork<T> work) {
        return attempt(target, work, ATTEMPTS);
    }

    private <T> Future<Made<T>> attempt(ChangeTarget target, ChangeWork<T> work, int left) {
        UUID operation = UUID.randomUUID();
        AtomicReference<@Nullable LibraryRow> library = new AtomicReference<>();
        AtomicReference<@Nullable T> result = new AtomicReference<>();
        Future<Made<T>> made = database.write(
                connection -> begin(connection, target).compose(begun -> {
                    if (begun.isEmpty()) {
                        return Future.succeededFuture(new Made<>(null, null));
                    }
                    library.set(begun.get().library());
                    return work.in(begun.get().transaction()).compose(done -> {
                        result.set(done.result());
                        return take(connection, begun.get().library(), operation, done);
                    });
                }),
                LibraryWrites::passed);
        return made.recover(failure -> {
            LibraryRow begun = library.get();
            if (failure instanceof UnknownOutcomeException && begun != null) {
                return find(begun, operation, LOOKS, failure).map(head -> new Made<>(begun.at(head), result.get()));
            }
            return left > 1 && comesAgain(failure)
                    ? attempt(target, work, left - 1)
                    : Future.failedFuture(told(failure));
        });
    }

    private static Throwable told(Throwable failure) {
        return comesAgain(failure)
                ? new ClusterUnavailableException(NotDone.BUSY, "too many changes at once", failure)
                : failure;
    }

    private static boolean passed(Throwable failure) {
        return failure instanceof ToolException || failure instanceof LeaseLostException || comesAgain(failure);
    }

    private static boolean comesAgain(Throwable failure) {
        return failure instanceof ChangedMeanwhileException
                || (failure instanceof PgException said && AGAIN.contains(String.valueOf(said.getSqlState())));
    }

    private Future<Optional<Begun>> begin(SqlConnection connection, ChangeTarget target) {
        JobLease lease = target.lease();
        return lease == null
                ? found(connection, target)
                : jobs.hold(connection, lease).compose(_ -> found(connection, target));
    }

    private Future<Optional<Begun>> found(SqlConnection connection, ChangeTarget target) {
        Place place = target.place();
        Tuple where = Tuple.of(place.backend(), place.owner(), place.name());
        return connection.preparedQuery(sql.find()).execute(where).compose(found -> {
            if (found.size() > 0 || !target.create()) {
                return Future.succeededFuture(found.size() == 0 ? Optional.empty() : begun(connection, found));
            }
            return connection.preparedQuery(sql.make()).execute(where).map(made -> {
                if (made.size() == 0) {
                    throw again();
                }
                return begun(connection, made);
            });
        });
    }

    private Optional<Begun> begun(SqlConnection connection, Iterable<Row> rows) {
        Row row = rows.iterator().next();
        LibraryRow library = library(row);
        return Optional.of(new Begun(
                library,
                new LibraryTransaction(
                        connection,
                        sql,
                        library,
                        row.getOffsetDateTime("moment").toInstant())));
    }

    private <T> Future<Made<T>> take(SqlConnection connection, LibraryRow library, UUID operation, Done<T> done) {
        DocumentChange step = done.step();
        if (step == null) {
            return Future.succeededFuture(new Made<>(null, done.result()));
        }
        Tuple values = Tuple.tuple()
                .addLong(library.id())
                .addUUID(operation)
                .addBuffer(Buffer.buffer(step.key()))
                .addBuffer(Buffer.buffer(step.source().getBytes(StandardCharsets.UTF_8)))
                .addString(step.kind());
        return connection.preparedQuery(sql.take()).execute(values).map(rows -> {
            if (rows.size() == 0) {
                throw again(); // it was dropped
            }
            Row row = rows.iterator().next();
            LibraryRow.Head head = new LibraryRow.Head(
                    row.getLong("position"),
                    operation,
                    row.getOffsetDateTime("created").toInstant());
            return new Made<>(library.at(head), done.result());
        });
    }

    /** Looks whether a change was made. The lock waits for a transaction that is still being committed. */
    private Future<LibraryRow.Head> find(LibraryRow library, UUID operation, int left, Throwable why) {
        return database.run(connection -> connection
                        .preparedQuery(sql.lock())
                        .execute(Tuple.of(library.id()))
                        .compose(_ -> connection
                                .preparedQuery(sql.made())
                                .execute(Tuple.of(library.id(), library.head().position(), operation))
                                .map(rows -> rows.size() == 0
                                        ? Optional.<LibraryRow.Head>empty()
                                        : Optional.of(change(rows.iterator().next())))))
                .transform(looked -> {
                    if (looked.succeeded() && looked.result().isPresent()) {
                        return Future.succeededFuture(looked.result().get());
                    }
                    if (looked.cause() instanceof ClusterUnavailableException && left > 1) {
                        return database.later().compose(_ -> find(library, operation, left - 1, why));
                    }
                    // Nobody can wait for a library that this transaction may still be making.
                    return Future.failedFuture(
                            looked.succeeded() && library.head().position() > 0
                                    ? new ClusterUnavailableException(NotDone.UNREACHED, "it was not committed", why)
                                    : new PerhapsMadeException(why));
                });
    }

    Future<Boolean> drop(
            ChangeTarget target, Consumer<byte[]> reader, Function<LibraryTransaction, Future<Void>> also) {
        return database.write(
                        connection -> begin(connection, target)
                                .compose(begun -> begun.isEmpty()
                                        ? Future.succeededFuture(false)
                                        : connection
                                                .preparedQuery(sql.drop())
                                                .execute(Tuple.of(
                                                        begun.get().library().id()))
                                                .compose(dropped -> dropped.size() == 0
                                                        ? Future.succeededFuture(false)
                                                        : begun.get()
                                                                .transaction()
                                                                .restricted(reader)
                                                                .compose(_ -> also.apply(begun.get()
                                                                        .transaction()))
                                                                .map(true))),
                        LibraryWrites::passed)
                .recover(failure -> Future.failedFuture(
                        failure instanceof UnknownOutcomeException
                                ? new PerhapsMadeException(failure)
                                : told(failure)));
    }

    /** A library's row. */
    static LibraryRow library(Row row) {
        return new LibraryRow(
                row.getLong("id"),
                row.getUUID("incarnation"),
                row.getString("owner"),
                row.getString("name"),
                row.getBoolean("live"),
                new LibraryRow.Head(
                        row.getLong("position"),
                        row.getUUID("operation"),
                        row.getOffsetDateTime("changed").toInstant()));
    }

    /** A change's place, id and time. */
    static LibraryRow.Head change(Row row) {
        return new LibraryRow.Head(
                row.getLong("position"),
                row.getUUID("operation"),
                row.getOffsetDateTime("created").toInstant());
    }
}
