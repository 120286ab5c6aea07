package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.SilentDns;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CancelledRequestTest extends UpstreamFixture {
    private static final UpstreamRequest STALL = UpstreamRequest.get("/stall");

    /** Taken back while connections open, while requests are written, while answers come: the next ones work. */
    @ParameterizedTest
    @ValueSource(longs = {0, 100, 300, 700, 1_500, 4_000})
    void oneTakenBackDisturbsNoOther(long microseconds) {
        HttpServer engine = services()
                .vertx()
                .createHttpServer()
                .requestHandler(request -> {
                    request.response().putHeader("content-type", "application/json");
                    if (request.path().equals("/stall")) {
                        request.response().setChunked(true).write("start");
                    } else {
                        request.response().end("{}");
                    }
                })
                .listen(0, "127.0.0.1")
                .await();
        UpstreamClient client = client(URI.create("http://127.0.0.1:" + engine.actualPort()), withPool(8, 128));
        for (int round = 0; round < 10; round++) {
            List<FakeCall> calls =
                    Stream.generate(() -> new FakeCall(LONG)).limit(16).toList();
            List<Future<UpstreamResponse>> stalled = new ArrayList<>();
            calls.forEach(call -> stalled.add(client.send(STALL, call)));
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(microseconds));
            calls.forEach(FakeCall::cancel);
            List<Future<UpstreamResponse>> next = Stream.generate(
                            () -> client.send(UpstreamRequest.post("/thing", Json.object()), new FakeCall(LONG)))
                    .limit(4)
                    .toList();
            stalled.forEach(
                    one -> assertEquals(FailureKind.CANCELLED, failure(one).kind()));
            next.forEach(one -> assertEquals(200, one.await().status()));
        }
    }

    /** The call is cancelled after it was asked whether it is and before its request can be taken back. */
    @Test
    void aCallThatIsCancelledWhileItsRequestIsPreparedEndsAtOnce() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), withPool(2, 2));
            AtomicInteger asked = new AtomicInteger();
            Lifetime call = new Lifetime() {
                @Override
                public Duration remaining() {
                    return LONG;
                }

                @Override
                public boolean cancelled() {
                    return asked.incrementAndGet() > 1;
                }

                @Override
                public void onCancel(Runnable action) {
                    action.run(); // before there is a request to cancel
                }

                @Override
                public String traceparent() {
                    return null;
                }
            };
            Future<UpstreamResponse> answer = client.send(STALL, call);
            Eventually.that(answer::isComplete, () -> "the request is still under way");
            assertEquals(FailureKind.CANCELLED, failure(answer).kind());
            assertEquals(0, client.inFlight());
        }
    }

    @Test
    void aClientCanBeClosedWhileItConnectsForARequestThatIsOver() {
        try (SilentDns dns = new SilentDns()) {
            HttpTransport transport = new HttpTransport(
                    "engine",
                    URI.create("http://engine.example"),
                    withPool(2, 8),
                    Map.of(),
                    dns.vertx(),
                    Clock.systemUTC(),
                    2);
            Future<UpstreamResponse> waiting = transport.send(READ, LONG);
            List<Future<UpstreamResponse>> late =
                    Stream.generate(() -> transport.send(READ, SHORT)).limit(6).toList();
            late.forEach(one -> assertEquals(
                    "connect_timeout",
                    assertThrows(UpstreamFault.class, one::await).label()));
            Future<Void> closed = transport.close();
            Eventually.that(closed::succeeded, () -> "the client is not closed: " + closed);
            assertThrows(UpstreamFault.class, waiting::await);
        }
    }

    /** Attempts that are over wait in the queue of the pool until their turn; they take no place of others. */
    @Test
    void requestsThatAreOverRefuseNoOther() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""), FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), withPool(1, 2));
            FakeCall first = new FakeCall(LONG);
            Future<UpstreamResponse> stalled = client.send(STALL, first);
            Eventually.that(() -> server.requests().size() == 1, () -> "the only connection is in use");
            for (int i = 0; i < 5; i++) {
                assertEquals(
                        FailureKind.UNAVAILABLE,
                        failure(client.send(READ, new FakeCall(SHORT))).kind());
            }
            Future<UpstreamResponse> next = client.send(WRITE, new FakeCall(LONG));
            first.cancel();
            assertEquals(FailureKind.CANCELLED, failure(stalled).kind());
            assertEquals(200, next.await().status());
            assertEquals(2, server.requests().size(), "nothing is sent for a request that is over");
        }
    }
}
