package switchboard.backend.vectordb;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedder;
import switchboard.fetch.Fetcher;
import switchboard.store.DocumentStore;
import switchboard.store.StoreSettings;

/** Makes {@code vectordb} backends. */
public final class VectordbModule implements BackendModule<VectordbSettings> {
    /** The configured embedders; the gateway owns them. */
    @FunctionalInterface
    public interface Embedders {
        /**
         * The embedder called {@code name}; empty if it is one that gives no vectors.
         *
         * @throws IllegalArgumentException if none is configured by that name
         */
        Optional<Embedder> find(String name, BackendServices services);
    }

    /** Makes fetchers. */
    @FunctionalInterface
    public interface Fetchers {
        /** A fetcher, which the backend closes. */
        Fetcher create(Vertx vertx, boolean allowPrivate);
    }

    /** Opens stores. */
    @FunctionalInterface
    public interface Stores {
        /** A store, which the backend closes. */
        Future<DocumentStore> open(StoreSettings settings, BackendServices services);
    }

    private final Embedders embedders;
    private final Fetchers fetchers;
    private final Stores stores;

    /** A module over these ports. */
    public VectordbModule(Embedders embedders, Fetchers fetchers, Stores stores) {
        this.embedders = embedders;
        this.fetchers = fetchers;
        this.stores = stores;
    }

    @Override
    public String type() {
        return "vectordb";
    }

    @Override
    public Class<VectordbSettings> settingsType() {
        return VectordbSettings.class;
    }

    @Override
    public Backend create(String id, VectordbSettings settings, BackendServices services) {
        Optional<Embedder> embedder = embedders.find(settings.embedder(), services);
        StoreSettings store = new StoreSettings(
                services.dataDir().resolve(settings.dataDir()),
                id,
                settings.maxOpenLibraries(),
                settings.idleClose(),
                StoreSettings.of(settings.dataDir(), id).readThreads(),
                StoreSettings.of(settings.dataDir(), id).maxWaiting());
        return new VectordbBackend(
                id,
                settings,
                services,
                embedder,
                fetchers.create(services.vertx(), settings.fetch().allowPrivate()),
                () -> stores.open(store, services));
    }
}
