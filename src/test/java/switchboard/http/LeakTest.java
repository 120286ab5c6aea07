package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import switchboard.dispatch.DispatchLimits;
import switchboard.testing.Eventually;
import switchboard.testing.LongRun;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** Ten thousand calls of every kind, a third of whose callers hang up: nothing is left behind. */
class LeakTest {
    private static final int CALLS = LongRun.times(3_000, 10_000);
    private static final int CONCURRENCY = 64;
    private static final HttpLimits LIMITS = limits(Duration.ofSeconds(10));
    /** The shipped ones, but that nobody is refused because the machine is slow. */
    private static final DispatchLimits DISPATCH = new DispatchLimits(256, 16, 1024, 128, Duration.ofMinutes(2), 500);

    /** What a machine that is overloaded makes of a tool with a timeout of two seconds; nothing is left of it either. */
    private static final String TOO_LATE = "did not answer within";

    private static final long SEED = 20261121;
    private static final Pattern SESSION = Pattern.compile("(?i)mcp-session-id: (\\S+)");
    private static final String ENVELOPE = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{},\"progressToken\":\"p\"}";

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();

    @Test
    void nothingIsLeftBehind() throws InterruptedException, ExecutionException {
        try (TestServer server = TestServer.start(TestServer.Setup.DEFAULT
                        .http(settings -> LoopbackHttp.limited(settings, LIMITS))
                        .dispatch(DISPATCH));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < CONCURRENCY; caller++) {
                int number = caller;
                done.add(callers.submit(() -> callMany(server, number)));
            }
            for (Future<?> one : done) {
                one.get();
            }
            assertEquals(CALLS, answered.get() + abandoned.get());
            assertTrue(abandoned.get() > CALLS / 10, () -> "abandoned " + abandoned);
            assertNothingLeft(server);
        }
    }

    /** A timer of deadlines outlives its last exchange by as long as a reader may take nothing. */
    private static HttpLimits limits(Duration writeTimeout) {
        HttpLimits shipped = HttpLimits.DEFAULT;
        return new HttpLimits(
                shipped.maxBodyBytes(),
                shipped.maxHeaderBytes(),
                shipped.maxConnections(),
                shipped.maxPendingBytes(),
                shipped.idleTimeout(),
                shipped.bodyTimeout(),
                writeTimeout,
                shipped.heartbeat());
    }

    private static void assertNothingLeft(TestServer server) {
        gone("exchanges", server.http()::exchanges);
        gone("streams and their heartbeats", server.http()::streams);
        gone("connections", server.http()::connections);
        gone("calls in flight", server.dispatcher()::inFlight);
        gone("permits", server.dispatcher()::permitsTaken);
        gone("calls in the backend", server.toy()::running);
        gone("consumers on the bus", server::extraConsumers);
        gone("sessions", server.endpoint()::liveSessions);
        gone("streams of changes", server.endpoint()::openStreams);
        // Each event loop's timer of deadlines runs out once none is left.
        Eventually.within(
                LIMITS.writeTimeout().multipliedBy(12),
                () -> server.extraTimers() == 0,
                () -> "timers left: " + server.extraTimers());
    }

    private static void gone(String what, IntSupplier count) {
        Eventually.that(() -> count.getAsInt() == 0, () -> what + " left: " + count.getAsInt());
    }

    private void callMany(TestServer server, int caller) {
        Random random = new Random(SEED + caller);
        int share = CALLS / CONCURRENCY + (caller < CALLS % CONCURRENCY ? 1 : 0);
        for (int n = 0; n < share; n++) {
            switch (random.nextInt(10)) {
                case 0 -> modern(server, random, "echo", "{\"text\":\"" + n + "\"}", false);
                case 1 -> modern(server, random, "slow", "{\"ms\":" + random.nextInt(1, 40) + "}", true);
                case 2 -> modern(server, random, "failing", "{}", false);
                case 3 -> modern(server, random, "progress", "{\"steps\":" + random.nextInt(1, 50) + "}", true);
                case 4 -> modern(server, random, "big", "{\"bytes\":" + random.nextInt(200_000) + "}", true);
                case 5 -> modern(server, random, "echo", "{\"wrong\":1}", false);
                case 6 -> listen(server);
                case 7 -> session(server, random);
                case 8 -> batch(server, random);
                default -> nonsense(server, random);
            }
        }
    }

    private void modern(TestServer server, Random random, String tool, String arguments, boolean mayLeave) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "," + ENVELOPE + "}}";
        String headers = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: " + tool + "\n";
        exchange(server, random, headers, body, mayLeave, "\"result\"");
    }

    private void listen(TestServer server) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
                + "{\"notifications\":{\"toolsListChanged\":true}," + ENVELOPE + "}}";
        try (RawHttp client = new RawHttp(server.port())) {
            client.post(
                    "/mcp",
                    "Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                            + "Mcp-Method: subscriptions/listen\n",
                    body);
            client.readUntil("notifications/subscriptions/acknowledged");
            client.reset();
            abandoned.incrementAndGet();
        }
    }

    /** A legacy session from beginning to end, with a standing stream and a call; counts as one. */
    private void session(TestServer server, Random random) {
        String id = initialize(server);
        String headers = "Mcp-Session-Id: " + id + "\nMCP-Protocol-Version: 2025-11-25\n";
        try (RawHttp stream = new RawHttp(server.port())) {
            stream.get("/mcp", headers + "Accept: text/event-stream\n").readUntil("text/event-stream");
            String body = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":"
                    + "{\"name\":\"slow\",\"arguments\":{\"ms\":5}}}";
            exchange(server, random, headers, body, true, "waited 5 ms");
            if (random.nextBoolean()) {
                stream.reset();
            }
            try (RawHttp client = new RawHttp(server.port())) {
                client.send("DELETE /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\n" + headers
                        + "Connection: close\n\n");
                assertTrue(client.status() < 300);
                client.readAll();
            }
        }
    }

    private static String initialize(TestServer server) {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.post(
                            "/mcp",
                            "Accept: application/json, text/event-stream\nConnection: close\n",
                            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                                    + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}")
                    .readAll();
            Matcher session = SESSION.matcher(answer);
            assertTrue(session.find(), answer);
            return session.group(1);
        }
    }

    private void batch(TestServer server, Random random) {
        String body = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}},"
                + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\","
                + "\"arguments\":{\"ms\":3}}}]";
        exchange(server, random, "", body, true, "waited 3 ms");
    }

    private void nonsense(TestServer server, Random random) {
        String body = random.nextBoolean() ? "{\"jsonrpc\":" : "[]";
        exchange(server, random, "", body, false, "\"error\"");
    }

    private void exchange(
            TestServer server, Random random, String headers, String body, boolean mayLeave, String expected) {
        try (RawHttp client = new RawHttp(server.port())) {
            client.post("/mcp", "Accept: application/json, text/event-stream\nConnection: close\n" + headers, body);
            if (mayLeave && random.nextBoolean()) {
                if (random.nextBoolean()) {
                    client.readUntil("\r\n");
                }
                client.reset();
                abandoned.incrementAndGet();
            } else {
                String answer = client.readAll();
                assertTrue(answer.contains(expected) || answer.contains(TOO_LATE), () -> expected + " in " + answer);
                answered.incrementAndGet();
            }
        }
    }
}
