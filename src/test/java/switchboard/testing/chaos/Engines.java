package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import switchboard.auth.ApiKey;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.EmbeddingServer;
import switchboard.testing.Gate;
import switchboard.testing.GatewayProcess;
import switchboard.testing.LoadedEngine;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ReplacedFile;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;

/**
 * An engine for each type of backend, each behind a {@link Gate}, filled with the same few documents, and the
 * configuration of a gateway before all of them. PostgreSQL is a real server, which a kill really kills; Weaviate and
 * Meilisearch are stand-ins unless the environment names real ones.
 */
public final class Engines implements AutoCloseable {
    /** Texts that are searched for, and of which every document is made. */
    static final List<String> TEXTS = IntStream.range(0, 24)
            .mapToObj(i ->
                    "Harbour note " + i + ": the lantern of pier " + i % 7 + " is lit by the keeper at dusk, and the"
                            + " boats of berth " + i % 5 + " come home with the tide.")
            .toList();

    private static final Map<String, String> FIELDS = Map.of("text", "text", "url", "text");
    private static final Duration SLOW = Duration.ofMillis(1500);

    private final Path folder;
    private final PostgresCluster cluster;
    private final EmbeddingServer vectors;
    private final LoadedEngine weaviate = new CollectionEngine();
    private final LoadedEngine meilisearch = new IndexEngine();
    private final FixtureServer upstream = new FixtureServer(FixtureServer.Era.BOTH);
    private final HttpServer pages;
    private final Map<Target, Gate> gates = new EnumMap<>(Target.class);
    private final ApiKey key = ApiKey.generate(new SecureRandom());
    private final String role;

    /** Starts and fills them; {@code folder} is for what the gateway is to read and write, {@code cluster} runs. */
    public Engines(Path folder, PostgresCluster cluster) throws IOException {
        this.folder = folder;
        this.cluster = cluster;
        this.role = "reader_" + cluster.database();
        this.vectors = new EmbeddingServer(Files.createDirectories(folder.resolve("vectors")));
        this.pages = pages();
        gate(Target.WEAVIATE, weaviate.url().getPort());
        gate(Target.MEILISEARCH, meilisearch.url().getPort());
        gate(Target.POSTGRES, cluster.port());
        gate(Target.UPSTREAM, upstream.url().getPort());
        gate(Target.VECTORDB, URI.create(vectors.url()).getPort());
        fill();
        writeNotes();
        Files.writeString(config(), yaml());
        writeTeams(0);
    }

    private static HttpServer pages() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/page", exchange -> {
            try (exchange) {
                byte[] body = ("<h1>Pier</h1><p>" + TEXTS.getFirst() + "</p>").getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    private void gate(Target target, int port) {
        gates.put(target, new Gate(port, SLOW));
    }

    private Gate gate(Target target) {
        return Objects.requireNonNull(gates.get(target));
    }

    private void fill() {
        List<float[]> embedded = vectors.vectors(TEXTS);
        List<LoadedEngine.Document> documents = new ArrayList<>();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < TEXTS.size(); i++) {
            ObjectNode fields = Json.object().put("text", TEXTS.get(i)).put("url", "https://notes.example/" + i);
            documents.add(new LoadedEngine.Document(i + 1, fields, embedded.get(i)));
            rows.append("INSERT INTO notes VALUES (" + i + ", '" + TEXTS.get(i) + "', '"
                    + Arrays.toString(embedded.get(i)) + "');\n");
        }
        weaviate.load("Notes", FIELDS, documents);
        meilisearch.load("notes", FIELDS, documents);
        cluster.sql("""
            CREATE EXTENSION IF NOT EXISTS vector;
            CREATE ROLE %1$s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
            REVOKE CREATE ON SCHEMA public FROM PUBLIC;
            GRANT USAGE ON SCHEMA public TO %1$s;
            ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO %1$s;
            CREATE TABLE notes (id int PRIMARY KEY, text text, embedding vector(%2$d));
            """.formatted(role, vectors.dimension()) + rows);
    }

    private void writeNotes() throws IOException {
        Path notes = Files.createDirectories(notes().resolve("piers"));
        for (int i = 0; i < TEXTS.size(); i++) {
            Files.writeString(notes.resolve("note" + i + ".md"), "# Note " + i + "\n\n" + TEXTS.get(i) + "\n");
        }
    }

