package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import switchboard.testing.RawHttp;

/**
 * Bytes that are no proper request, on both ports: each has its status, none is a defect of the gateway. Nobody who sends
 * them needs a key, so not one may write a line of level ERROR.
 */
@ExtendWith(VertxExtension.class)
class MalformedRequestTest {
    private static final String HOST = "Host: 127.0.0.1:PORT\n";
    private static final String GET = "GET PATH HTTP/1.1\n";
    private static final String POST = "POST PATH HTTP/1.1\n" + HOST + "Content-Type: application/json\n";
    private static final String CHUNKS = "\n28\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n0\n\n";
    private static final String WHOLE = "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final int CLOSED = 0;
    /** After any other status the connection is closed. */
    private static final Set<Integer> KEPT = Set.of(200, 403, 404, 405);

    /** What is sent, a line break being CR LF, and the status of the one answer to it. */
    private record Case(String bytes, int status) {}

    private static Case of(int status, String bytes) {
        return new Case(bytes, status);
    }

    /** What has no body, or none that is read. */
    private static final List<Case> HEADS = List.of(
            // Host
            of(400, GET + "\n"),
            of(400, GET + "Host:\n\n"),
            of(400, GET + "Host: a@b\n\n"),
            of(400, GET + "Host: 127.0.0.1:PORT@127.0.0.1:PORT\n\n"),
            of(400, GET + HOST + HOST + "\n"),
            of(400, GET + HOST + "Host: b\n\n"),
            of(400, GET + "Host: 127.0.0.1:PORT, b\n\n"),
            of(400, GET + "Host: 127.0.0.1:abc\n\n"),
            of(400, GET + "Host: 127.0.0.1:99999\n\n"),
            of(400, GET + "Host: 127.0.0.1:-1\n\n"),
            of(400, GET + "Host: [::1\n\n"),
            of(400, GET + "Host: a b\n\n"),
            of(400, GET + "Host: a/b\n\n"),
            of(400, GET + "Host: %zz\n\n"),
            of(200, "GET PATH HTTP/1.0\n" + HOST + "\n"),
            of(400, "GET PATH HTTP/1.0\nHost: a@b\n\n"),
            // what says what a request is, for proxies, too
            of(200, GET + HOST + "Mcp-Method: ping\n\n"),
            of(400, GET + HOST + "Mcp-Method: ping\nMcp-Method: tools/call\n\n"),
            of(400, GET + HOST + "Mcp-Name: a\nmcp-name: a\n\n"),
            of(400, GET + HOST + "MCP-Protocol-Version: 2026-07-28\nMCP-Protocol-Version: 2025-11-25\n\n"),
            of(400, GET + HOST + "Mcp-Session-Id: a\nMcp-Session-Id: b\n\n"),
            // header lines
            of(400, GET + " X: y\n" + HOST + "\n"),
            of(400, GET + "X: y\n " + HOST + "\n"),
            of(200, GET + HOST + "X: y\n z\n\n"),
            of(400, GET + HOST + "X : y\n\n"),
            of(400, GET + HOST + "no colon\n\n"),
            of(400, GET + HOST + "X: a\u0001b\n\n"),
            of(400, GET + HOST + "X: a\u0000b\n\n"),
            of(400, GET + HOST + "X\u00e9: y\n\n"),
            of(400, GET + HOST + "X: y\rZ: z\n\n"),
            of(431, GET + HOST + "X: " + "y".repeat(100_000) + "\n\n"),
            of(431, GET + HOST + "X: y\n".repeat(20_000) + "\n"),
            // request target
            of(400, "GET PATH/%zz HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH/% HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH/%f HTTP/1.1\n" + HOST + "\n"),
            of(404, "GET PATH/%ff HTTP/1.1\n" + HOST + "\n"),
            of(404, "GET PATH/%00 HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH?x=%zz HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH?% HTTP/1.1\n" + HOST + "\n"),
            of(
                    400,
                    "POST /messages?sessionId=%zz HTTP/1.1\n" + HOST
                            + "Content-Type: application/json\nContent-Length: 40\n" + WHOLE),
            of(400, "GET /.well-known/oauth-protected-resource/%zz HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET /\u00e9 HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH\u0000 HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET PATH/m c p HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET  HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET mcp HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET * HTTP/1.1\n" + HOST + "\n"),
            of(404, "OPTIONS * HTTP/1.1\n" + HOST + "\n"),
            of(400, "CONNECT 127.0.0.1:PORT HTTP/1.1\n" + HOST + "\n"),
            of(414, "GET PATH?" + "x".repeat(10_000) + " HTTP/1.1\n" + HOST + "\n"),
            of(200, "GET http://127.0.0.1:PORTPATH HTTP/1.1\n" + HOST + "\n"),
            of(200, "GET https://127.0.0.1:PORTPATH HTTP/1.1\n" + HOST + "\n"),
            of(200, "GET HTTP://127.0.0.1:PORTPATH HTTP/1.1\n" + HOST + "\n"),
            of(404, "GET http://127.0.0.1:PORT HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET http://127.0.0.1:PORTPATH HTTP/1.1\n\n"),
            of(400, "GET http://evil.example.comPATH HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET http://a@127.0.0.1:PORTPATH HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET ftp://127.0.0.1:PORTPATH HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET http:PATH HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET http://PATH HTTP/1.1\n" + HOST + "\n"),
            of(400, "GET http://[PATH HTTP/1.1\n" + HOST + "\n"),
            // method and version
            of(400, "GET PATH\n" + HOST + "\n"),
            of(400, "G@T PATH HTTP/1.1\n" + HOST + "\n"),
            of(405, "BREW PATH HTTP/1.1\n" + HOST + "\n"),
            of(405, "get PATH HTTP/1.1\n" + HOST + "\n"),
            of(405, "TRACE PATH HTTP/1.1\n" + HOST + "\n"),
            of(501, "GET PATH HTTP/1.2\n" + HOST + "\n"),
            of(501, "GET PATH HTTP/2.0\n" + HOST + "\n"),
            of(400, "GET PATH HTTP/3\n" + HOST + "\n"),
            of(501, "PRI * HTTP/2.0\n\nSM\n\n"),
            of(200, "\n\nGET PATH HTTP/1.1\n" + HOST + "\n"),
            of(417, GET + HOST + "Expect: 200-maybe\n\n"),
            of(200, GET + HOST + "Expect: 100-Continue\n\n"),
            // where the body ends: the bytes behind are no request either
            of(501, POST + "Transfer-Encoding: xchunked\n" + CHUNKS),
            of(501, POST + "Transfer-Encoding: xchunked\n\n" + GET + HOST + "\n"),
            of(501, POST + "Transfer-Encoding: identity\n" + CHUNKS),
            of(501, POST + "Transfer-Encoding: gzip, chunked\n" + CHUNKS),
            of(501, POST + "Transfer-Encoding: gzip\nTransfer-Encoding: chunked\n" + CHUNKS),
            of(501, POST + "Transfer-Encoding:\n xchunked\n" + CHUNKS),
            of(501, POST + "Transfer-Encoding:\n" + CHUNKS),
            of(400, POST + "Transfer-Encoding: chunked, gzip\n" + CHUNKS),
            of(400, POST + "Transfer-Encoding: chunked, chunked\n" + CHUNKS),
            of(400, POST + "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n" + CHUNKS),
            of(400, POST + "Transfer-Encoding:\u000bchunked\n" + CHUNKS),
            of(400, POST + "Transfer-Encoding: chunked\nContent-Length: 40\n" + CHUNKS),
            of(400, POST + "Content-Length: 40\nTransfer-Encoding: chunked\n" + CHUNKS),
            of(501, POST + "Content-Length: 40\nTransfer-Encoding: xchunked\n" + WHOLE),
            of(400, POST.replace("1.1", "1.0") + "Transfer-Encoding: chunked\n" + CHUNKS),
            of(400, POST + "Content-Length: 40\nContent-Length: 40\n" + WHOLE),
            of(400, POST + "Content-Length: 40\nContent-Length: 1\n" + WHOLE),
            of(400, POST + "Content-Length: 40, 40\n" + WHOLE),
            of(400, POST + "Content-Length: +40\n" + WHOLE),
            of(400, POST + "Content-Length: -1\n" + WHOLE),
            of(400, POST + "Content-Length: 0x28\n" + WHOLE),
            of(400, POST + "Content-Length: 4 0\n" + WHOLE),
            of(400, POST + "Content-Length:\n" + WHOLE),
            of(400, POST + "Content-Length: 99999999999999999999999\n" + WHOLE),
            // not HTTP at all
            of(400, "\u0016\u0003\u0001\u0002\n\n"),
            of(400, "hello\n\n"));

