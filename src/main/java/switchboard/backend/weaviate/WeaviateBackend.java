package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.backend.Backend;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Health;
import switchboard.upstream.EngineDiagnostics;
import switchboard.upstream.EngineDiagnostics.Probe;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;

/** One Weaviate. */
record WeaviateBackend(
        UpstreamClient client,
        EngineDiagnostics engineDiagnostics,
        Optional<SearchProvider> search,
        Optional<LogSource> logs,
        List<ToolHandler<?>> tools,
        Set<String> gates)
        implements Backend {
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final UpstreamRequest READY = UpstreamRequest.get("/v1/.well-known/ready");

    private static final String KEY = "set backends.<id>.apiKey to a key that Weaviate knows"
            + " (AUTHENTICATION_APIKEY_ALLOWED_KEYS, or one of a database user)";
    private static final String RIGHTS =
            "give the key's user a role that may read collections, data and tenants of the collections to search";

    private static final Probe RIGHT = Probe.needed(
            "rights", "/v1/schema", schema -> "sees " + schema.path("classes").size() + " collections", RIGHTS);
    /** The checks of the key. An unknown key gets 401; 403 means that its user lacks permissions. */
    private static final EngineDiagnostics.Key KEY_CHECKS = new EngineDiagnostics.Key(
            List.of(
                    Probe.needed(
                            "key",
                            "/v1/meta",
                            meta -> "accepted by version "
                                    + meta.path("version").asText("unknown"),
                            KEY),
                    Probe.needed("key", "/v1/schema", _ -> "accepted; it may not read the version", KEY)),
            Set.of(401),
            KEY);

    @Override
    public Future<Health> health() {
        return engineDiagnostics.health(READY, KEY_CHECKS, PROBE);
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        return engineDiagnostics.of(READY, KEY_CHECKS, List.of(RIGHT));
    }

    @Override
    public Future<Void> stop() {
        return Future.join(client.close(), logs.map(LogSource::close).orElse(Future.succeededFuture()))
                .mapEmpty();
    }
}
