package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collector;
import switchboard.embed.EmbedListener;

/**
 * Documents, kept and searched. What was acknowledged survives a crash and a power loss, and is seen by every later
 * read; a replace is atomic, a failed one leaves the old version.
 *
 * <p>Thread-safe; nothing here blocks. Reads take the namespaces that the caller may see and touch no others; namespaces that do
 * not exist are empty. Failures are {@link switchboard.call.ToolException}: {@code OVERLOADED} when too much waits,
 * {@code UNAVAILABLE} when the disk is full or a namespace's files are damaged, {@code INVALID_ARGUMENT} for a vector that
 * does not fit the model's others or a filter on an unknown field, {@code CONFLICT} for a search by vectors alone with one
 * that does not fit.
 */
public interface DocumentStore {
    /** Keeps {@code document}, in the place of the one of the same source in {@code namespace}, if any. */
    Future<PutResult> put(Namespace namespace, NewDocument document);

    /**
     * Gives a document another title and other metadata; text, chunks, vectors, id and place in listings stay. Empty if
     * there is no such document.
     *
     * @param foundBy the words that its first {@link Chunk#foundBy chunk is found by} from now on; may be empty
     */
    Future<Optional<StoredDocument>> describe(
            Collection<Namespace> namespaces, String id, String title, ObjectNode metadata, String foundBy);

    /** Removes a document and gives what it was; empty if there is none. */
    Future<Optional<StoredDocument>> delete(Collection<Namespace> namespaces, String id);

    /** Removes a namespace with everything in it; false if there is none. */
    Future<Boolean> drop(Namespace namespace);

    /** The document of that source. */
    Future<Optional<StoredDocument>> find(Namespace namespace, String source);

    /** The document of that id. */
    Future<Optional<StoredDocument>> get(Collection<Namespace> namespaces, String id);

    /** The documents of these ids, in their order; those that are not there are left out. */
    Future<List<StoredDocument>> get(Collection<Namespace> namespaces, List<String> ids);

    /** The document of that id with its text. */
    Future<Optional<DocumentText>> read(Collection<Namespace> namespaces, String id);

    /** A page of the documents. */
    Future<DocumentPage> list(ListRequest request);

    /**
     * Collects the text facts {@code names} of all documents of a namespace, which come in no certain order and are not read
     * themselves.
     *
     * @param names as in {@link Filter}; a text longer than 4,096 bytes is cut
     * @param collector runs from beginning to end on one of the store's threads
     */
    <R> Future<R> facts(Namespace namespace, Set<String> names, Collector<MetadataRow, ?, R> collector);

    /** The chunks that pass the filter, unranked: by source, then place in the document; at most {@code limit}. */
    Future<List<StoredChunk>> chunks(Collection<Namespace> namespaces, Filter filter, int limit);

    /** The chunks that fit the query best. */
    Future<SearchResult> search(SearchRequest request);

    /** The same search, told by document and without reading any: for those who rank documents by their chunks. */
    Future<DocumentScores> scores(SearchRequest request);

    /** All namespaces, sorted; those without documents, too. */
    List<Namespace> namespaces();

    /** What is in each of these. Namespaces that do not exist are left out. */
    Future<List<NamespaceStats>> stats(Collection<Namespace> namespaces);

    /** The names of namespaces that can't be read, as far as is known; for operators. */
    List<String> damaged();

    /**
     * Copies the store to {@code target}, which must not exist, while it serves: each namespace as it was at one moment, with
     * all that was acknowledged before. Restoring is copying it back. Gives the number of namespaces.
     */
    Future<Integer> backup(Path target);

    /** Reads every file of every namespace and says what is damaged; a namespace's writes wait while it is checked. */
    Future<List<NamespaceCheck>> check();

    /**
     * Gives all documents vectors of the model that {@code embedders} have for their namespace, document by document, while
     * the store serves; goes on where an earlier run was stopped. Documents of namespaces without a model stay as they are.
     * Gives how many documents were changed.
     *
     * @param listener told after each document how many are done; may end the run
     */
    Future<Integer> reindex(NamespaceEmbedders embedders, EmbedListener listener);

    /** Keeps beside the store's files where this process takes calls of others that want the folder; a secret. */
    Future<Void> announce(String address);

    /** Finishes what is under way, then lets go of the folder. */
    Future<Void> close();
}
