package switchboard.backend.agentroot;

import java.util.function.Consumer;
import switchboard.store.Namespace;

/** Notifies components that cache something of a collection when it has changed. */
final class CollectionChangeListeners {
    private final FolderTrees trees;
    private final Consumer<String> announcement;

    /** {@code announcement} notifies clients that the documents of a collection have changed. */
    CollectionChangeListeners(FolderTrees trees, Consumer<String> announcement) {
        this.trees = trees;
        this.announcement = announcement;
    }

    /** The documents of a collection may be others than before. */
    void perhaps(Namespace namespace) {
        trees.changed(namespace);
    }

    /** The documents of a collection are others than before. */
    void surely(Namespace namespace) {
        trees.changed(namespace);
        announcement.accept(namespace.name());
    }
}
