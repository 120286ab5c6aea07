package switchboard.backend.embedded;

import java.util.function.Predicate;
import switchboard.backend.ListChanges;
import switchboard.store.CommitListener;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;

/** Stores that announce which of their sources have changed. */
public final class AnnouncedStore {
    private AnnouncedStore() {}

    /**
     * {@code store}, which announces each commit to a source.
     *
     * @param internal accepts the names of namespaces that are no sources
     */
    public static DocumentStore announcing(LuceneDocumentStore store, ListChanges changes, Predicate<String> internal) {
        return CommitListener.of(store, namespace -> {
            if (!internal.test(namespace.name())) {
                changes.documents(namespace.name(), namespace.owner());
            }
        });
    }
}
