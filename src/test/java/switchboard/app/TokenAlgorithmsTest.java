package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;

/** Access tokens that are right in everything, signed by algorithms that the operator does or does not allow. */
class TokenAlgorithmsTest {
    private static final String PUBLIC = "https://gateway.example.org";

    private final TestIssuer issuer = TestIssuer.start();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        issuer.close();
    }

    @Test
    void onlyThoseThatAreAllowedAreAccepted() throws IOException {
        try (TestGateway gateway = gateway("algorithms: [PS256, ES256]")) {
            assertEquals(200, list(gateway, JWSAlgorithm.PS256).status());
            for (JWSAlgorithm other : new JWSAlgorithm[] {JWSAlgorithm.RS256, JWSAlgorithm.RS512, JWSAlgorithm.PS512}) {
                HttpReply refused = list(gateway, other);
                assertEquals(401, refused.status(), other.getName());
                assertTrue(refused.body().contains("ES256, PS256"), refused::body);
            }
        }
    }

    @Test
    void withoutAListTheUsualOnesAre() throws IOException {
        try (TestGateway gateway = gateway("")) {
            assertEquals(200, list(gateway, JWSAlgorithm.RS256).status());
            assertEquals(200, list(gateway, JWSAlgorithm.PS256).status());
            assertEquals(401, list(gateway, JWSAlgorithm.RS384).status());
            assertEquals(401, list(gateway, JWSAlgorithm.PS512).status());
        }
    }

    private TestGateway gateway(String algorithms) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), "teams: {research: {grants: [\"*:*\"]}}");
        return TestGateway.start("""
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  tokens:
                    issuers: {test: {issuer: "%s", jwks: "%s", teamClaim: team, teams: {r: research}}}
                    %s
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(PUBLIC, issuer.identifier(), issuer.jwksUrl(), algorithms), folder);
    }

    private HttpReply list(TestGateway gateway, JWSAlgorithm algorithm) {
        Map<String, Object> claims = issuer.claims(PUBLIC, "ada", Instant.now());
        claims.put("team", "r");
        try (McpTestClient client = McpTestClient.modern(gateway.url("vectordb"))) {
            return client.with("Authorization", "Bearer " + issuer.sign(claims, algorithm))
                    .request("tools/list", Json.object());
        }
    }
}
