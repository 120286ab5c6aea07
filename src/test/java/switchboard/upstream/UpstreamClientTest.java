package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Size;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.OpenTimers;
import switchboard.testing.Programs;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UpstreamClientTest extends UpstreamFixture {
    @Test
    void aCompleteAnswerOfAnyStatusIsASuccess() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(200, "Application/JSON; charset=utf-8", "{\"a\":1}"),
                FaultServer.reply(404, "application/problem+json", "{\"code\":\"gone\"}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            UpstreamResponse found = client.send(READ, new FakeCall(LONG)).await();
            assertEquals(1, found.json().get("a").asInt());
            UpstreamResponse missing = client.send(READ, new FakeCall(LONG)).await();
            assertEquals(404, missing.status());
            assertEquals("gone", missing.json().get("code").asText());
            assertFalse(missing.success());
        }
    }

    @Test
    void sendsCredentialTraceAndExactPath() {
        try (FaultServer server = new FaultServer(FaultServer.json("{}"))) {
            UpstreamClient client = client(URI.create(server.url() + "/base/"), UpstreamSettings.defaults());
            client.send(UpstreamRequest.get("/x/" + UpstreamRequest.segment("../k?y#z é")), new FakeCall(LONG))
                    .await();
            client.send(READ.header("Authorization", "Bearer other"), new FakeCall(LONG))
                    .await();
            String head = server.requests().getFirst();
            assertTrue(head.startsWith("GET /base/x/..%2Fk%3Fy%23z%20%C3%A9 HTTP/1.1\r\n"), head);
            assertTrue(head.contains("Authorization: Bearer s3cret-token\r\n"), head);
            assertTrue(head.contains("traceparent: 00-0af7651916cd43dd8448eb211c80319c-"), head);
            assertTrue(server.requests().get(1).contains("Authorization: Bearer other\r\n"));
            assertFalse(server.requests().get(1).contains("s3cret"));
        }
    }

    @Test
    void refusedConnectionsAreUnavailableAndTheWriteDidNotHappen() throws IOException {
        int port = Programs.freePort();
        UpstreamClient client = client(URI.create("http://127.0.0.1:" + port), UpstreamSettings.defaults());
        ToolReply.Failed failed = failure(client.send(WRITE, new FakeCall(LONG)));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        assertTrue(failed.message().startsWith("engine refuses connections"), failed.message());
        assertNull(failed.details());
        assertFalse(failed.message().contains(Integer.toString(port)));
        assertEquals(1, attempts("refused"));
        Health health = client.probe(READ, LONG).await();
        assertFalse(health.ok());
        assertTrue(health.detail().contains("refuses connections"), health.detail());
    }

    @Test
    void aClientThatIsClosedSaysThatTheGatewayStops() throws IOException {
        UpstreamClient client =
                client(URI.create("http://127.0.0.1:" + Programs.freePort()), UpstreamSettings.defaults());
        client.close().await();
        for (UpstreamRequest request : List.of(READ, WRITE)) {
            ToolReply.Failed failed = failure(client.send(request, new FakeCall(LONG)));
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains("the gateway is stopping"), failed.message());
            assertNull(failed.details());
        }
        assertFalse(client.probe(READ, LONG).await().ok());
    }

    @Test
    void nothingIsUnderWayOnceAClientIsClosedHoweverBusyItsCallersAre(Vertx vertx) throws Exception {
        CountDownLatch idle = new CountDownLatch(1);
        UpstreamClient client;
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            client = client(server.url(), UpstreamSettings.defaults());
            Caller caller = new Caller(client);
            vertx.deployVerticle(caller, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                    .await();
            Eventually.that(() -> !server.requests().isEmpty(), () -> "the request arrives");
            caller.isBusyUntil(idle);
            client.close().await();
            assertEquals(List.of(), OpenTimers.of(vertx), "timers");
        } finally {
            idle.countDown();
        }
        Eventually.that(() -> client.inFlight() == 0, () -> "its caller is told");
    }

    @Test
    void aClientThatIsClosedDoesNotWaitForItsChecks() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            Future<UpstreamResponse> check = client.once(READ, LONG);
            Future<Health> probe = client.probe(READ, LONG);
            Eventually.that(() -> server.requests().size() == 2, () -> "the requests arrive");
            client.close().await();
            assertEquals(FailureKind.CANCELLED, failure(check).kind());
            assertTrue(probe.await().detail().contains("cancelled"), probe::toString);
        }
    }

    /** Sends a request, and may have other things to do when it ends. */
    private static final class Caller extends VerticleBase {
        private final UpstreamClient client;

        Caller(UpstreamClient client) {
            this.client = client;
        }

        @Override
        public Future<?> start() {
            client.send(READ, new FakeCall(LONG));
            return Future.succeededFuture();
        }

        void isBusyUntil(CountDownLatch idle) throws InterruptedException {
            CountDownLatch busy = new CountDownLatch(1);
            context.runOnContext(_ -> {
                busy.countDown();
                try {
                    assertTrue(idle.await(2, TimeUnit.MINUTES));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertTrue(busy.await(1, TimeUnit.MINUTES));
        }
    }

    @Test
    void anUnknownHostIsUnavailable() {
        UpstreamClient client = client(URI.create("http://no-such-host.invalid:7700"), UpstreamSettings.defaults());
        ToolReply.Failed failed = failure(client.send(READ, new FakeCall(LONG)));
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        assertTrue(failed.message().contains("host name"), failed.message());
    }

    @Test
    void aBlackHoleIsUnavailableWithinTheConnectTimeout() throws IOException {
        List<Socket> fillers = new ArrayList<>();
        try (ServerSocket hole = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                Socket filler = new Socket();
                fillers.add(filler);
                try {
                    filler.connect(hole.getLocalSocketAddress(), 100);
                } catch (IOException _) {
                    break;
                }
            }
            UpstreamClient client = client(URI.create("http://127.0.0.1:" + hole.getLocalPort()), quick(SHORT, LONG));
            ToolReply.Failed failed = failure(client.send(READ, new FakeCall(LONG)));
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains("no connection in time"), failed.message());
        } finally {
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void silenceBeforeOrInTheMiddleOfAnAnswerIsATimeoutAndTheConnectionIsClosed() {
        String half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"half\":";
        for (String bytes : List.of("", "HTTP/1.1 200 OK\r\ncontent-ty", half)) {
            try (FaultServer server = new FaultServer(FaultServer.silentAfter(bytes))) {
                UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
                assertEquals(
                        FailureKind.TIMEOUT,
                        failure(client.send(READ, new FakeCall(SOON))).kind());
                server.awaitNoConnections();
                assertEquals(1, server.requests().size(), "a timeout is not retried");
            }
        }
    }

    @Test
    void theAttemptsOwnTimeoutHoldsToo() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            UpstreamClient client = client(server.url(), quick(LONG, SOON));
            ToolReply.Failed failed = failure(client.send(WRITE, new FakeCall(LONG)));
            assertEquals(FailureKind.TIMEOUT, failed.kind());
            assertNotNull(failed.details());
            assertEquals("unknown", failed.details().get("outcome").asText());
            server.awaitNoConnections();
        }
    }

    @Test
    void nothingIsSentAfterTheDeadlineOrACancellation() {
        try (FaultServer server = new FaultServer(FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertEquals(
                    FailureKind.TIMEOUT,
                    failure(client.send(READ, new FakeCall(Duration.ZERO))).kind());
            FakeCall cancelled = new FakeCall(LONG);
            cancelled.cancel();
            assertEquals(
                    FailureKind.CANCELLED, failure(client.send(READ, cancelled)).kind());
            assertEquals(List.of(), server.requests());
        }
    }

    @Test
    void takingACallBackClosesItsConnection() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter("HTTP/1.1 200 OK\r\n"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            FakeCall call = new FakeCall(LONG);
            Future<UpstreamResponse> answer = client.send(READ, call);
            Eventually.that(() -> !server.requests().isEmpty(), () -> "the engine is asked");
            call.cancel();
            assertEquals(FailureKind.CANCELLED, failure(answer).kind());
            server.awaitNoConnections();
        }
    }

    @Test
    void halfABodyIsALostConnectionAndReadsAreRepeated() {
        String half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{\"half\":";
        try (FaultServer server =
                new FaultServer(FaultServer.closingAfter(half), FaultServer.reset(), FaultServer.json("[1]"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertEquals(
                    "[1]", client.send(READ, new FakeCall(LONG)).await().json().toString());
            assertEquals(3, server.requests().size());
            assertEquals(2, meters.get(MetricNames.UPSTREAM_RETRIES).counter().count());
            assertEquals(2, attempts("lost"));
            assertEquals(1, attempts("answered"));
        }
    }

    @Test
    void aWriteWhoseConnectionIsLostIsNotRepeatedAndSaysSo() {
        try (FaultServer server = new FaultServer(FaultServer.reset(), FaultServer.json("{}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            ToolReply.Failed failed = failure(client.send(WRITE, new FakeCall(LONG)));
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains("unknown"), failed.message());
            assertNotNull(failed.details());
            assertEquals("unknown", failed.details().get("outcome").asText());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void anAnswerThatIsNotJsonOrNotHttpIsUnavailable() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(200, "text/html", "<h1>proxy login</h1>"),
                FaultServer.reply(200, "application/json", "{\"cut\": "),
                FaultServer.reply(200, "application/json", ""),
                FaultServer.reply(200, "application/json", "{\"a\":1,\"a\":2}"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            for (int i = 0; i < 4; i++) {
                UpstreamResponse response =
                        client.send(READ, new FakeCall(LONG)).await();
                ToolException thrown = assertThrows(ToolException.class, response::json);
                assertEquals(FailureKind.UNAVAILABLE, thrown.failed().kind());
                assertFalse(thrown.failed().message().contains("proxy login"));
            }
        }
        try (FaultServer server = new FaultServer(FaultServer.closingAfter("SSH-2.0-OpenSSH_9.6\r\n\r\n"))) {
            UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(client.send(READ, new FakeCall(LONG))).kind());
        }
    }

    @Test
    void anAnswerWithoutEndIsCutOffAtTheCap() {
        for (FaultServer.Behaviour huge :
                List.of(FaultServer.endless(), FaultServer.json("\"" + "y".repeat(50 << 20) + "\""))) {
            try (FaultServer server = new FaultServer(huge)) {
                UpstreamClient client = client(server.url(), withSize(Size.ofMiB(1)));
                ToolReply.Failed failed = failure(client.send(READ, new FakeCall(LONG)));
                assertTrue(failed.message().contains("more than the gateway accepts"), failed.message());
                server.awaitNoConnections();
                assertEquals(1, server.requests().size());
            }
        }
    }

    /** The web client would follow it, with the credential, and name itself besides. */
    @Test
    void aRedirectIsAnAnswerLikeAnyOtherAndTheRequestSaysOnceWhoAsks() {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer engine = services()
                .vertx()
                .createHttpServer()
                .requestHandler(request -> {
                    asked.add(request.path() + " " + request.headers().getAll("user-agent"));
                    request.response()
                            .setStatusCode(302)
                            .putHeader("location", "/elsewhere")
                            .end();
                })
                .listen(0, "127.0.0.1")
                .await();
        UpstreamClient client =
                client(URI.create("http://127.0.0.1:" + engine.actualPort()), UpstreamSettings.defaults());

        assertEquals(302, client.send(READ, new FakeCall(LONG)).await().status());

        assertEquals(List.of("/thing [switchboard]"), asked);
    }

    @Test
    void aReaderThatThrowsEndsTheRequest() {
        ResponseConsumer atTheHead = _ -> {
            throw new IllegalStateException("at the head");
        };
        ResponseConsumer inTheMiddle = _ -> _ -> {
            throw new IllegalStateException("in the middle");
        };
        for (ResponseConsumer reader : List.of(atTheHead, inTheMiddle)) {
            try (FaultServer server = new FaultServer(FaultServer.endless())) {
                UpstreamClient client = client(server.url(), UpstreamSettings.defaults());
                failure(client.stream(READ, null, LONG, reader).end());
                server.awaitNoConnections();
                assertEquals(0, client.inFlight());
            }
        }
    }
}
