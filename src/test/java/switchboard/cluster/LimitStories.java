package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.Replicas;
import switchboard.testing.ToolResult;

/** What limits of teams have to do that hold over several gateways, whatever leads the clients to these. */
final class LimitStories {
    private static final ObjectNode NOTHING = Json.object();

    private LimitStories() {}

    /** How many of so many calls, one after the other, were let through. */
    static int succeeded(McpTestClient client, int calls) {
        int succeeded = 0;
        for (int i = 0; i < calls; i++) {
            succeeded += client.call("test_simple_text", NOTHING).isError() ? 0 : 1;
        }
        return succeeded;
    }

    /** Does the same so often, twelve at a time. */
    static <T> List<T> together(int count, Callable<T> work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(threads.submit(work));
            }
            List<T> done = new ArrayList<>();
            for (Future<T> one : all) {
                done.add(one.get(60, TimeUnit.SECONDS));
            }
            return done;
        }
    }

    /** A client of a team with {@code callsPerSecond: 1, burst: 20} that has called nothing yet. */
    static void aBurstIsOneForAll(McpTestClient client) throws Exception {
        long began = System.nanoTime();
        List<HttpReply> replies = together(120, () -> client.request("tools/list", Json.object()));
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
        long through = replies.stream().filter(reply -> reply.status() == 200).count();
        replies.stream().filter(reply -> reply.status() != 200).forEach(reply -> {
            assertEquals(429, reply.status(), reply::body);
            assertEquals("1", reply.header("Retry-After"), reply::body);
            long wait = reply.json().at("/error/data/retryAfterMs").asLong();
            assertTrue(wait > 0 && wait <= 1000, reply::body);
        });
        // An exchange that takes longer than a second, as on a loaded machine, grants nothing.
        assertTrue(through >= 10 && through <= 21 + seconds, through + " in " + seconds + " s");
    }

    /**
     * A call that asks its client is under way, of a team with {@code concurrentCalls: 1}.
     *
     * @param session a session on the view {@code fixture} of a client that can be asked
     * @param who its headers
     * @param port where its call goes
     * @param others further clients of the team
     */
    static void oneCallAtATimeMeansOne(
            McpTestClient session, Map<String, String> who, int port, List<McpTestClient> others) {
        try (RawHttp call = new RawHttp(port)) {
            call.post("/mcp/fixture", Replicas.lines(who, session, "application/json, text/event-stream"), """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"Who?"}}}""");
            call.readUntil("elicitation/create");
            for (McpTestClient other : others) {
                ToolResult refused = other.call("test_simple_text", NOTHING);
                assertEquals("OVERLOADED", refused.errorKind(), refused::toString);
                assertTrue(refused.text().contains("concurrentCalls of your team"), refused::text);
            }
            session.notify("notifications/cancelled", Json.object().put("requestId", 7));
            call.readUntil("\r\n0\r\n");
        }
    }
}
