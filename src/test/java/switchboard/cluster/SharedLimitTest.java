package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;

/** The limit of sessions is one for all replicas. */
@Tag("engines")
class SharedLimitTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(postgres, "capped", folder, "sessions: { max: 4 }");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    @BeforeEach
    void empty() {
        postgres.sql("DELETE FROM capped.session");
    }

    private static McpTestClient made(int index, Map<String, String> who) {
        replicas.proxy().to(index);
        return replicas.session(who);
    }

    private static List<Integer> everywhere(McpTestClient session) {
        List<Integer> statuses = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            replicas.proxy().to(index);
            statuses.add(session.request("ping", Json.object()).status());
        }
        return statuses;
    }

    private static boolean gone(McpTestClient session) {
        return everywhere(session).equals(List.of(404, 404, 404));
    }

    @Test
    void theLeastRecentlyUsedOfTheLargestTeamGoes() {
        List<McpTestClient> red = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            red.add(made(number % 3, replicas.red()));
        }
        replicas.proxy().to(0);
        assertEquals(200, red.getFirst().request("ping", Json.object()).status());
        McpTestClient blue = made(0, replicas.blue());
        // The others know before the new client has its answer, unless they take more than a moment.
        Eventually.that(() -> gone(red.get(1)), () -> "not the first, which was used since");
        McpTestClient next = made(1, replicas.red());
        Eventually.that(() -> gone(red.get(2)), () -> "the own team's, which has more than blue");
        for (McpTestClient there : List.of(red.get(0), red.get(3), blue, next)) {
            assertEquals(List.of(200, 200, 200), everywhere(there));
        }
        assertEquals("4", postgres.sql("SELECT count(*) FROM capped.session").strip());
    }

    @Test
    void aSessionWithACallIsNotReplaced() {
        replicas.proxy().to(0);
        McpTestClient busy = replicas.able("fixture", replicas.red());
        try (RawHttp call = new RawHttp(replicas.gateway(0).url().getPort())) {
            call.post("/mcp/fixture", Replicas.lines(replicas.red(), busy, "application/json, text/event-stream"), """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}""");
            call.readUntil("elicitation/create");
            for (int number = 0; number < 5; number++) {
                made(0, replicas.red());
            }
            assertEquals(List.of(200, 200, 200), everywhere(busy));
            busy.notify("notifications/cancelled", Json.object().put("requestId", 7));
            call.readUntil("\r\n0\r\n");
        }
    }
}
