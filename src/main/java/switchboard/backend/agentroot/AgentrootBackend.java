package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import switchboard.backend.BackendServices;
import switchboard.backend.ResourceProvider;
import switchboard.backend.ScheduleProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.BackendStore;
import switchboard.backend.embedded.ChangeAudience;
import switchboard.backend.embedded.EmbeddedBackend;
import switchboard.backend.embedded.NamespaceSearch;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.convert.DocumentConverter;
import switchboard.fetch.GuardedFetcher;
import switchboard.llm.Llm;
import switchboard.store.ChunkEmbedders;
import switchboard.store.Fusion;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NamespaceQueryVectors;
import switchboard.store.StoreSettings;

/** One knowledge base with agentroot's tools. */
final class AgentrootBackend implements EmbeddedBackend {
    private static final int MAX_WAITING = 256;

    private final BackendStore store;
    private final BlockingExecutor executor;
    private final BlockingExecutor answers;
    private final DocumentProviders providers;
    private final CollectionRegistry registry;
    private final DocumentAddresses addresses;
    private final FolderTrees trees;
    private final Ranking ranking;
    private final SearchSessions sessions;
    private final CollectionSchedules schedules;
    private final Resources resources;
    private final SearchProvider search;
    private final List<ToolHandler<?>> tools;

    AgentrootBackend(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            ChunkEmbedders embedders,
            Optional<Llm> llm,
            GuardedFetcher fetcher,
            BackendStore store) {
        this.store = store;
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
        this.executor = services.executor(id + "-index", threads, MAX_WAITING);
        // As many as may wait for the store, so that what it accepted is answered.
        this.answers = services.executor(id + "-answers", threads, StoreSettings.MAX_WAITING);
        this.providers = new DocumentProviders(id, settings, services, fetcher, executor);
        this.registry = new CollectionRegistry(store);
        this.addresses = new DocumentAddresses(store, registry);
        this.trees = new FolderTrees(store, () -> store.get().namespaces());
        NamespaceQueryVectors vectors = new NamespaceQueryVectors(NamespaceEmbedders.all(embedders));
        this.ranking = new Ranking(store, vectors, settings.fusion());
        this.sessions = sessions(id, settings, services);
        this.schedules = new CollectionSchedules(id, settings, services, registry, providers, store, executor);
        this.resources = new Resources(store, registry, addresses);
        this.search = new NamespaceSearch(store, new CollectionResolver(registry), vectors, Fusion.standard());
        this.tools = Stream.of(
                        searches(id, services, llm),
                        documents(),
                        collections(id, settings, services, embedders, llm),
                        sessionsAndMemories(services, llm))
                .flatMap(List::stream)
                .toList();
    }

    private static SearchSessions sessions(String id, AgentrootSettings settings, BackendServices services) {
        return settings.sharesDocuments() && services.cluster().isPresent()
                ? new ClusterSearchSessions(services.cluster().get().searchSessions(), id, settings.maxSessions())
                : new SearchSessions.InMemory(new Sessions(services.clock(), settings.maxSessions()));
    }

    private List<ToolHandler<?>> searches(String id, BackendServices services, Optional<Llm> llm) {
        SessionDemotion sessionDemotion = new SessionDemotion(sessions, services.clock());
        SearchAnswers searchAnswers = new SearchAnswers(
                new ResultFormatter(store, new MatchedChunks(id, store, answers), answers), sessionDemotion);
        ChunkLookup chunks = new ChunkLookup(store, registry);
        return List.of(
                new SearchTool(registry, ranking, searchAnswers),
                new VsearchTool(registry, ranking, searchAnswers),
                new QueryTool(registry, ranking, searchAnswers),
                new SmartSearchTool(registry, ranking, new QueryInterpreter(llm, services.clock()), searchAnswers),
                new BatchSearchTool(registry, ranking, searchAnswers),
                new ExploreTool(registry, ranking, searchAnswers),
                new SearchChunksTool(id, store, registry, sessionDemotion, answers),
                new GetChunkTool(chunks),
                new NavigateChunksTool(chunks));
    }

    private List<ToolHandler<?>> documents() {
        return List.of(
                new GetTool(addresses),
                new MultiGetTool(store, registry, addresses),
                new BrowseDirectoryTool(store, registry, trees),
                new SearchDirectoriesTool(registry, trees, ranking));
    }

    private List<ToolHandler<?>> collections(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            ChunkEmbedders embedders,
            Optional<Llm> llm) {
        KeyedSerialExecutor<DocumentWriteKey> writes = new KeyedSerialExecutor<>();
        CollectionUpdater updater = new CollectionUpdater(new CollectionUpdater.Parts(
                embedders,
                executor,
                new DocumentPreparation(new DocumentConverter(), embedders),
                new DocumentDescriber(llm),
                System::nanoTime,
                new CollectionUpdater.Bounds(
                        settings.updateTime(), settings.maxFileSize().toInt()),
                writes));
        var lists = services.listChanges(id);
        CollectionChanges changes = new CollectionChanges(
                store,
                trees,
                (collection, readers) -> lists.announce(
                        ListChanged.ListType.RESOURCES,
                        collection.name(),
                        new ChangeAudience(collection.owner(), readers)));
        return List.of(
                new StatusTool(store, registry, embedders),
                new CollectionAddTool(registry, providers, changes),
                new CollectionRemoveTool(registry, changes, schedules),
                new CollectionUpdateTool(registry, providers, updater, changes, schedules),
                new MetadataAddTool(store, addresses, writes),
                new MetadataGetTool(addresses),
                new MetadataQueryTool(store, registry));
    }

    private List<ToolHandler<?>> sessionsAndMemories(BackendServices services, Optional<Llm> llm) {
        Memories memories = new Memories(store, services.clock());
        return List.of(
                new SessionStartTool(sessions),
                new SessionGetTool(sessions),
                new SessionSetTool(sessions),
                new SessionEndTool(sessions),
                new MemoryStoreTool(memories),
                new MemorySearchTool(memories),
                new MemoryListTool(memories),
                new MemoryExtractTool(memories, sessions, new MemoryExtraction(llm)),
                new MemoryDeleteTool(memories));
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
    public Optional<ResourceProvider> resources() {
        return Optional.of(resources);
    }

    @Override
    public BackendStore store() {
        return store;
    }

    @Override
    public Optional<ScheduleProvider> schedules() {
        return Optional.of(schedules);
    }

    @Override
    public Future<Void> start() {
        return store.open().compose(_ -> schedules.start());
    }

    @Override
    public Future<Void> stop() {
        return schedules
                .halt()
                .eventually(providers::close)
                .eventually(executor::close)
                .eventually(answers::close)
                .eventually(store::close);
    }
}
