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
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import switchboard.call.Json;

/** A provider of embeddings, behind OpenAI's interface: equal texts have equal vectors, which mean nothing. */
public final class CalculatedEmbeddings implements AutoCloseable {
    private final int dimension;
    private final long pauseNanos;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** Vectors of {@code dimension} numbers, from a free port of the loopback address. */
    public CalculatedEmbeddings(int dimension) {
        this(dimension, Duration.ZERO);
    }

    /** The same from a model that needs {@code time} for each text. */
    public CalculatedEmbeddings(int dimension, Duration time) {
        this.dimension = dimension;
        this.pauseNanos = time.toNanos();
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** The section {@code embedders} of a configuration that uses it. */
    public String yaml() {
        return """
            embedders:
              default: {provider: openai, url: "http://127.0.0.1:%d", dimension: %d, model: calculated}
            """.formatted(server.getAddress().getPort(), dimension);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode input =
                    Json.parse(exchange.getRequestBody().readAllBytes()).path("input");
            ObjectNode body = Json.object();
            ArrayNode data = body.putArray("data");
            for (int i = 0; i < input.size(); i++) {
                LockSupport.parkNanos(pauseNanos);
                ArrayNode vector = data.addObject().put("index", i).putArray("embedding");
                Random numbers = new Random(input.get(i).asText().hashCode());
                for (int number = 0; number < dimension; number++) {
                    vector.add((float) numbers.nextGaussian());
                }
            }
            byte[] bytes = Json.bytes(body);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
