package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.eval.JudgedSet;
import switchboard.testing.EmbeddingServer;
import switchboard.testing.Eventually;
import switchboard.testing.JudgedData;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A judged set, with {@code -Plong} a part of SciFact, in a store and at a relayed MCP server: half of it in each, and all of
 * it in both. The server gives ranks and texts only; that must not make the ranking worse.
 */
class JudgedRelayTest {
    private static final String OWN = "own:%s";
    private static final String RELAYED = "wiki:%s";

    private static JudgedSet set;
    private static EmbeddingServer vectors;
    private static TestGateway server;
    private static TestGateway gateway;
    private static McpTestClient client;

    @BeforeAll
    static void fill() {
        set = JudgedData.smallOrPartOf("scifact", 50, 300);
        vectors = new EmbeddingServer(Path.of("target", "eval-vectors"));
        server = TestGateway.start(vectors.yaml() + "backends: {vectordb: {type: vectordb}}");
        gateway = TestGateway.start(vectors.yaml() + """
                backends:
                  own: {type: vectordb}
                  wiki: {type: mcp, url: "%s"}
                search:
                  sources:
                    "wiki:half":
                      url: source
                      tool: {name: search, limit: top_k, results: /results, id: /doc_id, arguments: {library: half}}
                    "wiki:all":
                      url: source
                      tool: {name: search, limit: top_k, results: /results, id: /doc_id, arguments: {library: all}}
                """.formatted(server.url("vectordb")));
        Eventually.that(() -> !gateway.modern("wiki").toolNames().isEmpty(), () -> "its tools were never listed");
        client = gateway.modern();
        McpTestClient there = server.modern();
        int number = 0;
        for (Map.Entry<String, String> text : set.texts().entrySet()) {
            boolean own = number++ % 2 == 0;
            if (own) {
                ingest(client, "own__ingest_text", "half", text.getKey(), text.getValue());
            } else {
                ingest(there, "ingest_text", "half", text.getKey(), text.getValue());
            }
            ingest(client, "own__ingest_text", "all", text.getKey(), text.getValue());
            ingest(there, "ingest_text", "all", text.getKey(), text.getValue());
        }
    }

    private static void ingest(McpTestClient where, String tool, String library, String id, String text) {
        ToolResult result = where.call(
                tool,
                Json.object()
                        .put("content", text)
                        .put("source", "https://example.org/" + id)
                        .put("library", library));
        assertFalse(result.isError(), result::toString);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable opened : new AutoCloseable[] {gateway, server, vectors}) {
            if (opened != null) { // Without the judged set the tests are skipped.
                opened.close();
            }
        }
    }

    /**
     * Two hits of one query that are nearly equal change places with the processor that computes their vectors' cosines; of
     * forty queries that is half a fortieth at most.
     */
    private static final double HALF_A_QUERY = 0.0125;

    private static double ndcg(String... sources) {
        return JudgedQuality.ndcg(set, query -> {
            ObjectNode arguments =
                    Json.object().put("query", query).put("limit", 20).put("detail", "titles");
            List.of(sources).forEach(arguments.putArray("sources")::add);
            ToolResult result = client.call("search_everywhere", arguments);
            Set<String> statuses = new TreeSet<>();
            result.structured()
                    .path("sources")
                    .forEach(source -> statuses.add(source.path("status").asText()));
            assertTrue(statuses.equals(Set.of("ok")), result::toString);
            return FourEngines.ids(result.structured()).stream().distinct().toList();
        });
    }

    @Test
    void halvesRankAsWellAsTheWhole() {
        double whole = ndcg(OWN.formatted("all"));
        double fused = ndcg(OWN.formatted("half"), RELAYED.formatted("half"));
        System.out.println(set.name() + ", half of it relayed: nDCG@10 " + fused + ", of one store " + whole);
        assertTrue(fused >= 0.95 * whole, () -> fused + " is less than 0.95 of " + whole);
    }

    @Test
    void copiesRankAsWellAsTheBetterOne() {
        double own = ndcg(OWN.formatted("all"));
        double relayed = ndcg(RELAYED.formatted("all"));
        double both = ndcg(OWN.formatted("all"), RELAYED.formatted("all"));
        System.out.println(set.name() + ", also relayed: nDCG@10 " + both + ", alone " + own + " and " + relayed);
        assertTrue(both >= Math.max(own, relayed) - HALF_A_QUERY, () -> both + " to " + own + " and " + relayed);
    }
}