    /** What is read on the port for agents only. */
    private static final List<Case> BODIES = List.of(
            of(200, POST + "Transfer-Encoding: chunked\n" + CHUNKS),
            of(200, POST + "Transfer-Encoding: Chunked\n" + CHUNKS),
            of(200, POST + "Content-Length: 40\n" + WHOLE),
            of(400, POST + "Transfer-Encoding: chunked\n\nzz\n{}\n0\n\n"),
            of(400, POST + "Transfer-Encoding: chunked\n\n-1\n{}\n0\n\n"),
            of(400, POST + "Transfer-Encoding: chunked\n\n\n{}\n0\n\n"),
            of(400, POST + "Transfer-Encoding: chunked\n\nffffffffffffffff\n{}\n0\n\n"),
            of(400, POST + "Transfer-Encoding: chunked\n\n0\nX: " + "y".repeat(100_000) + "\n\n"));

    private static final List<String> LINE_ENDS = List.of(
            "GET PATH HTTP/1.1\nHost: 127.0.0.1:PORT\n\n",
            "GET PATH HTTP/1.1\r\nHost: 127.0.0.1:PORT\nX: y\r\n\r\n",
            "GET PATH HTTP/1.1\r\nX: y\nHost: 127.0.0.1:PORT\r\n\r\n",
            "GET PATH HTTP/1.1\r\nX: y\rHost: 127.0.0.1:PORT\r\n\r\n");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    @BeforeEach
    void listen() {
        lines.start();
        root.addAppender(lines);
    }

