package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.backend.Backend;
import switchboard.backend.Health;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.upstream.UpstreamClient;
import switchboard.backend.upstream.UpstreamRequest;

/** One Weaviate. */
final class WeaviateBackend implements Backend {
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final UpstreamRequest READY = UpstreamRequest.get("/v1/.well-known/ready");

    private final UpstreamClient client;
    private final SearchProvider search;
    private final Optional<LogSource> logs;
    private final List<ToolHandler<?>> tools;
    private final Set<String> gates;

    WeaviateBackend(
            UpstreamClient client,
            SearchProvider search,
            Optional<LogSource> logs,
            List<ToolHandler<?>> tools,
            Set<String> gates) {
        this.client = client;
        this.search = search;
        this.logs = logs;
        this.tools = List.copyOf(tools);
        this.gates = Set.copyOf(gates);
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
    public Set<String> gates() {
        return gates;
    }

    /** Readiness needs no key, so this says nothing about rights. */
    @Override
    public Future<Health> health() {
        return client.probe(READY, PROBE);
    }

    @Override
    public Future<Void> stop() {
        return Future.join(client.close(), logs.map(LogSource::close).orElse(Future.succeededFuture()))
                .mapEmpty();
    }
}
