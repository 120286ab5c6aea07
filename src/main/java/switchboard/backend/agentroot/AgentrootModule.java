package switchboard.backend.agentroot;

import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.fetch.Fetcher;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.llm.Llm;
import switchboard.store.BackendStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;

/** Makes {@code agentroot} backends. */
public final class AgentrootModule implements BackendModule<AgentrootSettings> {
    private final Embedders embedders;
    private final Optional<Llm> llm;
    private final String userAgent;

    /**
     * A module on Lucene stores, with vectors of {@code embedders}.
     *
     * @param llm the language model, if there is one
     * @param userAgent how requests for web pages introduce themselves, such as {@code switchboard/1.0}
     */
    public AgentrootModule(Embedders embedders, Optional<Llm> llm, String userAgent) {
        this.embedders = embedders;
        this.llm = llm;
        this.userAgent = userAgent;
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
        Fetcher fetcher =
                new GuardedFetcher(services.vertx(), settings.fetch().allowPrivate(), HostResolver.SYSTEM, userAgent);
        return new AgentrootBackend(
                id,
                settings,
                services,
                embedder,
                llm,
                fetcher,
                new BackendStore(
                        id,
                        () -> LuceneDocumentStore.open(services.vertx(), services.meters(), services.clock(), store)
                                .map(opened -> opened),
                        embedder));
    }
}
