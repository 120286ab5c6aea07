package switchboard.backend.meilisearch;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import switchboard.backend.Backend;
import switchboard.backend.Finding;
import switchboard.backend.Health;
import switchboard.backend.SearchProvider;
import switchboard.backend.ToolHandler;
import switchboard.backend.upstream.Examination;
import switchboard.backend.upstream.Examination.Question;
import switchboard.backend.upstream.UpstreamRequest;

/** One Meilisearch server. */
final class MeilisearchBackend implements Backend {
    private static final String KEY = "set backends.<id>.apiKey to a key whose actions hold indexes.get, search,"
            + " documents.get, settings.get and stats.get for the indexes to be searched; not the master key";

    private final Engine engine;
    private final Examination examination;
    private final SearchProvider search;
    private final List<ToolHandler<?>> tools;

    MeilisearchBackend(Engine engine, Examination examination, SearchProvider search, List<ToolHandler<?>> tools) {
        this.engine = engine;
        this.examination = examination;
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

    @Override
    public Future<List<Finding>> examine() {
        return examination.of(
                UpstreamRequest.get("/health"),
                List.of(
                        Question.needed(
                                "key",
                                "/indexes?limit=1",
                                indexes -> "accepted, sees "
                                        + indexes.path("total").asInt() + " indexes",
                                KEY),
                        Question.welcome("version", "/version", version -> version.path("pkgVersion")
                                .asText("unknown"))));
    }
}
