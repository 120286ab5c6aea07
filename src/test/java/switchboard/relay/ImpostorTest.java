package switchboard.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.KeptClients;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Somebody else on the port of the process that owns the data, and somebody who listens on the way to it. */
@ExtendWith(VertxExtension.class)
class ImpostorTest {
    private static final String YAML = """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;
    private static final String SECRET = "zebras-are-secret";

    @TempDir
    Path data;

    private Vertx vertx;
    private final StringBuffer heard = new StringBuffer();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private NetServer way;

    @BeforeEach
    void listen(Vertx vertx) {
        this.vertx = vertx;
        way = vertx.createNetServer()
                .connectHandler(this::passOn)
                .listen(0, "127.0.0.1")
                .await();
    }

    /** Passes all on to {@link #target} and back, and writes it down. */
    private void passOn(NetSocket from) {
        from.pause();
        opened.incrementAndGet();
        KeptClients.net(vertx)
                .connect(target, "127.0.0.1")
                .onSuccess(to -> {
                    open.add(from);
                    from.handler(part -> to.write(note(part)));
                    to.handler(part -> from.write(note(part)));
                    from.closeHandler(_ -> to.close());
                    to.closeHandler(_ -> from.close());
                    from.exceptionHandler(_ -> to.close());
                    to.exceptionHandler(_ -> from.close());
                    from.resume();
                })
                .onFailure(_ -> from.close());
    }

    private Buffer note(Buffer part) {
        heard.append(part.toString(StandardCharsets.ISO_8859_1));
        return part;
    }

    /** Lets the second process find the owner behind {@link #way}. */
    private OwnerAddress listenIn() throws IOException {
        Path file = data.resolve("data/vectordb/owner");
        OwnerAddress owner = OwnerAddress.parse(Files.readString(file)).orElseThrow();
        target = owner.url().getPort();
        String changed = owner.text().replace(":" + target + "/", ":" + way.actualPort() + "/");
        Files.writeString(file, changed, StandardOpenOption.TRUNCATE_EXISTING);
        return owner;
    }

    private void assertNothingWasHeard(OwnerAddress owner) {
        for (String word : new String[] {owner.token(), SECRET, "Authorization", "Bearer"}) {
            assertFalse(heard.toString().contains(word), word);
        }
    }

    @Test
    void whoListensOnTheWayUnderstandsNothing() throws IOException {
        try (TestGateway first = TestGateway.start(YAML, data)) {
            OwnerAddress owner = listenIn();
            try (TestGateway second = TestGateway.start(YAML, data)) {
                ToolResult put = put(second.modern());
                assertFalse(put.isError(), put::toString);
                assertEquals(
                        1,
                        first.modern()
                                .call("vectordb__search", "{\"query\": \"zebras\"}")
                                .structured()
                                .path("results")
                                .size());
            }
            assertTrue(heard.length() > 1000, "all goes this way");
            assertNothingWasHeard(owner);
        }
    }

    @Test
    void callsKeepTheirConnection() throws IOException {
        try (TestGateway first = TestGateway.start(YAML, data)) {
            listenIn();
            try (TestGateway second = TestGateway.start(YAML, data)) {
                McpTestClient here = second.modern();
                for (int i = 0; i < 30; i++) {
                    ToolResult put = put(here);
                    assertFalse(put.isError(), put::toString);
                    assertFalse(here.call("vectordb__search", "{\"query\": \"zebras\"}")
                            .isError());
                }
                assertTrue(opened.get() <= 3, () -> "one for calls, one for health checks, not " + opened);
                assertEquals(
                        1,
                        first.modern()
                                .call("vectordb__search", "{\"query\": \"zebras\"}")
                                .structured()
                                .path("results")
                                .size());
            }
        }
    }

    @Test
    void whoTakesThePortGetsNeitherTokenNorCall() throws IOException {
        HttpServer impostor = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(RelayCertificate.make().options()))
                .requestHandler(request -> {
                    taken.incrementAndGet();
                    request.response().setStatusCode(204).end();
                })
                .listen(0, "127.0.0.1")
                .await();
        NetServer plain = vertx.createNetServer()
                .connectHandler(socket -> socket.handler(
                        _ -> socket.end(Buffer.buffer("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"))))
                .listen(0, "127.0.0.1")
                .await();
        try (TestGateway _ = TestGateway.start(YAML, data)) {
            OwnerAddress owner = listenIn();
            int real = target;
            try (TestGateway second = TestGateway.start(YAML, data)) {
                McpTestClient here = second.modern();
                for (int other : new int[] {impostor.actualPort(), plain.actualPort()}) {
                    target = other;
                    open.forEach(NetSocket::close); // kept connections go to the owner
                    open.clear();
                    ToolResult refused = put(here);
                    assertEquals("UNAVAILABLE", refused.errorKind(), refused::toString);
                    assertEquals(0, taken.get(), "an impostor was taken for the owner");
                    assertNothingWasHeard(owner);
                    target = real;
                    Eventually.within(
                            Duration.ofMinutes(2), () -> !put(here).isError(), () -> "the owner is found again");
                }
            }
        }
    }

    @Test
    void whoDoesNotKnowTheTokenIsTurnedAway() throws IOException {
        try (TestGateway _ = TestGateway.start(YAML, data)) {
            OwnerAddress owner = OwnerAddress.parse(Files.readString(data.resolve("data/vectordb/owner")))
                    .orElseThrow();
            assertFalse(owner.toString().contains(owner.token()));
            HttpClient client = KeptClients.http(
                    vertx,
                    new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
            RequestOptions ask = new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setHost("127.0.0.1")
                    .setPort(owner.url().getPort())
                    .setURI(owner.url().getPath());
            for (String token : new String[] {
                "", "Bearer", "Bearer x", "Bearer " + owner.token().substring(1)
            }) {
                int status = client.request(ask)
                        .compose(request ->
                                request.putHeader("Authorization", token).send())
                        .await()
                        .statusCode();
                assertEquals(401, status, token);
            }
            int known = client.request(ask)
                    .map(request -> request.putHeader("Authorization", "Bearer " + owner.token()))
                    .compose(HttpClientRequest::send)
                    .await()
                    .statusCode();
            assertEquals(204, known);
        }
    }

    private static ToolResult put(McpTestClient client) {
        return client.call(
                "ingest_text", "{\"content\": \"zebras " + SECRET + "\", \"source\": \"" + SECRET + ".md\"}");
    }
}
