package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
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

/** A cluster of OpenSearch or Elasticsearch. */
record OpenSearchBackend(
        UpstreamClient client,
        EngineDiagnostics engineDiagnostics,
        Optional<SearchProvider> search,
        List<ToolHandler<?>> tools)
        implements Backend {
    private static final String KEY =
            "set backends.<id>.username and password, or apiKey, to those of a user that may read"
                    + " (indices:data/read and indices:admin/mappings/get, or the privileges read and view_index_metadata)";

    private static final Duration PROBE = Duration.ofSeconds(5);

    /** Needs what every search needs: a credential, and the right to see names. */
    private static final String NAMES = "/_resolve/index/*?expand_wildcards=open";

    private static final UpstreamRequest READY = UpstreamRequest.get(NAMES);

    private static final EngineDiagnostics.Key KEY_CHECKS = new EngineDiagnostics.Key(
            List.of(Probe.needed(
                    "key",
                    NAMES,
                    names -> "accepted, sees " + names.path("indices").size() + " indices",
                    KEY)),
            Set.of(401),
            KEY);

    @Override
    public Future<Void> stop() {
        return client.close();
    }

    @Override
    public Future<Health> health() {
        return client.probe(READY, PROBE);
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        return engineDiagnostics.of(
                READY, KEY_CHECKS, List.of(Probe.optional("version", "/", OpenSearchBackend::version)));
    }

    /** Elasticsearch names no distribution. */
    private static String version(JsonNode about) {
        JsonNode version = about.path("version");
        return version.path("distribution").asText("elasticsearch") + " "
                + version.path("number").asText("of an unknown version");
    }
}
