package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.Json;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Pages that are larger than the gateway takes of an engine give the hits that fit, and say how to go on. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LargePagesTest {
    private static final int DOCUMENTS = 50;
    private static final String TEXT = "x".repeat(1_000);

    private HttpServer engine;

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        engine.createContext("/", exchange -> {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            byte[] body = Json.bytes(sent.length == 0 ? Json.object() : page(Json.parse(sent)));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        engine.start();
    }

    private static ObjectNode page(JsonNode search) {
        boolean paged = search.has("page");
        int limit = paged
                ? search.path("hitsPerPage").asInt()
                : search.path("limit").asInt();
        int offset = paged
                ? (search.path("page").asInt() - 1) * limit
                : search.path("offset").asInt();
        ObjectNode answer = Json.object().put("query", "").put("processingTimeMs", 1);
        ArrayNode hits = answer.putArray("hits");
        for (int i = offset; i < Math.min(DOCUMENTS, offset + limit); i++) {
            hits.addObject().put("id", i).put("text", TEXT);
        }
        return paged
                ? answer.put("totalHits", DOCUMENTS)
                : answer.put("limit", limit).put("offset", offset).put("estimatedTotalHits", DOCUMENTS);
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    @Test
    void goingOnAsToldGivesEveryHitOnce() {
        try (TestGateway gateway = gateway()) {
            List<Integer> ids = new ArrayList<>();
            int offset = 0;
            do {
                ToolResult result = gateway.modern()
                        .call(
                                "meilisearch_search",
                                "{\"indexUid\": \"large\", \"limit\": 50, \"offset\": " + offset + "}");
                assertFalse(result.isError(), result::toString);
                result.structured()
                        .path("hits")
                        .forEach(hit -> ids.add(hit.path("id").asInt()));
                if (result.structured().has("nextOffset")) {
                    assertTrue(result.structured().at("/notes/0").asText().contains("Continue with offset"));
                }
                offset = result.structured().path("nextOffset").asInt();
            } while (offset > 0 && offset < DOCUMENTS);
            assertEquals(DOCUMENTS, ids.size());
            assertEquals(DOCUMENTS, ids.stream().distinct().count());
        }
    }

    @Test
    void aLargePageByNumberGoesOnByOffset() {
        try (TestGateway gateway = gateway()) {
            ToolResult result = gateway.modern()
                    .call("meilisearch_search", "{\"indexUid\": \"large\", \"page\": 2, \"hitsPerPage\": 20}");
            assertEquals(20, result.structured().at("/hits/0/id").asInt(), result::toString);
            assertEquals(10, result.structured().path("hits").size());
            assertEquals(30, result.structured().path("nextOffset").asInt());
        }
    }

    @Test
    void oneHitThatIsTooLargeIsAnErrorThatSaysWhatToDo() {
        try (TestGateway gateway = gateway("1KiB")) {
            ToolResult result = gateway.modern().call("meilisearch_search", "{\"indexUid\": \"large\", \"limit\": 4}");
            assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
            assertTrue(result.text().contains("fewer fields"), result.text());
        }
    }

    private TestGateway gateway() {
        return gateway("16KiB");
    }

    private TestGateway gateway(String most) {
        return TestGateway.start("""
                backends:
                  meilisearch: {type: meilisearch, url: "http://127.0.0.1:%d", connection: {maxResponseSize: %s}}
                """.formatted(engine.getAddress().getPort(), most));
    }
}
