package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import switchboard.dispatch.DispatchLimits;
import switchboard.testing.Eventually;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** Calls that are left at the end of the grace of a stop are answered, whatever they wait for and however they read. */
class EndOfGraceTest {
    private static final String BOTH = "Accept: application/json, text/event-stream\n";
    private static final String MODERN =
            BOTH + "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: toy__hold\n";
    private static final String META = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}";

    private static String hold(String meta) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"toy__hold\","
                + "\"arguments\":{},\"_meta\":{" + meta + "}}}";
    }

    @Test
    void eachIsToldToTryAgain() {
        List<RawHttp> calls = new ArrayList<>();
        try (TestServer server = TestServer.start(
                TestServer.Setup.DEFAULT.dispatch(new DispatchLimits(4, 4, 100, 100, Duration.ofMinutes(5), 500)))) {
            calls.add(new RawHttp(server.port()).post("/mcp", MODERN, hold(META)));
            calls.add(new RawHttp(server.port()).post("/mcp", MODERN, hold(META + ",\"progressToken\":1")));
            calls.add(new RawHttp(server.port()).post("/mcp", BOTH, hold("")));
            calls.add(new RawHttp(server.port()).post("/mcp", BOTH, hold("\"progressToken\":2")));
            Eventually.that(() -> server.toy().running() == 4, () -> "all are under way");
            // One that waits for room, and is not begun any more.
            calls.add(new RawHttp(server.port()).post("/mcp", MODERN, hold(META)));
            Eventually.that(() -> server.dispatcher().permitsTaken() == 5, () -> "one waits");
            Future<Void> drained = server.dispatcher().drain(Duration.ofMillis(1));
            for (RawHttp call : calls) {
                String answer = call.readUntil("in a moment");
                assertTrue(answer.contains("HTTP/1.1 200"), answer);
                assertTrue(answer.contains("\"isError\":true"), answer);
                assertTrue(answer.contains("\"id\":7"), answer);
                assertTrue(answer.contains("UNAVAILABLE"), answer);
                boolean waited = call == calls.getLast();
                assertEquals(waited, answer.contains("has not begun this call"), answer);
                assertEquals(!waited, answer.contains("look first whether it was carried out"), answer);
            }
            drained.await();
            assertTrue(calls.get(1)
                    .readUntil("in a moment")
                    .toLowerCase(Locale.ROOT)
                    .contains("text/event-stream"));
            Eventually.that(() -> server.toy().running() == 0, () -> "the backend was told");
            assertEquals(4, server.toy().cancelled());
            assertEquals(0, server.dispatcher().permitsTaken());
            try (RawHttp late = new RawHttp(server.port())) {
                late.post("/mcp", MODERN, hold(META)).readUntil("in a moment");
            }
        } finally {
            calls.forEach(RawHttp::close);
        }
    }
}
