package switchboard.backend.agentroot;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.embedded.AnnouncedStore;
import switchboard.backend.embedded.BackendStore;
import switchboard.backend.embedded.LanguageModels;
import switchboard.backend.embedded.SharedStores;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.Embedders;
import switchboard.fetch.FetchPolicy;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.llm.Llm;
import switchboard.replica.Replication;
import switchboard.store.ChunkEmbedders;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.NamespaceEmbedders;
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
    public Optional<Path> dataFolder(AgentrootSettings settings) {
        return Optional.of(settings.dataDir());
    }

    @Override
    public Backend create(String id, AgentrootSettings settings, BackendServices services) {
        FetchPolicy policy = new FetchPolicy(
                settings.fetch().allowPrivate(), settings.fetch().robots(), userAgent);
        GuardedFetcher fetcher = new GuardedFetcher(services.vertx(), policy, HostResolver.SYSTEM, services.share());
        return new AgentrootBackend(
                id, settings, services, embedders(id, settings, services), llm, fetcher, store(id, settings, services));
    }

    private ChunkEmbedders embedders(String id, AgentrootSettings settings, BackendServices services) {
        services.embedders().sources(id).keySet().stream().findFirst().ifPresent(collection -> {
            throw new IllegalArgumentException("all collections have one embedder, so search.sources can't declare one"
                    + " for " + id + ":" + collection + "; declare it for " + id);
        });
        String name = services.embedders().usual(id).orElse(settings.embedder());
        return LanguageModels.of(settings.languages(), embedders::embedder).and(embedders.embedder(name));
    }

    private BackendStore store(String id, AgentrootSettings settings, BackendServices services) {
        StoreSettings store = StoreSettings.of(
                services.dataDir().resolve(settings.dataDir()),
                id,
                settings.maxOpenCollections(),
                settings.idleClose(),
                services.share());
        return new BackendStore(
                id,
                () -> settings.sharesDocuments()
                        ? SharedStores.open(
                                store,
                                new Replication.Following(settings.freshness(), _ -> true, Optional.empty()),
                                services,
                                CollectionRegistry::internal)
                        : LuceneDocumentStore.open(services.vertx(), services.meters(), services.clock(), store)
                                .map(opened -> AnnouncedStore.announcing(
                                        opened, services.listChanges(id), CollectionRegistry::internal)),
                new NamespaceEmbedders(
                        // Definitions and memories are looked up by words: they have no vectors to be made anew.
                        List.of(new NamespaceEmbedders.Rule(CollectionRegistry::internal, ChunkEmbedders.NONE)),
                        embedders(id, settings, services)));
    }

    /**
     * Imports a database of agentroot's own server into the store of the backend {@code id}, which no gateway may have
     * open. Blocks: call it on the thread of a command.
     *
     * @param caller the owner of the imported collections and memories
     * @throws ToolException with a message for the operator, if that is not possible
     */
    public AgentrootImport.Report takeOver(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            Caller caller,
            Path file,
            AgentrootImport.ImportListener listener) {
        if (settings.sharesDocuments()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "backends." + id
                            + ".store is cluster: an import writes into the store of one machine only. Add the collections"
                            + " with collection_add and update them, or import into a backend with store: local");
        }
        BackendStore store = store(id, settings, services);
        store.open().await();
        try {
            return new AgentrootImport(store.get(), embedders(id, settings, services), services.clock(), caller)
                    .run(file, listener);
        } finally {
            store.close().await();
        }
    }
}
