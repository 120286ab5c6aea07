package switchboard.store;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import switchboard.call.FilterField;
import switchboard.call.Lifetime;
import switchboard.embed.EmbedListener;

/**
 * Stores and searches documents. An acknowledged change survives a crash and a power loss, and every later read sees
 * it. Replacing a document is atomic; if it fails, the old version stays.
 *
 * <p>Thread-safe; nothing here blocks. Reads take the namespaces that the caller may see and use no others. Namespaces
 * that do not exist are empty. Failures are {@link switchboard.call.ToolException}: {@code OVERLOADED} when too many
 * operations wait, {@code UNAVAILABLE} when the disk is full or a namespace's files are damaged, {@code
 * INVALID_ARGUMENT} for a vector of the wrong length or a filter on an unknown field, {@code CONFLICT} for a search by
 * vectors alone when no stored vector has the length of the query's.
 */
public interface DocumentStore {
    /** Stores {@code document}. It replaces the document with the same source in {@code namespace}, if there is one. */
    Future<PutResult> put(Namespace namespace, NewDocument document);

    /**
     * The same for a document that was made from {@code seen}, what {@link #findReplaceable} had found: fails with {@code CONFLICT}
     * if another process has changed that meanwhile. Callers in this process take turns.
     */
    default Future<PutResult> put(Namespace namespace, NewDocument document, Optional<StoredDocument> seen) {
        return put(namespace, document);
    }

    /** The stored document that {@link #put} would replace; fails with {@code DENIED} if it may not be read. */
    Future<Optional<StoredDocument>> findReplaceable(Namespace namespace, String source);

    /**
     * This store for a caller that may read only what {@code access} permits. Other documents are neither found, counted nor
     * felt in a score, as if they had never been stored. Only a change of one is noticed: it fails with {@code DENIED}.
     */
    DocumentStore seenBy(DocumentAccess access);

    /**
     * Looks what other processes have changed. All reads that begin afterwards see it. Does nothing where no other process can
     * change anything.
     */
    default Future<Void> refresh() {
        return Future.succeededFuture();
    }

    /**
     * Runs {@code work} in a turn of this process to change {@code namespace}: that of another process is waited for, as long as {@code
     * lifetime} allows, and so is the end of one that has stopped. Callers in this process take turns by themselves.
     */
    default <T> Future<T> alone(Namespace namespace, Lifetime lifetime, Function<StoreTurn, Future<T>> work) {
        return work.apply(new StoreTurn.Undisputed(this));
    }

    /**
     * Names the state of a namespace for what is computed from it and kept: another one after each change of another process. Reads
     * that begin afterwards see at least this state.
     */
    default Future<String> state(Namespace namespace) {
        return Future.succeededFuture("");
    }

    /** Why reads of some namespaces would fail for a while after the start; empty as soon as they don't. For operators. */
    default Optional<String> starting() {
        return Optional.empty();
    }

    /** Why searches fail, if what they need can't be reached. For operators. */
    default Optional<String> unreachable() {
        return Optional.empty();
    }

    /** How far the files follow a shared database; empty where they follow none. For operators. */
    default List<ReplicaState> following() {
        return List.of();
    }

    /**
     * What of {@code namespace} this store shows: everything, if nothing of it may be hidden from the caller. The same value
     * means the same view until the namespace changes.
     */
    DocumentAccess accessTo(Namespace namespace);

    /**
     * Changes the description of a document. Text, chunks, vectors, id and the place in listings stay. Empty if there is no
     * such document.
     */
    Future<Optional<StoredDocument>> describe(
            Collection<Namespace> namespaces, String id, DocumentDescription description);

    /** The same for a description that was made from {@code seen}: fails with {@code CONFLICT} if another process has changed that. */
    default Future<Optional<StoredDocument>> describe(StoredDocument seen, DocumentDescription description) {
        return describe(List.of(seen.namespace()), seen.id(), description);
    }

    /** Removes a document and returns it; empty if there is none. */
    Future<Optional<StoredDocument>> delete(Collection<Namespace> namespaces, String id);

    /** Removes a namespace with all its documents, which must all be permitted; false if there is none. */
    Future<Boolean> drop(Namespace namespace);

    /** Finds a document by source. */
    Future<Optional<StoredDocument>> find(Namespace namespace, String source);

    /** Finds a document by id. */
    Future<Optional<StoredDocument>> get(Collection<Namespace> namespaces, String id);

    /** Finds documents by id, in the order of {@code ids}. Unknown ids are left out. */
    Future<List<StoredDocument>> get(Collection<Namespace> namespaces, List<String> ids);

    /** Reads a document with its text. */
    Future<Optional<DocumentText>> read(Collection<Namespace> namespaces, String id);

    /** Lists one page of documents. */
    Future<DocumentPage> list(ListRequest request);

    /**
     * Collects the values of {@code names} of all documents of a namespace, in no particular order. Reads only the index,
     * not the documents.
     *
     * @param names as in {@link Filter}; a text longer than 4,096 bytes is truncated
     * @param collector runs completely on one of the store's threads
     */
    <R> Future<R> facts(Namespace namespace, Set<String> names, Collector<MetadataRow, ?, R> collector);

    /**
     * The fields that documents of each namespace have, sorted by name, with the types of their values and some of the least
     * values. Documents that were removed a moment ago may still count. Damaged namespaces are left out, unless all are.
     *
     * @param names the fields to look for, as in {@link Filter}
     * @param most of the metadata at most so many fields are listed besides, the first in order, those of nested objects
     *     joined by dots
     */
    Future<Map<Namespace, List<FilterField>>> fields(Collection<Namespace> namespaces, Set<String> names, int most);

    /** The chunks that pass the filter, ordered by source and position in the document; at most {@code limit}. */
    Future<List<StoredChunk>> chunks(Collection<Namespace> namespaces, Filter filter, int limit);

    /** Searches for the chunks that match the query best. */
    Future<SearchResult> search(SearchRequest request);

    /** The same search, with the scores grouped by document and without reading the documents. */
    Future<DocumentScores> scores(SearchRequest request);

    /** All namespaces, sorted, including empty ones. */
    List<Namespace> namespaces();

    /**
     * The number of documents and chunks of each namespace, sorted. Namespaces that do not exist are left out, and
     * so are those whose documents are all hidden.
     */
    Future<List<NamespaceStats>> stats(Collection<Namespace> namespaces);

    /** The names of namespaces that are known to be unreadable, for operators. */
    List<String> damaged();

    /**
     * Copies the store to {@code target}, which must not exist, while it serves. Each namespace is copied as of one
     * moment, including everything acknowledged before the call. To restore, copy it back. Returns the number of
     * namespaces.
     */
    Future<Integer> backup(Path target);

    /**
     * Reads every file of every namespace and reports what is damaged. Writes to a namespace wait while it is checked.
     */
    Future<List<NamespaceCheck>> check();

    /**
     * Computes the vectors of all documents with the model that {@code embedders} has for their namespace, one
     * document at a time, while the store serves. A later run continues where one was stopped. Documents of namespaces
     * without a model stay unchanged. Returns the number of changed documents.
     *
     * <p>Where several processes share documents, they do so one after the other.
     *
     * @param lifetime of the call: it waits no longer for another process
     * @param listener called after each document with the number done; may cancel the run
     */
    Future<Integer> reindex(NamespaceEmbedders embedders, Lifetime lifetime, EmbedListener listener);

    /** Writes to the folder where other processes that need it can call this process. The address is a secret. */
    Future<Void> announce(String address);

    /** Finishes the work under way, then releases the folder. */
    Future<Void> close();
}
