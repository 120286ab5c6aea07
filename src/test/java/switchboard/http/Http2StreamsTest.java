package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.Principal;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ReplySink;
import switchboard.testing.Eventually;
import switchboard.testing.KeptClients;
import switchboard.testing.TestCertificate;

/**
 * What a client does to one stream of a connection of HTTP/2, and what becomes of the stream and of the others. All requests
 * of a test use one connection.
 */
class Http2StreamsTest {
    private static final int CANCEL = 8;
    private static final byte[] LARGE = ("\"" + "x".repeat(1 << 20) + "\"").getBytes(StandardCharsets.UTF_8);
    private static final Buffer MESSAGE = Buffer.buffer("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");

    private final Vertx vertx = Vertx.vertx();
    private TestCertificate certificate;

    @TempDir
    Path folder;

    @BeforeEach
    void make() {
        certificate = TestCertificate.make(folder, "server", "dns:localhost,ip:127.0.0.1");
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** The answer has ended for the program long before its reader has taken it. */
    @Test
    void aJsonAnswerThatNobodyReadsIsTakenBackWithItsStreamOnly() throws Exception {
        HttpLimits limits = ScriptedServer.limits(1 << 20, Duration.ofMillis(200), Duration.ofMinutes(1));
        try (ScriptedServer server = serve(limits, new OpenAuthenticator(), (in, out) -> {
            if (in.header("X-Large") == null) {
                ScriptedServer.OK.accept(in, out);
            } else {
                out.end(200, Map.of(), EncodedJson.of(LARGE));
            }
        })) {
            HttpClient client = client(HttpVersion.HTTP_2);
            Promise<Throwable> cut = Promise.promise();
            post(client, server)
                    .compose(request -> request.putHeader("X-Large", "1")
                            .send(MESSAGE)
                            .map(answer ->
                                    answer.exceptionHandler(cut::tryComplete).pause()))
                    .await();
            assertEquals(CANCEL, code(cut.future().await(30, TimeUnit.SECONDS)));
            assertEquals(200, status(client, server));
            assertEquals(1, server.meters().connections());
        }
    }

    @Test
    void aRefusalThatNobodyReadsIsTakenBackWithItsStreamOnly() throws Exception {
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), ScriptedServer.OK)) {
            HttpClient client = client(HttpVersion.HTTP_2);
            Promise<Throwable> cut = Promise.promise();
            client.request(HttpMethod.GET, server.port(), "127.0.0.1", "/nothing")
                    .compose(request -> request.send().map(answer -> {
                        assertEquals(404, answer.statusCode());
                        return answer.exceptionHandler(cut::tryComplete).pause();
                    }))
                    .await();
            assertEquals(CANCEL, code(cut.future().await(60, TimeUnit.SECONDS)));
            assertEquals(200, status(client, server));
            assertEquals(1, server.meters().connections());
        }
    }

    @Test
    void whoIsGoneBeforeItIsKnownIsNotServed() throws Exception {
        Promise<AuthOutcome> known = Promise.promise();
        AtomicInteger authenticated = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        Authenticator slow = _ -> authenticated.getAndIncrement() == 0
                ? known.future()
                : Future.succeededFuture(new AuthOutcome.Authenticated(Principal.anonymous()));
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, slow, (in, out) -> {
            served.incrementAndGet();
            ScriptedServer.OK.accept(in, out);
        })) {
            HttpClient client = client(HttpVersion.HTTP_2);
            HttpClientRequest left = post(client, server).await();
            left.exceptionHandler(_ -> {});
            left.send(MESSAGE);
            Eventually.that(() -> authenticated.get() == 1, () -> "the request has arrived");
            left.reset(CANCEL).await();
            assertEquals(200, status(client, server), "what comes behind the reset");
            known.complete(new AuthOutcome.Authenticated(Principal.anonymous()));
            assertEquals(200, status(client, server));
            assertEquals(2, served.get());
        }
    }

    @Test
    void aBodyThatIsTakenBackIsNoDefect() throws Exception {
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), ScriptedServer.OK)) {
            HttpClient client = client(HttpVersion.HTTP_2);
            for (int n = 0; n < 3; n++) {
                HttpClientRequest left = post(client, server).await();
                left.exceptionHandler(_ -> {});
                left.setChunked(true).write("{\"jsonrpc\":").await();
                left.reset(CANCEL).await();
                assertEquals(200, status(client, server));
            }
            assertEquals(1, server.meters().connections());
        }
    }

    @Test
    void manyCancelledCallsLeaveTheConnectionToTheOthers() throws Exception {
        AtomicInteger gone = new AtomicInteger();
        Promise<ReplySink> beside = Promise.promise();
        int cancelled = 500;
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), (in, out) -> {
            if (in.header("X-Beside") == null) {
                out.onGone(gone::incrementAndGet);
            } else {
                beside.complete(out);
            }
        })) {
            HttpClient client = client(HttpVersion.HTTP_2);
            Future<HttpClientResponse> answer = post(client, server)
                    .compose(request -> request.putHeader("X-Beside", "1").send(MESSAGE));
            ReplySink out = beside.future().await(30, TimeUnit.SECONDS);
            for (int n = 1; n <= cancelled; n++) {
                HttpClientRequest left = post(client, server).await();
                left.exceptionHandler(_ -> {});
                left.send(MESSAGE);
                int sent = n;
                Eventually.that(() -> server.meters().exchanges() == 2, () -> "call " + sent + " is under way");
                left.reset(CANCEL).await();
                Eventually.that(() -> gone.get() == sent, () -> "call " + sent + " is over");
            }
            out.execute(() -> out.end(200, Map.of(), EncodedJson.of("{}".getBytes(StandardCharsets.UTF_8))));
            assertEquals(200, answer.await(30, TimeUnit.SECONDS).statusCode());
            assertEquals(1, server.meters().connections());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void headersMayBeAsLargeInEachVersion(HttpVersion version) throws Exception {
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), ScriptedServer.OK)) {
            HttpClient client = client(version);
            int most = HttpLimits.DEFAULT.maxHeaderBytes();
            assertEquals(200, status(client, server, "X-Large", "x".repeat(most - 2000)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void refusalsOfHeadHaveNoBody(HttpVersion version) throws Exception {
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), ScriptedServer.OK)) {
            HttpClient client = client(version);
            for (Map.Entry<String, Integer> path :
                    Map.of("/mcp", 405, "/nothing", 404, "/mcp?key=1", 400).entrySet()) {
                client.request(HttpMethod.HEAD, server.port(), "127.0.0.1", path.getKey())
                        .compose(HttpClientRequest::send)
                        .compose(answer -> {
                            assertEquals(path.getValue(), answer.statusCode(), path::getKey);
                            return answer.body();
                        })
                        .map(body -> {
                            assertEquals(0, body.length(), path::getKey);
                            return body;
                        })
                        .await(30, TimeUnit.SECONDS);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void whoAsksBeforeItSendsTheBodyIsToldToGoOn(HttpVersion version) throws Exception {
        try (ScriptedServer server = serve(HttpLimits.DEFAULT, new OpenAuthenticator(), ScriptedServer.OK)) {
            HttpClientRequest request = post(client(version), server).await();
            Promise<Void> goOn = Promise.promise();
            request.putHeader("Expect", "100-continue")
                    .putHeader("Content-Length", String.valueOf(MESSAGE.length()))
                    .continueHandler(_ -> goOn.tryComplete());
            request.sendHead().await();
            goOn.future().await(30, TimeUnit.SECONDS);
            request.end(MESSAGE);
            assertEquals(200, request.response().await(30, TimeUnit.SECONDS).statusCode());
        }
    }

    private ScriptedServer serve(
            HttpLimits limits, Authenticator authenticator, BiConsumer<InboundMessage, ReplySink> script) {
        HttpTls tls = new HttpTls(certificate.certificate(), certificate.key(), null);
        return new ScriptedServer(
                new HttpSettings("127.0.0.1", 0, null, Set.of(), limits, Duration.ofSeconds(1), tls, List.of()),
                authenticator,
                script);
    }

    /** A client of one connection, whose windows for single streams are small. */
    private HttpClient client(HttpVersion version) {
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(version)
                .setUseAlpn(version == HttpVersion.HTTP_2)
                .setSsl(true)
                .setHttp2ConnectionWindowSize(4 << 20)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(8))
                .setTrustOptions(new PemTrustOptions()
                        .addCertPath(certificate.certificate().toString()));
        return KeptClients.http(
                vertx, options, new PoolOptions().setHttp1MaxSize(1).setHttp2MaxSize(1));
    }

    private static Future<HttpClientRequest> post(HttpClient client, ScriptedServer server) {
        return client.request(HttpMethod.POST, server.port(), "127.0.0.1", "/mcp")
                .map(request -> request.putHeader("Content-Type", "application/json")
                        .putHeader("Accept", "application/json, text/event-stream"));
    }

    private static int status(HttpClient client, ScriptedServer server) throws Exception {
        return status(client, server, "X-Nothing", "");
    }

    private static int status(HttpClient client, ScriptedServer server, String header, String value) throws Exception {
        return post(client, server)
                .compose(request -> request.putHeader(header, value).send(MESSAGE))
                .compose(answer -> answer.body().map(_ -> answer.statusCode()))
                .await(30, TimeUnit.SECONDS);
    }

    private static long code(Throwable cut) {
        return assertInstanceOf(StreamResetException.class, cut).getCode();
    }
}
