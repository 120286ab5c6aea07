package switchboard.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.HeldEmbeddings;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** Calls through a second process while the process that owns the data is killed, stops, or hangs. */
class OwnerChangesTest {
    /** A process that was paused may find that its threads were blocked meanwhile. */
    private static final String PAUSED = "BlockedThreadChecker";

    private static final int MANY = 40;

    @TempDir
    Path data;

    private final HeldEmbeddings embeddings = new HeldEmbeddings();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        embeddings.close();
        threads.shutdownNow();
    }

    private String yaml(String server) {
        return embeddings.yaml() + "server: {" + server + "}\n" + """
            backends: {vectordb: {type: vectordb}}
            """;
    }

    private <T> CompletableFuture<T> beside(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, threads);
    }

    private static <T> T end(CompletableFuture<T> work) {
        return work.orTimeout(2, TimeUnit.MINUTES).join();
    }

    private static ToolResult put(McpTestClient client, String source) {
        return client.call(
                "ingest_text",
                Json.object().put("content", "A page named " + source + ".").put("source", source));
    }

    private static ToolResult search(McpTestClient client, String query) {
        return client.call("vectordb__search", Json.object().put("query", query));
    }

    private static List<String> sources(McpTestClient client) {
        ToolResult listed = client.call("list_documents", "{\"limit\": 200}");
        assertFalse(listed.isError(), listed::toString);
        List<String> sources = new ArrayList<>();
        listed.structured()
                .path("documents")
                .forEach(document -> sources.add(document.path("source").asText()));
        return sources.stream().sorted().toList();
    }

    private static void assertIndexed(ToolResult put) {
        assertFalse(put.isError(), put::toString);
        assertEquals("indexed", put.structured().path("status").asText(), put::toString);
    }

    private void writing(int calls) {
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> embeddings.asked() >= calls, () -> "embedded: " + embeddings.asked());
    }

    @Test
    void theOutcomeOfAWriteIsUnknownWhenItsOwnerIsKilled() throws IOException {
        try (GatewayProcess owner = GatewayProcess.start(yaml(""), data);
                TestGateway second = TestGateway.start(yaml(""), data)) {
            McpTestClient here = second.modern();
            assertIndexed(put(here, "before"));
            CompletableFuture<ToolResult> write = beside(() -> put(here, "held"));
            writing(1);
            owner.kill();
            ToolResult lost = end(write);
            assertEquals("UNAVAILABLE", lost.errorKind(), lost::toString);
            assertTrue(lost.text().contains("Outcome unknown"), lost::text);
            embeddings.release();
            assertEquals(List.of("before"), sources(here), "it is not repeated, and what was acknowledged is there");
            assertIndexed(put(here, "held"));
        }
    }

    @Test
    void anOwnerThatStopsFinishesWritesAndOtherCallsWaitForTheNextOne() throws IOException {
        try (GatewayProcess owner = GatewayProcess.start(yaml("drain: {grace: 30s}"), data);
                TestGateway second = TestGateway.start(yaml(""), data)) {
            McpTestClient client = second.modern();
            assertIndexed(put(client, "before"));
            CompletableFuture<ToolResult> write = beside(() -> put(client, "held"));
            writing(1);
            owner.terminate();
            Eventually.within(
                    Eventually.OF_A_PROCESS, () -> owner.log().contains("stopping"), () -> "it stops: " + owner.log());
            List<CompletableFuture<ToolResult>> others = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                String source = "new" + i;
                others.add(beside(() -> put(client, source)));
                others.add(beside(() -> search(client, "page")));
            }
            embeddings.release();
            assertIndexed(end(write));
            int acknowledged = 0;
            for (CompletableFuture<ToolResult> other : others) {
                ToolResult result = end(other);
                // More than the gateway takes at once is refused, as without an owner that stops.
                assertTrue(!result.isError() || result.errorKind().equals("OVERLOADED"), result::toString);
                acknowledged += result.structured().path("status").asText().equals("indexed") ? 1 : 0;
            }
            assertTrue(acknowledged > 0);
            assertEquals(0, owner.exitCode(), owner::log);
            assertEquals(acknowledged + 2, sources(second.modern()).size(), "nothing that was acknowledged is lost");
            assertTrue(sources(second.modern()).contains("held"));
        }
    }

    @Test
    void whatAnOwnerGivesUpAtItsStopIsReadAgainOrReported() throws IOException {
        try (GatewayProcess owner = GatewayProcess.start(yaml("drain: {grace: 1s}"), data);
                TestGateway second = TestGateway.start(yaml(""), data)) {
            McpTestClient client = second.modern();
            assertIndexed(put(client, "before"));
            CompletableFuture<ToolResult> write = beside(() -> put(client, "held"));
            CompletableFuture<ToolResult> read =
                    beside(() -> client.call("vectordb__search", "{\"query\": \"page held\"}"));
            writing(2);
            owner.terminate();
            ToolResult lost = end(write);
            assertEquals("UNAVAILABLE", lost.errorKind(), lost::toString);
            assertTrue(lost.text().contains("Outcome unknown"), lost::text);
            embeddings.release();
            ToolResult found = end(read);
            assertFalse(found.isError(), found::toString);
            assertEquals(1, found.structured().path("results").size(), found::toString);
            owner.exitCode();
        }
    }

    @Test
    void twoThatWantToTakeOverShareTheNextOwner() throws IOException {
        try (GatewayProcess owner = GatewayProcess.start(yaml(""), data);
                TestGateway second = TestGateway.start(yaml(""), data);
                TestGateway third = TestGateway.start(yaml(""), data)) {
            McpTestClient here = second.modern();
            McpTestClient there = third.modern();
            assertIndexed(put(here, "before"));
            assertIndexed(put(there, "before, too"));
            owner.kill();
            List<CompletableFuture<ToolResult>> writes = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                String source = "new" + i;
                McpTestClient client = i % 2 == 0 ? here : there;
                writes.add(beside(() -> put(client, source)));
            }
            writes.forEach(write -> assertIndexed(end(write)));
            List<String> all = sources(here);
            assertEquals(MANY + 2, all.size(), all::toString);
            assertEquals(all, sources(there));
        }
    }

    private static PendingCall send(TestGateway gateway, String source, Duration timeout) {
        return gateway.app()
                .dispatcher()
                .send(
                        "vectordb",
                        new BackendRequest.CallTool(
                                "ingest_text",
                                Arguments.of(Json.object()
                                        .put("content", "A page named " + source + ".")
                                        .put("source", source))),
                        Caller.unrestricted(),
                        CallOptions.withEvents(timeout, null, null));
    }

    private static ToolReply.Failed failed(PendingCall call) {
        BackendReply reply = call.reply().timeout(60, TimeUnit.SECONDS).await();
        assertTrue(reply instanceof ToolReply.Failed, reply::toString);
        return (ToolReply.Failed) reply;
    }

    @AsksForErrors(PAUSED)
    @Test
    void anOwnerThatHangsKeepsItsDataAndCallersHearOfItInTime() throws Exception {
        try (GatewayProcess owner = GatewayProcess.start(yaml(""), data);
                TestGateway second = TestGateway.start(yaml(""), data)) {
            assertIndexed(put(second.modern(), "before"));
            signal(owner, "STOP");
            try {
                PendingCall cancelled = send(second, "cancelled", Duration.ofMinutes(1));
                ToolReply.Failed soon = failed(send(second, "soon", Duration.ofSeconds(2)));
                assertTrue(soon.message().contains("This call was not carried out"), soon::message);
                cancelled.cancel();
                assertEquals(FailureKind.CANCELLED, failed(cancelled).kind());
                List<PendingCall> many = new ArrayList<>();
                for (int i = 0; i < MANY; i++) {
                    many.add(send(second, "many" + i, Duration.ofSeconds(30)));
                }
                AtomicInteger told = new AtomicInteger();
                many.forEach(call -> {
                    ToolReply.Failed unavailable = failed(call);
                    assertTrue(
                            unavailable.message().contains("This call was not carried out")
                                    || unavailable.kind() == FailureKind.OVERLOADED,
                            unavailable::toString);
                    told.incrementAndGet();
                });
                assertEquals(MANY, told.get());
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> ready(second).contains("is stopping or does not answer"),
                        () -> ready(second));
            } finally {
                signal(owner, "CONT");
            }
            assertIndexed(put(second.modern(), "after"));
            assertEquals(List.of("after", "before"), sources(second.modern()), "nothing is carried out later");
            McpTestClient there = McpTestClient.modern(owner.url());
            assertEquals(List.of("after", "before"), sources(there), "it is the owner as before");
            there.close();
            assertEquals(0, second.app().dispatcher().inFlight());
        }
    }

    private static String ready(TestGateway gateway) {
        return gateway.management("/health/ready").body();
    }

    private static void signal(GatewayProcess process, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertTrue(kill.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, kill.exitValue());
    }
}
