package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;

/** What browsers ask before they call, and what a page may read of a refusal. Nobody has a credential. */
class CrossOriginTest {
    private static final String ALLOWED = "Content-Type, Accept, Authorization, DPoP, X-API-Key,"
            + " MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID";

    private final ScriptedServer server = new ScriptedServer(
            LoopbackHttp.settings(0),
            credentials -> Future.succeededFuture(new AuthOutcome.Rejected(
                    AuthFailure.MISSING,
                    "A key is needed.",
                    "Send a key.",
                    Map.of("WWW-Authenticate", "Bearer"),
                    null)),
            ScriptedServer.OK);

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/mcp", "/mcp/toy", "/mcp/whatever", "/sse", "/messages", "/mcp/toy/sse", "/mcp/toy/messages"})
    void aPreflightSaysWhatAPageMaySend(String path) {
        try (RawHttp client = new RawHttp(server.port())) {
            String head = options(client, path, "Origin: http://localhost:" + server.port() + "\n");
            assertTrue(head.startsWith("HTTP/1.1 204 "), head);
            assertHeader(head, "access-control-allow-methods: POST, GET, DELETE, OPTIONS");
            assertHeader(head, "access-control-allow-headers: " + ALLOWED);
            assertHeader(head, "access-control-max-age: 600");
            assertHeader(head, "access-control-allow-origin: http://localhost:" + server.port());
            assertHeader(head, "access-control-expose-headers: Mcp-Session-Id, WWW-Authenticate, Retry-After");
            assertHeader(head, "vary: Origin, Access-Control-Request-Headers, Access-Control-Request-Method");
            assertFalse(head.toLowerCase(Locale.ROOT).contains("\r\nallow:"), head);
            assertGoesOn(client);
        }
    }

    @Test
    void whoIsNoPageIsToldTheMethods() {
        try (RawHttp client = new RawHttp(server.port())) {
            String head = options(client, "/mcp", "");
            assertTrue(head.startsWith("HTTP/1.1 204 "), head);
            assertHeader(head, "allow: POST, GET, DELETE, OPTIONS");
            assertFalse(head.toLowerCase(Locale.ROOT).contains("access-control"), head);
            assertGoesOn(client);
        }
    }

    @Test
    void aPageMayReadWhyItWasRefused() {
        String origin = "http://127.0.0.1:" + server.port();
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "Origin: " + origin + "\n").readUntil("}}");
            assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
            assertHeader(answer, "access-control-allow-origin: " + origin);
            assertHeader(answer, "vary: origin");
        }
        try (RawHttp client = new RawHttp(server.port())) {
            String answer = client.get("/mcp", "").readUntil("}}");
            assertFalse(answer.toLowerCase(Locale.ROOT).contains("access-control"), answer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "access_token, 400",
        "api-key, 400",
        "api_key, 400",
        "apikey, 400",
        "auth, 400",
        "Authorization, 400",
        "bearer, 400",
        "key, 400",
        "token, 400",
        "X-API-Key, 400",
        "%61pi_key, 400",
        "keyword, 401",
        "q, 401"
    })
    void noKeyIsTakenFromAUrl(String parameter, int status) {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer =
                    client.get("/mcp?a=token&" + parameter + "=secret", "").readUntil("}}");
            assertEquals(Integer.toString(status), answer.substring(9, 12), answer);
            assertFalse(answer.contains("secret"), answer);
        }
        assertEquals(1, server.count("switchboard.http.refused", "status", Integer.toString(status)));
        assertEquals(1, server.count("switchboard.http.refused"));
    }

    @Test
    void aBodyThatNobodyReadsEndsTheConnectionBehindTheAnswer() {
        try (RawHttp client = new RawHttp(server.port())) {
            String answer =
                    client.post("/mcp", "", "{" + " ".repeat(100_000) + "}").readAll();
            assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
            assertHeader(answer, "connection: close");
            assertTrue(answer.endsWith("}}"), answer);
        }
    }

    private String options(RawHttp client, String path, String headers) {
        return client.send("OPTIONS " + path + " HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\n" + headers + "\n")
                .readUntil("\r\n\r\n");
    }

    /** A further request on the same connection is answered. */
    private static void assertGoesOn(RawHttp client) {
        client.get("/mcp", "").readUntil("HTTP/1.1 401 ");
    }

    private static void assertHeader(String answer, String header) {
        assertTrue(
                answer.toLowerCase(Locale.ROOT).contains("\r\n" + header.toLowerCase(Locale.ROOT) + "\r\n"),
                () -> header + " in " + answer);
    }
}
