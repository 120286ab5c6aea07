package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.BackendServices;
import switchboard.backend.BlockingLane;
import switchboard.backend.ExclusiveBackend;
import switchboard.backend.Health;
import switchboard.backend.InTurn;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.source.FileProvider;
import switchboard.backend.agentroot.source.Limits;
import switchboard.backend.agentroot.source.Provider;
import switchboard.backend.agentroot.source.Roots;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.embed.Embedder;
import switchboard.embed.Readiness;
import switchboard.store.DocumentStore;
import switchboard.store.Fusion;
import switchboard.store.QueryVectors;
import switchboard.store.SpaceSearch;

/** One knowledge base with agentroot's tools. */
final class AgentrootBackend implements ExclusiveBackend {
    private static final Logger LOG = LoggerFactory.getLogger(AgentrootBackend.class);
    private static final int MAX_WAITING = 256;

    private final String id;
    private final Optional<Embedder> embedder;
    private final Supplier<Future<DocumentStore>> opener;
    private final BlockingLane lane;
    private final List<ToolHandler<?>> tools;
    private final SearchProvider search;
    private volatile @Nullable DocumentStore store;

    AgentrootBackend(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            Optional<Embedder> embedder,
            Supplier<Future<DocumentStore>> opener) {
        this.id = id;
        this.embedder = embedder;
        this.opener = opener;
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.lane = new BlockingLane(services.vertx(), services.meters(), id + "-index", threads, MAX_WAITING);
        Registry registry = new Registry(this::store);
        this.tools = tools(registry, settings, services);
        this.search = new SpaceSearch(
                this::store, new CollectionShelf(registry), new QueryVectors(embedder), Fusion.standard());
    }

    private List<ToolHandler<?>> tools(Registry registry, AgentrootSettings settings, BackendServices services) {
        Addresses addresses = new Addresses(this::store, registry);
        Trees trees = new Trees(this::store);
        Ranking ranking = new Ranking(this::store, embedder);
        Sessions sessions = new Sessions(services.clock(), settings.maxSessions());
        SeenLess seenLess = new SeenLess(sessions, services.clock());
        InTurn<Updater.Writing> writes = new InTurn<>();
        Updater updater = new Updater(
                this::store,
                embedder,
                lane,
                new Preparation(new DocumentConverter(), embedder),
                services.clock(),
                settings.updateTime(),
                writes);
        List<ToolHandler<?>> all = new ArrayList<>();
        all.addAll(
                new SearchTools(registry, ranking, new Results(this::store), seenLess, new TimeWords(services.clock()))
                        .all());
        all.addAll(new DocumentTools(this::store, registry, addresses).all());
        all.addAll(new CollectionTools(this::store, registry, providers(settings, services), updater, trees, embedder)
                .all());
        all.addAll(new MetadataTools(this::store, registry, addresses, writes).all());
        all.addAll(new ChunkTools(this::store, registry, seenLess).all());
        all.addAll(new SessionTools(sessions).all());
        all.addAll(new DirectoryTools(this::store, registry, trees, ranking).all());
        all.addAll(new MemoryTools(new Memories(this::store, services.clock()), sessions).all());
        return List.copyOf(all);
    }

    private List<Provider> providers(AgentrootSettings settings, BackendServices services) {
        Roots roots = new Roots(
                id, settings.roots().stream().map(services.dataDir()::resolve).toList());
        Limits limits = new Limits(settings.maxFileSize().toInt(), settings.maxDocuments());
        return List.of(new FileProvider(roots, lane, limits));
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return tools;
    }

    @Override
    public Optional<SearchProvider> search() {
        return Optional.of(search);
    }

    @Override
    public Concurrency concurrency() {
        return Concurrency.ONE_EVENT_LOOP;
    }

    @Override
    public Future<Void> start() {
        return opener.get()
                .onSuccess(opened -> {
                    store = opened;
                    // Loading the model takes seconds; keyword search need not wait for it.
                    embedder.ifPresent(model -> model.warmUp()
                            .onFailure(failure -> LOG.warn("{}: no vectors for now: {}", id, failure.getMessage())));
                })
                .mapEmpty();
    }

    @Override
    public Future<Void> announce(String address) {
        return store().announce(address);
    }

    @Override
    public Future<Void> stop() {
        DocumentStore open = store;
        store = null;
        return lane.close().eventually(() -> open == null ? Future.succeededFuture() : open.close());
    }

    @Override
    public Future<Health> health() {
        if (store == null) {
            return Future.succeededFuture(Health.down("the store is not open"));
        }
        Readiness vectors = embedder.map(Embedder::readiness).orElseGet(Readiness.Ready::new);
        return Future.succeededFuture(
                switch (vectors) {
                    case Readiness.Failed failed -> new Health(true, "up, by keyword only: " + failed.reason());
                    case Readiness.Idle _, Readiness.Loading _ -> new Health(true, "up, the model is being loaded");
                    case Readiness.Ready _ -> Health.up();
                });
    }

    private DocumentStore store() {
        DocumentStore open = store;
        if (open == null) {
            throw new ToolException(FailureKind.UNAVAILABLE, "The store of " + id + " is closed.");
        }
        return open;
    }
}
