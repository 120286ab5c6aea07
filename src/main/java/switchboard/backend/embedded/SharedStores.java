package switchboard.backend.embedded;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import switchboard.backend.BackendServices;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;
import switchboard.replica.ChunkEngine;
import switchboard.replica.ReplicatedStore;
import switchboard.replica.Replication;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Opens stores whose documents gateways share. */
public final class SharedStores {
    private SharedStores() {}

    /**
     * How documents are shared.
     *
     * @param freshness how old what a read sees may be
     * @param warm names or patterns of libraries whose files are built at the start
     * @param engine keeps chunks; empty if database and files have them
     */
    public record Sharing(Duration freshness, List<String> warm, Optional<ChunkEngine> engine) {}

    /** A store on the files of {@code settings}; fails without {@link BackendServices#cluster}, unless another process has the files. */
    public static Future<DocumentStore> open(StoreSettings settings, Sharing sharing, BackendServices services) {
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
                                    new Replication.Following(
                                            sharing.freshness(),
                                            ResourceScope.anyOf(sharing.warm())::allows,
                                            sharing.engine()),
                                    services.share()));
                });
    }
}
