package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.protocol.EncodedJson;
import switchboard.testing.Eventually;
import switchboard.testing.RawHttp;

/** Connections that bring too much, too little, too slowly, or something that is not HTTP. */
class ConnectionTest {
    @Test
    void aBodyThatDoesNotComeIsNotWaitedForForever() {
        try (ScriptedServer server = ScriptedServer.start(
                        timeouts(Duration.ofSeconds(60), Duration.ofMillis(100)), ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                    + "\nContent-Type: application/json\nContent-Length: 100\n\n{");
            assertEquals(408, client.status());
            client.readAll();
        }
    }

    @Test
    void aBodyThatCameInTimeMayBeAnsweredLater() {
        Duration body = Duration.ofMillis(300);
        try (ScriptedServer server = ScriptedServer.start(
                        timeouts(Duration.ofSeconds(60), body),
                        (in, out) -> out.after(body.multipliedBy(2), () -> ScriptedServer.OK.accept(in, out)));
                RawHttp client = new RawHttp(server.port())) {
            String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
            assertEquals(200, client.post("/mcp", "", ping).status());
        }
    }

    @Test
    void aConnectionWithoutARequestIsClosedWhateverTrickles() {
        try (ScriptedServer server = ScriptedServer.start(
                        timeouts(Duration.ofMillis(200), Duration.ofSeconds(30)), ScriptedServer.OK);
                RawHttp silent = new RawHttp(server.port());
                RawHttp half = new RawHttp(server.port())) {
            half.send("GET /mcp HTTP/1.1\nHost: 127.0.0.1");
            silent.readAll();
            half.readAll();
            Eventually.first(() -> answeredAndClosed(server), answer -> answer.endsWith("{}"));
            Eventually.that(() -> server.meters().connections() == 0, () -> "all are closed");
        }
    }

    /** What comes until the server closes: nothing if the connection idled before its request was there. */
    private static String answeredAndClosed(ScriptedServer server) {
        try (RawHttp client = new RawHttp(server.port())) {
            return client.get("/mcp", "").readAll();
        }
    }

    @Test
    void aCallThatTakesLongerThanAConnectionMayIdleIsNotCut() {
        AtomicInteger begun = new AtomicInteger();
        try (ScriptedServer server =
                ScriptedServer.start(timeouts(Duration.ofMillis(50), Duration.ofSeconds(30)), (in, out) -> {
                    begun.incrementAndGet();
                    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                            .execute(() -> out.execute(() -> ScriptedServer.OK.accept(in, out)));
                })) {
            // A connection may idle out before its request is there; then there was no call.
            String answer = Eventually.first(() -> answeredAndClosed(server), _ -> begun.get() > 0);
            assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        }
    }

    @Test
    void aConnectionIdlesFromItsLastAnswerOn() {
        Duration idle = Duration.ofSeconds(1);
        AtomicLong answered = new AtomicLong();
        try (ScriptedServer server = ScriptedServer.start(
                        timeouts(idle, Duration.ofSeconds(30)),
                        (in, out) -> out.after(idle.plusMillis(100), () -> {
                            answered.set(System.nanoTime());
                            ScriptedServer.OK.accept(in, out);
                        }));
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readAll();
            Duration open = Duration.ofNanos(System.nanoTime() - answered.get());
            assertTrue(answer.endsWith("{}"), answer);
            assertTrue(open.compareTo(idle) >= 0, () -> "closed after " + open);
        }
    }

    @Test
    void aConnectionTooManyIsClosedAtOnce() {
        HttpLimits shipped = HttpLimits.DEFAULT;
        HttpLimits two = new HttpLimits(
                shipped.maxBodyBytes(),
                shipped.maxHeaderBytes(),
                2,
                shipped.maxPendingBytes(),
                shipped.idleTimeout(),
                shipped.bodyTimeout(),
                shipped.writeTimeout(),
                shipped.heartbeat());
        try (ScriptedServer server = ScriptedServer.start(two, ScriptedServer.OK);
                RawHttp first = new RawHttp(server.port());
                RawHttp second = new RawHttp(server.port())) {
            first.get("/mcp", "").readUntil("{}");
            second.get("/mcp", "").readUntil("{}");
            try (RawHttp third = new RawHttp(server.port())) {
                assertEquals("", third.get("/mcp", "").readAll());
            }
            first.reset();
            Eventually.that(() -> server.meters().connections() == 1, () -> "there is room again");
            try (RawHttp fourth = new RawHttp(server.port())) {
                assertEquals(200, fourth.get("/mcp", "").status());
            }
        }
    }

    @Test
    void aFloodOfHeadersIsRefused() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp", "X-Filler: " + "y".repeat(1000) + "\n" + "X-More: z\n".repeat(5000));
            assertEquals(431, client.status());
            client.readAll();
        }
    }

    @Test
    void headersMayBeLargerThanHalfTheLimit() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(
                    200,
                    client.get("/mcp", "X-Filler: " + "y".repeat(15_000) + "\n").status());
        }
    }

    @Test
    void anEndlessRequestLineIsRefused() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp?" + "x".repeat(10_000), "");
            assertEquals(414, client.status());
            client.readAll();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0016\u0003\u0001\u0002",
                "hello\n\n",
                "GET /mcp HTTP/1.1\nHost 127.0.0.1\n\n",
                "POST /mcp HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Type: application/json\nContent-Length: -1\n\n",
                "POST /mcp HTTP/1.1\nHost: 127.0.0.1:PORT\nContent-Type: application/json\nContent-Length: 1\nContent-Length: 2\n\nxx",
                "GET /mcp HTTP/1.1\nHost: 127.0.0.1:PORT\nHost: evil.example.com\n\n"
            })
    void whatIsNotHttpIsRefused(String bytes) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send(bytes.replace("PORT", Integer.toString(server.port())) + "\n\n");
            assertEquals(400, client.status());
            client.readAll();
            assertEquals(1, server.count("switchboard.http.refused", "status", "400"));
        }
    }

    @Test
    void aClearTextUpgradeIsNotOffered() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp", "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABk\n");
            assertEquals(200, client.status());
        }
    }

    @Test
    void requestsInARowAreAnsweredInTheirOrder() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> out.end(
                        200,
                        java.util.Map.of(),
                        EncodedJson.of(("{\"n\":" + in.header("X-Number") + "}").getBytes(StandardCharsets.UTF_8))));
                RawHttp client = new RawHttp(server.port())) {
            String host = "Host: 127.0.0.1:" + server.port() + "\n";
            StringBuilder many = new StringBuilder();
            for (int n = 0; n < 50; n++) {
                many.append("GET /mcp HTTP/1.1\n")
                        .append(host)
                        .append("X-Number: ")
                        .append(n)
                        .append("\n\n");
            }
            String answer = client.send(many.toString()).readUntil("{\"n\":49}");
            assertEquals(
                    50,
                    Pattern.compile("HTTP/1\\.1 200").matcher(answer).results().count());
            assertTrue(answer.indexOf("{\"n\":7}") < answer.indexOf("{\"n\":8}"));
        }
    }

    private static HttpLimits timeouts(Duration idle, Duration body) {
        HttpLimits shipped = HttpLimits.DEFAULT;
        return new HttpLimits(
                shipped.maxBodyBytes(),
                shipped.maxHeaderBytes(),
                shipped.maxConnections(),
                shipped.maxPendingBytes(),
                idle,
                body,
                shipped.writeTimeout(),
                shipped.heartbeat());
    }
}
