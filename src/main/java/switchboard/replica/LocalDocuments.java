package switchboard.replica;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.DocumentForm;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.StoreTransfer;

/** Documents of a data folder, which nobody else has open. */
record LocalDocuments(LuceneDocumentStore store, StoreTransfer transfer) implements MovedDocuments {
    /** How many documents are read at once, or fewer that are large. */
    private static final int PAGE = 32;

    LocalDocuments(LuceneDocumentStore store) {
        this(store, store.transfer());
    }

    @Override
    public SortedMap<Namespace, String> versions() {
        SortedMap<Namespace, String> versions = new TreeMap<>();
        store.namespaces().forEach(library -> versions.put(library, "")); // the folder is locked
        return versions;
    }

    @Override
    public void each(Namespace library, Consumer<List<DocumentForm>> reader) {
        List<String> ids = transfer.ids(library).await();
        for (int from = 0; from < ids.size(); ) {
            List<String> page = ids.subList(from, Math.min(ids.size(), from + PAGE));
            List<DocumentForm> forms = transfer.read(library, page).await();
            List<String> read = forms.stream()
                    .map(form -> DocumentForm.document(library, form.facts()).id())
                    .toList();
            if (read.isEmpty() || !read.equals(page.subList(0, read.size()))) { // nobody else removes any
                throw new ToolException(
                        FailureKind.UNAVAILABLE,
                        "Not all documents of " + MovedNames.of(library)
                                + " can be read: its files are damaged. Restore them, and run the command again.");
            }
            reader.accept(forms);
            from += read.size();
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

    @Override
    public void check(Namespace library, DocumentForm document) {}

    @Override
    public String remedy() {
        return "Move into an empty folder instead: name it with --dir.";
    }
}
