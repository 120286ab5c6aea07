package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.testing.NodeTools;
import switchboard.testing.TestAuthorizationServer;
import switchboard.testing.TestGateway;

/** The official clients against a gateway with teams: with a key, and through OAuth from the first 401 to the step up. */
@Tag("engines")
class AuthorizationTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());

    @TempDir
    static Path folder;

    private static NodeTools tools;
    private static TestAuthorizationServer server;
    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        tools = NodeTools.install();
        server = new TestAuthorizationServer("research");
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  research:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["vectordb:*"]
                """.formatted(KEY.sha256()));
        gateway = TestGateway.start(
                """
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      test: {issuer: "%s", jwks: "%s", teamClaim: team}
                    scopes:
                      "docs:read": ["*:read,search,embed"]
                      "docs:write": ["*:create,update,delete"]
                    baseScopes: ["docs:read"]
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(
                        PUBLIC, server.issuer().identifier(), server.issuer().jwksUrl()),
                folder);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client-v1.mjs", "client-v2.mjs"})
    void theOfficialClientsWorkWithAKey(String client) {
        NodeTools.Run run = tools.run(
                "env",
                "SWITCHBOARD_KEY=" + KEY.text(),
                "node",
                client,
                gateway.url().toString(),
                "list_libraries",
                "{}",
                "get_document",
                "{\"doc_id\": \"there-is-none\"}");
        assertEquals(0, run.exit(), run.output());
    }

    @Test
    void theOfficialClientGetsATokenByItselfAndOneWithMoreWhenACallNeedsIt() {
        NodeTools.Run run = tools.run(
                "node",
                "client-oauth.mjs",
                PUBLIC + "/mcp",
                gateway.url().resolve("/").toString().replaceFirst("/$", ""),
                "list_libraries",
                "{}",
                "ingest_text",
                "{\"content\": \"A text to keep.\", \"source\": \"test\", \"library\": \"notes\"}");
        assertEquals(0, run.exit(), run.output());
        String resource = PUBLIC + "/mcp";
        assertEquals(
                List.of(
                        new TestAuthorizationServer.Issued(resource, "docs:read"),
                        new TestAuthorizationServer.Issued(resource, "docs:read docs:write"),
                        new TestAuthorizationServer.Issued(resource, "docs:read"),
                        new TestAuthorizationServer.Issued(resource, "docs:read docs:write")),
                server.issued());
    }
}
