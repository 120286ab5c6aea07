package switchboard.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.testing.FaultServer;
import switchboard.testing.logs.AsksForErrors;

/** Answers are read whole from wherever they are asked for, and every defect of a reader has an end. */
@ExtendWith(VertxExtension.class)
class HttpExchangeTest {
    private static final String TEXT = "an answer that is short enough to come with its head";

    private Vertx vertx;
    private HttpServer server;
    private HttpClient client;

    @BeforeEach
    void start(Vertx vertx) {
        this.vertx = vertx;
        server = vertx.createHttpServer()
                .requestHandler(request -> request.response().end(TEXT))
                .listen(0, "127.0.0.1")
                .await();
        client = HttpConnections.client(vertx, new HttpClientOptions(), new PoolOptions());
    }

    private Future<HttpClientRequest> request(int port) {
        return client.request(new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/"));
    }

    private static HttpExchange.Body<String> text() {
        return HttpExchange.Body.collect(10_000, IOException::new, Buffer::toString);
    }

    /** The thread that sends is none of the connection's, so the answer may have come before anything else is done. */
    @Test
    void manyAnswersAreReadWholeFromAThreadThatIsNotTheConnections() {
        for (int i = 0; i < 1_000; i++) {
            HttpClientRequest request = request(server.actualPort()).await();
            assertEquals(TEXT, HttpExchange.send(request, null, _ -> text()).await());
        }
    }

    @Test
    void whatTheReaderThrowsIsTheOutcomeAtTheHeadInTheMiddleAndAtTheEnd() throws TimeoutException {
        IllegalStateException head = new IllegalStateException("head");
        assertSame(head, outcome(_ -> {
            throw head;
        }));
        IOException middle = new IOException("middle");
        assertSame(middle, outcome(_ -> HttpExchange.Body.collect(3, () -> middle, bytes -> bytes)));
        IllegalStateException end = new IllegalStateException("end");
        assertSame(
                end,
                outcome(_ -> HttpExchange.Body.collect(1_000, IOException::new, _ -> {
                    throw end;
                })));
    }

    private Throwable outcome(HttpExchange.Head<?> head) throws TimeoutException {
        return assertThrows(Throwable.class, () -> request(server.actualPort())
                .compose(request -> HttpExchange.send(request, null, head))
                .await(60, TimeUnit.SECONDS));
    }

    @Test
    void anAnswerThatIsNotReadOrTooLongIsNotWaitedFor() throws Exception {
        try (FaultServer endless = new FaultServer(FaultServer.endless())) {
            int port = endless.url().getPort();
            assertEquals(
                    "enough",
                    request(port)
                            .compose(request -> HttpExchange.send(request, null, _ -> HttpExchange.Body.skip("enough")))
                            .await(60, TimeUnit.SECONDS));
            IOException tooLong = new IOException("too long");
            assertSame(tooLong, assertThrows(IOException.class, () -> request(port)
                    .compose(request -> HttpExchange.send(
                            request, null, _ -> HttpExchange.Body.collect(100_000, () -> tooLong, b -> b)))
                    .await(60, TimeUnit.SECONDS)));
            endless.awaitNoConnections();
        }
    }

    @Test
    void aConnectionThatBreaksAtAnyByteIsAnOutcome() throws Exception {
        String whole = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabcde";
        for (int bytes = 0; bytes < whole.length(); bytes += 3) {
            try (FaultServer broken = new FaultServer(FaultServer.closingAfter(whole.substring(0, bytes)))) {
                Future<String> answer = request(broken.url().getPort())
                        .compose(request -> HttpExchange.send(request, null, _ -> text()));
                Exception thrown = assertThrows(Exception.class, () -> answer.await(60, TimeUnit.SECONDS));
                assertFalse(thrown instanceof TimeoutException, thrown.toString());
            }
        }
    }

    @Test
    @AsksForErrors("Futures - the end of a call failed")
    void anEndThatThrowsIsToldToWhoeverWaits() throws Exception {
        Promise<String> waiting = Promise.promise();
        IllegalStateException thrown = new IllegalStateException("defect");
        Futures.finish(
                Future.succeededFuture("value"),
                _ -> {
                    throw thrown;
                },
                waiting::tryFail);
        assertSame(thrown, waiting.future().cause());
        Promise<String> later = Promise.promise();
        Future<String> step = later.future().map(Futures.also(_ -> {
            throw thrown;
        }));
        assertFalse(step.isComplete());
        later.complete("value");
        assertSame(thrown, step.cause());
    }
}
