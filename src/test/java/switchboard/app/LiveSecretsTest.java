package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;

/** Secrets whose files change under load: the next request has the new one, and no call fails meanwhile. */
class LiveSecretsTest {
    private static final String OLD = "old-key-0123456789-0123456789-0123";
    private static final String NEW = "new-key-0123456789-0123456789-0123";

    /** A text that is there already is not embedded again. */
    private static final AtomicInteger TEXTS = new AtomicInteger();

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    /** By the first part of the path, the credentials that came last. */
    private final Map<String, String> shown = new ConcurrentHashMap<>();

    @TempDir
    Path folder;

    private HttpServer engines;
    private Path key;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        accepted.add("Bearer " + OLD);
        engines = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engines.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        engines.createContext("/", this::answer);
        engines.start();
        String url = "http://127.0.0.1:" + engines.getAddress().getPort();
        key = Files.writeString(folder.resolve("key"), OLD + "\n");
        gateway = TestGateway.start("""
                embedders:
                  default:
                    {provider: openai, url: "%1$s/embedder", dimension: 3, model: m, apiKey: "${file:key}", cache: 0}
                backends:
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, url: "%1$s/weaviate", apiKey: "${file:key}"}
                  meilisearch: {type: meilisearch, url: "%1$s/meilisearch", apiKey: "${file:key}"}
                """.formatted(url), folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
        engines.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String engine = exchange.getRequestURI().getPath().split("/")[1];
            String credentials = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            shown.put(engine, credentials);
            boolean good = accepted.contains(credentials);
            String body =
                    switch (engine) {
                        case "embedder" -> "{\"data\":[{\"index\":0,\"embedding\":[1,0,0]}]}";
                        case "meilisearch" -> "{\"results\":[],\"total\":0,\"indexes\":{},\"status\":\"available\"}";
                        default -> "[]";
                    };
            byte[] bytes = (good ? body : "{\"error\":\"" + credentials + "\"}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", "application/json");
            exchange.sendResponseHeaders(good ? 200 : 401, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void calls(McpTestClient client, AtomicInteger failed) {
        for (List<String> call : List.of(
                List.of("weaviate__weaviate-tenants-list", "{\"collection_name\": \"A\"}"),
                List.of("meilisearch__meilisearch_list_indexes", "{}"),
                List.of(
                        "vectordb__ingest_text",
                        "{\"content\": \"stone " + TEXTS.incrementAndGet() + "\", \"title\": \"stones\"}"))) {
            var result = client.call(call.get(0), call.get(1));
            if (result.isError()) {
                failed.incrementAndGet();
            }
            assertFalse(result.toString().contains(OLD) || result.toString().contains(NEW), result::toString);
        }
    }

    private void allShow(String text) {
        Eventually.that(
                () -> List.of("weaviate", "meilisearch", "embedder").stream()
                        .allMatch(engine -> ("Bearer " + text).equals(shown.get(engine))),
                () -> "the new one at all of " + shown.keySet());
    }

    private void gauge(int value) {
        String line = "switchboard_files_outdated{files=\"secrets\"} " + value;
        Eventually.that(() -> gateway.management("/metrics").body().contains(line), () -> line);
    }

    @Test
    void aChangedSecretIsUsedAndNoCallFails() throws Exception {
        AtomicInteger failed = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        List<Thread> load = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            load.add(Thread.ofVirtual().start(() -> {
                McpTestClient client = gateway.modern();
                while (!done.get()) {
                    calls(client, failed);
                }
            }));
        }
        try {
            Eventually.that(() -> shown.size() == 3, () -> "all are asked: " + shown.keySet());
            accepted.add("Bearer " + NEW);
            ReplacedFile.write(key, NEW + "\n");
            allShow(NEW);
            accepted.remove("Bearer " + OLD);
        } catch (AssertionError e) {
            done.set(true);
            throw e;
        }
        McpTestClient client = gateway.modern();
        for (int i = 0; i < 10; i++) {
            calls(client, failed);
        }
        done.set(true);
        for (Thread thread : load) {
            thread.join();
        }
        assertEquals(0, failed.get());
        gauge(0);
    }

    @Test
    void aFileThatIsGoneEmptyOrCutLeavesTheSecretInForce() throws IOException {
        AtomicInteger failed = new AtomicInteger();
        for (String text : List.of("", " \n", OLD.substring(0, 8), "two\nlines")) {
            Files.writeString(key, text);
            gauge(1);
            calls(gateway.modern(), failed);
            Files.writeString(key, OLD);
            gauge(0);
        }
        Files.delete(key);
        gauge(1);
        calls(gateway.modern(), failed);
        assertEquals(0, failed.get());
        assertTrue(shown.get("weaviate").endsWith(OLD));
    }
}
