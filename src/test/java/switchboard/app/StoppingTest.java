package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
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
