package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.embedded.AnnouncedStore;
import switchboard.backend.embedded.LanguageModels;
import switchboard.backend.embedded.SharedStores;
import switchboard.call.ResourceScope;
import switchboard.config.Secret;
import switchboard.embed.DeclaredEmbedders;
import switchboard.embed.Embedders;
import switchboard.embed.Reranking;
import switchboard.fetch.FetchPolicy;
import switchboard.fetch.GuardedFetcher;
import switchboard.fetch.HostResolver;
import switchboard.replica.ChunkEngine;
import switchboard.replica.Replication;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.StoreSettings;
import switchboard.upstream.UpstreamClient;
import switchboard.weaviate.WeaviateChunks;

/** The backend type {@code vectordb}. */
public final class VectordbModule implements BackendModule<VectordbSettings> {
    /** Makes fetchers. */
    @FunctionalInterface
    interface Fetchers {
        /** A fetcher, which the backend closes. */
        GuardedFetcher create(BackendServices services, FetchPolicy policy);
    }

    /** Opens stores. */
    @FunctionalInterface
    interface Stores {
        /** A store, which the backend closes. */
        Future<DocumentStore> open(StoreSettings settings, BackendServices services);
    }

    private static final int MAX_WAITING_FOR_ENGINE = 1_000;

    private final Embedders embedders;
    private final HitReranker hitReranker;
    private final String userAgent;
    private final Fetchers fetchers;
    private final Stores stores;

    /**
     * A module on Lucene stores that fetches from the public Internet.
     *
     * @param reranking orders what searches find; empty for none
     * @param userAgent how requests introduce themselves, such as {@code switchboard/1.0}
     */
    public VectordbModule(Embedders embedders, Optional<Reranking> reranking, String userAgent) {
        this(
                embedders,
                reranking,
                userAgent,
                (services, policy) ->
                        new GuardedFetcher(services.vertx(), policy, HostResolver.SYSTEM, services.share()),
                (settings, services) -> LuceneDocumentStore.open(
                                services.vertx(), services.meters(), services.clock(), settings)
                        .map(store ->
                                AnnouncedStore.announcing(store, services.listChanges(settings.name()), _ -> false)));
    }

    /** A module with replaceable fetchers and stores. */
    VectordbModule(
            Embedders embedders, Optional<Reranking> reranking, String userAgent, Fetchers fetchers, Stores stores) {
        this.embedders = embedders;
        this.hitReranker = new HitReranker(reranking);
        this.userAgent = userAgent;
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
    public Optional<Path> dataFolder(VectordbSettings settings) {
        return Optional.of(settings.dataDir());
    }

    @Override
    public Backend create(String id, VectordbSettings settings, BackendServices services) {
        StoreSettings store = StoreSettings.of(
                services.dataDir().resolve(settings.dataDir()),
                id,
                settings.maxOpenLibraries(),
                settings.idleClose(),
                services.share());
        return new VectordbBackend(
                id,
                settings,
                services,
                libraries(settings, services.embedders(), id),
                hitReranker,
                fetchers.create(
                        services,
                        new FetchPolicy(
                                settings.fetch().allowPrivate(),
                                settings.fetch().robots(),
                                userAgent)),
                () -> settings.sharesDocuments()
                        ? SharedStores.open(
                                store,
                                new Replication.Following(
                                        settings.freshness(),
                                        ResourceScope.anyOf(settings.warm())::allows,
                                        engine(id, settings.weaviate(), services)),
                                services,
                                _ -> false)
                        : stores.open(store, services));
    }

    private static Optional<ChunkEngine> engine(
            String id, VectordbSettings.@Nullable WeaviateCluster settings, BackendServices services) {
        return Optional.ofNullable(settings)
                .map(cluster -> new WeaviateChunks(
                        UpstreamClient.withSecrets(
                                id,
                                cluster.url(),
                                cluster.connection(),
                                Secret.bearer(cluster.apiKey()),
                                services.upstream()),
                        new WeaviateChunks.Shape(cluster.shards(), cluster.replicationFactor()),
                        services.executor(id + "-weaviate", 2, MAX_WAITING_FOR_ENGINE),
                        services.share()));
    }

    private NamespaceEmbedders libraries(VectordbSettings settings, DeclaredEmbedders declared, String id) {
        LanguageModels languages = LanguageModels.of(settings.languages(), embedders::embedder);
        List<NamespaceEmbedders.Rule> rules = new ArrayList<>();
        declared.sources(id)
                .forEach((library, name) -> rules.add(
                        new NamespaceEmbedders.Rule(library::equals, languages.with(embedders.embedder(name)))));
        settings.embedders().forEach((pattern, name) -> {
            ResourceScope libraries = ResourceScope.anyOf(List.of(pattern));
            rules.add(new NamespaceEmbedders.Rule(libraries::allows, languages.with(embedders.embedder(name))));
        });
        return new NamespaceEmbedders(
                rules, languages.and(embedders.embedder(declared.usual(id).orElse(settings.embedder()))));
    }
}
