package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.ChunkServer;
import switchboard.testing.EmbeddingServer;
import switchboard.testing.Eventually;
import switchboard.testing.JudgedData;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.ToolResult;

/**
 * A judged set in documents that gateways share is searched as well as in a store of one of them; with chunks in a Weaviate nearly so. With {@code -Plong} the sets are
 * SciFact and Cranfield.
 */
@Tag("engines")
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class SharedEvalTest {
    private static final List<String> FIGURES = List.of("ndcg10", "recall10", "recall100", "mrr10");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static EmbeddingServer vectors;
    private static ChunkServer engine;
    private static Replicas replicas;

    @BeforeAll
    static void start() {
        vectors = new EmbeddingServer(Path.of("target", "eval-vectors"));
        engine = ChunkServer.realOrStandIn();
        replicas = new Replicas(
                postgres,
                folder,
                new Replicas.Settings("judged", """
                          one: { type: vectordb, dataDir: one }
                          shared: { type: vectordb, store: cluster, dataDir: shared }
                        """ + engine.backend("engine")).embedding(vectors.yaml()));
    }

    @AfterAll
    static void stop() {
        replicas.close();
        vectors.close();
        engine.close();
    }

    static List<String> sets() {
        return LongRun.either(List.of("harbour"), List.of("cranfield", "scifact"));
    }

    private static McpTestClient client(int index) {
        return replicas.gateway(index).modern().with("X-API-Key", replicas.red().get("X-API-Key"));
    }

    @ParameterizedTest
    @MethodSource("sets")
    void theFiguresAreThoseOfAStoreOfOneGateway(String name) throws Exception {
        JudgedSet set = JudgedData.smallOr(name);
        ingest(set, "one", List.of(2));
        ingest(set, "shared", List.of(0, 1));
        ingest(set, "engine", List.of(0, 1));
        // The third one has written none of the shared documents. A query that comes too early fails, and says so.
        for (String store : List.of("shared", "engine")) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> replicas.gateway(2)
                            .management("/metrics")
                            .body()
                            .contains("switchboard_store_behind{store=\"" + store + "\"} 0.0"),
                    () -> "the third one has followed " + store);
            // It builds the library's files when it is asked for the first time.
            ObjectNode query = Json.object().put("library", set.name()).put("query", "the");
            Eventually.first(
                    Eventually.OF_A_PROCESS,
                    () -> client(2).call(store + "__search", query),
                    answer -> !answer.errorKind().equals("UNAVAILABLE"));
        }
        String printed = Replicas.command(
                replicas.gateway(2).data(),
                "eval",
                JudgedData.place(set.name()).toString(),
                "--url",
                replicas.gateway(2).url().toString(),
                "--run",
                run("one", set),
                "--run",
                run("shared", set),
                "--run",
                run("engine", set),
                "--json");
        assertTrue(printed.startsWith("0: "), printed);
        JsonNode modes = Json.parse(printed.substring(3)).path("modes");
        for (JsonNode mode : modes) {
            assertEquals(0, mode.path("failed").asInt(), printed);
        }
        System.out.println(set.name() + " in one store: " + figures(modes.path(0)) + ", shared: "
                + figures(modes.path(1)) + ", in Weaviate: " + figures(modes.path(2)));
        assertEquals(figures(modes.path(0)), figures(modes.path(1)));
        assertEquals(
                modes.at("/0/quality/ndcg10").asDouble(),
                modes.at("/2/quality/ndcg10").asDouble(),
                0.01,
                printed);
        assertTrue(modes.at("/0/quality/ndcg10").asDouble() > 0.3, printed);
    }

    private static String run(String backend, JudgedSet set) {
        return backend + "=" + backend + "__search:{\"library\":\"" + set.name() + "\",\"top_k\":100}";
    }

    private static Map<String, String> figures(JsonNode mode) {
        Map<String, String> figures = new TreeMap<>();
        for (String figure : FIGURES) {
            figures.put(
                    figure,
                    String.format(
                            Locale.ROOT,
                            "%.4f",
                            mode.path("quality").path(figure).asDouble()));
        }
        return figures;
    }

    /** Puts each text through one of some gateways, in turns, a few at a time. */
    private static void ingest(JudgedSet set, String backend, List<Integer> through) throws Exception {
        List<McpTestClient> clients =
                through.stream().map(SharedEvalTest::client).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<ToolResult>> all = new ArrayList<>();
            set.texts().forEach((id, text) -> {
                McpTestClient client = clients.get(all.size() % clients.size());
                // Cranfield has documents without a text.
                if (!text.isBlank()) {
                    all.add(threads.submit(() -> put(client, backend, set.name(), id, text)));
                }
            });
            for (Future<ToolResult> one : all) {
                ToolResult put = one.get(10, TimeUnit.MINUTES);
                assertFalse(put.isError(), put::toString);
            }
        }
    }

    /** Tries again while a loaded machine follows too slowly. */
    private static ToolResult put(McpTestClient client, String backend, String library, String source, String text) {
        ObjectNode document =
                Json.object().put("library", library).put("source", source).put("content", text);
        return Eventually.first(
                Eventually.OF_A_PROCESS,
                () -> client.call(backend + "__ingest_text", document),
                answer -> !answer.errorKind().equals("UNAVAILABLE"));
    }
}
