package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Json;

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
}
