package switchboard.backend.weaviate;

import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.config.Secret;
import switchboard.embed.Embedders;
import switchboard.embed.SourceEmbedders;
import switchboard.upstream.EngineDiagnostics;
import switchboard.upstream.UpstreamClient;

/** The backend type {@code weaviate}: Weaviate 1.35 or newer over its REST and GraphQL interfaces. */
public final class WeaviateModule implements BackendModule<WeaviateSettings> {
    private final Embedders embedders;

    /** The type in a gateway without embedders. */
    public WeaviateModule() {
        this(Embedders.none());
    }

    /** The type; {@code embedders} are the configured ones, which the gateway owns. */
    public WeaviateModule(Embedders embedders) {
        this.embedders = embedders;
    }

    @Override
    public String type() {
        return "weaviate";
    }

    @Override
    public Class<WeaviateSettings> settingsType() {
        return WeaviateSettings.class;
    }

    @Override
    public Backend create(String id, WeaviateSettings settings, BackendServices services) {
        UpstreamClient client = UpstreamClient.withSecrets(
                id, base(settings.url()), settings.connection(), headers(settings.apiKey()), services.upstream());
        RequestHistory exchanges = new RequestHistory(services.clock());
        WeaviateApi api = new WeaviateApi(client, exchanges);
        SchemaCache schemas = new SchemaCache(api, settings.schemaCache(), services.clock());
        SourceEmbedders models = SourceEmbedders.of(services.embedders(), id, settings.embedder(), embedders::embedder);
        CollectionsGetConfigTool configuration = new CollectionsGetConfigTool(api);
        ObjectsGetTool objects = new ObjectsGetTool(api, schemas);
        QueryHybridTool hybrid = new QueryHybridTool(api, schemas, models);
        Optional<LogSource> logs = logs(id, settings.logs(), exchanges, services);
        return new WeaviateBackend(
                client,
                new EngineDiagnostics(client, services.clock()),
                Optional.of(new CollectionSearch(
                        configuration,
                        new CollectionStatistics(api, services.clock()),
                        schemas,
                        hybrid,
                        objects,
                        models)),
                logs,
                List.of(
                        new CollectionNameSuggester<>(configuration, configuration),
                        new CollectionNameSuggester<>(new TenantsListTool(api), configuration),
                        new CollectionNameSuggester<>(objects, configuration),
                        new LogsFetchTool(logs),
                        new CollectionsCreateTool(api, schemas),
                        new CollectionNameSuggester<>(new ObjectsDeleteTool(api, schemas), configuration),
                        new CollectionNameSuggester<>(new ObjectsUpsertTool(api, schemas, models), configuration),
                        new CollectionNameSuggester<>(hybrid, configuration)),
                gates(settings));
    }

    private static Map<String, Secret> headers(@Nullable Secret key) {
        Map<String, Secret> headers = new HashMap<>(Secret.bearer(key));
        headers.put("Accept", Secret.of("application/json"));
        return headers;
    }

    /** The base URL. Users of the original server write it with or without {@code /v1} and a slash at the end. */
    private static URI base(URI url) {
        String text = url.toString().replaceAll("(?<!/)/+$", "");
        return URI.create(text.endsWith("/v1") ? text.substring(0, text.length() - "/v1".length()) : text);
    }

    private static Set<String> gates(WeaviateSettings settings) {
        Set<String> open = new HashSet<>();
        if (settings.writes()) {
            open.add("writes");
        }
        if (settings.logs().enabled()) {
            open.add("logs");
        }
        return Set.copyOf(open);
    }

    private static Optional<LogSource> logs(
            String id, WeaviateSettings.Logs settings, RequestHistory exchanges, BackendServices services) {
        return Optional.ofNullable(settings.source()).map(source -> switch (source) {
            case GATEWAY -> exchanges;
            case FILE -> {
                if (settings.file() == null) {
                    throw new IllegalArgumentException("logs.source is file, but logs.file does not say which");
                }
                yield new LogFile(services.vertx(), services.dataDir().resolve(settings.file()));
            }
            case LOKI -> {
                if (settings.loki() == null) {
                    throw new IllegalArgumentException(
                            "logs.source is loki, but logs.loki does not say where and what");
                }
                yield LokiLog.create(id, settings.loki(), services);
            }
        });
    }
}
