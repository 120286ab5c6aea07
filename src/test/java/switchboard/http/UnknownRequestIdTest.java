package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.call.Json;
import switchboard.testing.EventReader;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** The id of errors that are made before anybody has read a message, and on the stream of HTTP+SSE. */
class UnknownRequestIdTest {
    private static final Authenticator NOBODY = credentials -> Future.succeededFuture(
            new AuthOutcome.Rejected(AuthFailure.MISSING, "A key is needed.", "Send a key.", Map.of(), null));

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "2024-11-05, true",
        "2025-03-26, true",
        "2025-06-18, true",
        "2025-11-25, false",
        "2026-07-28, false",
        "2027-01-01, false",
        "1999-01-01, true",
        "nonsense, false"
    })
    void refusalsAtTheDoorGoByTheHeader(String version, boolean isNull) throws Exception {
        String named = version.isEmpty() ? "" : "MCP-Protocol-Version: " + version + "\n";
        HttpSettings loopback = LoopbackHttp.settings(0);
        try (ScriptedServer closed = new ScriptedServer(loopback, NOBODY, ScriptedServer.OK);
                ScriptedServer open = ScriptedServer.start(ScriptedServer.OK)) {
            String json = "Content-Type: application/json\n";
            refused(closed, 401, "POST /mcp", named + json + "Content-Length: 0\n", isNull);
            refused(open, 403, "POST /mcp", named + "Origin: http://evil.example.com\nContent-Length: 0\n", isNull);
            refused(open, 404, "GET /elsewhere", named, isNull);
            refused(open, 405, "PUT /mcp", named + "Content-Length: 0\n", isNull);
            refused(open, 415, "POST /mcp", named + "Content-Type: text/plain\nContent-Length: 0\n", isNull);
            refused(open, 413, "POST /mcp", named + json + "Content-Length: 999999999\n", isNull);
            refused(open, 417, "POST /mcp", named + "Expect: miracles\nContent-Length: 0\n", isNull);
            refused(open, 400, "GET /mcp", named + "Host: other\n", isNull);
        }
    }

    private static void refused(ScriptedServer server, int status, String line, String headers, boolean isNull)
            throws Exception {
        try (RawHttp client = new RawHttp(server.port())) {
            client.send(line + " HTTP/1.1\nHost: localhost:" + server.port() + "\n" + headers + "\n");
            assertEquals(status, client.status(), line);
            String text = client.readUntil("}}");
            JsonNode answer = Json.parse(text.substring(text.indexOf('{')));
            assertTrue(answer.path("error").has("code"), text);
            assertEquals(isNull, answer.has("id"), text);
            assertTrue(!isNull || answer.path("id").isNull(), text);
        }
    }

    @Test
    void aPairGoesByWhatItsSessionAgreedOn() throws Exception {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
        try (TestServer server = TestServer.start();
                EventReader stream = EventReader.open(http, server.uri("/sse"))) {
            String address = stream.next().data();
            assertTrue(isNull(post(http, server, address, "{")), "before the handshake");
            for (String version : new String[] {"2024-11-05", "2025-11-25"}) {
                boolean isNull = version.equals("2024-11-05");
                post(
                        http,
                        server,
                        address,
                        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                                + version + "\",\"capabilities\":{}}}");
                stream.next();
                assertEquals(isNull, isNull(post(http, server, address, "{")), version);
                for (String body : new String[] {"17", "[]", "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}"}) {
                    assertEquals("", post(http, server, address, body));
                    assertEquals(isNull, isNull(stream.next().data()), body);
                }
            }
        } finally {
            http.shutdownNow();
        }
    }

    private static String post(HttpClient http, TestServer server, String address, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static boolean isNull(String text) throws Exception {
        JsonNode answer = Json.parse(text);
        assertTrue(answer.path("error").has("code"), text);
        return answer.has("id") && answer.path("id").isNull();
    }
}
