package switchboard.backend.meilisearch;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import switchboard.call.Json;
import switchboard.upstream.EngineDiagnostics;
import switchboard.upstream.EngineDiagnostics.Probe;
import switchboard.upstream.UpstreamRequest;

/** A Meilisearch server. */
record MeilisearchBackend(
        MeilisearchApi meilisearchApi,
        EngineDiagnostics engineDiagnostics,
        Optional<SearchProvider> search,
        List<ToolHandler<?>> tools)
        implements Backend {
    private static final String KEY = "set backends.<id>.apiKey to a key whose actions hold indexes.get, search,"
            + " documents.get, settings.get and stats.get for the indexes to be searched; not the master key";

    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final UpstreamRequest READY = UpstreamRequest.get("/health");
    /** The checks of the key. A key without a permission gets the same answer as an unknown key, so both are tried. */
    private static final EngineDiagnostics.Key KEY_CHECKS = new EngineDiagnostics.Key(
            List.of(
                    Probe.needed(
                            "key",
                            "/indexes?limit=1",
                            indexes -> "accepted, sees " + indexes.path("total").asInt() + " indexes",
                            KEY),
                    Probe.needed(
                            "key",
                            UpstreamRequest.query("/multi-search", noSearches()),
                            _ -> "accepted for searches; it may not list indexes (indexes.get)",
                            KEY)),
            Set.of(401, 403),
            KEY);

    @Override
    public Future<Void> stop() {
        return meilisearchApi.close();
    }

    @Override
    public Future<Health> health() {
        return engineDiagnostics.health(READY, KEY_CHECKS, PROBE);
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        return engineDiagnostics.of(
                READY, KEY_CHECKS, List.of(Probe.optional("version", "/version", version -> version.path("pkgVersion")
                        .asText("unknown"))));
    }

    /** A multi-search without searches. */
    private static ObjectNode noSearches() {
        ObjectNode none = Json.object();
        none.putArray("queries");
        return none;
    }
}
