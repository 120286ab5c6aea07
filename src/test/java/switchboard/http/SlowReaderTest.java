package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.OpenAuthenticator;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ReplySink;
import switchboard.protocol.ReplySink.Urgency;
import switchboard.testing.Eventually;
import switchboard.testing.KeptClients;
import switchboard.testing.RawHttp;
import switchboard.testing.TestCertificate;

/**
 * A stream whose reader takes nothing for a while. Most tests begin with an event that is larger than the buffers of the
 * system, and with as many small ones as fill the queue of the server, so that what is sent behind them has to wait.
 */
class SlowReaderTest {
    private static final byte[] LARGE = json("\"" + "x".repeat(12 << 20) + "\"");
    private static final int BUFFER = 256 << 10;
    private static final byte[] FRAME =
            json("\"" + "y".repeat(1000 - 2 - "event: message\ndata: \n\n".length()) + "\"");
    /** A fifteenth of when the connection is closed whatever the stream does, which is longer than is waited for. */
    static final Duration IMPATIENT = Duration.ofSeconds(1);

    private static final Duration NEVER = Duration.ofMinutes(10);
    private static final String BEAT = "d\r\n: keepalive\n\n\r\n";
    private static final Pattern SMALL_EVENT = Pattern.compile("data: (\\{[^\n]{0,40}})\n\n");

    private final Promise<ReplySink> sink = Promise.promise();
    private final AtomicInteger gone = new AtomicInteger();

    @TempDir
    Path folder;

    @Test
    void theLatestProgressStaysWhereItWasSent() {
        try (ScriptedServer server = ScriptedServer.start(patient(1 << 20), (in, out) -> {
                    block(out);
                    out.event(json("{\"progress\":1}"), Urgency.LATEST);
                    out.event(json("{\"progress\":2}"), Urgency.LATEST);
                    out.event(json("{\"kept\":1}"), Urgency.KEEP);
                    out.event(json("{\"progress\":3}"), Urgency.LATEST);
                    out.event(json("{\"progress\":4}"), Urgency.LATEST);
                    out.end(200, Map.of(), EncodedJson.of(json("{\"result\":1}")));
                });
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            String answer = client.get("/mcp", "").readUntil("\r\n0\r\n\r\n");
            assertEquals(
                    List.of("{\"progress\":2}", "{\"kept\":1}", "{\"progress\":4}", "{\"result\":1}"),
                    SMALL_EVENT
                            .matcher(answer)
                            .results()
                            .map(event -> event.group(1))
                            .toList());
        }
    }

    @Test
    void theLatestProgressNeedsNothingBehindItToArrive() {
        try (ScriptedServer server = ScriptedServer.start(patient(1 << 20), (in, out) -> {
                    block(out);
                    out.event(json("{\"progress\":1}"), Urgency.LATEST);
                    out.event(json("{\"progress\":2}"), Urgency.LATEST);
                });
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            String answer = client.get("/mcp", "").readUntil("{\"progress\":2}");
            assertFalse(answer.contains("{\"progress\":1}"), "only the latest is worth anything");
        }
    }

    @Test
    void exactlyTheLimitMayWaitAndNotAByteMore() throws Exception {
        int limit = 100_000;
        int frames = framesUntilCut(limit);
        assertEquals(frames, framesUntilCut(limit + 1000 - 1), "no further frame finds room");
        assertEquals(frames + 1, framesUntilCut(limit + 1000), "one more does");
    }

    /** How many events a reader who takes nothing is sent, each a hundredth of 100,000 bytes, before it is cut. */
    private static int framesUntilCut(int maxPendingBytes) throws Exception {
        CompletableFuture<Integer> sent = new CompletableFuture<>();
        try (ScriptedServer server = ScriptedServer.start(patient(maxPendingBytes), (in, out) -> {
                    out.event(LARGE, Urgency.KEEP);
                    int frames = 0;
                    for (; !out.closed() && frames < 1000; frames++) {
                        out.event(FRAME, Urgency.KEEP);
                    }
                    sent.complete(frames);
                });
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            client.get("/mcp", "");
            return sent.get();
        }
    }

