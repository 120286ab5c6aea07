package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** A server whose answer is a stream that breaks anywhere, and goes on after the event that a client names. */
class ResumedUpstreamTest {
    private static final String TOOLS = """
            {"tools":[{"name":"cut","description":"Answers after its stream broke.","inputSchema":{"type":"object",\
            "properties":{"missing":{"type":"integer"}}},"annotations":{"readOnlyHint":true}}]}""";

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void theAnswerArrivesWhereverItsStreamBreaks(String end) throws Exception {
        try (BreakingServer server = new BreakingServer(end);
                TestGateway gateway = TestGateway.start("""
                        backends:
                          other:
                            type: mcp
                            era: legacy
                            url: "http://127.0.0.1:%d/mcp"
                            callTimeout: 5s
                            trust: {hints: true, hold: nothing}
                        """.formatted(server.port()))) {
            McpTestClient client = gateway.modern("other");
            String[] events = server.events("1");
            for (int missing = 0; missing <= length(events) - events[0].length(); missing++) {
                assertEquals(
                        "the answer",
                        client.call("cut", Json.object().put("missing", missing))
                                .text(),
                        "without the last " + missing + " bytes");
            }
        }
    }

    private static int length(String[] events) {
        return String.join("", events).length();
    }

    private static final class BreakingServer implements AutoCloseable {
        private final HttpServer http;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final String end;
        private final Map<String, String[]> streams = new ConcurrentHashMap<>();

        BreakingServer(String end) throws IOException {
            this.end = end;
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setExecutor(threads);
            http.createContext("/mcp", this::handle);
            http.start();
        }

        int port() {
            return http.getAddress().getPort();
        }

        /** The events of the answer to the request {@code id}, each with its blank line. */
        String[] events(String id) {
            return new String[] {
                String.join(end, "id: " + id + "-0", "retry: 1", "data: ", "", ""),
                String.join(
                        end,
                        "id: " + id + "-1",
                        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",",
                        "data: \"params\":{\"level\":\"info\",\"data\":\"soon\"}}",
                        "",
                        ""),
                String.join(
                        end,
                        "id: " + id + "-2",
                        "event: message",
                        "data: {\"jsonrpc\":\"2.0\",\"id\":" + id
                                + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"the answer\"}]}}",
                        "",
                        "")
            };
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                if (exchange.getRequestMethod().equals("GET")) {
                    resume(exchange, exchange.getRequestHeaders().getFirst("Last-Event-ID"));
                    return;
                }
                JsonNode message =
                        Json.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                switch (message.path("method").asText()) {
                    case "initialize" ->
                        answer(
                                exchange,
                                message,
                                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"logging\":{}},"
                                        + "\"serverInfo\":{\"name\":\"breaking\",\"version\":\"1\"}}");
                    case "tools/list" -> answer(exchange, message, TOOLS);
                    case "tools/call" -> {
                        String id = message.path("id").asText();
                        String[] events = events(id);
                        streams.put(id, events);
                        int sent = length(events)
                                - message.at("/params/arguments/missing").asInt();
                        stream(exchange, String.join("", events).substring(0, sent));
                    }
                    default -> {
                        if (message.has("id")) {
                            answer(exchange, message, "{}");
                        } else {
                            exchange.sendResponseHeaders(202, -1);
                        }
                    }
                }
            }
        }

        private void resume(HttpExchange exchange, String last) throws IOException {
            if (last == null) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            String[] events = streams.get(last.substring(0, last.indexOf('-')));
            StringBuilder rest = new StringBuilder();
            for (int n = Integer.parseInt(last.substring(last.indexOf('-') + 1)) + 1; n < events.length; n++) {
                rest.append(events[n]);
            }
            stream(exchange, rest.toString());
        }

        private static void answer(HttpExchange exchange, JsonNode request, String result) throws IOException {
            ObjectNode answer = Json.object().put("jsonrpc", "2.0");
            answer.set("id", request.path("id"));
            answer.set("result", Json.parse(result));
            send(exchange, "application/json", Json.bytes(answer));
        }

        private static void stream(HttpExchange exchange, String text) throws IOException {
            send(exchange, "text/event-stream", text.getBytes(StandardCharsets.UTF_8));
        }

        private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(body);
        }

        @Override
        public void close() {
            http.stop(0);
            threads.close();
        }
    }
}
