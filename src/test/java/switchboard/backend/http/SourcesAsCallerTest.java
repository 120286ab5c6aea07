package switchboard.backend.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.app.BootException;
import switchboard.call.Json;
import switchboard.testing.PeopleGateway;
import switchboard.testing.TestGateway;
import switchboard.testing.TokenExchange;
import switchboard.testing.ToolResult;

/** Declared searches of servers that are asked as the person who searches, or as the gateway's own OAuth client. */
class SourcesAsCallerTest {
    private static final String HERE = "https://gateway.example.org";

    @TempDir
    private Path data;

    private final TokenExchange people = new TokenExchange();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile String refused = "nothing";
    private PeopleGateway gateway;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void close() {
        if (gateway != null) {
            gateway.close();
        }
        server.stop(0);
        people.close();
    }

    /** What its bearer has: a page that bears the name of the token. */
    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String bearer = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().entrySet() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String page = "{\"id\": \"1\", \"text\": \"Feldspar of " + bearer.replaceAll("Bearer for-(\\w+)-.*", "$1")
                    + "\"}";
            byte[] body = (exchange.getRequestURI().getPath().startsWith("/doc") ? page : "{\"hits\": [" + page + "]}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(bearer.contains(refused) ? 401 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void start(String oauth) {
        gateway = new PeopleGateway(
                data,
                HERE,
                people.issuer().identifier(),
                people.issuer().jwksUrl().toString(),
                """
                backends:
                  own: {type: vectordb}
                  wiki:
                    type: http
                    url: http://127.0.0.1:%d
                    headers: {Authorization: "${file:secret}"}
                    oauth: {tokenUrl: "%s/token", clientId: gateway, clientSecret: "${file:secret}", %s}
                    sources:
                      pages:
                        search: {path: "/find?q={query}"}
                        results: {list: /hits, id: /id}
                        document: {request: {path: "/doc/{id}"}}
                """.formatted(server.getAddress().getPort(), people.issuer().identifier(), oauth));
    }

    private ToolResult search(String credential) {
        return gateway.call(credential, "search_everywhere", Json.object().put("query", "feldspar"));
    }

    private ToolResult read(String credential) {
        return gateway.call(credential, "fetch_document", Json.object().put("address", "switchboard://wiki/pages/1"));
    }

    private String token(String subject) {
        return people.token(HERE, subject);
    }

    @Test
    void twoPeopleSeeTheirOwnAndNoTokenOfTheirsReachesTheServer() {
        start("as: caller, audience: wiki");
        String ada = token("ada");
        String bob = token("bob");
        for (String caller : List.of(ada, bob, ada)) {
            String name = caller.equals(ada) ? "ada" : "bob";
            assertTrue(search(caller).text().contains("Feldspar of " + name), name);
            assertTrue(read(caller).text().contains("Feldspar of " + name), name);
        }
        assertEquals(2, people.exchanges().size());
        assertEquals("wiki", people.exchanges().getFirst().get("audience"));
        int before = asked.size();
        assertTrue(before >= 6);
        ToolResult keyed = read(gateway.key());
        assertEquals("DENIED", keyed.errorKind());
        assertTrue(keyed.text().contains("sign in with OAuth"), keyed::text);
        assertFalse(search(gateway.key()).text().contains("Feldspar"));
        assertEquals(before, asked.size(), "a key asks nothing there");
        for (String shown : List.of(ada, bob, gateway.key(), "secret-of-the-client")) {
            assertFalse(asked.toString().contains(shown.substring(shown.lastIndexOf('.') + 1)), shown);
        }
    }

    @Test
    void aRefusedTokenIsAskedForOnceAnew() {
        start("as: caller");
        String ada = token("ada");
        assertFalse(read(ada).isError());
        refused = "for-ada-1";
        assertTrue(read(ada).text().contains("Feldspar of ada"));
        assertEquals(2, people.exchanges().size());
        refused = "for-ada";
        ToolResult failed = read(ada);
        assertEquals("DENIED_UPSTREAM", failed.errorKind());
        assertTrue(failed.text().contains("stands for you (401)"), failed::text);
        assertEquals(3, people.exchanges().size());
        assertFalse(failed.text().contains("for-ada"), failed::text);
    }

    @Test
    void whoseConsentIsMissingReadsWhereToGiveIt() {
        start("as: caller, consentUrl: \"https://portal.example/agree\"");
        people.answer(new TokenExchange.Answer(400, "{\"error\": \"interaction_required\"}"));
        assertTrue(read(token("ada")).text().contains("Open https://portal.example/agree,"));
        ToolResult found = search(token("ada"));
        assertTrue(found.text().contains("Open https://portal.example/agree,"), found::text);
        people.answerTokens();
        assertTrue(read(token("ada")).text().contains("Feldspar of ada"));
    }

    @Test
    void asTheGatewayEverybodyHasTheSame() {
        start("audience: wiki");
        assertTrue(read(token("ada")).text().contains("Feldspar of gateway"));
        assertTrue(read(gateway.key()).text().contains("Feldspar of gateway"));
        assertEquals(1, people.asked().size());
        refused = "for-gateway-1";
        assertTrue(read(gateway.key()).text().contains("Feldspar of gateway"));
        assertEquals(2, people.asked().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "keys"})
    void aGatewayWithoutIssuersCanCallNobodyAsACaller(String mode) {
        BootException refused = assertThrows(BootException.class, () -> TestGateway.start("""
                        auth: {mode: %s}
                        embedders: {default: {provider: none}}
                        backends:
                          wiki:
                            type: http
                            url: http://127.0.0.1:1
                            oauth: {as: caller, tokenUrl: "https://as.example/token", clientId: a, clientSecret: "${env:PATH}"}
                            sources:
                              pages: {search: {path: "/find?q={query}"}, results: {list: /hits}}
                        """.formatted(mode)));
        assertTrue(String.valueOf(refused.getMessage()).contains("auth.tokens.issuers"), refused::getMessage);
    }
}
