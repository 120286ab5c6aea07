package switchboard.backend.vectordb;

import io.vertx.core.Future;
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
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.embed.Embedder;
import switchboard.embed.Readiness;
import switchboard.fetch.Fetcher;
import switchboard.store.DocumentStore;
import switchboard.store.QueryVectors;
import switchboard.store.SpaceSearch;

/** One embedded store with mcpvectordb's tools. */
final class VectordbBackend implements ExclusiveBackend {
    private static final Logger LOG = LoggerFactory.getLogger(VectordbBackend.class);
    private static final int MAX_WAITING_CONVERSIONS = 64;

    private final String id;
    private final Optional<Embedder> embedder;
    private final Fetcher fetcher;
    private final Supplier<Future<DocumentStore>> opener;
    private final BlockingLane lane;
    private final List<ToolHandler<?>> tools;
    private final SearchProvider search;
    private volatile @Nullable DocumentStore store;

    VectordbBackend(
            String id,
            VectordbSettings settings,
            BackendServices services,
            Optional<Embedder> embedder,
            Fetcher fetcher,
            Supplier<Future<DocumentStore>> opener) {
        this.id = id;
        this.embedder = embedder;
        this.fetcher = fetcher;
        this.opener = opener;
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.lane = new BlockingLane(
                services.vertx(), services.meters(), id + "-convert", threads, MAX_WAITING_CONVERSIONS);
        Libraries libraries = new Libraries(this::store);
        Ingestion ingestion =
                new Ingestion(this::store, embedder, lane, new Preparation(new DocumentConverter(), embedder));
        IngestFolders folders = new IngestFolders(
                id,
                settings.ingestRoots().stream().map(services.dataDir()::resolve).toList(),
                settings.maxFileSize().toInt());
        QueryVectors vectors = new QueryVectors(embedder);
        this.search = new SpaceSearch(
                this::store, libraries, vectors, settings.fusion().fusion());
        this.tools = List.of(
                new IngestFileTool(libraries, folders, lane, ingestion),
                new IngestUrlTool(libraries, fetcher, settings.fetch(), ingestion),
                new IngestTextTool(libraries, ingestion),
                new SearchTool(this::store, libraries, vectors, settings.fusion()),
                new ListDocumentsTool(this::store, libraries),
                new ListLibrariesTool(this::store, libraries),
                new DeleteDocumentTool(this::store, libraries),
                new GetDocumentTool(this::store, libraries));
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
        return fetcher.close()
                .eventually(lane::close)
                .eventually(() -> open == null ? Future.succeededFuture() : open.close());
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
