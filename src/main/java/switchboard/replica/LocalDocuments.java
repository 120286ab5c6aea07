package switchboard.replica;

import java.util.List;
import java.util.function.Consumer;
import switchboard.store.DocumentForm;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.StoreTransfer;

/** Documents of a data folder, which nobody else has open. */
record LocalDocuments(LuceneDocumentStore store, StoreTransfer transfer) implements MovedDocuments {
    /** How many documents are read at once: their size is not known before. */
    private static final int PAGE = 16;

    LocalDocuments(LuceneDocumentStore store) {
        this(store, store.transfer());
    }

    @Override
    public List<Namespace> libraries() {
        return store.namespaces();
    }

    @Override
    public String version(Namespace library) {
        return ""; // the folder is locked
    }

    @Override
    public void each(Namespace library, Consumer<List<DocumentForm>> reader) {
        List<String> ids = transfer.ids(library).await();
        for (int from = 0; from < ids.size(); from += PAGE) {
            reader.accept(transfer.read(library, ids.subList(from, Math.min(ids.size(), from + PAGE)))
                    .await());
        }
    }

    @Override
    public void add(Namespace library, List<DocumentForm> documents) {
        transfer.write(library, documents).await();
    }

    @Override
    public void added(Namespace library) {}

    @Override
    public void check(Namespace library) {}
}
