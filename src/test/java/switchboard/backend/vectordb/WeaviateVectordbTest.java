package switchboard.backend.vectordb;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.BackendServices;
import switchboard.backend.SharedApprovals;
import switchboard.call.CallerTokens;
import switchboard.call.Tracing;
import switchboard.concurrent.TeamShare;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.embed.DeclaredEmbedders;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.replica.ReplicaNode;
import switchboard.testing.BackendHarness;
import switchboard.testing.ChunkServer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolCaller;
import switchboard.testing.WordEmbedder;
import switchboard.upstream.UpstreamSettings;

/**
 * The contract on two nodes that share their documents, with chunks in a Weaviate: a stand-in, or a real one that {@code WEAVIATE_URL}
 * names. Each call goes to the other node than the call before.
 */
@Tag("engines")
class WeaviateVectordbTest extends VectordbContract {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path unused;

    private static final List<ReplicaNode> NODES = new ArrayList<>();

    private static ChunkServer server;

    private final WordEmbedder embedder = new WordEmbedder();
    private final List<BackendHarness> started = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();

    @BeforeAll
    static void join() {
        server = ChunkServer.realOrStandIn();
        for (int number = 0; number < 2; number++) {
            NODES.add(new ReplicaNode(postgres, "contract", unused.resolve("n" + number)).joined());
        }
    }

    @AfterAll
    static void leave() {
        NODES.forEach(ReplicaNode::close);
        NODES.clear();
        server.close();
    }

    @Override
    protected ToolCaller start(Path data) {
        postgres.sql("UPDATE contract.library SET live = false, changed = now(), touched = pg_current_xact_id()");
        for (int number = 0; number < NODES.size(); number++) {
            started.add(BackendHarness.start(
                    new VectordbModule(
                            new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("test", embedder)), Set.of()),
                            Optional.empty(),
                            "switchboard/test"),
                    settings(),
                    new BackendServices(
                            Vertx.vertx(),
                            new SimpleMeterRegistry(),
                            Clock.systemUTC(),
                            data.resolve("node" + number),
                            Tracing.OFF,
                            DeclaredEmbedders.NONE,
                            Map.of(),
                            TeamShare.ALL,
                            SharedApprovals.NONE,
                            CallerTokens.NONE,
                            Optional.of(NODES.get(number).cluster().documents()))));
        }
        return (tool, arguments) ->
                started.get(calls.getAndIncrement() % started.size()).call(tool, arguments);
    }

    private VectordbSettings settings() {
        return new VectordbSettings(
                LibraryStore.WEAVIATE,
                new VectordbSettings.WeaviateCluster(
                        server.url(),
                        server.key().map(Secret::of).orElse(null),
                        2,
                        server.replicationFactor(),
                        UpstreamSettings.defaults()),
                Duration.ZERO,
                List.of("*"),
                Path.of("vectordb"),
                List.of(folder),
                Size.ofMiB(1),
                "default",
                Map.of(),
                Map.of(),
                FusionChoice.LINEAR,
                new VectordbSettings.Ranking(0.7, 0, 0, 0, 0, 0),
                8,
                Duration.ofMinutes(5),
                new VectordbSettings.Fetch(true, RobotsPolicy.IGNORE, Size.ofMiB(1), Duration.ofMinutes(1), 3));
    }

    @Override
    protected void stop() {
        started.forEach(BackendHarness::close);
    }
}
