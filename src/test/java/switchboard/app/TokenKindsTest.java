package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.DpopClient;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;

/**
 * Enterprise-managed authorization: the organisation's authorization server has issued an access token for an identity
 * assertion (ID-JAG). And what its other tokens are worth, and {@code authorization_details} (RFC 9396).
 */
class TokenKindsTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final String SCOPES = "scopes: {\"mcp:read\": [\"*:read,search\"], \"mcp:write\": [\"*:*\"]}";

    private final TestIssuer issuer = TestIssuer.start();

    @TempDir
    Path folder;

    private TestGateway gateway;

    @BeforeEach
    void teams() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), "teams: {research: {grants: [\"*:*\"]}}");
    }

    @AfterEach
    void stop() {
        gateway.close();
        issuer.close();
    }

    private void start(String scopes, String ofIssuer) {
        gateway = TestGateway.start(
                """
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  tokens:
                    issuers: {org: {issuer: "%s", jwks: "%s", teamClaim: groups, audiences: [client-1]%s}}
                    %s
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(PUBLIC, issuer.identifier(), issuer.jwksUrl(), ofIssuer, scopes), folder);
    }

    /** The claims of the access token that the authorization server issues for an ID-JAG (RFC 9068). */
    private Map<String, Object> claims(Map<String, Object> more) {
        Map<String, Object> claims = new HashMap<>(issuer.claims(PUBLIC + "/mcp/vectordb", "ada", Instant.now()));
        claims.put("client_id", "agent-7");
        claims.put("jti", "9e43f81b");
        claims.put("groups", List.of("staff", "research"));
        claims.put("scope", "mcp:read");
        claims.putAll(more);
        return claims;
    }

    private HttpReply list(String token) {
        try (McpTestClient client = McpTestClient.modern(gateway.url("vectordb"))) {
            return client.with("Authorization", "Bearer " + token).request("tools/list", Json.object());
        }
    }

    private HttpReply delete(String token) {
        ObjectNode params = Json.object().put("name", "delete_document");
        params.putObject("arguments").put("doc_id", "x");
        try (McpTestClient client = McpTestClient.modern(gateway.url("vectordb"))) {
            return client.with("Authorization", "Bearer " + token).request("tools/call", params);
        }
    }

    private static void refused(String message, HttpReply reply) {
        assertEquals(401, reply.status(), reply::toString);
        assertEquals("invalid_token", reply.json().at("/error/data/code").asText(), reply::body);
        assertTrue(reply.json().at("/error/message").asText().startsWith(message), reply::body);
    }

    // ---- enterprise-managed authorization

    @Test
    void theAccessTokenForAnIdentityAssertionIsAnOrdinaryOne() {
        start(SCOPES, "");
        String token = issuer.sign(claims(Map.of()), "at+jwt");
        assertEquals(200, list(token).status());
        assertEquals(403, delete(token).status());
        DpopClient client = DpopClient.of("ES256");
        String bound = issuer.sign(claims(Map.of("cnf", client.confirmation())), "at+jwt");
        refused("The access token is bound to a key (cnf.jkt) and was sent as Bearer.", list(bound));
        try (McpTestClient caller = McpTestClient.modern(gateway.url("vectordb"))) {
            HttpReply proven = caller.with("Authorization", "DPoP " + bound)
                    .with("DPoP", client.proof("POST", PUBLIC + "/mcp/vectordb", bound))
                    .request("tools/list", Json.object());
            assertEquals(200, proven.status(), proven::toString);
        }
    }

    /** The assertion is for the authorization server; its {@code aud} could be anything that an issuer writes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "oauth-id-jag+jwt",
                "application/oauth-id-jag+jwt",
                "OAUTH-ID-JAG+JWT",
                "id_token",
                "dpop+jwt",
                "logout+jwt",
                "secevent+jwt",
                "token-introspection+jwt"
            })
    void theAssertionItselfAndOtherTypesAreRefused(String type) {
        start(SCOPES, "");
        refused(
                "The access token is not a signed JWT of the type at+jwt or JWT.",
                list(issuer.sign(claims(Map.of("resource", PUBLIC)), type)));
    }

    @Test
    void anAssertionWithoutItsTypeIsForAnotherAudience() {
        start(SCOPES, "");
        refused(
                "The access token is for another server",
                list(issuer.sign(claims(Map.of("aud", issuer.identifier(), "resource", PUBLIC)))));
    }

    /** Even where the audience of the client is accepted, as some issuers need it. */
    @Test
    void anIdTokenIsRefused() {
        start(SCOPES, "");
        refused("The access token is for another server", list(issuer.sign(claims(Map.of("aud", "client-2")))));
        assertEquals(200, list(issuer.sign(claims(Map.of("aud", "client-1")))).status());
        for (Map<String, Object> claim : List.<Map<String, Object>>of(
                Map.of("at_hash", "MTIzNDU2Nzg5MDEyMzQ1Ng"),
                Map.of("c_hash", "LDktKdoQak3Pk0cnXxCltA"),
                Map.of("typ", "ID"))) {
            Map<String, Object> claims = claims(claim);
            claims.put("aud", "client-1");
            refused("This is an ID token", list(issuer.sign(claims, "JWT")));
        }
        assertEquals(
                200, list(issuer.sign(claims(Map.of("typ", "Bearer")), "JWT")).status());
    }

    // ---- authorization_details

    private static Map<String, Object> detailed(Object... actions) {
        return Map.of(
                "authorization_details",
                List.of(Map.of("type", "mcp", "locations", List.of(PUBLIC), "actions", List.of(actions))));
    }

    @Test
    void detailsGiveNothingBeyondTheScopes() {
        start(SCOPES, "");
        String reading = issuer.sign(claims(detailed("mcp:write", "delete", "*:*")));
        assertEquals(200, list(reading).status());
        assertEquals(403, delete(reading).status());
        Map<String, Object> claims = claims(detailed("mcp:write"));
        claims.remove("scope");
        assertEquals(403, delete(issuer.sign(claims)).status());
        claims.put("scope", "mcp:write");
        assertEquals(200, delete(issuer.sign(claims)).status());
    }

    @Test
    void whereScopesLimitNothingATokenWithDetailsIsRefused() {
        start("baseScopes: []", "");
        assertEquals(200, delete(issuer.sign(claims(Map.of()))).status());
        for (Object details : List.of(
                List.of(Map.of("type", "mcp")), Map.of("type", "mcp"), "mcp", Map.of(), List.of(List.of()), false)) {
            refused(
                    "The access token is limited by authorization_details, and this server can limit by scopes only.",
                    list(issuer.sign(claims(Map.of("authorization_details", details)))));
        }
        assertEquals(
                200,
                list(issuer.sign(claims(Map.of("authorization_details", List.of()))))
                        .status());
    }

    /** An issuer that writes one entry for this server can give the rights there. */
    @Test
    void aPointerIntoTheDetailsIsAClaimWithScopes() {
        start(SCOPES, ", scopeClaim: /authorization_details/0/actions");
        assertEquals(200, delete(issuer.sign(claims(detailed("mcp:write")))).status());
        assertEquals(403, delete(issuer.sign(claims(detailed("mcp:read")))).status());
        assertEquals(403, delete(issuer.sign(claims(detailed()))).status());
        Map<String, Object> plain = claims(Map.of("scope", "mcp:write"));
        assertEquals(403, delete(issuer.sign(plain)).status(), "the usual claim does not count then");
    }
}
