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
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.RawHttp;

/** What a person sees who opens the gateway in a browser. Nobody has a credential. */
class BrowserPageTest {
    /** What Firefox sends. */
    private static final String BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\n";

    private final ScriptedServer server = new ScriptedServer(
            LoopbackHttp.settings(0),
            _ -> Future.succeededFuture(
                    new AuthOutcome.Rejected(AuthFailure.MISSING, "A key is needed.", "Send a key.", Map.of(), null)),
            ScriptedServer.OK);

    @AfterEach
    void stop() {
        server.close();
    }

    private String get(String path, String headers, String end) {
        try (RawHttp client = new RawHttp(server.port())) {
            return client.get(path, headers).readUntil(end);
        }
    }

    private static void assertStatus(int status, String answer) {
        assertEquals(Integer.toString(status), answer.substring(9, 12), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/mcp", "/mcp/toy", "/mcp/no-such-view", "/sse", "/mcp?session=1"})
    void aBrowserGetsAPageThatSaysHowToConnect(String path) {
        String answer = get(path, BROWSER, "</html>");
        assertStatus(200, answer);
        assertTrue(answer.contains("This is an MCP gateway"), answer);
        assertTrue(answer.contains("switchboard connect claude-code"), answer);
        String head = answer.substring(0, answer.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
        assertTrue(head.contains("content-type: text/html; charset=utf-8"), head);
        assertTrue(head.contains("content-security-policy: default-src 'none'; style-src 'sha256-"), head);
        assertTrue(head.contains("x-content-type-options: nosniff"), head);
        assertTrue(head.contains("cache-control: no-store"), head);
        assertFalse(answer.contains("no-such-view"), "nothing of the request is repeated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept: text/event-stream\n",
                "Accept: */*\n",
                "",
                "Accept: application/json, text/event-stream\n",
                "Accept: text/html, application/json\n",
                "Accept: text/html\nAccept: text/event-stream\n"
            })
    void clientsGetWhatTheyGot(String accept) {
        assertStatus(401, get("/mcp", accept, "}}"));
        assertStatus(404, get("/", accept, "}}"));
    }

    @Test
    void aMessageIsNoVisit() {
        try (RawHttp client = new RawHttp(server.port())) {
            client.post("/mcp", BROWSER, "{}");
            assertEquals(401, client.status());
        }
    }

    @Test
    void otherPathsAreNotThere() {
        assertStatus(404, get("/index.html", BROWSER, "}}"));
        assertStatus(404, get("/mcp/toy/x/y", BROWSER, "}}"));
    }

    @Test
    void pagesOfOthersAndKeysInTheUrlAreRefusedAsEver() {
        assertStatus(403, get("/", BROWSER + "Origin: https://evil.example.com\n", "}}"));
        assertStatus(400, get("/mcp?api_key=swb_x", BROWSER, "}}"));
        try (RawHttp client = new RawHttp(server.port())) {
            client.send("GET / HTTP/1.1\nHost: evil.example.com\n" + BROWSER + "\n");
            assertEquals(403, client.status());
        }
    }

    @Test
    void theConnectionGoesOn() {
        try (RawHttp client = new RawHttp(server.port())) {
            client.get("/", BROWSER).readUntil("</html>");
            String head = client.send("HEAD / HTTP/1.1\nHost: 127.0.0.1:" + server.port() + "\n" + BROWSER + "\n")
                    .readUntil("\r\n\r\n");
            assertTrue(head.contains("200 OK"), head);
            client.get("/mcp", BROWSER).readUntil("</html>");
        }
    }
}
