package switchboard.app;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import switchboard.async.Futures;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.BackendEvent.ResourcesUpdated;
import switchboard.catalog.ResourceAliases;
import switchboard.concurrent.BlockingExecutor;
import switchboard.dispatch.Dispatcher;
import switchboard.protocol.ChangeHub;

/**
 * Takes over the changes that backends announce: first into the catalog, then clients are notified, so that they find
 * what has changed. Thread-safe; nothing blocks.
 */
final class CatalogUpdates {
    /** How many changes of lists may wait. A backend has a few kinds of lists, and reads one at a time. */
    private static final int MOST_LISTS = 1024;

    private final LiveCatalog catalog;
    private final BlockingExecutor executor;
    private final ChangeHub changes;

    /** Updates of {@code catalog}. */
    static CatalogUpdates of(LiveCatalog catalog, Platform platform, ChangeHub changes) {
        return new CatalogUpdates(catalog, platform.executor("lists", MOST_LISTS), changes);
    }

    /** Updates of {@code catalog}, which is slow if there are many tools, and so runs on {@code executor}. */
    private CatalogUpdates(LiveCatalog catalog, BlockingExecutor executor, ChangeHub changes) {
        this.catalog = catalog;
        this.executor = executor;
        this.changes = changes;
    }

    /** Takes over what {@code backends} announce from now on. */
    void follow(Dispatcher dispatcher, List<LoadedBackend> backends) {
        backends.forEach(backend -> {
            dispatcher.onListChanged(backend.id(), changed -> accept(backend.id(), changed));
            dispatcher.on(
                    ResourcesUpdated.class, backend.id(), updated -> changes.updated(backend.id(), updated.uris()));
        });
    }

    /** A list of {@code backendId} has changed. */
    private void accept(String backendId, ListChanged changed) {
        Futures.finish(updated(backendId, changed), _ -> changes.publish(backendId, changed), _ -> {});
    }

    private Future<?> updated(String backendId, ListChanged changed) {
        boolean update =
                switch (changed.kind()) {
                    case TOOLS -> true;
                    case RESOURCES -> catalog.resourcesChanged(backendId);
                    case PROMPTS -> false;
                };
        return update ? executor.run(() -> relist(backendId)) : Future.succeededFuture();
    }

    /** Where a server lists what another one has, too, URIs of both may lead elsewhere: their clients list again. */
    private boolean relist(String backendId) {
        ResourceAliases before = catalog.view("").aliases();
        boolean accepted = catalog.relist(backendId).isEmpty();
        ResourceAliases after = catalog.view("").aliases();
        if (!before.equals(after)) {
            Stream.concat(before.backends().stream(), after.backends().stream())
                    .distinct()
                    .forEach(id -> {
                        changes.publish(id, new ListChanged(ListType.TOOLS));
                        changes.publish(id, new ListChanged(ListType.RESOURCES));
                    });
        }
        return accepted;
    }
}
