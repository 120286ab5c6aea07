package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.session.SessionLimits;
import switchboard.testing.Eventually;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** A session whose call is under way neither expires nor gives way to a newcomer. */
class BusySessionTest {
    private static final String BOTH = "Accept: application/json, text/event-stream\n";
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                    + "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
    private static final String HOLD =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"toy__hold\",\"arguments\":{}}}";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}";

    private final AtomicLong now = new AtomicLong();
    private TestServer server;

    @BeforeEach
    void start() {
        server = TestServer.start(
                TestServer.Setup.DEFAULT.sessions(new SessionLimits(2, Duration.ofSeconds(5)), now::get));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCallThatTakesLongerThanASessionMayIdleIsAnsweredInIt() {
        String session = initialize();
        try (RawHttp call = new RawHttp(server.port())) {
            hold(call, session);
            now.addAndGet(Duration.ofSeconds(9).toNanos());
            assertEquals(200, status(session, PING));
            now.addAndGet(Duration.ofHours(9).toNanos());
            server.toy().release();
            assertTrue(call.readUntil("released").contains("HTTP/1.1 200"));
        }
        now.addAndGet(Duration.ofSeconds(4).toNanos());
        assertEquals(200, status(session, PING));
        now.addAndGet(Duration.ofSeconds(6).toNanos());
        assertEquals(404, status(session, PING));
    }

    @Test
    void newcomersComeInOnceACallIsOverAndAreToldToTryAgainUntilThen() {
        String first = initialize();
        String second = initialize();
        try (RawHttp one = new RawHttp(server.port());
                RawHttp other = new RawHttp(server.port());
                RawHttp late = new RawHttp(server.port());
                RawHttp pair = new RawHttp(server.port())) {
            hold(one, first);
            hold(other, second);
            late.post("/mcp", BOTH, INITIALIZE);
            assertEquals(503, late.status());
            String refusal = late.readUntil("}}").toLowerCase(Locale.ROOT);
            assertTrue(refusal.contains("retry-after: "), refusal);
            assertTrue(refusal.contains("\"id\":1"), refusal);
            pair.get("/sse", "Accept: text/event-stream\n");
            assertEquals(503, pair.status());
            assertTrue(pair.readUntil("}}").toLowerCase(Locale.ROOT).contains("retry-after: "));
            server.toy().release();
            one.readUntil("released");
            other.readUntil("released");
        }
        Eventually.that(() -> server.toy().running() == 0, () -> "both calls are over");
        initialize();
        assertEquals(404, status(first, PING), "the least recently used one has gone");
        assertEquals(200, status(second, PING));
    }

    private void hold(RawHttp call, String session) {
        int before = server.toy().running();
        call.post("/mcp", BOTH + "Mcp-Session-Id: " + session + "\n", HOLD);
        Eventually.that(() -> server.toy().running() == before + 1, () -> "the call is under way");
    }

    private String initialize() {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.post("/mcp", BOTH, INITIALIZE).readUntil("\"protocolVersion\"");
            int at = answer.toLowerCase(Locale.ROOT).indexOf("mcp-session-id: ") + "mcp-session-id: ".length();
            return answer.substring(at, at + 32);
        }
    }

    private int status(String session, String message) {
        try (RawHttp client = new RawHttp(server.port())) {
            return client.post("/mcp", BOTH + "Mcp-Session-Id: " + session + "\n", message)
                    .status();
        }
    }
}
