package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import switchboard.call.Json;
import switchboard.concurrent.TeamShare;
import switchboard.embed.EmbedListener;
import switchboard.embed.OnnxEmbedder;
import switchboard.embed.OnnxModel;
import switchboard.eval.VectorCache;

/**
 * The model that is in the box, behind OpenAI's interface, which embeds every text once: several backends of a test share
 * its vectors, and so do runs that share a folder.
 */
public final class EmbeddingServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final OnnxEmbedder embedder =
            new OnnxEmbedder(vertx, new SimpleMeterRegistry(), OnnxModel.bgeSmall(), 0, TeamShare.ALL);
    private final Path lock;
    private final VectorCache cache;
    private final HttpServer server;

    /** Keeps its vectors in {@code folder}. */
    public EmbeddingServer(Path folder) {
        try {
            lock = Files.createDirectories(folder).resolve("lock");
            cache = OneAtATime.with(lock, () -> VectorCache.open(folder, embedder));
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/embeddings", this::answer);
        server.start();
    }

    /** Where it answers. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The section {@code embedders} of a configuration that uses it as {@code default}. */
    public String yaml() {
        return """
            embedders:
              default:
                provider: openai
                url: %s
                model: bge-small
                dimension: %d
                maxTokens: 510
            """.formatted(url(), embedder.dimension());
    }

    /** How long its vectors are. */
    public int dimension() {
        return embedder.dimension();
    }

    /** The vectors of {@code texts}. */
    public List<float[]> vectors(List<String> texts) {
        try {
            synchronized (cache) {
                List<String> missing = texts.stream()
                        .filter(text -> cache.find(text).isEmpty())
                        .distinct()
                        .toList();
                List<float[]> made = made(missing);
                keep(missing, made);
                return texts.stream()
                        .map(cache::find)
                        .map(Optional::orElseThrow)
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Other processes append to the same file: whole records only. */
    private void keep(List<String> texts, List<float[]> made) throws IOException {
        OneAtATime.with(lock, () -> {
            for (int i = 0; i < texts.size(); i++) {
                cache.add(texts.get(i), made.get(i));
            }
            cache.flush();
            return texts.size();
        });
    }

    private List<float[]> made(List<String> texts) {
        List<float[]> vectors = new ArrayList<>();
        for (int from = 0; from < texts.size(); from += 64) {
            vectors.addAll(
                    embedder.embedDocuments(texts.subList(from, Math.min(texts.size(), from + 64)), EmbedListener.NONE)
                            .await());
        }
        return vectors;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            List<String> texts = new ArrayList<>();
            for (JsonNode text :
                    Json.parse(exchange.getRequestBody().readAllBytes()).path("input")) {
                texts.add(text.asText());
            }
            ObjectNode body = Json.object();
            ArrayNode data = body.putArray("data");
            List<float[]> vectors = vectors(texts);
            for (int i = 0; i < vectors.size(); i++) {
                ObjectNode entry = data.addObject().put("index", i);
                entry.set("embedding", Json.mapper().valueToTree(vectors.get(i)));
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
        try {
            embedder.close().await(30, TimeUnit.SECONDS);
            vertx.close().await(30, TimeUnit.SECONDS);
            cache.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
