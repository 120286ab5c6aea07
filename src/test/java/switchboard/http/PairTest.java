package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.Grant;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.Json;
import switchboard.session.SessionLimits;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.TestServer;

/** The HTTP+SSE transport of 2024-11-05: a stream to read and an address to post to, for each view. */
class PairTest {
    private static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},\
        "clientInfo":{"name":"t","version":"1"}}}\
        """;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TestServer server = TestServer.start();

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.close();
    }

    private EventReader open(String path, String... headers) throws Exception {
        return EventReader.open(http, server.uri(path), headers);
    }

    private HttpResponse<String> post(String address, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(String text) throws IOException {
        return Json.parse(text);
    }

    private static String call(int id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + ",\"_meta\":{\"progressToken\":\"p" + id + "\"}}}";
    }

    @ParameterizedTest
    @CsvSource({"/sse, /messages?", "/mcp/toy/sse, /mcp/toy/messages?"})
    void aStreamSaysWhereToPostAndBringsTheAnswers(String path, String messages) throws Exception {
        try (EventReader stream = open(path)) {
            EventReader.Event first = stream.next();
            assertEquals("endpoint", first.name());
            assertTrue(first.data().startsWith(messages + "sessionId="), first.data());
            HttpResponse<String> taken = post(first.data(), INITIALIZE);
            assertEquals(202, taken.statusCode());
            assertEquals("", taken.body());
            EventReader.Event answer = stream.next();
            assertEquals("message", answer.name());
            JsonNode result = json(answer.data());
            assertEquals(0, result.path("id").asInt());
            assertEquals(
                    "2024-11-05", result.path("result").path("protocolVersion").asText());
            assertEquals(
                    202,
                    post(first.data(), "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                            .statusCode());
            post(first.data(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            assertTrue(json(stream.next().data()).path("result").path("tools").size() > 0);
            assertEquals(1, server.endpoint().liveSessions());
        }
    }

    @Test
    void theSessionEndsWithTheStreamAndItsCallsWithIt() throws Exception {
        String address;
        try (EventReader stream = open("/mcp/toy/sse")) {
            address = stream.next().data();
            post(address, call(1, "hold", "{}"));
            Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
        }
        Eventually.that(() -> server.endpoint().liveSessions() == 0, () -> "the session stayed");
        Eventually.that(() -> server.toy().running() == 0, () -> "the call went on");
        assertEquals(404, post(address, INITIALIZE).statusCode());
        assertEquals(0, server.endpoint().openStreams());
    }

    @Test
    void aCallIsTakenBackAndTheStreamGoesOn() throws Exception {
        try (EventReader stream = open("/mcp/toy/sse")) {
            String address = stream.next().data();
            post(address, call(1, "hold", "{}"));
            Eventually.that(() -> server.toy().running() == 1, () -> "the call never arrived");
            assertEquals(
                    "holding", json(stream.next().data()).at("/params/message").asText());
            post(address, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            Eventually.that(() -> server.toy().running() == 0, () -> "the call went on");
            post(address, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
            assertEquals(2, json(stream.next().data()).path("id").asInt());
        }
    }

    @Test
    void whatIsWrongWithAMessageIsSaidWhereItCanBeRead() throws Exception {
        try (EventReader stream = open("/sse")) {
            String address = stream.next().data();
            assertEquals(400, post(address, "{").statusCode());
            assertEquals(202, post(address, "{\"jsonrpc\":\"2.0\",\"id\":7}").statusCode());
            assertEquals(-32600, json(stream.next().data()).at("/error/code").asInt());
            assertEquals(202, post(address, "[]").statusCode());
            assertEquals(-32600, json(stream.next().data()).at("/error/code").asInt());
            post(
                    address,
                    "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"server/discover\",\"params\":{\"_meta\":{"
                            + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                            + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}");
            assertEquals(-32601, json(stream.next().data()).at("/error/code").asInt(), "a dual-era client falls back");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /sse, 405",
        "DELETE, /mcp/toy/sse, 405",
        "GET, /messages, 405",
        "GET, /mcp/nowhere/sse, 404",
        "POST, /mcp/nowhere/messages, 404",
        "POST, /messages, 404",
        "POST, /messages?sessionId=, 404",
        "POST, /messages?sessionId=unknown, 404",
        "GET, /mcp/toy/sse?access_token=x, 400",
    })
    void whatDoesNotFitIsRefused(String method, String path, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri(path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(method.equals("POST") ? INITIALIZE : ""))
                .build();
        HttpResponse<String> refused = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(status, refused.statusCode(), refused.body());
    }

    @Test
    void aSessionOfAnotherKindOrViewIsUnknown() throws Exception {
        HttpResponse<String> opened = post("/mcp/toy", INITIALIZE);
        String session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertEquals(
                404, post("/mcp/toy/messages?sessionId=" + session, INITIALIZE).statusCode());
        try (EventReader stream = open("/mcp/toy/sse")) {
            String id = stream.next().data().replaceAll(".*=", "");
            assertEquals(404, post("/messages?sessionId=" + id, INITIALIZE).statusCode());
        }
    }

    @Test
    void onlyWhoOpenedTheStreamMayPostToIt() throws Exception {
        Authenticator byKey = credentials -> Future.succeededFuture(
                credentials.apiKey() == null
                        ? new AuthOutcome.Rejected(AuthFailure.MISSING, "A key is needed.", "Send one.", Map.of(), null)
                        : new AuthOutcome.Authenticated(
                                new Principal("team", credentials.apiKey(), List.of(Grant.EVERYTHING))));
        restart(TestServer.Setup.DEFAULT.authenticator(byKey));
        assertEquals(401, EventReader.status(http, server.uri("/sse")));
        try (EventReader stream = open("/sse", "X-API-Key", "one")) {
            String address = stream.next().data();
            assertEquals(401, post(address, INITIALIZE).statusCode());
            assertEquals(404, post(address, INITIALIZE, "X-API-Key", "two").statusCode());
            assertEquals(202, post(address, INITIALIZE, "X-API-Key", "one").statusCode());
        }
    }

    @Test
    void atTheCapTheOldestStreamGivesWay() throws Exception {
        restart(TestServer.Setup.DEFAULT.sessions(new SessionLimits(2, Duration.ofHours(1)), Ticker.systemTicker()));
        try (EventReader first = open("/sse");
                EventReader second = open("/sse");
                EventReader third = open("/sse")) {
            first.next();
            String address = second.next().data();
            third.next();
            assertTrue(first.ended());
            assertEquals(202, post(address, INITIALIZE).statusCode());
            assertEquals(2, server.endpoint().liveSessions());
        }
    }

    @Test
    void changedListsAreToldAndAStopEndsTheStream() throws Exception {
        try (EventReader stream = open("/mcp/toy/sse")) {
            stream.next();
            server.listChanges("toy").announce(ListChanged.ListType.TOOLS);
            assertTrue(stream.next().data().contains("notifications/tools/list_changed"));
            server.endpoint().shutdown();
            assertTrue(stream.ended());
        }
        assertFalse(server.endpoint().liveSessions() > 0);
    }

    @Test
    void behindAProxyTheAddressHasItsPrefix() throws Exception {
        restart(TestServer.Setup.DEFAULT.http(settings -> new HttpSettings(
                "127.0.0.1",
                0,
                URI.create("https://mcp.example.org/tools/mcp"),
                Set.of(),
                settings.limits(),
                settings.grace(),
                null,
                List.of())));
        try (EventReader stream = open("/mcp/toy/sse")) {
            assertTrue(stream.next().data().startsWith("/tools/mcp/toy/messages?sessionId="));
        }
    }

    @Test
    void aSilentStreamHasHeartbeats() throws Exception {
        restart(TestServer.Setup.DEFAULT
                .authenticator(new OpenAuthenticator())
                .http(settings -> LoopbackHttp.limited(
                        settings,
                        new HttpLimits(
                                1 << 20,
                                16 << 10,
                                64,
                                1 << 20,
                                Duration.ofSeconds(75),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(60),
                                Duration.ofMillis(20)))));
        try (EventReader stream = open("/sse")) {
            stream.next();
            assertTrue(stream.comment().contains("keepalive"));
        }
    }

    private void restart(TestServer.Setup setup) {
        server.close();
        server = TestServer.start(setup);
    }
}
