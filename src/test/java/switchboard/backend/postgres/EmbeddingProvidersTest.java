package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code generate_embedding} over MCP, in both eras, on each remote provider's wire format. */
@Tag("engines")
@ExtendWith(VertxExtension.class)
class EmbeddingProvidersTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final List<String> ASKED = new CopyOnWriteArrayList<>();

    private static TestGateway gateway;

    @BeforeAll
    static void start(Vertx vertx) {
        HttpServer provider = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> answer(request, body.toJsonObject())))
                .listen(0, "127.0.0.1")
                .await();
        String url = "http://127.0.0.1:" + provider.actualPort();
        gateway = TestGateway.start(
                """
                embedders:
                  default: {provider: openai, url: "%1$s/v1", apiKey: "%2$s", model: text-embedding-3-small, dimension: 2}
                  voyage: {provider: voyage, url: "%1$s/v1", apiKey: "%2$s", dimension: 2, model: voyage-3.5}
                  claude: {provider: anthropic, url: "%1$s/v1", apiKey: "%2$s", dimension: 2, model: voyage-3.5}
                  ollama: {provider: ollama, url: "%1$s", dimension: 2}
                  longer: {provider: ollama, url: "%1$s", dimension: 3}
                  down: {provider: openai, url: "%1$s/broken", apiKey: "%2$s", model: text-embedding-3-small, dimension: 2}
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %3$d, database: %4$s, user: %5$s}
                    embedders: {public.a: voyage, public.b: claude, public.c: ollama, public.d: longer, public.e: down}
                """.formatted(url, "${env:PATH}", CLUSTER.port(), CLUSTER.database(), PostgresFixture.reader(CLUSTER)));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static void answer(HttpServerRequest request, JsonObject body) {
        ASKED.add(request.path() + " " + body.getString("model") + " " + body.getString("input_type"));
        JsonArray vector = JsonArray.of(3, 4);
        switch (request.path()) {
            case "/v1/embeddings" ->
                request.response()
                        .end(new JsonObject()
                                .put("object", "list")
                                .put(
                                        "data",
                                        JsonArray.of(
                                                new JsonObject().put("index", 0).put("embedding", vector)))
                                .encode());
            case "/api/embed" ->
                request.response()
                        .end(new JsonObject()
                                .put("embeddings", JsonArray.of(vector))
                                .encode());
            default ->
                request.response()
                        .setStatusCode(401)
                        .end("{\"error\":{\"message\":\"Incorrect API key provided: "
                                + request.getHeader("Authorization") + "\"}}");
        }
    }

    private static List<ToolResult> ask(String embedder) {
        String arguments = "{\"text\":\"What is vector similarity search?\",\"embedder\":\"" + embedder + "\"}";
        try (McpTestClient modern = McpTestClient.modern(gateway.url("postgres"));
                McpTestClient legacy = McpTestClient.legacy(gateway.url("postgres"), McpTestClient.LEGACY, Map.of())) {
            return List.of(modern.call("generate_embedding", arguments), legacy.call("generate_embedding", arguments));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "default, openai, text-embedding-3-small, /v1/embeddings text-embedding-3-small null",
        "voyage, voyage, voyage-3.5, /v1/embeddings voyage-3.5 query",
        "claude, voyage, voyage-3.5, /v1/embeddings voyage-3.5 query",
        "ollama, ollama, nomic-embed-text, /api/embed nomic-embed-text null",
    })
    void everyProviderGivesAVector(String embedder, String provider, String model, String asked) {
        for (ToolResult result : ask(embedder)) {
            assertFalse(result.isError(), result::toString);
            assertEquals(provider, result.structured().path("provider").asText());
            assertEquals(model, result.structured().path("model").asText());
            assertEquals(2, result.structured().path("dimensions").asInt());
            assertEquals("[0.6,0.8]", result.structured().path("embedding").toString());
            assertTrue(result.text().startsWith("Embedding Generated Successfully"), result.text());
        }
        assertTrue(ASKED.contains(asked), ASKED::toString);
    }

    @Test
    void aVectorOfAnotherLengthIsAClearError() {
        for (ToolResult result : ask("longer")) {
            assertTrue(result.isError(), result::toString);
            assertTrue(result.text().contains("2") && result.text().contains("3"), result.text());
            assertTrue(result.text().contains("dimension"), result.text());
        }
    }

    @Test
    void aProviderThatRefusesIsSaidWithoutTheKey() {
        for (ToolResult result : ask("down")) {
            assertTrue(result.isError(), result::toString);
            assertTrue(result.text().startsWith("Failed to generate embedding: "), result.text());
            assertFalse(result.toString().contains(System.getenv("PATH")), result.text());
        }
    }
}