    @Test
    void whatTheReaderHasTakenMakesRoomForMore() {
        try (ScriptedServer server = ScriptedServer.start(patient(100_000), this::hold);
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            client.get("/mcp", "");
            ReplySink out = sink.future().await();
            for (int round = 1; round <= 3; round++) {
                String last = "{\"round\":" + round + "}";
                out.execute(() -> {
                    block(out);
                    out.event(json("\"" + "y".repeat(90_000) + "\""), Urgency.KEEP);
                    out.event(json(last), Urgency.KEEP);
                });
                client.readUntil(last);
            }
            assertEquals(0, gone.get());
        }
    }

    @Test
    void whoReadsOnIsNotCutAndWhoStopsOnceMoreIs() {
        HttpLimits limits = ScriptedServer.limits(1 << 20, Duration.ofSeconds(2), Duration.ofMillis(250));
        try (ScriptedServer server = ScriptedServer.start(limits, this::hold);
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            client.get("/mcp", "");
            ReplySink out = sink.future().await();
            out.execute(() -> {
                block(out);
                out.event(json("{\"first\":1}"), Urgency.KEEP);
            });
            client.readUntil("{\"first\":1}");
            client.readUntil(BEAT.repeat(12)); // longer than a reader may take nothing
            assertEquals(0, gone.get());
            out.execute(() -> {
                block(out);
                out.event(json("{\"second\":1}"), Urgency.KEEP);
            });
            Eventually.that(() -> gone.get() == 1, () -> "the reader is cut");
            assertEquals(1, server.count("switchboard.http.readers.cut"));
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void whoDoesNotTakeTheEndOfAStreamIsCut(boolean blocked, boolean result) {
        HttpLimits limits = ScriptedServer.limits(1 << 20, IMPATIENT, NEVER);
        try (ScriptedServer server = ScriptedServer.start(limits, (in, out) -> {
                    if (blocked) {
                        block(out);
                    } else {
                        out.event(LARGE, Urgency.KEEP);
                    }
                    if (result) {
                        out.end(200, Map.of(), EncodedJson.of(json("{\"result\":1}")));
                    } else {
                        out.close();
                    }
                });
                RawHttp client = new RawHttp(server.port(), BUFFER)) {
            client.get("/mcp", "");
            Eventually.that(() -> server.count("switchboard.http.readers.cut") == 1, () -> "the reader is cut");
            Eventually.that(() -> server.meters().exchanges() == 0, () -> "the exchange is over");
            assertEquals(0, server.meters().streams());
        }
    }

    @Test
    void noKeepaliveWaitsForAReaderWhoHasEnoughToRead() {
        HttpLimits limits = ScriptedServer.limits(1 << 20, NEVER, Duration.ofMillis(20));
        try (ScriptedServer server = ScriptedServer.start(limits, (in, out) -> {
                    out.open(Map.of());
                    if (in.header("X-Clock") == null) {
                        block(out);
                        out.event(json("{\"second\":1}"), Urgency.KEEP);
                    }
                });
                RawHttp slow = new RawHttp(server.port(), BUFFER);
                RawHttp clock = new RawHttp(server.port())) {
            slow.get("/mcp", "");
            Eventually.that(() -> server.meters().streams() == 1, () -> "the stream is open");
            clock.get("/mcp", "X-Clock: 1\n").readUntil(BEAT.repeat(20));
            String answer = slow.readUntil("{\"second\":1}");
            assertFalse(
                    answer.substring(0, answer.indexOf("{\"second\":1}")).contains("keepalive"),
                    "a keepalive was in between");
        }
    }

    /** A proxy may send the calls of many clients over one connection of HTTP/2. */
    @Test
    void overHttp2OnlyTheStreamThatIsNotReadIsCut() {
        TestCertificate certificate = TestCertificate.make(folder, "server", "dns:localhost,ip:127.0.0.1");
        Vertx vertx = Vertx.vertx();
        try (ScriptedServer server = encrypted(certificate, IMPATIENT, (in, out) -> {
            if (in.header("X-Slow") == null) {
                out.open(Map.of());
                sink.complete(out);
            } else {
                out.onGone(gone::incrementAndGet);
                block(out);
            }
        })) {
            HttpClient client = http2(vertx, certificate);
            Promise<Throwable> cut = Promise.promise();
            HttpClientResponse good = get(client, server.port(), "X-Good", _ -> {});
            ReplySink out = sink.future().await();
            get(client, server.port(), "X-Slow", cut::tryComplete);
            Eventually.that(() -> server.count("switchboard.http.readers.cut") == 1, () -> "the reader is cut");
            assertEquals(1, gone.get(), "and its call hears of it");
            assertEquals(
                    8,
                    assertInstanceOf(StreamResetException.class, cut.future().await())
                            .getCode());
            assertEquals(1, server.meters().connections());
            out.execute(() -> out.end(200, Map.of(), EncodedJson.of(json("{\"result\":1}"))));
            assertEquals("event: message\ndata: {\"result\":1}\n\n", body(good));
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void overHttp2WhatHadToWaitArrivesToo() {
        TestCertificate certificate = TestCertificate.make(folder, "server", "dns:localhost,ip:127.0.0.1");
        Vertx vertx = Vertx.vertx();
        try (ScriptedServer server = encrypted(certificate, NEVER, (in, out) -> {
            block(out);
            out.event(json("{\"progress\":1}"), Urgency.LATEST);
            out.event(json("{\"progress\":2}"), Urgency.LATEST);
            out.end(200, Map.of(), EncodedJson.of(json("{\"result\":1}")));
        })) {
            String answer = body(get(http2(vertx, certificate), server.port(), "X-Slow", _ -> {}));
            assertTrue(
                    answer.endsWith("data: {\"progress\":2}\n\nevent: message\ndata: {\"result\":1}\n\n"),
                    () -> answer.substring(answer.length() - 200));
            assertFalse(answer.contains("{\"progress\":1}"));
            Eventually.that(() -> server.meters().exchanges() == 0, () -> "the exchange is over");
        } finally {
            vertx.close().await();
        }
    }

    private static ScriptedServer encrypted(
            TestCertificate certificate, Duration writeTimeout, BiConsumer<InboundMessage, ReplySink> script) {
        HttpSettings settings = new HttpSettings(
                "127.0.0.1",
                0,
                null,
                Set.of(),
                ScriptedServer.limits(1 << 20, writeTimeout, NEVER),
                Duration.ofSeconds(10),
                new HttpTls(certificate.certificate(), certificate.key(), null),
                List.of());
        return new ScriptedServer(settings, new OpenAuthenticator(), script);
    }

    private static HttpClient http2(Vertx vertx, TestCertificate certificate) {
        return KeptClients.http(
                vertx,
                new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setUseAlpn(true)
                        .setSsl(true)
                        .setHttp2ConnectionWindowSize(4 << 20)
                        .setInitialSettings(new Http2Settings().setInitialWindowSize(64 << 10))
                        .setTrustOptions(new PemTrustOptions()
                                .addCertPath(certificate.certificate().toString())));
    }

    private static String body(HttpClientResponse response) {
        Future<Buffer> body = response.body();
        response.resume();
        return body.await().toString();
    }

    /** An answer that is not read before its body is asked for. */
    private static HttpClientResponse get(HttpClient client, int port, String header, Handler<Throwable> broken) {
        return client.request(HttpMethod.GET, port, "127.0.0.1", "/mcp")
                .compose(request -> request.putHeader(header, "1").send().map(response -> {
                    response.exceptionHandler(broken).pause();
                    return response;
                }))
                .await();
    }

    private static void block(ReplySink out) {
        out.event(LARGE, Urgency.KEEP);
        for (int n = 0; n < 64; n++) {
            out.event(json("[]"), Urgency.KEEP);
        }
    }

    private void hold(InboundMessage in, ReplySink out) {
        out.onGone(gone::incrementAndGet);
        out.open(Map.of());
        sink.complete(out);
    }

    private static HttpLimits patient(int maxPendingBytes) {
        return ScriptedServer.limits(maxPendingBytes, NEVER, NEVER);
    }

    private static byte[] json(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
