package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.backend.BackendServices;
import switchboard.backend.ResourceProvider;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.source.CollectionLimits;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.backend.agentroot.source.FileProvider;
import switchboard.backend.agentroot.source.FileTree;
import switchboard.backend.agentroot.source.GithubApi;
import switchboard.backend.agentroot.source.GithubProvider;
import switchboard.backend.agentroot.source.RecordProvider;
import switchboard.backend.agentroot.source.Roots;
import switchboard.backend.agentroot.source.SqlProvider;
import switchboard.backend.agentroot.source.UrlProvider;
import switchboard.backend.agentroot.sqlite.SqliteLimits;
import switchboard.backend.agentroot.sqlite.SqliteReader;
import switchboard.backend.embedded.BackendStore;
import switchboard.backend.embedded.EmbeddedBackend;
import switchboard.backend.embedded.NamespaceSearch;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.convert.DocumentConverter;
import switchboard.fetch.FetchLimits;
import switchboard.fetch.Fetcher;
import switchboard.llm.Llm;
import switchboard.store.ChunkEmbedders;
import switchboard.store.Fusion;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NamespaceQueryVectors;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamSettings;

/** One knowledge base with agentroot's tools. */
final class AgentrootBackend implements EmbeddedBackend {
    private static final int MAX_WAITING = 256;

    /**
     * Maximum size of GitHub's list of a repository's files. A single file may be larger, if the operator allows it.
     */
    private static final int TREE_BYTES = 16 << 20;

    private final String id;
    private final BackendStore store;
    private final Fetcher fetcher;
    private final UpstreamClient github;
    private final BlockingExecutor executor;
    private final BlockingExecutor answers;
    private final SqliteReader sql;
    private final Resources resources;
    private final List<ToolHandler<?>> tools;
    private final SearchProvider search;

    AgentrootBackend(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            ChunkEmbedders embedders,
            Optional<Llm> llm,
            Fetcher fetcher,
            BackendStore store) {
        this.id = id;
        this.store = store;
        this.fetcher = fetcher;
        this.github = github(settings, services);
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
        this.executor = services.executor(id + "-index", threads, MAX_WAITING);
        this.answers = services.executor(id + "-answers", threads, MAX_WAITING);
        this.sql = sql(settings, services);
        CollectionRegistry registry = new CollectionRegistry(store);
        DocumentAddresses addresses = new DocumentAddresses(store, registry);
        NamespaceQueryVectors vectors = new NamespaceQueryVectors(NamespaceEmbedders.all(embedders));
        Ranking ranking = new Ranking(store, vectors, settings.fusion());
        this.search = new NamespaceSearch(store, new CollectionResolver(registry), vectors, Fusion.standard());
        this.resources = new Resources(store, registry, addresses);
        FolderTrees trees = new FolderTrees(store);
        List<ToolHandler<?>> all =
                new ArrayList<>(collections(settings, services, embedders, llm, registry, addresses, trees));
        all.addAll(searches(settings, services, llm, registry, ranking));
        all.addAll(new DirectoryTools(store, registry, trees, ranking).all());
        all.addAll(new DocumentTools(store, registry, addresses).all());
        this.tools = List.copyOf(all);
    }

    private SqliteReader sql(AgentrootSettings settings, BackendServices services) {
        AgentrootSettings.Sql sql = settings.sql();
        int value = settings.maxFileSize().toInt();
        return new SqliteReader(
                services,
                id + "-sql",
                sql.processes(),
                new SqliteLimits(
                        sql.timeout(),
                        value,
                        new CollectionLimits(value, settings.maxDocuments()).records() + 1,
                        sql.memory().bytes() + 16L * value,
                        sql.tempSpace().bytes()));
    }

    private UpstreamClient github(AgentrootSettings settings, BackendServices services) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        int largest = Math.max(TREE_BYTES, settings.maxFileSize().toInt());
        Secret token = settings.github().token();
        return UpstreamClient.withSecrets(
                id + "-github",
                settings.github().apiUrl(),
                new UpstreamSettings(
                        usual.timeouts(),
                        usual.pool(),
                        new Size(largest),
                        usual.retries(),
                        usual.breaker(),
                        usual.tls(),
                        null),
                token == null ? Map.of() : Map.of("Authorization", token.after("Bearer ")),
                services.upstream());
    }

    /** The tools that change collections, and their listeners. */
    private List<ToolHandler<?>> collections(
            AgentrootSettings settings,
            BackendServices services,
            ChunkEmbedders embedders,
            Optional<Llm> llm,
            CollectionRegistry registry,
            DocumentAddresses addresses,
            FolderTrees trees) {
        KeyedSerialExecutor<DocumentWrite> writes = new KeyedSerialExecutor<>();
        CollectionUpdater updater = new CollectionUpdater(
                store,
                embedders,
                executor,
                new DocumentPreparation(new DocumentConverter(), embedders),
                new DocumentDescriber(llm),
                services.clock(),
                new CollectionUpdater.Bounds(
                        settings.updateTime(), settings.maxFileSize().toInt()),
                writes);
        var changes = services.listChanges(id);
        CollectionChangeListeners changed = new CollectionChangeListeners(
                trees, collection -> changes.announce(ListChanged.ListType.RESOURCES, collection));
        List<ToolHandler<?>> all = new ArrayList<>();
        all.addAll(new CollectionTools(store, registry, providers(settings, services), updater, changed).all());
        all.addAll(new StatusTool(store, registry, embedders).all());
        all.addAll(new MetadataTools(store, registry, addresses, writes).all());
        return all;
    }

    /** The tools that search, and session state. */
    private List<ToolHandler<?>> searches(
            AgentrootSettings settings,
            BackendServices services,
            Optional<Llm> llm,
            CollectionRegistry registry,
            Ranking ranking) {
        Sessions sessions = new Sessions(services.clock(), settings.maxSessions());
        SessionDemotion sessionDemotion = new SessionDemotion(sessions, services.clock());
        QueryInterpreter queryInterpreter = new QueryInterpreter(llm, services.clock());
        List<ToolHandler<?>> all = new ArrayList<>();
        all.addAll(new SearchTools(
                        registry,
                        ranking,
                        new Results(store, new MatchedChunks(store, answers)),
                        sessionDemotion,
                        queryInterpreter)
                .all());
        all.addAll(new ChunkTools(store, registry, sessionDemotion).all());
        all.addAll(new SessionTools(sessions).all());
        all.addAll(new MemoryTools(new Memories(store, services.clock()), sessions, new MemoryExtraction(llm)).all());
        return all;
    }

    private List<DocumentProvider> providers(AgentrootSettings settings, BackendServices services) {
        Roots roots = new Roots(
                id, settings.roots().stream().map(services.dataDir()::resolve).toList());
        CollectionLimits limits = new CollectionLimits(settings.maxFileSize().toInt(), settings.maxDocuments());
        FileTree files = new FileTree(roots, executor, limits);
        URI api = settings.github().apiUrl();
        FetchLimits pages = new FetchLimits(
                limits.fileBytes(), settings.fetch().timeout(), settings.fetch().maxRedirects());
        return List.of(
                FileProvider.all(files),
                FileProvider.pdf(files),
                RecordProvider.csv(files),
                RecordProvider.json(files),
                new SqlProvider(files, sql),
                new UrlProvider(fetcher, pages),
                new GithubProvider(new GithubApi(github, api, services.clock()), limits));
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
    public Future<Void> stop() {
        return sql.close()
                .eventually(fetcher::close)
                .eventually(github::close)
                .eventually(executor::close)
                .eventually(answers::close)
                .eventually(store::close);
    }
}
