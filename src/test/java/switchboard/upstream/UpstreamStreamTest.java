package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolReply;
import switchboard.config.Size;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;

/** Answers that are read while they arrive, and requests that are made past the guard. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamStreamTest extends UpstreamFixture {
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\ncontent-type: Text/Event-Stream; a=b\r\nx-other: 7\r\ncontent-length: 10\r\n\r\n";

    private final List<UpstreamHead> heads = new CopyOnWriteArrayList<>();
    private final StringBuffer taken = new StringBuffer();

    private Consumer<Buffer> take(UpstreamHead head) {
        heads.add(head);
        return piece -> taken.append(piece.toString(StandardCharsets.UTF_8));
    }

    /** The first half of an answer, and the second once {@code go} has happened. */
    private static FaultServer.Behaviour inTwoHalves(CompletableFuture<?> go) {
        return socket -> {
            socket.getOutputStream().write((HEAD + "first").getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            go.orTimeout(20, TimeUnit.SECONDS).join();
            socket.getOutputStream().write(" half".getBytes(StandardCharsets.UTF_8));
        };
    }

    private double standing() {
        return meters.get(MetricNames.UPSTREAM_STREAMS).gauge().value();
    }

    private double inFlight() {
        return meters.get(MetricNames.UPSTREAM_IN_FLIGHT).gauge().value();
    }

    @Test
    void theHeadAndEachPieceAreHandedOnAsTheyCome() {
        CompletableFuture<Void> go = new CompletableFuture<>();
        try (FaultServer server = new FaultServer(inTwoHalves(go))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            StreamingResponse streaming = client.stream(READ, "00-trace-span-01", LONG, this::take);
            Eventually.that(() -> taken.toString().equals("first"), taken::toString);
            assertFalse(streaming.end().isComplete());
            assertEquals(1, inFlight());
            assertEquals(0, standing());
            UpstreamHead head = heads.getFirst();
            assertEquals(200, head.status());
            assertEquals("text/event-stream", head.contentType());
            assertEquals("7", head.headers().get("X-Other"));
            go.complete(null);
            UpstreamResponse end = streaming.end().await();
            assertEquals("first half", taken.toString());
            assertEquals(200, end.status());
            assertEquals("", end.text(), "it was handed on");
            assertEquals(1, attempts("answered"));
            assertTrue(server.requests().getFirst().contains("traceparent: 00-trace-span-01\r\n"));
        }
    }

    @Test
    void whatNobodyTakesIsCollected() {
        try (FaultServer server = new FaultServer(FaultServer.reply(404, "text/plain", "no such thing"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            UpstreamResponse end =
                    client.stream(READ, null, LONG, ResponseConsumer.NONE).end().await();
            assertEquals(404, end.status());
            assertEquals("no such thing", end.text());
            assertFalse(server.requests().getFirst().contains("traceparent"));
        }
    }

    private static UpstreamSettings withIdle(Duration idle) {
        UpstreamSettings d = UpstreamSettings.defaults();
        return new UpstreamSettings(
                new UpstreamSettings.Timeouts(LONG, Duration.ofMinutes(2), idle),
                d.pool(),
                d.maxResponseSize(),
                0,
                d.breaker(),
                d.tls(),
                null);
    }

    @Test
    void anEngineThatFallsSilentIsGivenUpAtOnceBeforeItsAnswerAndInTheMiddleOfIt() {
        for (String bytes : List.of("", "HTTP/1.1 200 OK\r\n", HEAD, HEAD + "first")) {
            try (FaultServer server = new FaultServer(FaultServer.silentAfter(bytes))) {
                UpstreamClient client = client(server.url(), withIdle(SHORT));
                Future<UpstreamResponse> silent = client.send(READ, new FakeCall(Duration.ofMinutes(2)));
                Eventually.that(silent::isComplete, () -> "given up after: " + bytes);
                assertEquals(FailureKind.TIMEOUT, failure(silent).kind());
                server.awaitNoConnections();
            }
        }
    }

    @Test
    void anEngineThatGoesOnSayingSomethingMayTakeItsTime() {
        FaultServer.Behaviour slow = socket -> {
            for (String piece : List.of(HEAD, "fi", "rs", "t ", "ha", "lf")) {
                socket.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            }
        };
        try (FaultServer server = new FaultServer(slow)) {
            UpstreamClient client = client(server.url(), withIdle(SOON));
            assertEquals(
                    "first half",
                    client.send(READ, new FakeCall(Duration.ofMinutes(2)))
                            .await()
                            .text());
        }
    }

    /** A language model may think longer than any answer that is awaited as a whole may be silent. */
    @Test
    void aStreamMayPauseLongerThanAnAnswerThatIsAwaited() {
        CompletableFuture<Void> go = new CompletableFuture<>();
        try (FaultServer server = new FaultServer(inTwoHalves(go), FaultServer.silentAfter(HEAD + "first"))) {
            UpstreamClient client = client(server.url(), withIdle(SHORT));
            StreamingResponse streaming = client.stream(READ, null, Duration.ofMinutes(2), this::take);
            Eventually.that(() -> taken.toString().equals("first"), taken::toString);
            // The other request is given up because of its silence, which began later.
            Future<UpstreamResponse> silent = client.send(READ, new FakeCall(Duration.ofMinutes(2)));
            Eventually.that(silent::isComplete, () -> "given up");
            assertEquals(FailureKind.TIMEOUT, failure(silent).kind());
            go.complete(null);
            assertEquals(200, streaming.end().await().status());
            assertEquals("first half", taken.toString());
        }
    }

    @Test
    void aStreamEndsWithItsTimeLimit() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(HEAD + "first"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            ToolReply.Failed late =
                    failure(client.stream(READ, null, SHORT, this::take).end());
            assertEquals(FailureKind.TIMEOUT, late.kind());
            server.awaitNoConnections();
            late = failure(client.follow(READ, SHORT, this::take).end());
            assertEquals(FailureKind.TIMEOUT, late.kind());
            server.awaitNoConnections();
        }
    }

    @Test
    void aStreamThatIsTakenBackEndsItsConnectionAndGivesItsPlaceBack() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(HEAD + "first"))) {
            UpstreamClient client = client(server.url(), withPool(1, 0));
            for (int i = 0; i < 3; i++) {
                int pieces = 5 * i;
                StreamingResponse streaming = client.stream(READ, null, LONG, this::take);
                Eventually.that(() -> taken.length() > pieces, taken::toString);
                ToolReply.Failed full =
                        failure(client.stream(READ, null, LONG, this::take).end());
                assertEquals(FailureKind.OVERLOADED, full.kind());
                streaming.cancel().run();
                assertEquals(FailureKind.CANCELLED, failure(streaming.end()).kind());
                server.awaitNoConnections();
                assertEquals(0, client.inFlight());
            }
            assertEquals(3, server.requests().size());
        }
    }

    @Test
    void aStreamThatIsRefusedAsksNothingAndCanBeTakenBack() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), withPool(1, 0));
            FakeCall call = new FakeCall(LONG);
            Future<UpstreamResponse> holds = client.send(READ, call);
            StreamingResponse refused = client.stream(READ, null, LONG, this::take);
            refused.cancel().run();
            assertEquals(
                    "engine has 1 requests under way or waiting, the most the gateway sends it; wait a moment, then try"
                            + " again",
                    failure(refused.end()).message());
            Eventually.that(
                    () -> server.requests().size() == 1, () -> server.requests().toString());
            call.cancel();
            failure(holds);
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void anAnswerThatStaysOpenIsCountedApartAndTakesNoPlace() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(HEAD + "first"))) {
            UpstreamClient client = client(server.url(), withPool(4, 0));
            StreamingResponse one = client.follow(READ, LONG, this::take);
            StreamingResponse other = client.follow(READ, LONG, this::take);
            Eventually.that(() -> taken.toString().equals("firstfirst"), taken::toString);
            assertEquals(2, standing());
            assertEquals(0, inFlight());
            one.cancel().run();
            assertEquals(FailureKind.CANCELLED, failure(one.end()).kind());
            assertEquals(1, standing());
            other.cancel().run();
            assertEquals(FailureKind.CANCELLED, failure(other.end()).kind());
            assertEquals(0, standing());
            server.awaitNoConnections();
        }
    }

    @Test
    void aWriteThatBreaksOffInItsStreamMayHaveBeenMade() {
        try (FaultServer server = new FaultServer(FaultServer.closingAfter(HEAD + "first"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            for (StreamingResponse streaming :
                    List.of(client.stream(WRITE, null, LONG, this::take), client.follow(WRITE, LONG, this::take))) {
                ToolReply.Failed lost = failure(streaming.end());
                assertEquals(FailureKind.UNAVAILABLE, lost.kind());
                assertEquals("unknown", lost.details().path("outcome").asText());
            }
            assertEquals(2, server.requests().size(), "a stream is not repeated");
        }
    }

    private static Size bytes(int count) {
        return new Size(count);
    }

    @Test
    void whoRefusesTheConnectionWasSentNothing() {
        UpstreamClient client;
        try (FaultServer server = new FaultServer(FaultServer.closingAfter(""))) {
            client = client(server.url(), UpstreamSettings.defaults());
            assertFalse(neverSent(client.stream(WRITE, null, LONG, this::take).end()));
            assertFalse(neverSent(client.beside(WRITE, LONG)));
        }
        assertTrue(neverSent(client.stream(WRITE, null, LONG, this::take).end()));
        assertTrue(neverSent(client.follow(WRITE, LONG, this::take).end()));
        assertTrue(neverSent(client.beside(WRITE, LONG)));
        assertFalse(UpstreamClient.neverSent(new IllegalStateException()));
    }

    private static boolean neverSent(Future<UpstreamResponse> request) {
        failure(request);
        return UpstreamClient.neverSent(request.cause());
    }

    @Test
    void anAnswerMayBeAsLongAsTheLimitAndNoLonger() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(200, "text/plain", "x".repeat(1024)),
                FaultServer.reply(200, "text/plain", "x".repeat(1025)))) {
            UpstreamClient client = client(server.url(), withSize(bytes(1024)));
            assertEquals(
                    1024, client.send(READ, new FakeCall(LONG)).await().body().length());
            Future<UpstreamResponse> more = client.send(READ, new FakeCall(LONG));
            ToolReply.Failed failed = failure(more);
            assertEquals(UpstreamClient.TOO_LARGE, failed.code());
            assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
            assertTrue(UpstreamClient.answeredTooMuch(more.cause()));
            assertFalse(UpstreamClient.answeredTooMuch(new IllegalStateException(UpstreamClient.TOO_LARGE)));
        }
        try (FaultServer server = new FaultServer(FaultServer.reply(200, "text/plain", "x".repeat(5_000)))) {
            UpstreamClient client = client(server.url(), withSize(bytes(1024)));
            client.stream(READ, null, LONG, this::take).end().await();
            assertEquals(5_000, taken.length(), "what is handed on is not kept");
        }
    }

    @Test
    void otherFailuresAreNotThatTheAnswerWasTooLarge() {
        try (FaultServer server = new FaultServer(FaultServer.closingAfter(""))) {
            Future<UpstreamResponse> lost = client(server.url(), withRetries(0)).send(READ, new FakeCall(LONG));
            failure(lost);
            assertFalse(UpstreamClient.answeredTooMuch(lost.cause()));
        }
    }

    @Test
    void whatIsAskedOnceGoesPastTheGuardAndChangesNothingThere() {
        FaultServer.Behaviour[] script = new FaultServer.Behaviour[14];
        java.util.Arrays.fill(script, FaultServer.reset());
        script[10] = FaultServer.reply(404, "text/plain", "");
        script[11] = FaultServer.reply(503, "text/plain", "");
        script[13] = FaultServer.json("{}");
        try (FaultServer server = new FaultServer(script)) {
            UpstreamClient client = client(server.url(), withRetries(0));
            for (int i = 0; i < 10; i++) {
                failure(client.send(READ, new FakeCall(LONG)));
            }
            assertEquals(2, breakerState(), "the engine has a rest");
            assertEquals(404, client.once(READ, LONG).await().status());
            assertEquals(
                    Health.down("engine is not ready (503); wait, then try again"),
                    client.probe(READ, LONG).await());
            ToolReply.Failed lost = failure(client.once(READ, LONG));
            assertEquals(
                    "engine closed the connection before its answer was complete; wait, then try again",
                    lost.message());
            assertEquals(2, breakerState(), "only a good answer to a check ends the rest");
            assertEquals(10, attempts("lost"), "none of these is an attempt of a call");
            assertEquals(Health.up(), client.probe(READ, LONG).await());
            assertEquals(1, breakerState());
            assertEquals(14, server.requests().size());
        }
    }

    @Test
    void aGoodCheckOfAnEngineThatNeedsNoRestChangesNothing() {
        try (FaultServer server = new FaultServer(FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertEquals(0, breakerState());
            assertTrue(client.probe(READ, LONG).await().ok());
            assertEquals(0, breakerState());
        }
    }

    @Test
    void aRequestThatIsAskedOnceHasItsTimeLimit() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertEquals(FailureKind.TIMEOUT, failure(client.once(READ, SHORT)).kind());
            Health health = client.probe(READ, Duration.ZERO).await();
            assertFalse(health.ok());
            server.awaitNoConnections();
        }
    }
}
