package switchboard.store;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import switchboard.concurrent.BlockingExecutor;

/** Documents of a store as they are, ids, times and vectors included. Thread-safe; nothing here blocks. */
public final class StoreTransfer {
    private final LuceneDocumentStore store;
    private final BiFunction<Namespace, List<String>, Future<List<DocumentForm>>> reader;
    private final GroupCommit commits;
    private final BlockingExecutor executor;

    StoreTransfer(
            LuceneDocumentStore store,
            BiFunction<Namespace, List<String>, Future<List<DocumentForm>>> reader,
            GroupCommit commits,
            BlockingExecutor executor) {
        this.store = store;
        this.reader = reader;
        this.commits = commits;
        this.executor = executor;
    }

    /** The ids of all documents of a namespace. */
    public Future<List<String>> ids(Namespace namespace) {
        return store.facts(namespace, Set.of(), Collectors.mapping(MetadataRow::id, Collectors.toList()));
    }

    /** The first of the documents with these ids, as many as fit into memory easily, at least one; those that are gone are left out. */
    public Future<List<DocumentForm>> read(Namespace namespace, List<String> ids) {
        return reader.apply(namespace, ids);
    }

    /** A document with what the index has of it. */
    private record Block(StoredDocument document, List<Document> parts) {}

    /** Stores documents as they are, in one commit. They replace those with the same source. */
    public Future<Void> write(Namespace namespace, List<DocumentForm> documents) {
        return executor.run(() -> {
                    List<Block> blocks = new ArrayList<>();
                    for (DocumentForm form : documents) {
                        StoredDocument document = DocumentForm.document(namespace, form.facts());
                        blocks.add(new Block(document, form.block(document)));
                    }
                    return blocks;
                })
                .compose(blocks -> commits.submit(namespace, batch -> {
                    for (Block block : blocks) {
                        batch.put(DocumentAccess.EVERYTHING, block.document(), block.parts());
                    }
                    return true;
                }))
                .mapEmpty();
    }
}
