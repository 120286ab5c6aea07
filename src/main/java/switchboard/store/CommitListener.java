package switchboard.store;

/** Is told of each commit of a store. */
@FunctionalInterface
public interface CommitListener {
    /** {@code namespace} has changed, and readers see it. Called on the thread of the commit: must not block. */
    void committed(Namespace namespace);

    /** Has {@code store} tell {@code listener}, and nobody else; returns the store. */
    static DocumentStore of(LuceneDocumentStore store, CommitListener listener) {
        store.commits.onCommit(listener);
        return store;
    }
}
