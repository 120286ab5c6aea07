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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import switchboard.call.Json;

/** A provider of embeddings, behind OpenAI's interface, that holds texts with the word {@code held} until they are released. */
public final class HeldEmbeddings implements AutoCloseable {
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** Starts on a free port of the loopback address. */
    public HeldEmbeddings() {
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
              default: {provider: openai, url: "http://127.0.0.1:%d", dimension: 3, model: m, timeout: 60s, cache: 0}
            """.formatted(server.getAddress().getPort());
    }

    /** How many texts with that word were to be embedded. */
    public int asked() {
        return asked.get();
    }

    /** Holds nothing any more. */
    public void release() {
        released.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode input =
                    Json.parse(exchange.getRequestBody().readAllBytes()).path("input");
            ObjectNode body = Json.object();
            ArrayNode data = body.putArray("data");
            for (int i = 0; i < Math.max(1, input.size()); i++) {
                data.addObject()
                        .put("index", i)
                        .putArray("embedding")
                        .add(1)
                        .add(0)
                        .add(0);
            }
            if (input.toString().contains("held")) {
                asked.incrementAndGet();
                released.await();
            }
            byte[] bytes = Json.bytes(body);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
