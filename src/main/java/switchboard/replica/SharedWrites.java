package switchboard.replica;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.ClusterUnavailableException;
import switchboard.cluster.DocumentRow;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.LeaseLostException;
import switchboard.cluster.LibraryRow;
import switchboard.cluster.LibraryTransaction;
import switchboard.cluster.LibraryWrites;
import switchboard.cluster.LibraryWrites.DocumentChange;
import switchboard.cluster.LibraryWrites.Done;
import switchboard.cluster.PerhapsMadeException;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentForm;
import switchboard.store.EngineChunk;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.store.PutResult;
import switchboard.store.StoreReplica;
import switchboard.store.StoreReplica.PreparedDocument;
import switchboard.store.StoredDocument;
import switchboard.text.SurrogatePairs;

/** Changes of documents in the shared database. Each is durable when it completes; this node's files follow soon. Thread-safe. */
final class SharedWrites {
    private static final int AT_ONCE = 4;
    private static final int MOST_WAITING = 1_000;
    private static final int PLACES = 5;

    private final String backend;
    private final DocumentTables tables;
    private final StoreReplica replica;
    private final Function<LibraryRow, Future<?>> wrote;
    private final ChunkPlace chunks;
    private final FairSemaphore permits;
    private final @Nullable LeasedTurn turn;

    /** Changes; {@code wrote} completes when this node's files have one. */
    SharedWrites(
            String backend,
            DocumentTables tables,
            StoreReplica replica,
            Function<LibraryRow, Future<?>> wrote,
            ChunkPlace chunks,
            TeamShare share) {
        this.backend = backend;
        this.tables = tables;
        this.replica = replica;
        this.chunks = chunks;
        this.wrote = wrote;
        this.permits = new FairSemaphore(AT_ONCE, MOST_WAITING, share);
        this.turn = null;
    }

    private SharedWrites(SharedWrites all, LeasedTurn turn) {
        this.backend = all.backend;
        this.tables = all.tables;
        this.replica = all.replica;
        this.chunks = all.chunks;
        this.wrote = all.wrote;
        this.permits = all.permits;
        this.turn = turn;
    }

    /** The same, whose changes fail once {@code turn} is over. */
    SharedWrites in(LeasedTurn turn) {
        return new SharedWrites(this, turn);
    }

    /** Whether the changes belong to a turn. */
    boolean inTurn() {
        return turn != null;
    }

    /** What a change finds of a document. It refuses by throwing. */
    @FunctionalInterface
    interface FoundCheck {
        /** Anything. */
        FoundCheck ANY = _ -> {};

        /** Sees what may be read of the document that is to be changed. */
        void check(Optional<StoredDocument> found);

        /** Only what was {@code seen} before. */
        static FoundCheck only(Optional<StoredDocument> seen) {
            return found -> {
                if (!found.map(FoundCheck::version).equals(seen.map(FoundCheck::version))) {
                    throw changed();
                }
            };
        }

        /** The failure of a change of what is another one by now. */
        static ToolException changed() {
            return new ToolException(
                    FailureKind.CONFLICT,
                    "Another gateway changed the document at the same time; nothing was changed. Try again.");
        }

        private static List<Object> version(StoredDocument document) {
            return List.of(document.id(), document.details());
        }
    }

    Future<PutResult> put(DocumentAccess access, Namespace namespace, NewDocument document, FoundCheck check) {
        return replica.prepare(namespace, document)
                .compose(prepared -> put(access, namespace, prepared, check, PLACES));
    }

    /** The library may be dropped, and made again, while chunks are written to it. */
    private Future<PutResult> put(
            DocumentAccess access, Namespace namespace, PreparedDocument prepared, FoundCheck check, int left) {
        return chunks.place(prepared, () -> library(namespace))
                .recover(failure -> Future.failedFuture(noted(failure)))
                .compose(placed -> change(namespace, true, transaction -> chunks.use(transaction, placed)
                                .compose(_ -> put(transaction, access, placed.document(), check)))
                        .onFailure(_ -> chunks.failed(placed)))
                .map(Optional::orElseThrow)
                .recover(failure -> failure.getCause() instanceof ChunkPlace.LibraryReplacedException && left > 1
                        ? put(access, namespace, prepared, check, left - 1)
                        : Future.failedFuture(failure));
    }

    /** The library of a name, which is made if there is none. */
    private Future<LibraryRow> library(Namespace namespace) {
        return change(namespace, true, transaction -> Future.succeededFuture(new Done<>(null, transaction.library())))
                .map(Optional::orElseThrow);
    }