    private String yaml() {
        String patience = "connection: {timeouts: {connect: 1s, request: 8s}, pool: {keepAlive: 2s}}";
        return """
            auth: {mode: keys, teamsFile: teams.yaml}
            audit: {to: none}
            %s  flaky:
                provider: openai
                url: http://127.0.0.1:%d
                model: bge-small
                dimension: %d
                maxTokens: 510
                timeout: 8s
                cache: 4
            backends:
              vectordb:
                type: vectordb
                ingestRoots: ["%s"]
                embedder: flaky
                idleClose: 3s
                fetch: {allowPrivate: true}
              agentroot: {type: agentroot, roots: ["%s"], idleClose: 3s}
              postgres:
                type: postgres
                connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                pool: {idleTimeout: 10s, acquireTimeout: 8s}
                limits: {statementTimeout: 8s}
              weaviate: {type: weaviate, %s, embedder: default, writes: true, logs: {enabled: true, source: gateway}, %s}
              meilisearch: {type: meilisearch, %s, embedder: default, %s}
              upstream: {type: mcp, url: "%s", callTimeout: 15s, %s}
            """.formatted(
                        vectors.yaml(),
                        gate(Target.VECTORDB).port(),
                        vectors.dimension(),
                        notes(),
                        notes(),
                        gate(Target.POSTGRES).port(),
                        cluster.database(),
                        role,
                        behind(Target.WEAVIATE, weaviate),
                        patience,
                        behind(Target.MEILISEARCH, meilisearch),
                        patience,
                        behind(
                                Target.UPSTREAM,
                                upstream.url().toString(),
                                upstream.url().getPort()),
                        patience);
    }

    private String behind(Target target, LoadedEngine engine) {
        return behind(target, engine.settings(), engine.url().getPort());
    }

    private String behind(Target target, String text, int port) {
        return text.replace(":" + port, ":" + gate(target).port());
    }

    /** Writes {@code teams.yaml} anew: the team that calls, and one whose name says which {@code edition} this is. */
    public void writeTeams(int edition) throws IOException {
        ReplacedFile.write(folder.resolve("teams.yaml"), """
            teams:
              agents:
                keys: [{id: agents, sha256: %s}]
                grants: ["*:*"]
              edition-%d:
                keys: [{id: edition-%d, sha256: %s}]
                grants: ["vectordb:read"]
            """.formatted(
                        key.sha256(),
                        edition,
                        edition,
                        ApiKey.generate(new SecureRandom()).sha256()));
    }

    /** How a gateway before them is started that has this much heap. */
    public GatewayProcess.Launch launch(String heap) {
        return new GatewayProcess.Launch(config(), folder.resolve("data"), heap, 0);
    }

    /** {@code gateway}, a start of {@link #launch}, with the notes indexed. */
    public GatewayProcess indexed(GatewayProcess gateway) {
        try (McpTestClient client = client(gateway)) {
            JsonNode status = checked(client.call("status", "{}")).structured();
            if (status.path("totalDocuments").asInt() < TEXTS.size()) {
                checked(client.call(
                        "collection_add", Json.object().put("name", "notes").put("path", notes().toString())));
                checked(client.call("collection_update", "{\"name\": \"notes\"}"));
            }
        }
        return gateway;
    }

    private static ToolResult checked(ToolResult result) {
        if (result.isError()) {
            throw new AssertionError(result.toString());
        }
        return result;
    }

    /** A client of the team that may do everything. */
    public McpTestClient client(GatewayProcess gateway) {
        return McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + key.text());
    }

    private Path config() {
        return folder.resolve("switchboard.yaml");
    }

    /** The folder of notes that the gateway may read. */
    Path notes() {
        return folder.resolve("notes");
    }

    /** A web page that the gateway may fetch. */
    String page() {
        return "http://127.0.0.1:" + pages.getAddress().getPort() + "/page";
    }

    /** What Weaviate calls the collection of notes. */
    String collection() {
        return weaviate.name("Notes");
    }

    /** What Meilisearch calls the index of notes. */
    String index() {
        return meilisearch.name("notes");
    }

    /** Has the engine of {@code target} do {@code fault} until the returned handle is closed. */
    public Lift inject(Target target, Fault fault) {
        Gate gate = gate(target);
        return switch (fault) {
            case KILLED -> target == Target.POSTGRES ? killedPostgres(gate) : lasting(gate, Gate.State.GONE);
            case HUNG -> lasting(gate, Gate.State.HANGING);
            case SLOW -> lasting(gate, Gate.State.SLOW);
            case WRONG -> lasting(gate, Gate.State.LYING);
            case FLAPPING -> Flapping.start(gate);
        };
    }

    private static Lift lasting(Gate gate, Gate.State state) {
        gate.become(state);
        return () -> gate.become(Gate.State.OPEN);
    }

    private Lift killedPostgres(Gate gate) {
        cluster.kill();
        gate.become(Gate.State.GONE);
        return () -> {
            cluster.restart();
            gate.become(Gate.State.OPEN);
        };
    }

    /** Ends a fault. */
    @FunctionalInterface
    public interface Lift extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        gates.values().forEach(Gate::close);
        weaviate.close();
        meilisearch.close();
        upstream.close();
        pages.stop(0);
        vectors.close();
    }
}
