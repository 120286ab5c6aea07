package switchboard.backend.meilisearch;

import io.vertx.core.Future;
import java.util.List;
import switchboard.backend.Backend;
import switchboard.backend.Health;
import switchboard.backend.ToolHandler;

/** One Meilisearch server. */
final class MeilisearchBackend implements Backend {
    private final Engine engine;
    private final List<ToolHandler<?>> tools;

    MeilisearchBackend(Engine engine, List<ToolHandler<?>> tools) {
        this.engine = engine;
        this.tools = List.copyOf(tools);
    }

    @Override
    public List<ToolHandler<?>> tools() {
        return tools;
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
