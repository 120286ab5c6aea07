package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import switchboard.call.Json;

/** A provider of vectors behind OpenAI's interface, which counts letters: equal texts have equal vectors, for ever. */
public final class LetterModel implements AutoCloseable {
    private static final int DIMENSION = 4;

    private final HttpServer server;

    /** One on a free loopback port. */
    public LetterModel() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/embeddings", LetterModel::answer);
        server.start();
    }

    /** What an entry of {@code embedders:} says to use it. */
    public String yaml() {
        return "{provider: openai, url: \"http://127.0.0.1:"
                + server.getAddress().getPort() + "\", model: letters, dimension: " + DIMENSION + "}";
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode asked = Json.parse(
                    new String(exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
            ObjectNode answer = Json.object();
            ArrayNode data = answer.putArray("data");
            for (JsonNode text : asked.path("input")) {
                ArrayNode vector =
                        data.addObject().put("index", data.size() - 1).putArray("embedding");
                int[] counts = new int[DIMENSION];
                text.asText().chars().forEach(letter -> counts[letter % DIMENSION]++);
                for (int count : counts) {
                    vector.add(count);
                }
            }
            byte[] bytes = Json.bytes(answer);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
