package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** A provider of embeddings that hangs: calls don't wait for it again and again, operators are told, and it is found again. */
class HungEmbedderTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("switchboard.upstream");
    private final AtomicInteger texts = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean hangs;

    @TempDir
    Path folder;

    private HttpServer provider;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        provider.createContext("/", this::answer);
        provider.start();
        gateway = TestGateway.start("""
                embedders:
                  default: {provider: openai, url: "http://127.0.0.1:%1$d", dimension: 3, model: m, timeout: 1s, cache: 0}
                  other: {provider: openai, url: "http://127.0.0.1:%1$d", dimension: 3, model: m}
                backends:
                  vectordb: {type: vectordb}
                  spare: {type: vectordb, embedder: other, dataDir: data/spare}
                """.formatted(provider.getAddress().getPort()), folder);
    }

    @AfterEach
    void stop() {
        end.countDown();
        gateway.close();
        provider.stop(0);
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    /** What is about stones is somebody's; the rest the gateway asks by itself. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (body.contains("stone")) {
                texts.incrementAndGet();
            }
            if (hangs) {
                end.await();
            }
            byte[] answer = "{\"data\":[{\"index\":0,\"embedding\":[1,0,0]}]}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long said(String part) {
        return new ArrayList<>(log.list)
                .stream()
                        .filter(event -> event.getFormattedMessage().contains(part))
                        .count();
    }

    private void search(McpTestClient client, int number) {
        client.call("vectordb__search", "{\"query\": \"stone " + number + "\"}");
    }

    private boolean metric(String line) {
        return gateway.management("/metrics").body().contains(line);
    }

    @Test
    void aHungProviderIsGivenARestAndFoundAgain() {
        McpTestClient client = gateway.modern();
        client.call("vectordb__ingest_text", "{\"content\": \"a stone\", \"title\": \"stones\"}");
        assertTrue(metric("switchboard_embedding_up{backend=\"embedders.default\",model=\"m\"} 1"));
        hangs = true;
        search(client, 0);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> metric("switchboard_embedding_up{backend=\"embedders.default\",model=\"m\"} 0"),
                () -> "it is down");
        int asked = texts.get();
        for (int i = 1; i <= 8; i++) {
            search(client, i);
        }
        assertEquals(asked, texts.get(), "nobody waits for it again");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> said("embedders.default, seen by calls, is down") == 1,
                () -> "one line");
        assertTrue(metric("switchboard_embedding_up{backend=\"embedders.other\",model=\"m\"} 1"), "it was not called");
        assertTrue(metric("switchboard_embedding_failures_total{error_type="));
        assertTrue(
                gateway.management("/health/ready").body().contains("does not answer"),
                () -> gateway.management("/health/ready").body());
        hangs = false;
        end.countDown();
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> metric("switchboard_embedding_up{backend=\"embedders.default\",model=\"m\"} 1"),
                () -> "it is back");
        search(client, 100);
        assertEquals(asked + 1, texts.get());
        assertEquals(1, said("embedders.default, seen by calls, is down"), List.copyOf(log.list)::toString);
        assertEquals(1, said("embedders.default, seen by calls, is back after"));
    }
}
