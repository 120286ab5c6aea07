package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Principal;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** A client of 2025-11-25 whose connection breaks comes back for the rest of an answer, and for nothing else. */
class ResumeTest {
    private static final Pattern ID = Pattern.compile("id: (\\S+)\r?\n");
    private static final String BOTH = "Accept: application/json, text/event-stream\n";
    private static final ResumeLimits AT_ONCE =
            new ResumeLimits(Duration.ofMillis(1), null, Duration.ofMillis(10), Duration.ofMinutes(10), 100, 64 << 10);

    private TestServer server;
    private String session = "";

    private void start(ResumeLimits limits) {
        start(TestServer.Setup.DEFAULT.resume(limits));
    }

    private void start(TestServer.Setup setup) {
        server = TestServer.start(setup);
        session = McpTestClient.legacy(server.uri("/mcp")).session();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawHttp call(int id, String accept, String tool, String arguments) {
        return new RawHttp(server.port())
                .post(
                        "/mcp",
                        accept + "Mcp-Session-Id: " + session + "\n",
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
                                + tool + "\",\"arguments\":" + arguments + ",\"_meta\":{\"progressToken\":\"t" + id
                                + "\"}}}");
    }

    private RawHttp hold(int id) {
        return call(id, BOTH, "hold", "{}");
    }

    private RawHttp resume(String last) {
        return new RawHttp(server.port())
                .get(
                        "/mcp",
                        "Accept: text/event-stream\nConnection: close\nMcp-Session-Id: " + session
                                + "\nMCP-Protocol-Version: 2025-11-25\nLast-Event-ID: " + last + "\n");
    }

    private void release() {
        Eventually.that(() -> server.toy().running() > 0, () -> "no call came");
        server.toy().release();
        Eventually.that(() -> server.toy().running() == 0, () -> "a call goes on");
    }

    private static List<String> ids(String stream) {
        return ID.matcher(stream).results().map(match -> match.group(1)).toList();
    }

    private static List<String> messages(String stream) {
        return Pattern.compile("\"message\":\"([^\"]*)\"|\"text\":\"([^\"]*)\"")
                .matcher(stream)
                .results()
                .map(ResumeTest::found)
                .toList();
    }

    private static String found(MatchResult match) {
        return match.group(1) == null ? match.group(2) : match.group(1);
    }

    @Test
    void whatAClientMissedItGetsOnce() {
        start(AT_ONCE);
        RawHttp broken = hold(7);
        String seen = broken.readUntil("holding");
        assertTrue(seen.contains("retry: 10\r\ndata: ") || seen.contains("retry: 10\ndata: \n"), seen);
        String last = ids(seen).getLast();
        broken.reset();
        release();
        try (RawHttp rest = resume(last)) {
            String stream = rest.readAll();
            assertEquals(List.of("let go", "released"), messages(stream));
            List<String> ids = ids(stream);
            assertEquals(last, ids.getFirst());
            assertEquals(ids.size(), Set.copyOf(ids).size(), ids::toString);
        }
    }

    @Test
    void whoIsBackBeforeTheAnswerReadsItAsItComes() {
        start(AT_ONCE);
        RawHttp broken = hold(7);
        String primed = ids(broken.readUntil("holding")).getFirst();
        broken.reset();
        try (RawHttp rest = resume(primed)) {
            rest.readUntil("holding");
            release();
            assertEquals(List.of("holding", "let go", "released"), messages(rest.readAll()));
        }
    }

    @Test
    void itIsTheStreamOfThatRequestOnly() {
        start(AT_ONCE);
        RawHttp one = hold(1);
        String last = ids(one.readUntil("\"t1\"")).getLast();
        RawHttp other = hold(2);
        other.readUntil("\"t2\"");
        one.reset();
        other.reset();
        release();
        try (RawHttp rest = resume(last)) {
            String stream = rest.readAll();
            assertTrue(stream.contains("\"id\":1"), stream);
            assertFalse(stream.contains("\"t2\"") || stream.contains("\"id\":2"), stream);
        }
    }

    @Test
    void aSecondReaderTakesOver() {
        start(AT_ONCE);
        String last;
        try (RawHttp half = hold(7)) {
            last = ids(half.readUntil("holding")).getFirst();
            try (RawHttp next = resume(last)) {
                next.readUntil("holding");
                assertFalse(half.readUntil("\r\n0\r\n").contains("released"));
                release();
                next.readUntil("released");
            }
        }
        try (RawHttp again = resume(last)) {
            assertEquals(List.of("holding", "let go", "released"), messages(again.readAll()));
        }
    }

    @Test
    void aStreamThatIsClosedByTheGatewayIsTakenUpAgainUntilTheAnswerIsThere() {
        start(new ResumeLimits(
                Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(10), Duration.ofMinutes(10), 100, 1024));
        List<String> heard = new ArrayList<>();
        AtomicReference<String> last = new AtomicReference<>("");
        try (RawHttp polled = hold(7)) {
            hear(polled.readUntil("\r\n0\r\n"), heard, last);
        }
        poll(heard, last);
        release();
        Eventually.that(
                () -> {
                    poll(heard, last);
                    return heard.contains("released");
                },
                heard::toString);
        assertEquals(List.of("holding", "let go", "released"), heard);
    }

    /** Comes back once: whether there is anything new by then is up to the machine. */
    private void poll(List<String> heard, AtomicReference<String> last) {
        try (RawHttp polled = resume(last.get())) {
            hear(polled.readAll(), heard, last);
        }
    }

    private static void hear(String stream, List<String> heard, AtomicReference<String> last) {
        heard.addAll(messages(stream));
        last.set(ids(stream).getLast());
    }

    @Test
    void whatIsAnsweredAtOnceIsADocumentAndOlderClientsGetNoIds() {
        start(ResumeLimits.DEFAULT);
        try (RawHttp quick = call(1, BOTH, "echo", "{\"text\":\"hello\"}")) {
            assertTrue(quick.readUntil("hello").contains("application/json"));
        }
        session = McpTestClient.legacy(server.uri("/mcp"), "2025-06-18").session();
        try (RawHttp older = hold(2)) {
            older.readUntil("holding");
            release();
            String stream = older.readUntil("released");
            assertEquals(List.of(), ids(stream), stream);
        }
    }

    @Test
    void onlyWhoAskedMayComeBack() {
        start(TestServer.Setup.DEFAULT
                .resume(AT_ONCE)
                .authenticator(credentials -> Future.succeededFuture(new AuthOutcome.Authenticated(
                        credentials.apiKey() == null
                                ? Principal.anonymous()
                                : new Principal("", "other", List.of())))));
        RawHttp broken = hold(7);
        String last = ids(broken.readUntil("holding")).getLast();
        broken.reset();
        session += "\nX-API-Key: another";
        try (RawHttp stranger = resume(last)) {
            assertEquals(404, stranger.status());
        }
    }

    @Test
    void whatNobodyKeepsIsRefusedWithAnExplanation() {
        start(new ResumeLimits(Duration.ofMillis(1), null, Duration.ofMillis(10), Duration.ofMillis(1), 100, 64 << 10));
        String last;
        try (RawHttp done = hold(7)) {
            last = ids(done.readUntil("holding")).getLast();
            release();
            done.readUntil("released");
        }
        Eventually.that(() -> refused(last), () -> "it is kept for ever");
        for (String unknown : List.of("99-1", "nonsense", "1-" + "9".repeat(30))) {
            assertTrue(refused(unknown), unknown);
        }
    }

    private boolean refused(String last) {
        try (RawHttp answer = resume(last)) {
            String all = answer.readAll();
            return all.startsWith("HTTP/1.1 400") && all.contains("Send the request again");
        }
    }

    @Test
    void ofALotTheNewestIsKept() {
        start(new ResumeLimits(Duration.ofMillis(1), null, Duration.ofMillis(10), Duration.ofMinutes(10), 4, 64 << 10));
        String first;
        try (RawHttp all = call(7, BOTH, "progress", "{\"steps\":50}")) {
            first = ids(all.readUntil("done 50")).getFirst();
        }
        try (RawHttp rest = resume(first)) {
            assertEquals(List.of("step 48", "step 49", "step 50", "done 50"), messages(rest.readAll()));
        }
    }

    @Test
    void anAnswerTooLargeToBeKeptReachesWhoIsThereAndOthersAreTold() {
        start(new ResumeLimits(Duration.ofMillis(1), null, Duration.ofMillis(10), Duration.ofMinutes(10), 100, 1024));
        String first;
        try (RawHttp all = call(7, "Accept: text/event-stream\n", "big", "{\"bytes\":5000}")) {
            first = ids(all.readUntil("x".repeat(5000))).getFirst();
        }
        try (RawHttp rest = resume(first)) {
            String stream = rest.readAll();
            assertTrue(stream.contains("\"id\":7,\"error\":{\"code\":-32603"), stream);
            assertTrue(stream.contains("ask again"), stream);
        }
    }

    @Test
    void withItsSessionTheStreamIsGone() {
        start(AT_ONCE);
        RawHttp broken = hold(7);
        String last = ids(broken.readUntil("holding")).getLast();
        broken.reset();
        try (RawHttp delete = new RawHttp(server.port())) {
            delete.send(
                    "DELETE /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\nMcp-Session-Id: " + session + "\n\n");
            assertEquals(204, delete.status());
        }
        try (RawHttp late = resume(last)) {
            assertEquals(404, late.status());
        }
    }
}
