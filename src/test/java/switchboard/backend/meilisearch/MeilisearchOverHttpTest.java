package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The three tools through the whole gateway at {@code /mcp/meilisearch}: the vendor's documented examples, and worse. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MeilisearchOverHttpTest {
    private static final String KEY = "test-master-key";

    @TempDir
    Path folder;

    private final StubMeilisearch engine = new StubMeilisearch();
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Path key = Files.writeString(folder.resolve("meili.key"), engine.key(KEY));
        gateway = TestGateway.start("""
                backends:
                  meilisearch: {type: meilisearch, url: "%s", apiKey: "${file:%s}"}
                """.formatted(engine.url(), key), folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
        engine.verify();
        engine.close();
    }

    @Test
    void theDocumentedCallsDoWhatTheTextSays() {
        McpTestClient client = gateway.modern("meilisearch");
        assertEquals(
                List.of("meilisearch_get_index_info", "meilisearch_list_indexes", "meilisearch_search"),
                client.toolNames().stream().sorted().toList());
        engine.expect(Recording.of("index-list").withPath("/indexes?limit=10"), Recording.of("stats-all"));
        ToolResult list = client.call("meilisearch_list_indexes", "{\"limit\": 10, \"offset\": 0}");
        assertEquals(13, list.structured().at("/results/1/numberOfDocuments").asInt(), list.toString());
        assertEquals(10, list.structured().path("limit").asInt());
        engine.expect("index-get", "settings-movies", "stats-movies");
        assertEquals(
                "movies",
                client.call("meilisearch_get_index_info", "{\"indexUid\": \"movies\"}")
                        .structured()
                        .path("uid")
                        .asText());
        for (String search : List.of(
                "{\"q\": \"science fiction adventure\", \"limit\": 5}",
                "{\"q\": \"adventure\", \"filter\": \"genres = 'Action' AND release_year > 2000\","
                        + " \"sort\": [\"rating:desc\"], \"attributesToRetrieve\": [\"title\", \"overview\", \"rating\"]}",
                "{\"q\": \"science fiction\"}")) {
            engine.expect(Recording.of("search-keyword-matrix").withBody(search));
            ToolResult result =
                    client.call("meilisearch_search", search.replaceFirst("\\{", "{\"indexUid\": \"movies\", "));
            assertEquals(1, result.structured().path("hits").size(), result.toString());
        }
        String hybrid = "{\"q\": \"movies about space exploration\", \"hybrid\": {\"embedder\": \"default\","
                + " \"semanticRatio\": 0.7}, \"showRankingScore\": true}";
        engine.expect(Recording.of("search-text-embedder-ratio0.5")
                .withPath("/indexes/movies/search")
                .withBody(hybrid));
        ToolResult result =
                client.call("meilisearch_search", hybrid.replaceFirst("\\{", "{\"indexUid\": \"movies\", "));
        assertTrue(result.structured().at("/hits/0/_rankingScore").isNumber(), result.toString());
    }

    @Test
    void theDocumentedBatchWithoutASessionIsAnswered() {
        McpTestClient client = gateway.modern("meilisearch");
        HttpReply reply = client.post(
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\","
                        + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1.0\"},\"capabilities\":{}}},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{}}]",
                Map.of());
        assertEquals(200, reply.status(), reply.body());
        assertTrue(reply.body().contains("meilisearch_search"), reply.body());
    }

    @Test
    void hostileArgumentsNeverReachTheEngine() {
        McpTestClient client = gateway.modern("meilisearch");
        for (JsonNode tool : client.tools()) {
            for (Map.Entry<String, JsonNode> property :
                    tool.path("inputSchema").path("properties").properties()) {
                for (JsonNode value : hostile(property.getValue())) {
                    ObjectNode arguments = Json.object();
                    if (tool.path("inputSchema").path("properties").has("indexUid")) {
                        arguments.put("indexUid", "movies");
                    }
                    arguments.set(property.getKey(), value);
                    ToolResult result = client.call(tool.path("name").asText(), arguments);
                    assertEquals(
                            "INVALID_ARGUMENT",
                            result.errorKind(),
                            tool.path("name").asText() + " " + property.getKey());
                    assertFalse(result.text().isBlank());
                }
            }
        }
    }

    /** Values that break the bounds of {@code schema}. */
    private static List<JsonNode> hostile(JsonNode schema) {
        List<JsonNode> values = new ArrayList<>();
        String types = schema.path("type").toString();
        if (!types.contains("string")) {
            values.add(Json.object().textNode("5"));
            values.add(Json.object().textNode("'; \"}\n../"));
        } else {
            values.add(
                    Json.object().textNode("x".repeat(schema.path("maxLength").asInt() + 1)));
        }
        if (!types.contains("array")) {
            values.add(Json.array().add("movies"));
        }
        if (!types.contains("object")) {
            values.add(Json.object().put("$ne", ""));
        }
        if (!types.contains("boolean")) {
            values.add(Json.object().booleanNode(true));
        }
        if (schema.has("maximum")) {
            values.add(Json.object().numberNode(new java.math.BigDecimal("1e300")));
            values.add(Json.object().numberNode(-1));
        }
        return values;
    }

    @Test
    void aStoppedEngineIsUnavailableAndItsToolsStayListed() {
        McpTestClient client = gateway.modern("meilisearch");
        engine.close();
        ToolResult result = client.call("meilisearch_search", "{\"indexUid\": \"movies\", \"q\": \"x\"}");
        assertEquals("UNAVAILABLE", result.errorKind(), result.toString());
        assertFalse(result.structured().isObject());
        assertFalse(result.toString().contains(Integer.toString(engine.url().getPort())));
        assertEquals(3, client.toolNames().size());
    }
}
