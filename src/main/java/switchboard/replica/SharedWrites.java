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

    private final String backend;
    private final DocumentTables tables;
    private final StoreReplica replica;
    private final Function<LibraryRow, Future<?>> wrote;
    private final FairSemaphore permits;
    private final @Nullable LeasedTurn turn;

    /** Changes; {@code wrote} completes when this node's files have one. */
    SharedWrites(
            String backend,
            DocumentTables tables,
            StoreReplica replica,
            Function<LibraryRow, Future<?>> wrote,
            TeamShare share) {
        this.backend = backend;
        this.tables = tables;
        this.replica = replica;
        this.wrote = wrote;
        this.permits = new FairSemaphore(AT_ONCE, MOST_WAITING, share);
        this.turn = null;
    }

    private SharedWrites(SharedWrites all, LeasedTurn turn) {
        this.backend = all.backend;
        this.tables = all.tables;
        this.replica = all.replica;
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
                    throw new ToolException(
                            FailureKind.CONFLICT,
                            "Another gateway changed the document at the same time; nothing was changed. Try again.");
                }
            };
        }

        private static List<Object> version(StoredDocument document) {
            return List.of(document.id(), document.details());
        }
    }

    Future<PutResult> put(DocumentAccess access, Namespace namespace, NewDocument document, FoundCheck check) {
        return replica.prepare(namespace, document)
                .compose(prepared -> change(namespace, true, transaction -> put(transaction, access, prepared, check)))
                .map(Optional::orElseThrow);
    }

    private static Future<Done<PutResult>> put(
            LibraryTransaction transaction, DocumentAccess access, PreparedDocument prepared, FoundCheck check) {
        Namespace namespace = prepared.document().namespace();
        byte[] key = key(prepared.document().source());
        StoredDocument now = prepared.document().storedAt(transaction.now().truncatedTo(ChronoUnit.MILLIS));
        DocumentForm form = prepared.form();
        DocumentRow row = new DocumentRow(
                key,
                now.id(),
                now.allow().restricted(),
                new DocumentRow.Body(DocumentForm.factsOf(now), form.text(), form.chunks(), form.vectors()));
        return transaction.bySource(key).compose(found -> {
            Optional<StoredDocument> before = readable(access, namespace, found);
            check.check(before);
            Future<Void> written = found.isPresent()
                    ? transaction.replace(row)
                    : transaction.insert(row).map(added -> {
                        if (!added) {
                            throw LibraryWrites.again();
                        }
                        return null;
                    });
            return written.map(new Done<>(new DocumentChange("put", key, now.source()), new PutResult(now, before)));
        });
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
            byte[] facts = DocumentForm.factsOf(now, description.foundBy());
            return transaction
                    .describe(found.key(), now.allow().restricted(), facts)
                    .map(now);
        });
    }

    Future<Optional<StoredDocument>> delete(DocumentAccess access, Collection<Namespace> namespaces, String id) {
        return each(namespaces, id, "delete", access, (transaction, found, before) -> transaction
                .delete(found.key())
                .map(before));
    }

    Future<Optional<StoredDocument>> giveVectors(
            Collection<Namespace> namespaces, String id, String model, List<Map<String, float[]>> vectors) {
        byte[] form = DocumentForm.vectorsOf(vectors);
        return each(namespaces, id, "reindex", DocumentAccess.EVERYTHING, (transaction, found, before) -> {
            StoredDocument now = before.withModel(model);
            return transaction
                    .giveVectors(found.key(), DocumentForm.factsOf(now, found.facts()), form)
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
        return permits.run(
                        () -> tables.drop(target(namespace, false), facts -> {
                            if (!access.permits(
                                    DocumentForm.document(namespace, facts).allow())) {
                                throw StoreReplica.denied(namespace.name() + " has documents that you may not read");
                            }
                        }),
                        SharedWrites::overloaded)
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
        boolean one = failure instanceof ClusterUnavailableException refused && refused.oneStatement();
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
            case ClusterUnavailableException refused
            when refused.oneStatement() ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The database that the gateways share refused this change, so nothing was changed. The gateway's log"
                                + " says why.");
            case ClusterUnavailableException _ ->
                new ToolException(
                        FailureKind.UNAVAILABLE,
                        "The database that the gateways share can't be reached; nothing was changed. Try again in a moment.");
            default -> failure;
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
