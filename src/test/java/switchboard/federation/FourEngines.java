package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.EmbeddingServer;
import switchboard.testing.Gate;
import switchboard.testing.LoadedEngine;
import switchboard.testing.LoadedEngine.Document;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A gateway in front of an embedded store, PostgreSQL, Weaviate and Meilisearch. Documents are numbered by their place in a set; the URL of each copy ends with its document's id.
 */
public final class FourEngines implements AutoCloseable {
    /** Engines by what their backends are called. */
    public static final List<String> NAMES = List.of("vectordb", "postgres", "weaviate", "meilisearch");

    private static final Map<String, String> FIELDS = Map.of("text", "text", "url", "text");
    private static final int CONCURRENT = 16;

    private final PostgresCluster cluster;
    private final EmbeddingServer vectors;
    private final Map<String, Gate> gates = new HashMap<>();
    private final LoadedEngine weaviate = new CollectionEngine();
    private final LoadedEngine meilisearch = new IndexEngine();
    private final TestGateway gateway;
    private final McpTestClient client;

    public FourEngines(PostgresCluster cluster, Path vectorFolder) {
        this.cluster = cluster;
        this.vectors = new EmbeddingServer(vectorFolder);
        gates.put("postgres", new Gate(cluster.port()));
        gates.put("weaviate", new Gate(weaviate.url().getPort()));
        gates.put("meilisearch", new Gate(meilisearch.url().getPort()));
        String role = "reader_" + cluster.database();
        cluster.sql("""
                CREATE EXTENSION IF NOT EXISTS vector;
                CREATE ROLE %1$s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                GRANT USAGE ON SCHEMA public TO %1$s;
                ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO %1$s;
                """.formatted(role));
        this.gateway = TestGateway.start(vectors.yaml()
                + """
                backends:
                  vectordb: {type: vectordb, dataDir: data/part}
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                  weaviate: {type: weaviate, %s, embedder: default}
                  meilisearch: {type: meilisearch, %s, embedder: default}
                """.formatted(
                                cluster.port(),
                                cluster.database(),
                                role,
                                behind("weaviate", weaviate),
                                behind("meilisearch", meilisearch)));
        this.client = gateway.modern();
    }

    private String behind(String name, LoadedEngine engine) {
        return engine.settings()
                .replace(":" + engine.url().getPort(), ":" + gate(name).port());
    }

    /** The gateway's way to an engine. */
    Gate gate(String name) {
        return Objects.requireNonNull(gates.get(name));
    }

    /** The client that asks. */
    McpTestClient client() {
        return client;
    }

    /** Puts each text where {@code places} say: names of engines by document. */
    public void fill(Map<String, String> texts, Map<String, List<String>> places, String collection) throws Exception {
        fill(texts, places, collection, new Fields(Map.of(), Map.of()));
    }

    /**
     * What documents have besides text and URL.
     *
     * @param types {@code int}, {@code number}, {@code boolean}, {@code date} or {@code text}, by field
     * @param values the fields of each document, by its id
     */
    record Fields(Map<String, String> types, Map<String, ObjectNode> values) {
        Map<String, String> all() {
            Map<String, String> all = new TreeMap<>(types);
            all.putAll(FIELDS);
            return all;
        }
    }

    /** The same with further fields. */
    void fill(Map<String, String> texts, Map<String, List<String>> places, String collection, Fields more)
            throws Exception {
        Map<String, List<Document>> engines = new LinkedHashMap<>();
        Map<String, String> embedded = new LinkedHashMap<>();
        List<float[]> all = vectors.vectors(List.copyOf(texts.values()));
        int number = 0;
        for (Map.Entry<String, String> text : texts.entrySet()) {
            for (String engine : places.get(text.getKey())) {
                ObjectNode fields = Json.object()
                        .put("text", text.getValue())
                        .put("url", "https://" + engine + ".example/" + text.getKey());
                fields.setAll(more.values().getOrDefault(text.getKey(), Json.object()));
                engines.computeIfAbsent(engine, _ -> new ArrayList<>())
                        .add(new Document(number + 1, fields, all.get(number)));
                if (engine.equals("vectordb")) {
                    embedded.put(text.getKey(), text.getValue());
                }
            }
            number++;
        }
        ingest("vectordb__ingest_text", collection, "https://vectordb.example/", embedded, more.values());
        postgres(collection, more.all(), engines.getOrDefault("postgres", List.of()));
        for (LoadedEngine engine : List.of(weaviate, meilisearch)) {
            String name = engine == weaviate ? "weaviate" : "meilisearch";
            if (engines.containsKey(name)) {
                engine.load(engine == weaviate ? capitalised(collection) : collection, more.all(), engines.get(name));
            }
        }
    }

