package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;

/** The database goes and comes back, and so does a replica. */
@Tag("engines")
class ClusterOutageTest {
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
            "clientInfo":{"name":"c","version":"1"}}}""";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private static HttpReply ping(Replicas replicas, int index, McpTestClient session) {
        replicas.proxy().to(index);
        return session.request("ping", Json.object());
    }

    private static void later(HttpReply reply) {
        assertEquals(503, reply.status(), reply::body);
        assertEquals("2", reply.header("Retry-After"));
    }

    @Test
    void knownSessionsGoOnAndOthersAreToldToWait() {
        try (Replicas replicas = new Replicas(postgres, "outage", folder, "")) {
            replicas.proxy().to(0);
            McpTestClient known = replicas.session(replicas.red());
            McpTestClient elsewhere = replicas.session(replicas.red());
            for (int index = 0; index < 3; index++) {
                assertEquals(200, ping(replicas, index, known).status());
            }
            postgres.kill();
            try {
                away(replicas, known, elsewhere);
                TestGateway late = replicas.another();
                Eventually.that(
                        () -> late.management("/health/ready").body().contains("has not joined yet: "),
                        () -> late.management("/health/ready").body());
                assertEquals(503, late.management("/health/ready").status());
                later(McpTestClient.modern(late.url())
                        .with("X-API-Key", replicas.red().get("X-API-Key"))
                        .post(INITIALIZE, Map.of()));
                postgres.restart();
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> late.management("/health/ready").status() == 200,
                        () -> late.management("/health/ready").body());
            } finally {
                restartIfKilled();
            }
            back(replicas, known, elsewhere);
        }
    }

    private static void restartIfKilled() {
        try {
            postgres.sql("SELECT 1");
        } catch (AssertionError _) {
            postgres.restart();
        }
    }

    private static void away(Replicas replicas, McpTestClient known, McpTestClient elsewhere) {
        for (int index = 0; index < 3; index++) {
            assertEquals(200, ping(replicas, index, known).status());
            assertTrue(known.toolNames().contains("search"));
        }
        assertEquals(
                200,
                known.request("logging/setLevel", Json.object().put("level", "error"))
                        .status());
        later(ping(replicas, 1, elsewhere));
        later(ping(replicas, 2, elsewhere));
        assertEquals(200, ping(replicas, 0, elsewhere).status());
        later(elsewhere.delete());
        later(elsewhere.post(INITIALIZE, Map.of()));
        assertEquals(
                404,
                known.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", Map.of("Mcp-Session-Id", "x"))
                        .status(),
                "what can't be an id needs no database");
        HttpReply ready = replicas.gateway(0).management("/health/ready");
        assertEquals(200, ready.status());
        assertTrue(ready.body().contains("degraded"), ready::body);
        assertTrue(replicas.gateway(0)
                .modern()
                .with("X-API-Key", replicas.red().get("X-API-Key"))
                .toolNames()
                .contains("search"));
    }

    private static void back(Replicas replicas, McpTestClient known, McpTestClient elsewhere) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> ping(replicas, 1, elsewhere).status() == 200,
                () -> ping(replicas, 1, elsewhere).body());
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    ping(replicas, 2, known);
                    return postgres.sql("SELECT state FROM outage.session").contains("\"error\"");
                },
                () -> "what was changed meanwhile is written");
        replicas.gateway(0).close();
        assertEquals(200, ping(replicas, 1, known).status(), "a replica is gone");
        assertEquals(204, elsewhere.delete().status());
        assertEquals(404, ping(replicas, 2, elsewhere).status());
        assertFalse(
                postgres.sql("SELECT string_agg(name, ' ') FROM outage.node").contains("replica-0"));
    }
}
