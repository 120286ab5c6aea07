package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Principal;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;
import switchboard.protocol.ReplySink.Urgency;
import switchboard.testing.Eventually;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;

/** The answer to one request, as a slow, impatient or vanishing reader gets it. */
class ReplyChannelTest {
    private static final int SMALL_BUFFER = 4096;

    private final Promise<ReplySink> sink = Promise.promise();

    @Test
    void aDocumentIsAnsweredWithItsLength() {
        try (ScriptedServer server = ScriptedServer.start((in, out) ->
                        out.end(202, Map.of("Mcp-Session-Id", "abc"), EncodedJson.of(json("{\"grüße\":1}"))));
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readUntil("}");
            assertTrue(answer.startsWith("HTTP/1.1 202"), answer);
            assertHeader(answer, "content-type: application/json");
            assertHeader(answer, "content-length: 13");
            assertHeader(answer, "mcp-session-id: abc");
            assertOver(server);
        }
    }

    @Test
    void anEmptyDocumentHasNoBodyAndNoType() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> out.end(202, Map.of(), EncodedJson.NOTHING));
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readUntil("\r\n\r\n");
            assertHeader(answer, "content-length: 0");
            assertFalse(answer.toLowerCase(Locale.ROOT).contains("content-type"), answer);
        }
    }

    @Test
    void theFirstEventOpensAStreamThatNobodyMayBufferOrCompress() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
                    out.event(json("{\"n\":1}"), Urgency.KEEP);
                    out.end(500, Map.of("X-Ignored", "yes"), EncodedJson.of(json("{\"n\":2}")));
                });
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "Accept-Encoding: gzip\n").readUntil("\r\n0\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
            assertHeader(answer, "content-type: text/event-stream");
            assertHeader(answer, "cache-control: no-cache, no-transform");
            assertHeader(answer, "x-accel-buffering: no");
            assertFalse(answer.toLowerCase(Locale.ROOT).contains("content-encoding"), answer);
            assertFalse(answer.contains("X-Ignored"), answer);
            assertTrue(answer.contains("event: message\ndata: {\"n\":1}\n\n"), answer);
            assertTrue(answer.contains("event: message\ndata: {\"n\":2}\n\n"), answer);
            assertOver(server);
        }
    }

    @Test
    void aLineBreakBetweenTokensDoesNotEndTheEvent() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
                    out.event(json("\n{\r\n\"n\":\n1}\r"), Urgency.KEEP);
                    out.close();
                });
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readUntil("\r\n0\r\n\r\n");
            assertTrue(answer.contains("data:  {  \"n\": 1} \n\n"), answer);
        }
    }

    @Test
    void aSilentStreamIsKeptAlive() {
        HttpLimits limits = ScriptedServer.limits(1 << 20, Duration.ofMinutes(10), Duration.ofMillis(20));
        try (ScriptedServer server = ScriptedServer.start(limits, (in, out) -> {
                    out.open(Map.of());
                    sink.complete(out);
                });
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp", "").readUntil(": keepalive\n\n");
            assertEquals(1, server.meters().streams());
            ReplySink out = sink.future().await();
            assertFalse(out.closed());
            out.execute(out::close);
            String answer = client.readUntil("\r\n0\r\n\r\n");
            assertFalse(answer.contains("event:"), answer);
            assertTrue(out.closed());
            assertOver(server);
        }
    }

    @Test
    void aStreamBeginsBeforeThereIsAnythingToSay() {
        HttpLimits limits = ScriptedServer.limits(1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(10));
        try (ScriptedServer server =
                        ScriptedServer.start(limits, (in, out) -> out.open(Map.of("Mcp-Session-Id", "abc")));
                RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readUntil("\r\n\r\n");
            assertHeader(answer, "content-type: text/event-stream");
            assertHeader(answer, "mcp-session-id: abc");
        }
    }

    @Test
    void whatIsClosedWithoutAnAnswerHasNoContent() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
                    out.close();
                    out.end(200, Map.of(), EncodedJson.of(json("{}")));
                });
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(204, client.get("/mcp", "").status());
            assertOver(server);
        }
    }

    @Test
    void actionsRunOnTheEventLoopAndAfterADelayUnlessTheyAreTakenBack() {
        List<String> ran = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = ScriptedServer.start((in, out) -> sink.complete(out));
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp", "");
            ReplySink out = sink.future().await();
            out.execute(() -> {
                assertTrue(Context.isOnEventLoopThread());
                Runnable takeBack = out.after(Duration.ofMillis(10), () -> ran.add("taken back"));
                out.after(Duration.ofMillis(10), () -> ran.add("kept"));
                takeBack.run();
                out.after(Duration.ofMillis(60), () -> out.end(200, Map.of(), EncodedJson.of(json("{}"))));
            });
            client.readUntil("{}");
            assertEquals(List.of("kept"), ran);
        }
    }

    @Test
    void whoLeavesWhileTheCredentialsAreCheckedIsGoneFromTheStart() {
        AtomicInteger gone = new AtomicInteger();
        Promise<Runnable> checked = Promise.promise();
        Authenticator slow = _ -> {
            Promise<AuthOutcome> outcome = Promise.promise();
            Context loop = Vertx.currentContext();
            checked.complete(() ->
                    loop.runOnContext(_ -> outcome.complete(new AuthOutcome.Authenticated(Principal.anonymous()))));
            return outcome.future();
        };
        try (ScriptedServer server = new ScriptedServer(LoopbackHttp.settings(0), slow, (in, out) -> {
            out.onGone(gone::incrementAndGet);
            sink.complete(out);
        })) {
            RawHttp client = new RawHttp(server.port()).get("/mcp", "");
            Runnable finish = checked.future().await();
            client.reset();
            Eventually.that(() -> server.meters().connections() == 0, () -> "the connection is closed");
            finish.run();
            assertTrue(sink.future().await().closed());
            Eventually.that(() -> gone.get() == 1, () -> "the call hears of it");
            assertOver(server);
        }
    }

    @Test
    void whoeverWaitsHearsOnceThatTheCallerIsGone() {
        AtomicInteger gone = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
            out.onGone(gone::incrementAndGet);
            out.onGone(gone::incrementAndGet);
            sink.complete(out);
        })) {
            RawHttp client = new RawHttp(server.port()).get("/mcp", "");
            ReplySink out = sink.future().await();
            assertEquals(1, server.meters().exchanges());
            client.reset();
            assertOver(server);
            assertEquals(2, gone.get());
            out.execute(() -> {
                out.onGone(late::incrementAndGet);
                out.event(json("{}"), Urgency.KEEP);
                out.end(200, Map.of(), EncodedJson.of(json("{}")));
            });
            Eventually.that(() -> late.get() == 1, () -> "an action for a caller who is gone runs at once");
            assertTrue(out.closed());
            assertEquals(2, gone.get());
        }
    }

    @Test
    void aCallerWhoLeavesAfterTheAnswerIsNotGone() {
        AtomicInteger gone = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
            out.onGone(gone::incrementAndGet);
            out.end(200, Map.of(), EncodedJson.of(json("{}")));
            out.onGone(gone::incrementAndGet);
        })) {
            RawHttp client = new RawHttp(server.port()).get("/mcp", "");
            client.readUntil("{}");
            client.reset();
            assertOver(server);
            Eventually.that(() -> server.meters().connections() == 0, () -> "the connection is closed");
            assertEquals(0, gone.get());
        }
    }

    @Test
    void aLeavingReaderOfAStreamIsNoticed() {
        AtomicInteger gone = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
            out.onGone(gone::incrementAndGet);
            out.event(json("{}"), Urgency.KEEP);
        })) {
            RawHttp client = new RawHttp(server.port()).get("/mcp", "");
            client.readUntil("data: {}");
            client.reset();
            assertOver(server);
            assertEquals(1, gone.get());
        }
    }

    @Test
    void progressIsConflatedWhileTheReaderIsSlow() {
        int sent = 200_000;
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
                    for (int n = 1; n <= sent; n++) {
                        out.event(json("{\"progress\":" + n + "}"), Urgency.LATEST);
                    }
                    out.event(json("{\"kept\":true}"), Urgency.KEEP);
                    out.end(200, Map.of(), EncodedJson.of(json("{\"result\":true}")));
                });
                RawHttp client = new RawHttp(server.port(), SMALL_BUFFER)) {
            String answer = client.get("/mcp", "").readUntil("\r\n0\r\n\r\n");
            long received =
                    Pattern.compile("progress").matcher(answer).results().count();
            assertTrue(received < sent, "received " + received);
            assertTrue(answer.contains("\"progress\":" + sent + "}"), "the latest progress arrives");
            assertTrue(answer.contains("\"kept\":true"), "what must be kept arrives");
            assertTrue(answer.indexOf("\"progress\":" + sent + "}") < answer.indexOf("\"result\""), "in order");
            assertOver(server);
        }
    }

    @Test
    void aStreamIsCutWhenTooMuchWaits() {
        AtomicInteger gone = new AtomicInteger();
        HttpLimits limits = ScriptedServer.limits(100_000, Duration.ofSeconds(60), Duration.ofSeconds(15));
        byte[] event = json("{\"text\":\"" + "x".repeat(10_000) + "\"}");
        try (ScriptedServer server = ScriptedServer.start(limits, (in, out) -> {
                    out.onGone(gone::incrementAndGet);
                    for (int n = 0; n < 10_000 && !out.closed(); n++) {
                        out.event(event, Urgency.KEEP);
                    }
                });
                RawHttp client = new RawHttp(server.port(), SMALL_BUFFER)) {
            client.get("/mcp", "");
            Eventually.that(() -> gone.get() == 1, () -> "the stream is cut");
            assertOver(server);
            Eventually.that(() -> server.meters().connections() == 0, () -> "the connection is closed");
            assertEquals(1, server.count("switchboard.http.readers.cut"));
        }
    }

    @Test
    void aReaderWhoTakesNothingOfALargeAnswerIsCut() {
        HttpLimits limits = ScriptedServer.limits(1 << 20, Duration.ofMillis(200), Duration.ofSeconds(15));
        byte[] large = json("\"" + "x".repeat(64 << 20) + "\"");
        try (ScriptedServer server =
                        ScriptedServer.start(limits, (in, out) -> out.end(200, Map.of(), EncodedJson.of(large)));
                RawHttp client = new RawHttp(server.port(), SMALL_BUFFER)) {
            client.get("/mcp", "");
            Eventually.that(() -> server.count("switchboard.http.readers.cut") == 1, () -> "the reader is cut");
            assertOver(server);
            Eventually.that(() -> server.meters().connections() == 0, () -> "the connection is closed");
        }
    }

    @Test
    void aReaderWhoTakesNothingOfAStreamIsCut() {
        AtomicInteger gone = new AtomicInteger();
        HttpLimits limits = ScriptedServer.limits(64 << 20, SlowReaderTest.IMPATIENT, Duration.ofSeconds(15));
        byte[] event = json("{\"text\":\"" + "x".repeat(1 << 20) + "\"}");
        try (ScriptedServer server = ScriptedServer.start(limits, (in, out) -> {
                    out.onGone(gone::incrementAndGet);
                    for (int n = 0; n < 20; n++) {
                        out.event(event, Urgency.KEEP);
                    }
                });
                RawHttp client = new RawHttp(server.port(), SMALL_BUFFER)) {
            client.get("/mcp", "");
            Eventually.that(() -> gone.get() == 1, () -> "the reader is cut");
            assertOver(server);
        }
    }

    @Test
    void aStopWaitsForTheAnswer() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> sink.complete(out));
                RawHttp client = new RawHttp(server.port())) {
            client.get("/mcp", "");
            ReplySink out = sink.future().await();
            Future<Void> stopped = server.stop();
            Eventually.that(() -> refuses(server.port()), () -> "nobody listens any more");
            out.execute(() -> out.end(200, Map.of(), EncodedJson.of(json("{\"late\":true}"))));
            assertHeader(client.readUntil("{\"late\":true}"), "connection: close");
            stopped.await();
            assertOver(server);
        }
    }

    private static boolean refuses(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void assertOver(ScriptedServer server) {
        Eventually.that(() -> server.meters().exchanges() == 0, () -> "the exchange is over");
        Eventually.that(() -> server.meters().streams() == 0, () -> "the stream is over");
    }

    private static void assertHeader(String answer, String header) {
        assertTrue(answer.toLowerCase(Locale.ROOT).contains("\r\n" + header + "\r\n"), () -> header + " in " + answer);
    }

    private static byte[] json(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
