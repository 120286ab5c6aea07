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

/**
 * A cluster of OpenSearch or Elasticsearch.
 *
 * @param namesPath the request that lists the configured indices
 */
record OpenSearchBackend(
        UpstreamClient client,
        String namesPath,
        EngineDiagnostics engineDiagnostics,
        Optional<SearchProvider> search,
        List<ToolHandler<?>> tools)
        implements Backend {
    private static final String KEY =
            "set backends.<id>.username and password, or apiKey, to those of a user with the rights"
                    + " that backends/opensearch/README.md names";

    private static final Duration PROBE = Duration.ofSeconds(5);

    @Override
    public Future<Void> stop() {
        return client.close();
    }

    @Override
    public Future<Health> health() {
        return client.probe(UpstreamRequest.get(namesPath), PROBE);
    }

    @Override
    public Future<List<DiagnosticFinding>> examine() {
        EngineDiagnostics.Key key = new EngineDiagnostics.Key(
                List.of(Probe.needed(
                        "key",
                        namesPath,
                        names -> "accepted, sees " + names.path("indices").size() + " indices",
                        KEY)),
                Set.of(401),
                KEY);
        // Even this needs a credential, and the right to see names: what every search needs.
        return engineDiagnostics.of(
                UpstreamRequest.get(namesPath),
                key,
                List.of(Probe.optional("version", "/", OpenSearchBackend::version)));
    }

    /** Elasticsearch names no distribution. */
    private static String version(JsonNode about) {
        JsonNode version = about.path("version");
        return version.path("distribution").asText("elasticsearch") + " "
                + version.path("number").asText("of an unknown version");
    }
}
