package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;

/** Access tokens at a whole gateway: metadata, keys of the issuer that change, sessions, and what engines get to see. */
class TokensOverHttpTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final String TEAMS = """
            teams:
              research:
                keys: [{id: r1, sha256: %s}]
                grants: ["*:*"]
            """;

    private final ApiKey key = ApiKey.generate(new SecureRandom());
    private final TestIssuer issuer = TestIssuer.start();
    private final FaultServer engine = new FaultServer(FaultServer.json("{}"));
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), TEAMS.formatted(key.sha256()));
        gateway = TestGateway.start(
                """
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  failuresPerMinute: 20
                  tokens:
                    issuers:
                      test: {issuer: "%s", jwks: "%s", teamClaim: /realm/groups, teams: {g-1: research}}
                    scopes: {"mcp:read": ["*:read,search,embed"], "mcp:write": ["*:*"]}
                    baseScopes: ["mcp:read"]
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s"}
                  weaviate: {type: weaviate, url: "%s"}
                """.formatted(PUBLIC, issuer.identifier(), issuer.jwksUrl(), engine.url(), engine.url()), folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
        engine.close();
        issuer.close();
        http.close();
    }

    @ParameterizedTest
    @CsvSource({"'',/mcp", "/mcp,/mcp", "/mcp/vectordb,/mcp/vectordb", "/mcp/whatever,/mcp/whatever"})
    void everyViewHasItsMetadata(String path, String resource) throws Exception {
        HttpReply reply = get("/.well-known/oauth-protected-resource" + path, "Origin", gatewayOrigin());
        assertEquals(200, reply.status());
        assertEquals(PUBLIC + resource, reply.json().path("resource").asText());
        assertEquals(
                issuer.identifier(),
                reply.json().path("authorization_servers").path(0).asText());
        assertEquals(gatewayOrigin(), reply.header("Access-Control-Allow-Origin"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mcp/", "/mcp/a/b", "/mcp/A", "/other", "x", "/mcp/%2e%2e", "/mcp/a%00"})
    void otherPathsHaveNone(String path) throws Exception {
        HttpReply reply = get("/.well-known/oauth-protected-resource" + path, "X-Nothing", "x");
        assertEquals(404, reply.status());
        assertTrue(reply.json().has("error"), reply.body());
    }

    @Test
    void withoutIssuersThereAreNoMetadata() throws Exception {
        try (TestGateway keysOnly = TestGateway.start("backends: {vectordb: {type: vectordb}}")) {
            for (String path :
                    List.of("oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server")) {
                HttpResponse<String> reply = http.send(
                        HttpRequest.newBuilder(keysOnly.url().resolve("/.well-known/" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertEquals(404, reply.statusCode(), path);
                assertTrue(Json.parse(reply.body()).has("error"), reply.body());
            }
        }
    }

    @Test
    void aNewKeyOfTheIssuerIsFoundAndAnOutageIsSurvived() {
        assertEquals(200, list(token("mcp:read")).status());
        issuer.down(true);
        assertEquals(200, list(token("mcp:read")).status());
        issuer.rotate("second");
        String early = token("mcp:read");
        assertEquals(401, list(early).status());
        issuer.down(false);
        gateway.app().reload();
        Eventually.that(() -> list(early).status() == 200, () -> "the new key is used after a reload");
        assertTrue(issuer.reads() < 10, () -> issuer.reads() + " reads");
    }

    @Test
    void aSessionIsItsBearersAndEndsWithTheTeam() throws IOException {
        McpTestClient session = McpTestClient.legacy(
                gateway.url("vectordb"), McpTestClient.LEGACY, Map.of("Authorization", "Bearer " + token("mcp:read")));
        session.with("Authorization", "Bearer " + token("mcp:write"));
        assertTrue(session.toolNames().contains("delete_document"), "a new token of the same bearer goes on");
        session.with("Authorization", "Bearer " + issuer.sign(claims("mcp:read", "eve")));
        assertEquals(404, session.request("ping", Json.object()).status(), "to another bearer it does not exist");
        ReplacedFile.write(
                folder.resolve("teams.yaml"), "teams: {research: {}, other: {}}".replace("research", "gone"));
        gateway.app().reload();
        assertEquals(0, gateway.app().endpoint().liveSessions());
        assertEquals(403, list(token("mcp:read")).status());
        session.close();
    }

    @Test
    void aCallBeyondTheTokenIs403InBothErasAndAnErrorInABatch() throws Exception {
        ObjectNode params = Json.object().put("name", "delete_document");
        params.putObject("arguments").put("doc_id", "x");
        McpTestClient client = gateway.modern("vectordb").with("Authorization", "Bearer " + token("mcp:read"));
        HttpReply modern = client.request("tools/call", params);
        assertEquals(403, modern.status());
        assertTrue(modern.header("WWW-Authenticate").contains("scope=\"mcp:write\""), modern.toString());
        String call = Json.text(Json.object()
                .put("jsonrpc", "2.0")
                .put("id", "c")
                .put("method", "tools/call")
                .set("params", params));
        HttpReply legacy = client.post(call, Map.of());
        assertEquals(403, legacy.status());
        assertEquals("c", legacy.json().path("id").asText());
        HttpReply batch = client.post("[" + call + ",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]", Map.of());
        assertEquals(200, batch.status());
        assertEquals(
                "insufficient_scope",
                batch.json().path(0).at("/error/data/code").asText(),
                batch.body());
        assertTrue(batch.json().path(1).has("result"), batch.body());
    }

    @Test
    void failuresOfAnAddressAreLimitedButGoodCallersGetIn() {
        int last = 0;
        for (int i = 0; i < 30; i++) {
            last = list("sb_x_" + i).status();
        }
        assertEquals(429, last);
        HttpReply refused = list("sb_x_y");
        assertFalse(refused.header("Retry-After").isEmpty(), refused.toString());
        assertEquals("too_many_failures", refused.json().at("/error/data/code").asText());
        assertEquals(200, list(token("mcp:read")).status());
        assertEquals(200, list(key.text()).status());
    }

    @Test
    void enginesNeverSeeWhatCallersShow() {
        String token = token("mcp:write");
        for (String view : List.of("meilisearch", "weaviate")) {
            for (String shown : List.of(token, key.text())) {
                McpTestClient client = gateway.modern(view).with("Authorization", "Bearer " + shown);
                client.call(
                        "meilisearch".equals(view) ? "meilisearch_list_indexes" : "weaviate-collections-get-config",
                        "{}");
            }
            gateway.modern(view).with("X-API-Key", key.text()).toolNames();
        }
        assertFalse(engine.requests().isEmpty());
        for (String request : engine.requests()) {
            assertFalse(request.contains(token) || request.contains(key.text()), request);
            assertFalse(request.contains(token.substring(token.lastIndexOf('.'))), request);
        }
    }

    private HttpReply list(String credential) {
        try (McpTestClient client = McpTestClient.modern(gateway.url("vectordb"))) {
            return client.with("Authorization", "Bearer " + credential).request("tools/list", Json.object());
        }
    }

    private String token(String scope) {
        return issuer.sign(claims(scope, "ada"));
    }

    private Map<String, Object> claims(String scope, String subject) {
        Map<String, Object> claims = issuer.claims(PUBLIC, subject, Instant.now());
        claims.put("scope", scope);
        claims.put("realm", Map.of("groups", List.of("g-0", "g-1")));
        return claims;
    }

    private String gatewayOrigin() {
        return "http://127.0.0.1:" + gateway.url().getPort();
    }

    private HttpReply get(String path, String header, String value) throws IOException, InterruptedException {
        HttpResponse<String> reply = http.send(
                HttpRequest.newBuilder(URI.create(gatewayOrigin() + path))
                        .header(header, value)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return new HttpReply(reply.statusCode(), reply.headers(), reply.body());
    }
}
