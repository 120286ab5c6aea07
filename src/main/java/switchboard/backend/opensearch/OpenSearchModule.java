package switchboard.backend.opensearch;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.embed.Embedder;
import switchboard.embed.SourceEmbedders;
import switchboard.upstream.EngineDiagnostics;
import switchboard.upstream.LiveSecrets;
import switchboard.upstream.UpstreamClient;

/** The backend type {@code opensearch}. */
public final class OpenSearchModule implements BackendModule<OpenSearchSettings> {
    private final Function<String, Optional<Embedder>> embedders;

    /**
     * The type.
     *
     * @param embedders finds configured embedders by name and refuses unknown names; called when an instance is
     *     created
     */
    public OpenSearchModule(Function<String, Optional<Embedder>> embedders) {
        this.embedders = embedders;
    }

    @Override
    public String type() {
        return "opensearch";
    }

    @Override
    public Class<OpenSearchSettings> settingsType() {
        return OpenSearchSettings.class;
    }

    @Override
    public Backend create(String id, OpenSearchSettings settings, BackendServices services) {
        UpstreamClient client = UpstreamClient.withSecrets(
                id, settings.url(), settings.connection(), settings.headers(), services.upstream());
        String names = OpenSearchApi.namesPath(settings.indices());
        OpenSearchApi api = new OpenSearchApi(
                id,
                client,
                names,
                new LiveSecrets(settings.password() == null ? List.of() : List.of(settings.password())));
        SourceEmbedders models = SourceEmbedders.of(services.embedders(), id, settings.embedder(), embedders);
        QueryVectors vectors = new QueryVectors(models);
        VisibleIndices indices = new VisibleIndices(api, new IndexNames(settings.indices()));
        Mappings mappings = new Mappings(api, services.clock());
        VisibleCounts counts = new VisibleCounts(api);
        VisibleDocument document = new VisibleDocument(api, mappings);
        IndexSearcher searcher = new IndexSearcher(api, mappings, vectors);
        return new OpenSearchBackend(
                client,
                names,
                new EngineDiagnostics(client, services.clock()),
                Optional.of(new IndexSources(indices, mappings, counts, searcher, document)),
                List.of(
                        new ListIndicesTool(indices, counts),
                        new GetMappingTool(indices, mappings, counts, vectors),
                        new SearchTool(indices, searcher),
                        new GetDocumentTool(indices, document)));
    }
}
