package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;

/** An engine that answers and takes no call with the configured key is not one that a gateway can be ready with. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeysAndReadinessTest {
    private static final String WEAVIATE_READY = "/v1/.well-known/ready";
    private static final String MEILISEARCH_READY = "/health";

    private static final List<String> UNTOLD = List.of("not asked yet", "did not answer in time");

    private HttpServer engine;
    private volatile Map<String, Integer> statuses = Map.of();
    private volatile int otherwise = 200;

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            String path = exchange.getRequestURI().getPath();
            exchange.sendResponseHeaders(statuses.getOrDefault(path, otherwise), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "weaviate, " + WEAVIATE_READY + ", 401",
        "meilisearch, " + MEILISEARCH_READY + ", 401",
        "meilisearch, " + MEILISEARCH_READY + ", 403"
    })
    void aRequiredEngineThatRefusesTheKeyKeepsTheGatewayUnready(String type, String ready, int refusal) {
        statuses = Map.of(ready, 200);
        otherwise = refusal;
        JsonNode backend = readiness(type, 503);
        assertEquals("down", backend.path("status").asText(), backend::toString);
        assertTrue(backend.path("detail").asText().contains("refuses the key (" + refusal + ")"), backend::toString);
        assertTrue(backend.path("detail").asText().contains("apiKey"), backend::toString);
    }

    @ParameterizedTest
    @CsvSource({"weaviate", "meilisearch"})
    void anEngineThatTakesTheKeyIsUp(String type) {
        assertEquals("up", readiness(type, 200).path("status").asText());
    }

    @Test
    void aMeilisearchKeyThatMayOnlySearchIsOneInForce() {
        statuses = Map.of("/indexes", 403);
        assertEquals("up", readiness("meilisearch", 200).path("status").asText());
    }

    @Test
    void aWeaviateKeyOfAUserWithoutTheRightToTheVersionIsOneInForce() {
        statuses = Map.of("/v1/meta", 403);
        assertEquals("up", readiness("weaviate", 200).path("status").asText());
    }

    @Test
    void aWeaviateKeyOfAUserWithoutAnyRightIsSaid() {
        statuses = Map.of("/v1/meta", 403, "/v1/schema", 403);
        JsonNode backend = readiness("weaviate", 200);
        assertEquals("degraded", backend.path("status").asText(), backend::toString);
        assertTrue(backend.path("detail").asText().contains("(403)"), backend::toString);
    }

    private JsonNode readiness(String type, int status) {
        try (TestGateway gateway =
                TestGateway.start("""
                backends:
                  engine: {type: %s, url: "http://127.0.0.1:%d", required: true}
                """.formatted(type, engine.getAddress().getPort()))) {
            // A first question may be late on a busy machine; it is asked again after ten seconds.
            Eventually.that(
                    () -> UNTOLD.stream()
                            .noneMatch(gateway.management("/health/ready").body()::contains),
                    () -> gateway.management("/health/ready").body());
            HttpReply reply = gateway.management("/health/ready");
            assertEquals(status, reply.status(), reply::body);
            return reply.json().path("backends").path(0);
        }
    }
}
