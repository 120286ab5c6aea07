package switchboard.backend.meilisearch;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.config.Secret;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;
import switchboard.upstream.EngineDiagnostics;
import switchboard.upstream.UpstreamClient;

/** The backend type {@code meilisearch}. */
public final class MeilisearchModule implements BackendModule<MeilisearchSettings> {
    private final Function<String, Optional<Embedder>> embedders;

    /**
     * The type.
     *
     * @param embedders finds configured embedders by name and refuses unknown names; called when an instance is
     *     created
     */
    public MeilisearchModule(Function<String, Optional<Embedder>> embedders) {
        this.embedders = embedders;
    }

    @Override
    public String type() {
        return "meilisearch";
    }

    @Override
    public Class<MeilisearchSettings> settingsType() {
        return MeilisearchSettings.class;
    }

    @Override
    public Backend create(String id, MeilisearchSettings settings, BackendServices services) {
        UpstreamClient client = UpstreamClient.withSecrets(
                id, settings.url(), settings.connection(), Secret.bearer(settings.apiKey()), services.upstream());
        MeilisearchApi meilisearchApi = new MeilisearchApi(id, client, tokens(settings, services));
        VisibleIndexes directory = new VisibleIndexes(meilisearchApi);
        DocumentCounts counts = new DocumentCounts(meilisearchApi);
        SourceEmbedders models = SourceEmbedders.of(services.embedders(), id, settings.embedder(), embedders);
        HybridQueryVectors vectors = new HybridQueryVectors(meilisearchApi, models, services.clock());
        EmbedderCheck check = new EmbedderCheck(meilisearchApi, services.clock());
        return new MeilisearchBackend(
                meilisearchApi,
                new EngineDiagnostics(client, services.clock()),
                Optional.of(new IndexSearch(meilisearchApi, directory, counts, vectors, models)),
                List.of(
                        new ListIndexesTool(directory, counts),
                        new GetIndexInfoTool(meilisearchApi, directory, counts),
                        new SearchTool(
                                meilisearchApi,
                                directory,
                                vectors,
                                check,
                                new SearchedDocuments(meilisearchApi, services.clock()))));
    }

    private static Optional<TenantTokens> tokens(MeilisearchSettings settings, BackendServices services) {
        if (settings.apiKeyUid() == null) {
            return Optional.empty();
        }
        if (settings.apiKey() == null) {
            throw new IllegalArgumentException("apiKeyUid is of no use without apiKey");
        }
        return Optional.of(
                new TenantTokens(settings.apiKey(), settings.apiKeyUid(), services.clock(), settings.tokenTtl()));
    }
}
