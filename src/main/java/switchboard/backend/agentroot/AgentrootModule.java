package switchboard.backend.agentroot;

import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Makes {@code agentroot} backends. */
public final class AgentrootModule implements BackendModule<AgentrootSettings> {
    private final Embedders embedders;

    /** A module on Lucene stores, with vectors of {@code embedders}. */
    public AgentrootModule(Embedders embedders) {
        this.embedders = embedders;
    }

    @Override
    public String type() {
        return "agentroot";
    }

    @Override
    public Class<AgentrootSettings> settingsType() {
        return AgentrootSettings.class;
    }

    @Override
    public Backend create(String id, AgentrootSettings settings, BackendServices services) {
        Optional<Embedder> embedder = embedders.find(settings.embedder()).map(Embedders.Named::embedder);
        StoreSettings usual = StoreSettings.of(settings.dataDir(), id);
        StoreSettings store = new StoreSettings(
                services.dataDir().resolve(settings.dataDir()),
                id,
                settings.maxOpenCollections(),
                settings.idleClose(),
                usual.readThreads(),
                usual.maxWaiting());
        return new AgentrootBackend(id, settings, services, embedder, () -> LuceneDocumentStore.open(
                        services.vertx(), services.meters(), services.clock(), store)
                .map(opened -> opened));
    }
}
