package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import switchboard.backend.BackendServices;
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
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.concurrent.BlockingExecutor;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.fetch.FetchLimits;
import switchboard.fetch.GuardedFetcher;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamSettings;

/** The providers of a backend's documents, and the connections and processes that they use. */
final class DocumentProviders {
    /**
     * Maximum size of GitHub's list of a repository's files. A single file may be larger, if the operator allows it.
     */
    private static final int TREE_BYTES = 16 << 20;

    private final GuardedFetcher fetcher;
    private final UpstreamClient github;
    private final SqliteReader sql;
    private final Map<String, DocumentProvider> byType = new TreeMap<>();

    /**
     * The providers of the backend {@code id}.
     *
     * @param fetcher gets web pages; closed with the providers
     * @param executor reads files
     */
    DocumentProviders(
            String id,
            AgentrootSettings settings,
            BackendServices services,
            GuardedFetcher fetcher,
            BlockingExecutor executor) {
        this.fetcher = fetcher;
        this.github = github(id, settings, services);
        CollectionLimits limits = new CollectionLimits(settings.maxFileSize().toInt(), settings.maxDocuments());
        this.sql = sql(id, settings.sql(), limits, services);
        Roots roots = new Roots(
                id, settings.roots().stream().map(services.dataDir()::resolve).toList(), settings.sharesDocuments());
        FileTree files = new FileTree(roots, executor, limits);
        FetchLimits pages = new FetchLimits(
                limits.fileBytes(), settings.fetch().timeout(), settings.fetch().maxRedirects());
        GithubApi api = new GithubApi(github, settings.github().apiUrl(), services.clock());
        List.of(
                        FileProvider.all(files),
                        FileProvider.pdf(files),
                        RecordProvider.csv(files),
                        RecordProvider.json(files),
                        new SqlProvider(files, sql),
                        new UrlProvider(fetcher, pages),
                        new GithubProvider(api, limits))
                .forEach(provider -> byType.put(provider.type(), provider));
    }

    private static SqliteReader sql(
            String id, AgentrootSettings.Sql sql, CollectionLimits limits, BackendServices services) {
        return new SqliteReader(
                services,
                id + "-sql",
                sql.processes(),
                new SqliteLimits(
                        sql.timeout(),
                        limits.fileBytes(),
                        limits.records() + 1,
                        sql.memory().bytes() + 16L * limits.fileBytes(),
                        sql.tempSpace().bytes()));
    }

    private static UpstreamClient github(String id, AgentrootSettings settings, BackendServices services) {
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
                Secret.bearer(token),
                services.upstream());
    }

    /**
     * The provider of that type for a collection.
     *
     * @throws ToolException if there is none, or the caller lacks its verb on the collection
     */
    DocumentProvider allowed(String type, String collection, Caller caller) {
        DocumentProvider provider = byType.get(type);
        if (provider == null) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Unknown provider type: " + type + ". There are " + String.join(", ", byType.keySet()) + ".");
        }
        if (!caller.may(provider.verb(), collection)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "Collections of the provider " + type + " need the verb "
                            + provider.verb().word() + ", which you are not granted on " + collection + ".");
        }
        return provider;
    }

    /** Closes the connections and ends the processes. */
    Future<Void> close() {
        return sql.close().eventually(fetcher::close).eventually(github::close);
    }
}