    @AfterEach
    void noLineOfLevelErrorWasWritten() {
        root.detachAppender(lines);
        assertEquals(
                List.of(),
                lines.list.stream()
                        .filter(line -> line.getLevel().isGreaterOrEqual(Level.ERROR))
                        .map(ILoggingEvent::getFormattedMessage)
                        .toList());
    }

    @Test
    void thePortForAgentsRefusesEachAndTakesTheRest() {
        AtomicInteger handled = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((inboundMessage, sink) -> {
            handled.incrementAndGet();
            ScriptedServer.OK.accept(inboundMessage, sink);
        })) {
            List<Case> all = new ArrayList<>(HEADS);
            all.addAll(BODIES);
            all.add(of(403, "GET /mcp HTTP/1.0\n\n"));
            assertEquals(List.of(), differences(server.port(), "/mcp", all));
            assertEquals(all.stream().filter(one -> one.status() == 200).count(), handled.get());
            assertEquals(List.of(), differences(server.port(), "/mcp"));
        }
    }

    @Test
    void thePortForOperatorsDoesTheSame(Vertx vertx) {
        ManagementVerticle server = new ManagementVerticle(
                new ManagementVerticle.ListenAddress("127.0.0.1", 0, null),
                () -> new Readiness(true, "serving", List.of()),
                new NoSwitch(),
                new NoLevels(),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        vertx.deployVerticle(server).await();
        assertEquals(List.of(), differences(server.port(), "/health/live", HEADS));
        assertEquals(List.of(), differences(server.port(), "/health/live"));
        for (String bad : List.of("zz\n", "-1\n", "ffffffffffffffff\n")) {
            try (RawHttp client = new RawHttp(server.port())) {
                client.send("PUT /backends/a/off HTTP/1.1\nHost: 127.0.0.1\nTransfer-Encoding: chunked\n\n" + bad);
                assertEquals(400, client.status(), bad);
            }
        }
    }

    /** Sends each case on a connection of its own, and says which were answered otherwise than they should be. */
    private static List<String> differences(int port, String path, List<Case> cases) {
        List<String> wrong = new ArrayList<>();
        for (Case one : cases) {
            String text = filled(one.bytes(), port, path);
            try (RawHttp client = new RawHttp(port)) {
                client.send(text);
                compare(one.status(), answer(client), text, wrong);
            }
        }
        return wrong;
    }

    /** The same for line ends that are not CR LF. */
    private static List<String> differences(int port, String path) {
        List<String> wrong = new ArrayList<>();
        for (String text : LINE_ENDS) {
            try (RawHttp client = new RawHttp(port)) {
                compare(400, answer(client.sendRaw(filled(text, port, path))), text, wrong);
            }
        }
        return wrong;
    }

    /** All that is answered. Where a refusal was expected and there is none, nobody waits for the end of the connection. */
    private static String answer(RawHttp client) {
        return KEPT.contains(client.status()) ? client.readUntil("}") : client.readAll();
    }

    private static String filled(String text, int port, String path) {
        return text.replace("PORT", Integer.toString(port)).replace("PATH", path);
    }

    private static void compare(int status, String answer, String sent, List<String> wrong) {
        int answers = answer.split("HTTP/[12]\\.[0-9] ", -1).length - 1;
        int got = answer.length() < 12 ? CLOSED : Integer.parseInt(answer.substring(9, 12));
        // What HTTP has no place for at all, some versions of the decoder refuse as malformed.
        boolean right = got == status || status == 501 && got == 400;
        if (!right || answers > 1) {
            wrong.add(status + " was expected for " + shortened(sent) + ", not " + shortened(answer));
        }
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(300, text.length()));
    }

    private record NoSwitch() implements BackendAdmin {
        @Override
        public Future<Switching> off(String id, String reason) {
            return Future.succeededFuture(Switching.NO_SUCH_BACKEND);
        }

        @Override
        public Future<Switching> on(String id) {
            return Future.succeededFuture(Switching.NO_SUCH_BACKEND);
        }
    }

    private record NoLevels() implements LogLevels {
        @Override
        public boolean set(String logger, Level level) {
            return false;
        }

        @Override
        public boolean reset(String logger) {
            return false;
        }
    }
}
