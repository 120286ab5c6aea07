package switchboard.replica;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.cluster.DocumentRow;
import switchboard.cluster.DocumentTables;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.LibraryRow;
import switchboard.cluster.LibraryTransaction;
import switchboard.cluster.LibraryWrites;
import switchboard.cluster.LibraryWrites.DocumentChange;
import switchboard.cluster.LibraryWrites.Done;
import switchboard.store.DocumentForm;
import switchboard.store.Namespace;
import switchboard.store.StoreReplica;
import switchboard.store.StoredDocument;

/**
 * Documents of a backend in the shared database, which gateways may use at the same time.
 *
 * @param backend the backend's id
 */
record SharedDocuments(DocumentTables tables, String backend) implements MovedDocuments {
    private static final int PAGE = 64;

    /** About the most bytes that are read at once; a larger document is read alone. */
    private static final int BYTES = 4 << 20;

    @Override
    public SortedMap<Namespace, String> versions() {
        SortedMap<Namespace, String> versions = new TreeMap<>();
        live().forEach(row -> versions.put(
                Libraries.namespace(row), row.incarnation() + " " + row.head().position()));
        return versions;
    }

    private List<LibraryRow> live() {
        return tables.look(backend, LookEnd.NOTHING).await().libraries().stream()
                .filter(LibraryRow::live)
                .toList();
    }

    private Optional<LibraryRow> find(Namespace library) {
        return live().stream()
                .filter(row -> Libraries.namespace(row).equals(library))
                .findFirst();
    }

    @Override
    public void each(Namespace library, Consumer<List<DocumentForm>> reader) {
        find(library).ifPresent(row -> each(row.id(), reader));
    }

    private void each(long library, Consumer<List<DocumentForm>> reader) {
        byte[] after = {};
        List<DocumentTables.Key> page = tables.keys(library, after).await();
        while (!page.isEmpty()) {
            for (int from = 0; from < page.size(); ) {
                List<byte[]> some = some(page, from);
                reader.accept(tables.documents(library, some).await().stream()
                        .map(SharedDocuments::form)
                        .toList());
                from += some.size();
            }
            page = tables.keys(library, page.getLast().key()).await();
        }
    }

    private static List<byte[]> some(List<DocumentTables.Key> page, int from) {
        List<byte[]> some = new ArrayList<>();
        long bytes = 0;
        for (DocumentTables.Key one : page.subList(from, Math.min(page.size(), from + PAGE))) {
            bytes += one.size();
            if (!some.isEmpty() && bytes > BYTES) {
                break;
            }
            some.add(one.key());
        }
        return some;
    }

    private static DocumentForm form(DocumentRow row) {
        DocumentRow.Body body = row.body();
        if (body.vectors().length == 0 && DocumentForm.inEngine(body.facts())) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "The chunks of the documents are in Weaviate (store: weaviate), from where they can't be moved. Ingest the documents"
                            + " anew where they are to be.");
        }
        return new DocumentForm(body.facts(), body.text(), body.chunks(), body.vectors()).plain();
    }

    @Override
    public void add(Namespace library, List<DocumentForm> documents) {
        Future.all(documents.stream().map(form -> add(library, form)).toList()).await();
    }

    private Future<?> add(Namespace library, DocumentForm form) {
        StoredDocument document = DocumentForm.document(library, form.facts());
        byte[] key = SharedWrites.key(document.source());
        DocumentTables.ChangeTarget target =
                new DocumentTables.ChangeTarget(SharedWrites.place(backend, library), true, null);
        DocumentRow row = new DocumentRow(
                key,
                document.id(),
                document.allow().restricted(),
                new DocumentRow.Body(form.facts(), form.text(), form.chunks(), form.vectors()));
        return tables.change(target, transaction -> transaction
                .bySource(key)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture(new Done<>(null, false)) // a comparison tells whether it is the same
                        : add(transaction, row, document.source())));
    }

    private static Future<Done<Boolean>> add(LibraryTransaction transaction, DocumentRow row, String source) {
        return transaction.insert(row).map(inserted -> {
            if (!inserted) {
                throw LibraryWrites.again();
            }
            return new Done<>(new DocumentChange("put", row.key(), source), true);
        });
    }

    @Override
    public void added(Namespace library) {
        tables.announce(backend);
    }

    @Override
    public void check(Namespace library) {
        try {
            SharedWrites.place(backend, library);
        } catch (ToolException e) {
            throw new ToolException(
                    e.failed().kind(),
                    "The library " + MovedNames.of(library) + " can't be in the database. "
                            + e.failed().message());
        }
    }

    @Override
    public void check(Namespace library, DocumentForm document) {
        StoreReplica.checkSize(
                MovedNames.of(
                        library,
                        DocumentForm.document(library, document.facts()).source()),
                document.size());
    }

    @Override
    public String remedy() {
        return "Remove these documents from the side that is wrong, and run the command again.";
    }
}
