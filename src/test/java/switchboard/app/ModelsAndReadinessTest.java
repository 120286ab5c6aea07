package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.HttpReply;
import switchboard.testing.TestGateway;

/** Readiness says how the models of other servers are, in the words of what the operator has to do. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ModelsAndReadinessTest {
    private static final String KEY = "sk-operators-secret";

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private volatile int status = 200;
    private HttpServer server;
    private TestGateway gateway;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String said = status == 200
                    ? "{\"choices\": [{\"message\": {\"content\": \"{}\"}}],"
                            + " \"data\": [{\"index\": 0, \"embedding\": [1, 0, 0]}]}"
                    : "{\"error\": {\"message\": \"Incorrect API key provided: " + KEY + "\"}}";
            byte[] body = said.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        gateway = TestGateway.start(
                """
                embedders:
                  default: {provider: openai, url: "%1$s", model: words, dimension: 3, apiKey: "${file:%2$s}", timeout: 2s}
                llm: {url: "%1$s", model: talker, apiKey: "${file:%2$s}"}
                backends:
                  agentroot: {type: agentroot, roots: ['%3$s']}
                  vectordb: {type: vectordb}
                """.formatted(
                                "http://127.0.0.1:" + server.getAddress().getPort(),
                                Files.writeString(folder.resolve("key"), KEY),
                                Files.createDirectories(folder.resolve("root"))),
                folder.resolve("data"),
                clock);
    }

    @AfterEach
    void stop() {
        gateway.close();
        server.stop(0);
    }

    private void ask() {
        gateway.modern().call("agentroot__smart_search", "{\"query\": \"anything about soup?\"}");
    }

    private JsonNode llm() {
        HttpReply reply = gateway.management("/health/ready");
        assertEquals(200, reply.status(), "a model that is down makes nothing unready");
        assertFalse(reply.body().contains(KEY), reply::body);
        return reply.json().path("llm");
    }

    @Test
    void aLanguageModelThatNobodyHasAskedIsNotSaidToBeDown() {
        assertEquals("talker", llm().path("id").asText());
        assertEquals("up", llm().path("status").asText());
        assertEquals("not asked yet", llm().path("detail").asText());
        ask();
        assertEquals("up", llm().path("detail").asText());
    }

    @ParameterizedTest
    @CsvSource({
        "401, llm.apiKey",
        "403, llm.apiKey",
        "404, llm.url",
        "404, llm.model",
        "500, 500",
    })
    void aLanguageModelThatCantBeAskedIsDownAndSaysWhatToDo(int refusal, String word) {
        status = refusal;
        ask();
        assertEquals("down", llm().path("status").asText(), llm()::toString);
        assertTrue(llm().path("detail").asText().contains(word), llm()::toString);
    }

    @Test
    void aLanguageModelThatIsGoneIsDown() {
        server.stop(0);
        ask();
        assertEquals("down", llm().path("status").asText(), llm()::toString);
    }

    @ParameterizedTest
    @CsvSource({"400", "422", "429"})
    void aServerThatRefusesAQuestionIsThere(int refusal) {
        status = refusal;
        ask();
        assertEquals("up", llm().path("status").asText(), llm()::toString);
    }

    @Test
    void aLanguageModelThatIsBackIsFoundWithoutACaller() {
        status = 401;
        ask();
        assertEquals("down", llm().path("status").asText());
        status = 200;
        clock.forward(Duration.ofMinutes(1));
        Eventually.that(() -> llm().path("status").asText().equals("up"), () -> llm().toString());
    }

    @Test
    void anEmbedderThatRefusesTheKeyIsDownAndSaysWhatToDo() {
        status = 401;
        gateway.modern().call("vectordb__ingest_text", "{\"content\": \"a stone\", \"title\": \"stones\"}");
        JsonNode embedder =
                gateway.management("/health/ready").json().path("embedders").path(0);
        assertEquals("down", embedder.path("status").asText(), embedder::toString);
        assertTrue(embedder.path("detail").asText().contains("apiKey"), embedder::toString);
        assertFalse(embedder.toString().contains(KEY), embedder::toString);
    }
}
