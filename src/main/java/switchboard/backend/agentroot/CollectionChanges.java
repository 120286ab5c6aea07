package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import switchboard.call.CallContext;
import switchboard.call.ToolReply;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;
import switchboard.store.StoreTurn;

/** Changes of collections: those of one collection take turns, and caches of it are notified. */
final class CollectionChanges {
    private final Supplier<DocumentStore> store;
    private final FolderTrees trees;
    private final BiConsumer<Namespace, Set<AllowedReaders>> announcement;
    private final KeyedSerialExecutor<Namespace> turns = new KeyedSerialExecutor<>();

    /** {@code announcement} notifies clients that the documents of a collection have changed, which some may read. */
    CollectionChanges(
            Supplier<DocumentStore> store, FolderTrees trees, BiConsumer<Namespace, Set<AllowedReaders>> announcement) {
        this.store = store;
        this.trees = trees;
        this.announcement = announcement;
    }

    /** Runs an addition, a removal or an update when the earlier ones of the same collection have ended, on whichever gateway. */
    Future<ToolReply> run(Namespace namespace, CallContext context, Function<StoreTurn, Future<ToolReply>> change) {
        return turns.run(namespace, () -> store.get().alone(namespace, context, change));
    }

    /** Forgets what is cached of a collection whose documents may have changed. */
    void mayHaveChanged(Namespace namespace) {
        trees.changed(namespace);
    }

    /**
     * The same for documents that have changed: clients are notified, too.
     *
     * @param readers who may read one of them, before or after the change; nobody else is notified
     */
    void haveChanged(Namespace namespace, Collection<AllowedReaders> readers) {
        trees.changed(namespace);
        announcement.accept(namespace, Set.copyOf(readers));
    }
}
