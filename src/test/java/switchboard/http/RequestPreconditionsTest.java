package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Authenticator;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.Principal;
import switchboard.testing.Eventually;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;
import switchboard.testing.logs.AsksForErrors;

/** Who gets in, and what those who don't are told. */
class RequestPreconditionsTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private static final Authenticator NOBODY = credentials -> Future.succeededFuture(new AuthOutcome.Rejected(
            AuthFailure.MISSING,
            "A key is needed.",
            "Send a key.",
            Map.of("WWW-Authenticate", "Bearer realm=\"switchboard\""),
            null));

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST", "[::1]"})
    void loopbackNamesWithTheServersPortAreItsOwn(String name) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("GET /mcp HTTP/1.1\nHost: " + name + ":" + server.port() + "\nOrigin: http://" + name + ":"
                    + server.port() + "\n\n");
            assertEquals(200, client.status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example.com",
                "Host: evil.example.com:PORT",
                "Host: 127.0.0.1.evil.example.com:PORT",
                "Host: 127.0.0.1:1",
                "Host: 127.0.0.1",
                "Host: 127.0.0.1:PORT\nOrigin: http://evil.example.com",
                "Host: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:1",
                "Host: 127.0.0.1:PORT\nOrigin: https://127.0.0.1:PORT",
                "Host: 127.0.0.1:PORT\nOrigin: null",
                "Host: 127.0.0.1:PORT\nOrigin: http://",
                "Host: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:PORT@evil.example.com",
                "Host: 127.0.0.1:PORT\nOrigin: %%"
            })
    void strangersAreForbiddenWhateverTheyAskFor(String headers) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK)) {
            String head = headers.replace("PORT", Integer.toString(server.port()));
            for (String line : new String[] {"GET /mcp", "OPTIONS /mcp", "GET /elsewhere"}) {
                try (RawHttp client = new RawHttp(server.port())) {
                    client.send(line + " HTTP/1.1\n" + head + "\n\n");
                    assertEquals(403, client.status(), line);
                    assertFalse(client.readUntil("}}").contains("access-control-allow-origin"));
                }
            }
        }
    }

    @Test
    void aServerWithAPublicNameAnswersToItAndToItsPages() {
        HttpSettings settings = new HttpSettings(
                "127.0.0.1",
                0,
                URI.create("https://mcp.example.org/"),
                Set.of("https://app.example.org"),
                HttpLimits.DEFAULT,
                Duration.ZERO,
                null,
                List.of());
        try (ScriptedServer server = new ScriptedServer(settings, new OpenAuthenticator(), ScriptedServer.OK)) {
            for (String origin : new String[] {"https://mcp.example.org", "https://app.example.org:443"}) {
                try (RawHttp client = new RawHttp(server.port())) {
                    client.send("GET /mcp HTTP/1.1\nHost: mcp.example.org\nOrigin: " + origin + "\n\n");
                    assertEquals(200, client.status(), origin);
                    String answer = client.readUntil("{}").toLowerCase(Locale.ROOT);
                    assertTrue(answer.contains("access-control-allow-origin: " + origin), answer);
                    assertTrue(answer.contains("access-control-expose-headers: mcp-session-id"), answer);
                    assertTrue(answer.contains("vary: origin"), answer);
                }
            }
        }
    }

    @Test
    void aPreflightIsAnsweredWithoutACredential() {
        try (ScriptedServer server = new ScriptedServer(LoopbackHttp.settings(0), NOBODY, ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send(
                    "OPTIONS /mcp HTTP/1.1\nHost: localhost:" + server.port() + "\nOrigin: http://localhost:"
                            + server.port()
                            + "\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Headers: mcp-param-x, mcp-name\n\n");
            assertEquals(204, client.status());
            String answer = client.readUntil("\r\n\r\n").toLowerCase(Locale.ROOT);
            assertTrue(answer.contains("access-control-allow-headers: mcp-param-x, mcp-name"), answer);
            assertTrue(answer.contains("access-control-allow-methods: post, get, delete, options"), answer);
        }
    }

    @Test
    void whoHasNoKeyIsChallengedBeforeAnythingElseIsLookedAt() {
        try (ScriptedServer server = new ScriptedServer(LoopbackHttp.settings(0), NOBODY, ScriptedServer.OK)) {
            for (String path : new String[] {"/mcp", "/mcp/toy", "/mcp/unknown"}) {
                try (RawHttp client = new RawHttp(server.port())) {
                    client.post(path, "", "not even json");
                    assertEquals(401, client.status(), path);
                    String answer = client.readUntil("}}");
                    assertTrue(
                            answer.toLowerCase(Locale.ROOT).contains("www-authenticate: bearer realm=\"switchboard\""),
                            answer);
                    assertTrue(
                            answer.contains(
                                    "\"error\":{\"code\":-32600,\"message\":\"A key is needed. Send a key.\",\"data\":{"
                                            + "\"type\":\"" + AuthFailure.MISSING.type() + "\",\"code\":\""
                                            + AuthFailure.MISSING.code() + "\",\"context\":{\"fix\":\"Send a key.\","
                                            + "\"docs\":\"docs/security.md#who-may-call\"}}}"),
                            answer);
                }
            }
            assertEquals(3, server.count("switchboard.auth.outcomes"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mcp?api_key=sb_x_y", "/mcp/toy?a=b&TOKEN=x", "/mcp?access_token"})
    void aKeyInTheUrlIsRefusedAndNotRepeated(String path) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(400, client.get(path, "").status());
            assertFalse(client.readUntil("}}").contains("sb_x_y"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/mcp/unknown",
                "/mcp/toy/more",
                "/mcpx",
                "/mcp/../mcp/unknown",
                "/mcp/%2e%2e",
                "/.well-known/oauth-authorization-server"
            })
    void nothingElseIsServedAndThatIsSaidInJson(String path) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(404, client.get(path, "").status());
            String answer = client.readUntil("}}");
            assertTrue(answer.contains("application/json") && answer.contains("/mcp"), answer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /mcp, 'POST, GET, DELETE'",
        "PATCH, /mcp/toy, 'POST, GET, DELETE'",
        "POST, /sse, GET",
        "DELETE, /mcp/toy/sse, GET",
        "GET, /messages, POST",
        "DELETE, /mcp/toy/messages, POST"
    })
    void otherMethodsAreNotAllowed(String method, String path, String allowed) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send(
                    method + " " + path + " HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\nContent-Length: 0\n\n");
            assertEquals(405, client.status());
            String answer = client.readUntil("}}");
            assertTrue(
                    answer.toLowerCase(Locale.ROOT)
                            .contains("allow: " + allowed.toLowerCase(Locale.ROOT) + ", options\r\n"),
                    answer);
            assertTrue(answer.contains("This address accepts " + allowed + "."), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"})
    void withoutIssuersThereIsNoMetadataAndThatIsSaidInJson(String path) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(404, client.get(path, "").status());
            String answer = client.readUntil("}}");
            assertTrue(answer.contains("application/json") && answer.contains("No OAuth metadata"), answer);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Content-Type: text/plain\n",
                "Content-Type: application/jsonp\n",
                "Content-Type: application/json\nContent-Type: text/plain\n",
                "Content-Type: application/json\nContent-Encoding: gzip\n"
            })
    void onlyPlainJsonIsTaken(String headers) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\nContent-Length: " + PING.length()
                    + "\n" + headers + "\n" + PING);
            assertEquals(415, client.status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", " Identity "})
    void aMessageMaySayThatItIsNotEncoded(String encoding) {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(
                    200,
                    client.post("/mcp", "Content-Encoding: " + encoding + "\n", PING)
                            .status());
        }
    }

    @Test
    void aCharsetParameterDoesNoHarm() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                    + "\nContent-Type: Application/JSON ; charset=utf-8\nContent-Length: " + PING.length() + "\n\n"
                    + PING);
            assertEquals(200, client.status());
        }
    }

    @Test
    void anAnnouncedBodyThatIsTooLargeIsRefusedBeforeItComes() {
        try (ScriptedServer server =
                        ScriptedServer.start(HttpLimits.DEFAULT.withMaxBodyBytes(1000), ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                    + "\nContent-Type: application/json\nContent-Length: 1001\nExpect: 100-continue\n\n");
            assertEquals(413, client.status());
            client.readAll();
        }
    }

    @Test
    void aBodyThatTurnsOutTooLargeIsRefused() {
        try (ScriptedServer server =
                        ScriptedServer.start(HttpLimits.DEFAULT.withMaxBodyBytes(1000), ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                    + "\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n3e9\n" + "x".repeat(1001)
                    + "\n");
            assertEquals(413, client.status());
            client.readAll();
        }
    }

    @Test
    void aBodyOfExactlyTheLimitIsTaken() {
        String body = PING + " ".repeat(1000 - PING.length());
        try (ScriptedServer server =
                        ScriptedServer.start(HttpLimits.DEFAULT.withMaxBodyBytes(1000), ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(200, client.post("/mcp", "", body).status());
        }
    }

    @Test
    void aCallerWhoWaitsToBeAskedForTheBodyIsAsked() {
        try (ScriptedServer server = ScriptedServer.start(ScriptedServer.OK);
                RawHttp client = new RawHttp(server.port())) {
            client.send("POST /mcp HTTP/1.1\nHost: 127.0.0.1:" + server.port()
                    + "\nContent-Type: application/json\nExpect: 100-continue\nContent-Length: " + PING.length()
                    + "\n\n");
            client.readUntil("100 Continue");
            client.send(PING).readUntil("HTTP/1.1 200");
        }
    }

    @AsksForErrors("McpRoute - an MCP exchange failed")
    @Test
    void aDefectIsAnsweredAndSaysNothing() {
        try (ScriptedServer server = ScriptedServer.start((in, out) -> {
                    throw new IllegalStateException("a secret");
                });
                RawHttp client = new RawHttp(server.port())) {
            assertEquals(500, client.get("/mcp", "").status());
            assertFalse(client.readUntil("}}").contains("secret"));
            Eventually.that(() -> server.meters().exchanges() == 0, () -> "the exchange is over");
        }
    }

    @Test
    void eachCheckOfCredentialsIsCountedByItsOutcomeAndRefusalsAreReported() {
        AtomicReference<AuthOutcome> outcome = new AtomicReference<>();
        List<String> reported = new CopyOnWriteArrayList<>();
        try (ScriptedServer server = ScriptedServer.reporting(
                _ -> Future.succeededFuture(outcome.get()),
                (address, view, traceparent, reason) ->
                        reported.add(address + " " + view + " " + traceparent + " " + reason))) {
            for (AuthFailure failure : AuthFailure.values()) {
                outcome.set(new AuthOutcome.Rejected(failure, "No.", "Send a key.", Map.of(), null));
                try (RawHttp client = new RawHttp(server.port())) {
                    client.post("/mcp/toy", "traceparent: t-" + failure.word() + "\n", PING);
                    assertEquals(
                            HttpError.of((AuthOutcome.Rejected) outcome.get()).status(), client.status());
                }
                assertEquals(1, server.count("switchboard.auth.outcomes", "outcome", failure.word()));
                assertEquals("127.0.0.1 toy t-" + failure.word() + " " + failure.word(), reported.getLast());
            }
            assertEquals(AuthFailure.values().length, reported.size());
            assertEquals(0, server.count("switchboard.auth.outcomes", "outcome", "ok"));
            outcome.set(new AuthOutcome.Authenticated(Principal.anonymous()));
            try (RawHttp client = new RawHttp(server.port())) {
                client.post("/mcp/toy", "", PING);
                assertEquals(200, client.status());
            }
            assertEquals(1, server.count("switchboard.auth.outcomes", "outcome", "ok"));
            assertEquals(AuthFailure.values().length, reported.size());
        }
    }
}