    /** The source of {@code engine} that {@link #fill} made. */
    public String source(String engine, String collection) {
        return engine + ":"
                + switch (engine) {
                    case "postgres" -> "public." + collection;
                    case "weaviate" -> weaviate.name(capitalised(collection));
                    case "meilisearch" -> meilisearch.name(collection);
                    default -> collection;
                };
    }

    /** The ids of the documents that the sources rank first. */
    List<String> everywhere(String query, List<String> sources) {
        return ids(answer(query, sources, Json.object()));
    }

    /** What the sources answer. */
    public JsonNode answer(String query, List<String> sources, ObjectNode more) {
        ObjectNode arguments =
                Json.object().put("query", query).put("limit", 20).put("detail", "titles");
        arguments.setAll(more);
        sources.forEach(arguments.putArray("sources")::add);
        ToolResult result = client.call("search_everywhere", arguments);
        if (result.isError()) {
            throw new AssertionError(result.toString());
        }
        return result.structured();
    }

    public static List<String> ids(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.path("results").forEach(hit -> ids.add(id(hit.path("url").asText())));
        return ids;
    }

    /** What the embedded store's own hybrid search ranks in one library, the measure for everything else. */
    public List<String> oneStore(String query, String library) {
        ToolResult result = client.call(
                "vectordb__search",
                Json.object().put("query", query).put("top_k", 20).put("library", library));
        List<String> ids = new ArrayList<>();
        result.structured().path("results").forEach(hit -> {
            String id = id(hit.path("source").asText());
            if (!ids.contains(id)) {
                ids.add(id);
            }
        });
        return ids;
    }

    private static String id(String url) {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    private static String capitalised(String name) {
        return name.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + name.substring(1);
    }

    private void ingest(
            String tool, String library, String site, Map<String, String> texts, Map<String, ObjectNode> metadata)
            throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CONCURRENT)) {
            List<Future<ToolResult>> all = new ArrayList<>();
            texts.forEach((id, text) -> all.add(threads.submit(() -> client.call(
                    tool,
                    Json.object()
                            .put("content", text)
                            .put("source", site + id)
                            .put("library", library)
                            .<ObjectNode>set("metadata", metadata.getOrDefault(id, Json.object()))))));
            for (Future<ToolResult> one : all) {
                if (one.get().isError()) {
                    throw new AssertionError(one.get().toString());
                }
            }
        }
    }

    private void postgres(String table, Map<String, String> fields, List<Document> documents) {
        StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (id int PRIMARY KEY");
        fields.forEach((name, type) -> sql.append(", ").append(name).append(' ').append(sqlType(type)));
        sql.append(", embedding vector(" + vectors.dimension() + "));");
        for (Document document : documents) {
            sql.append("INSERT INTO " + table + " VALUES (" + document.id());
            fields.forEach((name, type) -> sql.append(", ")
                    .append(literal(document.fields().path(name)))
                    .append(type.equals("date") ? "::timestamptz" : ""));
            sql.append(", '" + Arrays.toString(document.vector()) + "');\n");
        }
        cluster.sql(sql.toString());
    }

    private static String sqlType(String type) {
        return switch (type) {
            case "number" -> "double precision";
            case "date" -> "timestamptz";
            default -> type;
        };
    }

    private static String literal(JsonNode value) {
        if (!value.isTextual()) {
            return value.isMissingNode() ? "NULL" : value.asText();
        }
        byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
        return "convert_from(decode('" + Base64.getEncoder().encodeToString(text) + "', 'base64'), 'UTF8')";
    }

    @Override
    public void close() {
        gateway.close();
        weaviate.close();
        meilisearch.close();
        gates.values().forEach(Gate::close);
        vectors.close();
    }
}
