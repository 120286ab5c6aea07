package switchboard.backend.meilisearch;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.Health;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;

/** One Meilisearch server. */
final class MeilisearchBackend implements Backend {
    private final Engine engine;
    private final SearchProvider search;
    private final List<ToolHandler<?>> tools;

    MeilisearchBackend(Engine engine, SearchProvider search, List<ToolHandler<?>> tools) {
        this.engine = engine;
        this.search = search;
        this.tools = List.copyOf(tools);
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
    public Future<Void> stop() {
        return engine.close();
    }

    @Override
    public Future<Health> health() {
        return engine.health();
    }
}
