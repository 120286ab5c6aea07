package switchboard.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import switchboard.backend.agentroot.AgentrootSite;
import switchboard.call.Json;
import switchboard.testing.CalculatedEmbeddings;
import switchboard.testing.ChunkServer;
import switchboard.testing.HaProxy;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.SwitchboardProcess;

/**
 * Three gateways in processes of their own behind a real HAProxy, each request to the next one, on a PostgreSQL primary with a
 * synchronous standby.
 */
final class BalancedGateways implements AutoCloseable {
    static final int SESSIONS = 60;
    static final int CALLS_A_DAY = 20;

    private static final String BACKENDS = """
              library: { type: vectordb, store: cluster, dataDir: shared }
              docs:
                type: vectordb
                store: cluster
                dataDir: docs
                embedder: words
                ingestRoots: ['%s']
                maxFileSize: 1MiB
                ranking: { bigrams: 0, proximity: 0, feedback: 0, neighbours: 0, document: 0 }
                fetch: { allowPrivate: true, maxSize: 1MiB, maxRedirects: 3 }
              pair: { type: vectordb, store: cluster, dataDir: pair, embedder: off }
              engine: { type: vectordb, store: weaviate, weaviate: { url: '%s' }, dataDir: engine, embedder: off }
            """;
    private static final String SECTIONS = """
            views:
              conformance: { backends: [fixture, library] }
              shared: { backends: [library] }
              teams: { backends: [pair] }
              engines: { backends: [engine] }
            sessions: { max: %d }
            """;
    private static final String SCHEMA = "balanced";

    private final Path files;
    private final PostgresCluster primary = PostgresCluster.alone();
    private final CalculatedEmbeddings embeddings = new CalculatedEmbeddings(16, Duration.ofMillis(5));
    private final ChunkServer engine = ChunkServer.standIn();
    private final AgentrootSite site;
    private final ReplicaProcesses replicas;
    private final HaProxy proxy;

    /** Starts them, with files below {@code folder}. */
    BalancedGateways(Path folder) throws IOException {
        primary.standby();
        site = AgentrootSite.around(folder);
        files = Files.createDirectories(folder.resolve("files")).toRealPath();
        int port = Programs.freePort();
        replicas = new ReplicaProcesses(
                3,
                new ReplicaProcesses.Settings(
                        folder,
                        SCHEMA,
                        _ -> primary.url(),
                        port,
                        embeddings.yaml() + site.models("words") + site.languageModel(),
                        BACKENDS.formatted(Files.createDirectories(files.resolve("docs")), engine.url())
                                + site.backends("words", ", store: cluster", "")
                                + SECTIONS.formatted(SESSIONS),
                        Map.of(
                                "daily", "limits: {callsPerDay: " + CALLS_A_DAY + "}",
                                "slow", "limits: {callsPerSecond: 1, burst: 20}",
                                "single", "limits: {concurrentCalls: 1}",
                                "everything", "bindings: {docs: {documents: all}}",
                                "crimson", "bindings: {pair: {owner: red}, engine: {owner: red}}",
                                "azure", "bindings: {pair: {owner: blue}, engine: {owner: blue}}"),
                        SwitchboardProcess.SHORT_LIVED));
        proxy = HaProxy.roundRobin(replicas, port, folder);
        site.on(new AgentrootSite.Gateways() {
            @Override
            public McpTestClient client(String view) {
                return BalancedGateways.this.client(view, red());
            }

            @Override
            public void unused(String session, Duration time) {
                sql("UPDATE $.search_session SET used = used - interval '" + time.toSeconds() + " seconds' WHERE id = '"
                        + session + "'");
            }
        });
    }

    /** Runs SQL in the database, where {@code $} is the schema. */
    String sql(String sql) {
        return primary.sql(sql.replace("$", SCHEMA)).strip();
    }

    /** Removes all documents of a backend. */
    void clear(String backend) {
        sql(
                "UPDATE $.library SET live = false, changed = now(), touched = pg_current_xact_id() WHERE live AND backend = '"
                        + backend + "'");
    }

    /** The folder with the one that {@code docs} reads, which is gone. */
    Path emptyFiles() throws IOException {
        Programs.delete(files);
        return Files.createDirectory(files);
    }

    /** Where the proxy has {@code path}. */
    URI url(String path) {
        return proxy.url().resolve(path);
    }

    /** A client of 2026-07-28 on a view. */
    McpTestClient client(String view, Map<String, String> who) {
        return McpTestClient.modern(url("/mcp/" + view)).with("X-API-Key", who.get("X-API-Key"));
    }

    /** A session on a view, or on the default one, of a client that can be asked. */
    McpTestClient session(String view, Map<String, String> who) {
        ObjectNode capabilities = Json.object();
        capabilities.putObject("elicitation");
        return McpTestClient.legacy(
                url(view.isEmpty() ? "/mcp" : "/mcp/" + view), McpTestClient.LEGACY, who, capabilities);
    }

    /** The headers of the team {@code red}. */
    Map<String, String> red() {
        return replicas.red();
    }

    /** The headers of another team. */
    Map<String, String> of(String team) {
        return replicas.of(team);
    }

    ReplicaProcesses replicas() {
        return replicas;
    }

    /** What stands around the knowledge bases. */
    AgentrootSite site() {
        return site;
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        replicas.close();
        site.close();
        embeddings.close();
        engine.close();
        primary.close();
    }
}
