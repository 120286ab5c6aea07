package switchboard.backend.embedded;

import java.util.List;
import java.util.function.Function;
import switchboard.call.GivenDocuments;
import switchboard.call.GivenDocuments.GivenDocument;
import switchboard.call.GivenDocuments.GivenHit;
import switchboard.call.GivenDocuments.GivenSearch;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/** What the search log should know of answers with stored documents. */
public final class StoredDocumentsGiven {
    private StoredDocumentsGiven() {}

    /**
     * A search in {@code namespaces}; nothing if it had no question.
     *
     * @param hit what the log has of each of {@code found}
     */
    public static <T> GivenDocuments found(
            String query, List<Namespace> namespaces, List<T> found, Function<T, GivenHit> hit) {
        return GivenDocuments.found(search(query, namespaces, found, hit));
    }

    /** The same as one of several searches. */
    public static <T> GivenSearch search(
            String query, List<Namespace> namespaces, List<T> found, Function<T, GivenHit> hit) {
        return new GivenSearch(
                query,
                namespaces.stream().map(Namespace::name).toList(),
                found.stream().map(hit).toList());
    }

    /** The documents that a call has read, in the order of its answer. */
    public static GivenDocuments read(List<StoredDocument> documents) {
        return GivenDocuments.read(
                documents.stream().map(StoredDocumentsGiven::document).toList());
    }

    /** The document that {@code search_everywhere} gives the address of. */
    public static GivenDocument document(StoredDocument document) {
        return new GivenDocument(document.namespace().name(), document.id());
    }
}
