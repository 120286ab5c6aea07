package switchboard.backend.mcp.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.backend.BackendServices;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.upstream.Authorization;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamKind;
import switchboard.upstream.UpstreamSettings;

/** What a server up to 2025-11-25 is told of a call that failed, and what becomes of the session. */
@ExtendWith(VertxExtension.class)
class LegacyPeerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String CANCELLED = "notifications/cancelled";
    private static final String STREAM = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

    /** Without kept connections, so that the next request finds out whether the server still listens. */
    private static final FaultServer.Behaviour HANDSHAKE =
            FaultServer.reply(200, "application/json", """
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}""", "Mcp-Session-Id: one", "connection: close");

    private static final FaultServer.Behaviour ACCEPTED =
            FaultServer.reply(202, "application/json", "", "connection: close");

    private Vertx vertx;
    private UpstreamClient client;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @AfterEach
    void close() throws TimeoutException {
        client.close().await(60, TimeUnit.SECONDS);
    }

    private Peer peer(FaultServer server, Authorization authorization) throws TimeoutException {
        client = UpstreamClient.of(
                UpstreamKind.ENGINE,
                "other",
                server.url(),
                UpstreamSettings.defaults(),
                Map.of(),
                new BackendServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Path.of(".")).upstream());
        ClientProfile ofAnn = new ClientProfile(new ClientInfo("t", "1"), DeclaredCapabilities.LISTING, true);
        return LegacyPeer.initialize(
                        new StreamableHttpTransport(
                                client, vertx, "other", "/mcp", 1_000_000, authorization, () -> Secrets.NONE),
                        ofAnn,
                        InternalCallContext.within(LONG))
                .await(60, TimeUnit.SECONDS);
    }

    /** Calls a tool, which fails. */
    private static ToolException call(Peer peer) throws TimeoutException {
        Future<ObjectNode> call = peer.request(
                new Peer.Request("tools/call", Json.object().put("name", "x"), Map.of(), false),
                InternalCallContext.within(LONG));
        return (ToolException)
                call.transform(end -> Future.succeededFuture(end.cause())).await(60, TimeUnit.SECONDS);
    }

    @Test
    void aServerThatGotNothingIsToldNothing() throws TimeoutException {
        Peer peer;
        try (FaultServer server = new FaultServer(HANDSHAKE, ACCEPTED)) {
            peer = peer(server, Authorization.NONE);
        }
        assertEquals(FailureKind.UNAVAILABLE, call(peer).failed().kind());
        assertFalse(peer.doubtful());
    }

    @Test
    void norIsOneForWhichThereWasNoToken() throws TimeoutException {
        boolean[] none = {false};
        Authorization ending = new Authorization() {
            @Override
            public Future<Map<String, String>> headers() {
                return none[0]
                        ? Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, "There is no token now."))
                        : Future.succeededFuture(Map.of());
            }

            @Override
            public boolean refused(Map<String, String> headers) {
                return false;
            }
        };
        try (FaultServer server = new FaultServer(HANDSHAKE, ACCEPTED)) {
            Peer peer = peer(server, ending);
            none[0] = true;
            assertEquals("There is no token now.", call(peer).failed().message());
            assertFalse(peer.doubtful());
            assertEquals(2, server.requests().size());
        }
    }

    @Test
    void aServerThatMayStillBeBusyIsTold() throws TimeoutException {
        try (FaultServer server = new FaultServer(HANDSHAKE, ACCEPTED, FaultServer.closingAfter(STREAM), ACCEPTED)) {
            Peer peer = peer(server, Authorization.NONE);
            assertEquals(FailureKind.UNAVAILABLE, call(peer).failed().kind());
            assertTrue(peer.doubtful());
            Eventually.that(() -> server.bodies().getLast().contains(CANCELLED), () -> "it is not told");
        }
    }
}
