package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;

/** A real process that is told to stop while somebody waits for an answer. */
class StoppingTest {
    private static final String ENGINE_ANSWER =
            "{\"hits\":[],\"query\":\"\",\"processingTimeMs\":1,\"limit\":1,\"offset\":0,\"estimatedTotalHits\":0}";

    @TempDir
    Path folder;

    @Test
    void notReadyFirstThenTheCallUnderWayIsAnsweredAndTheProcessEndsWithZero() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FaultServer engine = engine(answer);
                GatewayProcess gateway = start(engine, "{delay: 8s, grace: 30s}");
                McpTestClient caller = McpTestClient.modern(gateway.url());
                McpTestClient late = McpTestClient.modern(gateway.url())) {
            assertEquals(200, ready(gateway));
            CompletableFuture<ToolResult> underWay = CompletableFuture.supplyAsync(() -> search(caller));
            asked(engine);
            gateway.terminate();
            Eventually.within(Eventually.OF_A_PROCESS, () -> ready(gateway) == 503, () -> "it is not ready any more");
            assertFalse(late.toolNames().isEmpty(), "and takes calls until the balancers know");
            Eventually.within(Eventually.OF_A_PROCESS, () -> refused(gateway), () -> "it takes no more calls");
            assertFalse(underWay.isDone());
            answer.countDown();
            assertFalse(underWay.get().isError());
            assertEquals(0, gateway.exitCode());
            assertFalse(Files.exists(folder.resolve("gateway.json")));
        }
    }

    /**
     * A service of Kubernetes sends the requests of a connection to where it leads. So its client is told to open another one,
     * before this one is closed under a request.
     */
    @Test
    void clientsAreToldToOpenOtherConnectionsWhileCallsAreStillTaken() throws Exception {
        try (FaultServer engine = engine(new CountDownLatch(0));
                GatewayProcess gateway = start(engine, "{delay: 20s, grace: 1s}");
                Socket kept = new Socket(
                        InetAddress.getLoopbackAddress(), gateway.url().getPort())) {
            kept.setSoTimeout(30_000);
            assertEquals(List.of(), closing(ask(kept)));
            gateway.terminate();
            Eventually.within(Eventually.OF_A_PROCESS, () -> ready(gateway) == 503, () -> "it is not ready any more");
            String head = ask(kept);
            assertTrue(head.startsWith("HTTP/1.1 204 "), head);
            assertEquals(List.of("connection: close"), closing(head));
            gateway.terminate();
            assertEquals(4, gateway.exitCode());
        }
    }

    /** The head of the answer to a request without a body whose answer has none. */
    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                        .formatted(socket.getPort())
                        .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = socket.getInputStream().read();
            assertTrue(read >= 0, () -> "closed after " + head);
            head.append((char) read);
        }
        return head.toString();
    }

    private static List<String> closing(String head) {
        return head.lines()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .filter(line -> line.startsWith("connection:"))
                .toList();
    }

    @Test
    void aCallThatOutlastsTheGraceIsToldToTryAgainAndTheProcessEndsWithZero() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FaultServer engine = engine(never);
                GatewayProcess gateway = start(engine, "{grace: 1s}");
                McpTestClient caller = McpTestClient.modern(gateway.url())) {
            CompletableFuture<ToolResult> underWay = CompletableFuture.supplyAsync(() -> search(caller));
            asked(engine);
            gateway.terminate();
            ToolResult answer = underWay.get();
            assertTrue(answer.isError(), answer::toString);
            assertTrue(answer.toString().contains("UNAVAILABLE"), answer::toString);
            assertTrue(answer.toString().contains("Retry it"), answer::toString);
            assertEquals(0, gateway.exitCode());
            never.countDown();
        }
    }

    @Test
    void aSecondSignalHurries() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FaultServer engine = engine(never);
                GatewayProcess gateway = start(engine, "{delay: 30s, grace: 30s}");
                McpTestClient caller = McpTestClient.modern(gateway.url())) {
            CompletableFuture<ToolResult> underWay = CompletableFuture.supplyAsync(() -> search(caller));
            asked(engine);
            gateway.terminate();
            Eventually.within(Eventually.OF_A_PROCESS, () -> ready(gateway) == 503, () -> "the first signal is heard");
            gateway.terminate();
            assertEquals(4, gateway.exitCode());
            assertNull(underWay.handle((result, _) -> result).get());
            never.countDown();
        }
    }

    private GatewayProcess start(FaultServer engine, String drain) throws IOException {
        return GatewayProcess.start("""
                server: {drain: %s}
                embedders: {default: {provider: none}}
                backends: {meili: {type: meilisearch, url: "%s"}}
                """.formatted(drain, engine.url()), folder);
    }

    private static FaultServer engine(CountDownLatch answer) {
        return new FaultServer(socket -> {
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            FaultServer.json(ENGINE_ANSWER).answer(socket);
        });
    }

    private static ToolResult search(McpTestClient client) {
        return client.call("meili__meilisearch_search", "{\"indexUid\": \"books\", \"q\": \"x\"}");
    }

    private static void asked(FaultServer engine) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> engine.requests().stream().anyMatch(head -> head.startsWith("POST /indexes/books/search")),
                () -> "the engine is asked: " + engine.requests());
    }

    private static int ready(GatewayProcess gateway) {
        return status(gateway.managementUrl().resolve("/health/ready"));
    }

    private static boolean refused(GatewayProcess gateway) {
        return status(gateway.url()) < 0;
    }

    /** The status of a GET, or -1 if nobody answers. */
    private static int status(URI url) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
