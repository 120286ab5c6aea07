package switchboard.replica;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import switchboard.store.DocumentForm;
import switchboard.store.Namespace;

/** One side of a move of documents. Blocks. */
sealed interface MovedDocuments permits LocalDocuments, SharedDocuments {
    /** Its libraries, each with what changes whenever something in it changes. */
    SortedMap<Namespace, String> versions();

    /** Shows all documents of {@code library} a few at a time, in no order. */
    void each(Namespace library, Consumer<List<DocumentForm>> reader);

    /** Adds documents whose sources are not there. */
    void add(Namespace library, List<DocumentForm> documents);

    /** All documents of {@code library} were added. */
    void added(Namespace library);

    /**
     * Refuses names of libraries that it can't have.
     *
     * @throws switchboard.call.ToolException if it can't
     */
    void check(Namespace library);

    /**
     * The same for a document.
     *
     * @throws switchboard.call.ToolException if it can't have it
     */
    void check(Namespace library, DocumentForm document);

    /** What an operator can do if it has other documents than are moved to it. */
    String remedy();
}