    private Future<Done<PutResult>> put(
            LibraryTransaction transaction, DocumentAccess access, PreparedDocument prepared, FoundCheck check) {
        Namespace namespace = prepared.document().namespace();
        byte[] key = key(prepared.document().source());
        StoredDocument now = prepared.document().storedAt(transaction.now().truncatedTo(ChronoUnit.MILLIS));
        DocumentForm form = prepared.form();
        DocumentRow row = new DocumentRow(
                key,
                now.id(),
                now.allow().restricted(),
                new DocumentRow.Body(
                        DocumentForm.factsOf(now, form.facts()), form.text(), form.chunks(), form.vectors()));
        return transaction.bySource(key).compose(found -> {
            Optional<StoredDocument> before = readable(access, namespace, found);
            check.check(before);
            Future<Void> written = found.isPresent()
                    ? transaction.replace(row).compose(_ -> chunks.leave(transaction, id(namespace, found.get())))
                    : transaction.insert(row).map(added -> {
                        if (!added) {
                            throw LibraryWrites.again();
                        }
                        return null;
                    });
            return written.map(new Done<>(new DocumentChange("put", key, now.source()), new PutResult(now, before)));
        });
    }

    private static String id(Namespace namespace, LibraryTransaction.LockedDocument found) {
        return DocumentForm.document(namespace, found.facts()).id();
    }

    /** What was found, if it may be read. */
    private static Optional<StoredDocument> readable(
            DocumentAccess access, Namespace namespace, Optional<LibraryTransaction.LockedDocument> found) {
        return StoreReplica.permitted(access, found.map(one -> DocumentForm.document(namespace, one.facts())));
    }

    Future<Optional<StoredDocument>> describe(
            DocumentAccess access,
            Collection<Namespace> namespaces,
            String id,
            DocumentDescription description,
            FoundCheck check) {
        return each(namespaces, id, "describe", access, (transaction, found, before) -> {
            check.check(Optional.of(before));
            StoredDocument now = before.with(description);
            StoreReplica.check(now);
            byte[] facts = DocumentForm.factsOf(now, description.foundBy(), found.facts());
            return transaction
                    .describe(found.key(), now.allow().restricted(), facts)
                    .map(now);
        });
    }

    Future<Optional<StoredDocument>> delete(DocumentAccess access, Collection<Namespace> namespaces, String id) {
        return each(namespaces, id, "delete", access, (transaction, found, before) -> transaction
                .delete(found.key())
                .compose(_ -> chunks.leave(transaction, before.id()))
                .map(before));
    }

    Future<Optional<StoredDocument>> giveVectors(
            Collection<Namespace> namespaces, String id, String model, List<Map<String, float[]>> vectors) {
        byte[] form = DocumentForm.vectorsOf(vectors);
        StoreReplica.checkSize(id, form.length);
        return each(namespaces, id, "reindex", DocumentAccess.EVERYTHING, (transaction, found, before) -> {
            StoredDocument now = before.withModel(model);
            return transaction
                    .giveVectors(found.key(), DocumentForm.factsOf(now, found.facts()), form)
                    .map(now);
        });
    }

    /** The engine has other chunks of a document, with vectors of {@code model}; null for none. */
    Future<Optional<StoredDocument>> moved(
            Collection<Namespace> namespaces, String id, @Nullable String model, List<EngineChunk> there) {
        return each(namespaces, id, "reindex", DocumentAccess.EVERYTHING, (transaction, found, before) -> {
            StoredDocument now = before.withModel(model);
            return transaction
                    .giveVectors(found.key(), DocumentForm.factsOf(now, there, found.facts()), new byte[0])
                    .map(now);
        });
    }

    /** A change of a document that is there. */
    private interface Rewrite {
        Future<StoredDocument> of(
                LibraryTransaction transaction, LibraryTransaction.LockedDocument found, StoredDocument before);
    }

    /** Changes the document {@code id}, in the one of the namespaces that has it. */
    private Future<Optional<StoredDocument>> each(
            Collection<Namespace> namespaces, String id, String kind, DocumentAccess access, Rewrite rewrite) {
        Future<Optional<StoredDocument>> result = Future.succeededFuture(Optional.empty());
        for (Namespace namespace : StoreReplica.candidates(id, namespaces)) {
            result = result.compose(earlier -> earlier.isPresent()
                    ? Future.succeededFuture(earlier)
                    : change(namespace, false, transaction -> transaction
                                    .byId(id)
                                    .compose(found -> rewritten(
                                            transaction, found, readable(access, namespace, found), kind, rewrite)))
                            .map(changed -> changed.flatMap(one -> one)));
        }
        return result;
    }

