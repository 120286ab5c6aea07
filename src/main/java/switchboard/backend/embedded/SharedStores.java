package switchboard.backend.embedded;

import io.vertx.core.Future;
import java.util.function.Predicate;
import switchboard.backend.BackendServices;
import switchboard.backend.ListChanges;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.replica.ReplicatedStore;
import switchboard.replica.Replication;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Opens stores whose documents gateways share. */
public final class SharedStores {
    private SharedStores() {}

    /**
     * A store on the files of {@code settings}, which announces each change of a source, here or at another gateway; fails without
     * {@link BackendServices#cluster}, unless another process has the files.
     *
     * @param internal accepts the names of namespaces that are no sources
     */
    public static Future<DocumentStore> open(
            StoreSettings settings,
            Replication.Following following,
            BackendServices services,
            Predicate<String> internal) {
        ListChanges changes = services.listChanges(settings.name());
        return LuceneDocumentStore.open(services.vertx(), services.meters(), services.clock(), settings)
                .compose(files -> {
                    if (services.cluster().isEmpty()) {
                        return files.close()
                                .transform(_ -> Future.failedFuture(new ToolException(
                                        FailureKind.UNAVAILABLE,
                                        "store: cluster or weaviate needs a gateway that serves from this data folder; start `switchboard"
                                                + " serve`, or connect to it with `switchboard connect`")));
                    }
                    return ReplicatedStore.on(
                            files,
                            new Replication.Settings(
                                    services.vertx(),
                                    services.meters(),
                                    services.clock(),
                                    services.cluster().get(),
                                    settings.name(),
                                    following,
                                    services.share(),
                                    namespace -> {
                                        if (!internal.test(namespace.name())) {
                                            changes.documents(namespace.name(), namespace.owner());
                                        }
                                    }));
                });
    }
}
