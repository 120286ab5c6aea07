package switchboard.replica;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import switchboard.call.Tracing;
import switchboard.cluster.Cluster;
import switchboard.cluster.ClusterListener;
import switchboard.cluster.NodeMessage;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.session.SessionLimits;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoreSettings;
import switchboard.testing.ChunkServer;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamServices;
import switchboard.upstream.UpstreamSettings;
import switchboard.weaviate.WeaviateChunks;

/** One of several stores with the same documents. */
public final class ReplicaNode implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BlockingExecutor executor = new BlockingExecutor(vertx, meters, "cluster", 2, 10, TeamShare.ALL);
    private final Cluster cluster;
    private final Path folder;
    private final Duration freshness;
    private final Predicate<String> warm;
    private final Optional<ChunkServer> engine;
    private DocumentStore store;

    /** What happens to sessions is of no interest here. */
    private record Deaf() implements ClusterListener {
        @Override
        public Future<Void> ended(String key) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> changed(String key) {
            return Future.succeededFuture();
        }

        @Override
        public void received(NodeMessage message) {}

        @Override
        public Future<Void> poll() {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> leaving() {
            return Future.succeededFuture();
        }
    }

    /** A node on the database at {@code port}, with its files in {@code folder}. */
    public ReplicaNode(PostgresCluster postgres, int port, String schema, Path folder, Duration freshness) {
        this(postgres, port, schema, folder, freshness, _ -> true);
    }

    /** The same where only the files of some libraries are built at the start. */
    public ReplicaNode(
            PostgresCluster postgres,
            int port,
            String schema,
            Path folder,
            Duration freshness,
            Predicate<String> warm) {
        this(postgres, port, schema, folder, freshness, warm, Optional.empty());
    }

    /** A node whose chunks are in an engine. */
    public ReplicaNode(PostgresCluster postgres, String schema, Path folder, ChunkServer engine) {
        this(postgres, postgres.port(), schema, folder, Duration.ZERO, _ -> true, Optional.of(engine));
    }

    private ReplicaNode(
            PostgresCluster postgres,
            int port,
            String schema,
            Path folder,
            Duration freshness,
            Predicate<String> warm,
            Optional<ChunkServer> engine) {
        this.engine = engine;
        this.warm = warm;
        this.folder = folder;
        this.freshness = freshness;
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + port + "/" + postgres.database();
        this.cluster = new Cluster(
                vertx,
                new ClusterConfig(Secret.of(url), null, null, null, schema, "node", 8),
                SessionLimits.DEFAULT,
                "1",
                executor,
                TeamShare.ALL,
                meters,
                Clock.systemUTC());
        cluster.listen(new Deaf());
        cluster.start();
        this.store = open();
    }

    /** The same without a proxy, and without a delay. */
    public ReplicaNode(PostgresCluster postgres, String schema, Path folder) {
        this(postgres, postgres.port(), schema, folder, Duration.ZERO);
    }

    private DocumentStore open() {
        return await(LuceneDocumentStore.open(vertx, meters, Clock.systemUTC(), StoreSettings.of(folder, "docs"))
                .compose(files -> ReplicatedStore.on(
                        files,
                        new Replication.Settings(
                                vertx,
                                meters,
                                Clock.systemUTC(),
                                cluster.documents(),
                                "docs",
                                new Replication.Following(freshness, warm, engine.map(this::chunks)),
                                TeamShare.ALL,
                                _ -> {}))));
    }

    private ChunkEngine chunks(ChunkServer server) {
        UpstreamClient client = UpstreamClient.withSecrets(
                "docs",
                server.url(),
                UpstreamSettings.defaults(),
                Secret.bearer(server.key().map(Secret::of).orElse(null)),
                new UpstreamServices(vertx, meters, Clock.systemUTC(), Tracing.OFF));
        return new WeaviateChunks(
                client,
                new WeaviateChunks.Shape(2, server.replicationFactor()),
                new BlockingExecutor(vertx, meters, "engine" + System.nanoTime(), 2, 100, TeamShare.ALL),
                TeamShare.ALL);
    }

    /** Waits until it has joined. */
    public ReplicaNode joined() {
        Eventually.within(Eventually.OF_A_PROCESS, cluster::joined, () -> "the node joins");
        return this;
    }

    /** The tables. */
    public Cluster cluster() {
        return cluster;
    }

    /** The store, after a look at what the others have acknowledged. */
    public DocumentStore fresh() {
        await(store.refresh());
        return store;
    }

    /** The store as it is. */
    public DocumentStore store() {
        return store;
    }

    /** A search of {@code namespaces}, or of all if there are none. */
    public SearchResult search(SearchRequest request, Namespace... namespaces) {
        DocumentStore now = fresh();
        return await(now.search(request.in(namespaces.length == 0 ? now.namespaces() : java.util.List.of(namespaces))));
    }

    /** Closes the store, does {@code meanwhile}, and opens it again. */
    public void restart(Runnable meanwhile) {
        await(store.close());
        meanwhile.run();
        store = open();
    }

    /** Waits until its files have all documents. */
    public ReplicaNode complete() {
        fresh();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> store.starting().isEmpty() && behind() == 0,
                () -> "its files are complete: " + store.starting());
        return this;
    }

    /** How many changes its files lack. */
    public double behind() {
        return meters.get("switchboard.store.behind").gauge().value();
    }

    /** For how many seconds its files have lacked changes. */
    public double late() {
        return meters.get("switchboard.store.lag").gauge().value();
    }

    /** Waits for a result, with a limit. */
    public static <T> T await(Future<T> future) {
        try {
            return future.await(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing came for a minute", e);
        }
    }

    @Override
    public void close() {
        await(store.close());
        await(cluster.close());
        await(executor.close());
        await(vertx.close());
    }
}
