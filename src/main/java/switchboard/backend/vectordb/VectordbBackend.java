package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import switchboard.backend.BackendServices;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.embedded.BackendStore;
import switchboard.backend.embedded.EmbeddedBackend;
import switchboard.backend.embedded.NamespaceSearch;
import switchboard.concurrent.BlockingExecutor;
import switchboard.convert.DocumentConverter;
import switchboard.fetch.GuardedFetcher;
import switchboard.files.UploadedFiles;
import switchboard.store.DocumentStore;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NamespaceQueryVectors;
import switchboard.store.StoreSettings;

/** The {@code vectordb} backend: mcpvectordb's tools on an embedded store. */
final class VectordbBackend implements EmbeddedBackend {
    private static final int MAX_WAITING_CONVERSIONS = 64;

    private final GuardedFetcher fetcher;
    private final BackendStore store;
    private final BlockingExecutor executor;
    private final BlockingExecutor answers;
    private final List<ToolHandler<?>> tools;
    private final SearchProvider search;

    VectordbBackend(
            String id,
            VectordbSettings settings,
            BackendServices services,
            NamespaceEmbedders embedders,
            HitReranker hitReranker,
            GuardedFetcher fetcher,
            Supplier<Future<DocumentStore>> opener) {
        this.fetcher = fetcher;
        this.store = new BackendStore(id, opener, embedders);
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
        this.executor = services.executor(id + "-convert", threads, MAX_WAITING_CONVERSIONS);
        // As many as may wait for the store, so that what it accepted is answered.
        this.answers = services.executor(id + "-answers", threads, StoreSettings.MAX_WAITING);
        LibraryResolver libraryResolver = new LibraryResolver(store);
        Ingestion ingestion = new Ingestion(store, embedders, executor, new DocumentConverter());
        IngestFolders folders = folders(id, settings, services);
        NamespaceQueryVectors vectors = new NamespaceQueryVectors(embedders);
        this.search = new NamespaceSearch(
                store, libraryResolver, vectors, settings.fusion().fusion(settings.ranking()));
        this.tools = List.of(
                new IngestFileTool(libraryResolver, folders, uploads(services), executor, ingestion),
                new IngestUrlTool(libraryResolver, fetcher, settings.fetch(), ingestion),
                new IngestTextTool(libraryResolver, ingestion),
                new SearchTool(
                        id,
                        store,
                        libraryResolver,
                        vectors,
                        settings.fusion(),
                        settings.ranking(),
                        hitReranker,
                        answers),
                new ListDocumentsTool(store, libraryResolver),
                new ListLibrariesTool(store, libraryResolver),
                new DeleteDocumentTool(store, libraryResolver),
                new GetDocumentTool(store, libraryResolver));
    }

    private static IngestFolders folders(String id, VectordbSettings settings, BackendServices services) {
        return new IngestFolders(
                id,
                settings.ingestRoots().stream().map(services.dataDir()::resolve).toList(),
                settings.maxFileSize().toInt(),
                settings.sharesDocuments());
    }

    private static UploadedFiles uploads(BackendServices services) {
        return new UploadedFiles(services.dataDir().resolve(UploadedFiles.FOLDER), services.clock());
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
    public BackendStore store() {
        return store;
    }

    @Override
    public Future<Void> stop() {
        return fetcher.close()
                .eventually(executor::close)
                .eventually(answers::close)
                .eventually(store::close);
    }
}
