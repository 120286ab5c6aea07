package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.CalculatedEmbeddings;
import switchboard.testing.HaProxy;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.NodeTools;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.SwitchboardProcess;

/**
 * Three gateways in processes of their own behind a real HAProxy, each request to the next one, on a PostgreSQL primary with a
 * synchronous standby: the official suites, the official clients, and limits that hold over all of them.
 */
@Tag("engines")
class LoadBalancedTest {
    private static final int SESSIONS = 60;
    private static final int CALLS_A_DAY = 20;

    @TempDir
    private static Path folder;

    private static PostgresCluster primary;
    private static CalculatedEmbeddings embeddings;
    private static ReplicaProcesses replicas;
    private static HaProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        primary = PostgresCluster.alone();
        primary.standby();
        embeddings = new CalculatedEmbeddings(16, Duration.ofMillis(5));
        int port = Programs.freePort();
        replicas = new ReplicaProcesses(
                3,
                new ReplicaProcesses.Settings(
                        folder,
                        "balanced",
                        _ -> primary.url(),
                        port,
                        embeddings.yaml(),
                        """
                          library: { type: vectordb, store: cluster, dataDir: shared }
                        views:
                          conformance: { backends: [fixture, library] }
                          shared: { backends: [library] }
                        sessions: { max: %d }
                        """.formatted(SESSIONS),
                        Map.of("daily", "{callsPerDay: " + CALLS_A_DAY + "}"),
                        SwitchboardProcess.SHORT_LIVED));
        proxy = HaProxy.roundRobin(replicas, port, folder);
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
        replicas.close();
        embeddings.close();
        primary.close();
    }

    private static URI url(String path) {
        return proxy.url().resolve(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void theRequirementsAreMet(String revision) {
        NodeTools.Run run = NodeTools.install()
                .run(
                        "sh",
                        "run-on-node20.sh",
                        "server",
                        "--url",
                        url("/mcp/conformance").toString(),
                        "--requirements",
                        revision);
        assertEquals(0, run.exit(), run.output());
    }

    /** The first restart of a story kills a gateway, which is started again; the others go on. */
    @ParameterizedTest
    @CsvSource({"story-v1.mjs, ok v1-http ok v1-sse", "story-v2.mjs, ok v2-auto ok v2-legacy ok v2-pinned"})
    void theOfficialClientsGoOnWhenAGatewayIsKilled(String program, String expected) {
        ObjectNode spec = Json.object()
                .put("url", url("/mcp/shared").toString())
                .put("sse", url("/mcp/shared/sse").toString());
        AtomicInteger restarts = new AtomicInteger();
        String output = NodeTools.install()
                .program("node", program, Json.text(spec))
                .run(() -> {
                    if (restarts.getAndIncrement() == 0) {
                        replicas.kill(1);
                        replicas.start(1);
                    }
                });
        assertEquals(
                expected,
                String.join(
                        " ",
                        output.lines().filter(line -> line.startsWith("ok ")).toList()),
                output);
    }

    @Test
    void sessionsAreCountedOverAll() {
        primary.sql("DELETE FROM balanced.session");
        List<McpTestClient> sessions = new ArrayList<>();
        for (int number = 0; number < SESSIONS + 10; number++) {
            sessions.add(McpTestClient.legacy(url("/mcp"), McpTestClient.LEGACY, replicas.red()));
        }
        assertEquals(
                Integer.toString(SESSIONS),
                primary.sql("SELECT count(*) FROM balanced.session").strip());
        Map<Integer, Long> statuses = sessions.stream()
                .collect(Collectors.groupingBy(
                        session -> session.request("ping", Json.object()).status(), Collectors.counting()));
        assertEquals(Map.of(200, (long) SESSIONS, 404, 10L), statuses);
        sessions.forEach(McpTestClient::delete);
        sessions.forEach(McpTestClient::close);
    }

    @Test
    void limitsHoldOverAll() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> calls = new ArrayList<>();
            for (int number = 0; number < 2 * CALLS_A_DAY; number++) {
                calls.add(threads.submit(() -> {
                    try (McpTestClient client = McpTestClient.modern(url("/mcp/fixture"))
                            .with("X-API-Key", replicas.of("daily").get("X-API-Key"))) {
                        ObjectNode call = Json.object().put("name", "test_simple_text");
                        call.putObject("arguments");
                        HttpReply reply = client.request("tools/call", call);
                        if (reply.body().contains("callsPerDay")) {
                            refused.incrementAndGet();
                        } else {
                            assertEquals(200, reply.status(), reply::body);
                            assertTrue(reply.body().contains("simple text"), reply::body);
                            answered.incrementAndGet();
                        }
                    }
                }));
            }
            for (Future<?> call : calls) {
                call.get(1, TimeUnit.MINUTES);
            }
        }
        assertEquals(CALLS_A_DAY, answered.get());
        assertEquals(CALLS_A_DAY, refused.get());
    }
}
