package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The Weaviate of a store with {@code store: weaviate}: a stand-in that knows what such a store asks for, or where {@code WEAVIATE_URL}
 * (and {@code WEAVIATE_API_KEY}) say so a real one. What the stand-in does not know fails the request.
 */
public final class ChunkServer implements AutoCloseable {
    private static final String SCHEMA = "/v1/schema";

    private final @Nullable HttpServer server;
    private final URI url;
    private final StoredChunks chunks = new StoredChunks();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final Semaphore arrived = new Semaphore(0);
    private volatile boolean away;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch answers = new CountDownLatch(0);

    private ChunkServer(@Nullable HttpServer server, URI url) {
        this.server = server;
        this.url = url;
    }

    /** The real one, if the environment names it. */
    public static ChunkServer realOrStandIn() {
        String real = System.getenv("WEAVIATE_URL");
        return real == null ? standIn() : new ChunkServer(null, URI.create(real));
    }

    /** A stand-in. */
    public static ChunkServer standIn() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
            ChunkServer made = new ChunkServer(
                    server, URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", made::handle);
            server.start();
            return made;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Its address. */
    public URI url() {
        return url;
    }

    /** The line of a backend {@code vectordb} whose chunks are in it, in the section {@code backends}. */
    public String backend(String id) {
        return "  " + id + ": { type: vectordb, store: weaviate, dataDir: " + id + ", weaviate: { url: '" + url + "'"
                + key().map(_ -> ", apiKey: '${env:WEAVIATE_API_KEY}'").orElse("") + ", shards: 2 } }\n";
    }

    /** How many nodes have each shard of a collection that is made: {@code WEAVIATE_REPLICATION_FACTOR} of a real cluster, or 1. */
    public int replicationFactor() {
        String factor = server == null ? System.getenv("WEAVIATE_REPLICATION_FACTOR") : null;
        return factor == null ? 1 : Integer.parseInt(factor);
    }

    /** Its key, if it has one. */
    public Optional<String> key() {
        return server == null ? Optional.ofNullable(System.getenv("WEAVIATE_API_KEY")) : Optional.empty();
    }

    /** Whether it is the stand-in. */
    public boolean isStandIn() {
        return server != null;
    }

    /** What the stand-in has. */
    public StoredChunks chunks() {
        return chunks;
    }

    /** Requests that it did not know. */
    public List<String> refused() {
        return List.copyOf(refused);
    }

    /** Whether the stand-in answers every request with 503. */
    public void away(boolean now) {
        away = now;
    }

    /** Writes of chunks wait from now on, before they are done. */
    public void hold() {
        gate = new CountDownLatch(1);
    }

    /** Searches wait from now on, after what they have found. */
    public void holdSearches() {
        answers = new CountDownLatch(1);
    }

    /** Waits until one write, or one search, waits. */
    public void awaitHeld() {
        try {
            assertTrue(arrived.tryAcquire(30, TimeUnit.SECONDS), "no write came");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets writes and searches go on. */
    public void release() {
        gate.countDown();
        answers.countDown();
    }

    private void pass(CountDownLatch now, boolean concerned) throws IOException {
        if (now.getCount() > 0 && concerned) {
            arrived.release();
            try {
                assertTrue(now.await(60, TimeUnit.SECONDS), "nobody lets it go on");
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        StoredChunks.Reply reply;
        pass(gate, exchange.getRequestMethod().equals("POST") && path.startsWith("/v1/batch"));
        try {
            reply = away
                    ? new StoredChunks.Reply(503, Json.object().put("error", "away"))
                    : reply(exchange.getRequestMethod(), path, text.isEmpty() ? Json.object() : Json.parse(text));
        } catch (RuntimeException | IOException e) {
            refused.add(exchange.getRequestMethod() + " " + path + " " + text + ": " + e);
            reply = new StoredChunks.Reply(418, Json.object().put("error", e.toString()));
        }
        pass(answers, path.equals("/v1/graphql"));
        byte[] bytes = reply.status() == 404 ? new byte[0] : Json.bytes(reply.body());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private StoredChunks.Reply reply(String method, String path, JsonNode body) {
        String collection = path.startsWith(SCHEMA + "/") ? path.substring(SCHEMA.length() + 1) : "";
        return switch (method + " " + (collection.isEmpty() ? path : SCHEMA + "/*")) {
            case "GET " + SCHEMA + "/*" -> chunks.definition(collection);
            case "POST " + SCHEMA -> chunks.create(body);
            case "PUT " + SCHEMA + "/*" -> chunks.change(collection, body);
            case "DELETE " + SCHEMA + "/*" -> chunks.drop(collection);
            case "POST /v1/batch/objects" -> chunks.write(body);
            case "DELETE /v1/batch/objects" -> chunks.remove(body);
            case "POST /v1/graphql" -> chunks.query(body.path("query").asText());
            case "GET /v1/meta" -> new StoredChunks.Reply(200, Json.object());
            default -> throw new IllegalArgumentException("unknown request");
        };
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
    }
}