    private static Future<Done<Optional<StoredDocument>>> rewritten(
            LibraryTransaction transaction,
            Optional<LibraryTransaction.LockedDocument> found,
            Optional<StoredDocument> before,
            String kind,
            Rewrite rewrite) {
        if (found.isEmpty() || before.isEmpty()) {
            return Future.succeededFuture(new Done<>(null, Optional.empty()));
        }
        DocumentChange step =
                new DocumentChange(kind, found.get().key(), before.get().source());
        return rewrite.of(transaction, found.get(), before.get()).map(now -> new Done<>(step, Optional.of(now)));
    }

    Future<Boolean> drop(DocumentAccess access, Namespace namespace) {
        Consumer<byte[]> reader = facts -> {
            if (!access.permits(DocumentForm.document(namespace, facts).allow())) {
                throw StoreReplica.denied(namespace.name() + " has documents that you may not read");
            }
        };
        return permits.run(() -> tables.drop(target(namespace, false), reader, chunks::drop), SharedWrites::overloaded)
                .recover(failure -> Future.failedFuture(noted(failure)))
                .map(Futures.also(_ -> tables.announce(backend)));
    }

    private <T> Future<Optional<T>> change(Namespace namespace, boolean create, LibraryWrites.ChangeWork<T> work) {
        return permits.run(() -> tables.change(target(namespace, create), work), SharedWrites::overloaded)
                .recover(failure -> Future.failedFuture(noted(failure)))
                .compose(made -> {
                    LibraryRow library = made.library();
                    Optional<T> result = Optional.ofNullable(made.result());
                    if (library == null) {
                        return Future.succeededFuture(result);
                    }
                    tables.announce(backend);
                    return wrote.apply(library).map(result);
                });
    }

    /** What ends the turn of a change ends it for all that would follow. What only this change met does not. */
    private Throwable noted(Throwable failure) {
        Throwable told = told(failure);
        boolean one = failure instanceof ClusterUnavailableException refused
                && refused.reason() == ClusterUnavailableException.NotDone.REFUSED;
        if (turn != null && !one && !told.equals(failure)) {
            turn.ends(String.valueOf(told.getMessage()));
        }
        return told;
    }

    private DocumentTables.ChangeTarget target(Namespace namespace, boolean create) {
        return new DocumentTables.ChangeTarget(place(namespace), create, turn == null ? null : turn.lease());
    }

    DocumentTables.Place place(Namespace namespace) {
        return place(backend, namespace);
    }

    /**
     * Where a namespace of {@code backend} is.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if a database can't have its name
     */
    static DocumentTables.Place place(String backend, Namespace namespace) {
        for (String text : List.of(namespace.owner(), namespace.name())) {
            if (text.indexOf('\0') >= 0 || !SurrogatePairs.replaceLone(text).equals(text)) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "The name has U+0000 or half a character, which a shared database can't store. Use another name.");
            }
        }
        return new DocumentTables.Place(backend, namespace.owner(), namespace.name());
    }

    private static ToolException overloaded() {
        return new ToolException(FailureKind.OVERLOADED, "Too many writes are waiting. Try again in a moment.");
    }

    /** The failure for callers. */
    static Throwable told(Throwable failure) {
        return switch (failure) {
            case LeaseLostException _ -> new ToolException(FailureKind.UNAVAILABLE, LeasedTurn.LOST);
            case PerhapsMadeException _ ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The database that the gateways share went away during the change, which may or may not have been"
                                + " made. Look whether it was, and try again if not.");
            case ClusterUnavailableException why -> told(why.reason());
            default -> failure;
        };
    }

    private static ToolException told(ClusterUnavailableException.NotDone reason) {
        String database = "The database that the gateways share ";
        String again = "; nothing was changed. Try again in a moment.";
        return switch (reason) {
            case UNREACHED -> new ToolException(FailureKind.UNAVAILABLE, database + "can't be reached" + again);
            case LATE -> new ToolException(FailureKind.UNAVAILABLE, database + "did not answer in time" + again);
            case BUSY -> new ToolException(FailureKind.OVERLOADED, database + "has too much to do now" + again);
            case REFUSED ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        database + "refused this change, and the gateway's log says why; nothing was changed.");
        };
    }

    /** The key of a source. */
    static byte[] key(String source) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
