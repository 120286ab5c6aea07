package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;
import switchboard.testing.ToolResult;

/** Declared queries whose parameters come from the claims of an access token, over HTTP on a real server. */
@Tag("engines")
class ClaimedQueriesTest {
    private static final TypeReference<Map<String, Object>> CLAIMS = new TypeReference<>() {};
    private static final String PUBLIC = "https://gateway.example.org";

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());
    private static final TestIssuer ISSUER = TestIssuer.start();

    @TempDir
    static Path folder;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE TABLE staff (name text, department text, level int);
                INSERT INTO staff VALUES ('ann', 'sales', 3), ('bob', 'sales', 7), ('cem', 'legal', 3), ('dot', 'it', 1);
                """);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  staff:
                    keys: [{id: "%s", sha256: "%s"}]
                    grants: ["postgres:read"]
                """.formatted(KEY.id(), KEY.sha256()));
        gateway = TestGateway.start(
                """
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  tokens:
                    issuers:
                      test:
                        issuer: "%s"
                        jwks: "%s"
                        team: staff
                        carry: [department, /org/level]
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                    queries:
                      colleagues:
                        description: Who works in my department, up to my level.
                        sql: SELECT name FROM staff WHERE department = :mine AND level <= :level ORDER BY name
                        parameters:
                          mine: {from: "claim:department", values: [sales, legal]}
                          level: {from: "claim:/org/level", type: integer}
                      by_mail:
                        description: Nobody's, since the claim is not let through.
                        sql: SELECT :mail AS mail
                        parameters: {mail: {from: "claim:email"}}
                """.formatted(
                        PUBLIC, ISSUER.identifier(), ISSUER.jwksUrl(), CLUSTER.port(), CLUSTER.database(), reader),
                folder);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        ISSUER.close();
    }

    private static String token(Map<String, ?> more) {
        Map<String, Object> claims = ISSUER.claims(PUBLIC, "ada", Instant.now());
        claims.put("email", "ada@example.org");
        claims.putAll(more);
        return ISSUER.sign(claims);
    }

    private static List<McpTestClient> clients(String credential) {
        String bearer = "Bearer " + credential;
        return List.of(
                McpTestClient.modern(gateway.url("postgres")).with("Authorization", bearer),
                McpTestClient.legacy(gateway.url("postgres"), McpTestClient.LEGACY, Map.of("Authorization", bearer)));
    }

    private static String rows(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured().path("rows").toString();
    }

    private static void refused(String credential, String tool, String reason) {
        for (McpTestClient client : clients(credential)) {
            try (client) {
                ToolResult refused = client.call(tool, "{}");
                assertEquals("DENIED", refused.errorKind(), refused::toString);
                assertTrue(refused.text().contains(reason), refused::toString);
            }
        }
    }

    @Test
    void eachBearerGetsTheRowsOfItsClaims() {
        Map<String, String> expected = Map.of("sales", "[[\"ann\"]]", "legal", "[[\"cem\"]]");
        expected.forEach((department, names) -> {
            String token = token(Map.of("department", department, "org", Map.of("level", 5)));
            for (McpTestClient client : clients(token)) {
                try (client) {
                    assertEquals(names, rows(client.call("colleagues", "{}")));
                }
            }
        });
    }

    @Test
    void aSessionGoesByTheTokenOfEachRequest() {
        String sales = token(Map.of("department", "sales", "org", Map.of("level", 5)));
        try (McpTestClient session = McpTestClient.legacy(
                gateway.url("postgres"), McpTestClient.LEGACY, Map.of("Authorization", "Bearer " + sales))) {
            assertEquals("[[\"ann\"]]", rows(session.call("colleagues", "{}")));
            session.with("Authorization", "Bearer " + token(Map.of("department", "sales", "org", Map.of("level", 9))));
            assertEquals("[[\"ann\"],[\"bob\"]]", rows(session.call("colleagues", "{}")));
        }
    }

    @Test
    void theParametersAreInvisibleAndCannotBeSent() {
        try (McpTestClient client = clients(token(Map.of("department", "sales", "org", Map.of("level", 5))))
                .getFirst()) {
            JsonNode tool = client.result("tools/list", Json.object())
                    .path("tools")
                    .valueStream()
                    .filter(one -> one.path("name").asText().equals("colleagues"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(tool.at("/inputSchema/properties").isEmpty(), tool::toString);
            for (String sent : List.of("{\"mine\":\"legal\"}", "{\"department\":\"legal\"}", "{\"level\":9}")) {
                assertEquals("INVALID_ARGUMENT", client.call("colleagues", sent).errorKind(), sent);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"department\":\"sales\"}",
                "{\"org\":{\"level\":5}}",
                "{\"department\":null,\"org\":{\"level\":5}}",
                "{\"department\":[\"sales\",\"legal\"],\"org\":{\"level\":5}}",
                "{\"department\":{\"sales\":1},\"org\":{\"level\":5}}",
                "{\"/org/level\":5,\"department\":\"sales\"}",
            })
    void withoutTheClaimNothingIsRun(String claims) throws IOException {
        refused(token(Json.mapper().readValue(claims, CLAIMS)), "colleagues", "nothing was run");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"department\":\"it\",\"org\":{\"level\":5}}",
                "{\"department\":\"sales' OR true --\",\"org\":{\"level\":5}}",
                "{\"department\":\"sales\",\"org\":{\"level\":\"5 OR 1=1\"}}",
                "{\"department\":\"sales\",\"org\":{\"level\":true}}",
            })
    void aClaimThatIsNotAllowedRunsNothing(String claims) throws IOException {
        refused(token(Json.mapper().readValue(claims, CLAIMS)), "colleagues", "fixed for you");
    }

    @Test
    void whatIsNotCarriedIsNotThere() {
        refused(token(Map.of()), "by_mail", "the claim \"email\"");
    }

    @Test
    void aKeyWithoutTheClaimIsRefused() {
        refused(KEY.text(), "colleagues", "a key if the teams file says so");
    }
}
