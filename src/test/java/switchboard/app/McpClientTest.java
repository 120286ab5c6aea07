package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;

class McpClientTest {
    private static final String PROGRESS =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1,\"total\":2,\"message\":\"one\"}}";

    private final List<String> progress = new ArrayList<>();
    private HttpServer server;
    private volatile String stream = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mcp", exchange -> {
            byte[] body = stream.getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void theAnswerIsTheLastEventAndThoseBeforeItAreProgress() {
        stream = "\uFEFFid: 1\r\ndata: \r\n\r\n: still here\r\ndata: " + PROGRESS
                + "\r\n\r\ndata: {\"id\":1,\r\ndata: \"result\":{\"n\":7}}\r\n\r\n";

        assertEquals(7, call().path("n").asInt());
        assertEquals(List.of("1.0 of 2.0 one"), progress);
    }

    @Test
    void aStreamThatEndsBeforeItsAnswerIsToldAsThat() {
        stream = "data: " + PROGRESS + "\n\ndata: {\"id\":1,\"result\":{}";

        String message = assertThrows(McpException.class, this::call).getMessage();

        assertTrue(message.contains("ended the stream before its answer"), message);
    }

    private com.fasterxml.jackson.databind.JsonNode call() {
        URI endpoint = URI.create("http://localhost:" + server.getAddress().getPort() + "/mcp");
        try (McpClient client = new McpClient(endpoint, Duration.ofSeconds(10))) {
            return client.callTool(
                    "t", Json.object(), (done, total, what) -> progress.add(done + " of " + total + " " + what));
        }
    }
}
