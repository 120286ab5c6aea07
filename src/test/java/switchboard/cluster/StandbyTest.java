package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The database's primary is killed under load, and its synchronous standby is promoted. */
@Tag("engines")
class StandbyTest {
    private static final int CALLS_A_DAY = 40;
    private static final int MOST_SESSIONS = 200;
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final Queue<String> sessions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @Test
    void whatWasAcknowledgedIsThereOnceTheStandbyIsThePrimary() throws Exception {
        try (PostgresCluster primary = PostgresCluster.alone()) {
            PostgresCluster standby = primary.standby();
            Map<String, String> limits = Map.of("daily", "limits: {callsPerDay: " + CALLS_A_DAY + "}");
            try (Replicas replicas =
                    new Replicas(primary, folder, new Replicas.Settings("failover", "").with(limits))) {
                assertEquals(CALLS_A_DAY / 2, used(replicas, CALLS_A_DAY / 2));
                assertEquals(200, off(replicas, 0, "vectordb"));
                AtomicBoolean ended = new AtomicBoolean();
                List<Thread> clients = new ArrayList<>();
                for (int index = 0; index < 3; index++) {
                    int gateway = index;
                    clients.add(Thread.ofVirtual().start(() -> begin(replicas, gateway, ended)));
                }
                Eventually.within(LONG, () -> begun.get() > 20, () -> "sessions begin");
                primary.kill();
                standby.promote();
                long promoted = System.nanoTime();
                int before = begun.get();
                Eventually.within(LONG, () -> begun.get() > before + 20, () -> "sessions begin again");
                System.out.println("after the promotion, " + (System.nanoTime() - promoted) / 1_000_000
                        + " ms until 20 sessions had begun");
                ended.set(true);
                for (Thread client : clients) {
                    assertTrue(client.join(LONG), "a client has not ended");
                }
                assertEquals(List.of(), List.copyOf(failures));
                whatWasAcknowledgedIsThere(replicas);
            }
        }
    }

    private void whatWasAcknowledgedIsThere(Replicas replicas) {
        for (int index = 0; index < 3; index++) {
            TestGateway gateway = replicas.gateway(index);
            Eventually.within(LONG, () -> reachesTheDatabase(gateway), () -> "it reaches the new primary");
            McpTestClient client =
                    gateway.modern().with("X-API-Key", replicas.red().get("X-API-Key"));
            for (String session : sessions) {
                HttpReply reply = Eventually.first(
                        LONG,
                        () -> client.post(
                                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
                                Map.of("Mcp-Session-Id", session)),
                        answer -> answer.status() != 503);
                assertEquals(200, reply.status(), reply::body);
            }
            ToolResult result = replicas.gateway(index)
                    .modern("vectordb")
                    .with("X-API-Key", replicas.red().get("X-API-Key"))
                    .call("list_libraries", Json.object());
            assertTrue(result.toString().contains("switched off by the operator"), result::toString);
        }
        int left = used(replicas, CALLS_A_DAY);
        assertTrue(left <= CALLS_A_DAY / 2, () -> left + " more calls than a day has");
        assertTrue(left >= CALLS_A_DAY / 8, () -> "only " + left + " calls are left");
    }

    private static boolean reachesTheDatabase(TestGateway gateway) {
        String metrics = gateway.management("/metrics").body();
        return metrics.contains("switchboard_cluster_up 1.0")
                && metrics.contains("switchboard_cluster_limits_divided 0.0");
    }

    /** Makes {@code calls} calls in turns on all gateways; returns how many were let through. */
    private static int used(Replicas replicas, int calls) {
        int used = 0;
        for (int call = 0; call < calls; call++) {
            ToolResult result = replicas.gateway(call % 3)
                    .modern("fixture")
                    .with("X-API-Key", replicas.of("daily").get("X-API-Key"))
                    .call("test_simple_text", Json.object());
            if (!result.toString().contains("callsPerDay")) {
                used++;
            }
        }
        return used;
    }

    private void begin(Replicas replicas, int gateway, AtomicBoolean ended) {
        McpTestClient client = replicas.gateway(gateway)
                .modern()
                .with("X-API-Key", replicas.red().get("X-API-Key"));
        while (!ended.get()) {
            HttpReply reply = client.post("""
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
                    "clientInfo":{"name":"c","version":"1"}}}""", Map.of());
            if (reply.status() == 200) {
                sessions.add(reply.header("Mcp-Session-Id"));
                begun.incrementAndGet();
                endOldest(client);
            } else if (reply.status() != 503) {
                failures.add(reply.status() + " " + reply.body());
            }
        }
    }

    /** No session is replaced because there are too many. */
    private void endOldest(McpTestClient client) {
        String oldest = sessions.size() > MOST_SESSIONS ? sessions.poll() : null;
        if (oldest != null) {
            client.with("Mcp-Session-Id", oldest).delete();
        }
    }

    private static int off(Replicas replicas, int gateway, String backend) throws IOException {
        try (RawHttp client =
                new RawHttp(replicas.gateway(gateway).app().managementUrl().getPort())) {
            String answer = client.send("PUT /backends/" + backend
                            + "/off HTTP/1.1\nHost: 127.0.0.1\nConnection: close\nContent-Length: 0\n\n")
                    .readAll();
            return Integer.parseInt(answer.split(" ")[1]);
        }
    }
}
