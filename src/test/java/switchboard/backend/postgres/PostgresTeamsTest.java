package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Teams with keys on a whole gateway: resources behind verbs, a role for each team, callers that hang up. */
@Tag("engines")
class PostgresTeamsTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final ApiKey READER = ApiKey.generate(new SecureRandom());
    private static final ApiKey ADMIN = ApiKey.generate(new SecureRandom());
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static String reader;

    @BeforeAll
    static void start() throws IOException {
        reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE ROLE team_red LOGIN; GRANT USAGE ON SCHEMA public TO team_red;
                CREATE TABLE orders (id int PRIMARY KEY, team text);
                INSERT INTO orders SELECT i, CASE WHEN i % 2 = 0 THEN 'team_red' ELSE 'team_blue' END FROM generate_series(1, 20) i;
                ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
                CREATE POLICY own ON orders USING (team = current_user);
                GRANT SELECT ON orders TO team_red;
                """);
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: "%s", sha256: "%s"}]
                    grants: ["postgres:read"]
                  admins:
                    keys: [{id: "%s", sha256: "%s"}]
                    grants: ["postgres:read,admin"]
                  red:
                    keys: [{id: "%s", sha256: "%s"}]
                    grants: ["postgres:read"]
                    bindings: {postgres: {role: red}}
                """.formatted(
                        READER.id(), READER.sha256(), ADMIN.id(), ADMIN.sha256(), RED.id(), RED.sha256()));
        gateway = TestGateway.start(
                """
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                    access: {roles: {red: {user: team_red}}}
                    limits: {statementTimeout: 10m}
                auth: {mode: keys, teamsFile: %s}
                """.formatted(CLUSTER.port(), CLUSTER.database(), reader, folder.resolve("teams.yaml")), folder);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static Stream<McpTestClient> clients(ApiKey key) {
        return Stream.of(
                McpTestClient.modern(gateway.url("postgres")).with("X-API-Key", key.text()),
                McpTestClient.legacy(gateway.url("postgres"), McpTestClient.LEGACY, Map.of("X-API-Key", key.text())));
    }

    private static List<String> uris(McpTestClient client) {
        return client.result("resources/list", Json.object()).path("resources").findValuesAsText("uri");
    }

    @Test
    void resourcesOfTheServerAreThoseOfTheVerbs() {
        clients(READER).forEach(client -> {
            try (client) {
                assertEquals(List.of("pg://system_info"), uris(client));
                JsonNode info = client.result("resources/read", Json.object().put("uri", "pg://system_info"));
                assertTrue(info.path("contents").path(0).path("text").asText().contains("\"postgresql_version\""));
                HttpReply hidden =
                        client.request("resources/read", Json.object().put("uri", "pg://stat/activity"));
                assertTrue(hidden.json().has("error"), hidden.body());
                assertEquals(
                        "NOT_FOUND",
                        client.call("read_resource", "{\"uri\":\"pg://stat/replication\"}")
                                .errorKind());
            }
        });
        clients(ADMIN).forEach(client -> {
            try (client) {
                assertEquals(List.of("pg://system_info", "pg://stat/activity", "pg://stat/replication"), uris(client));
                for (String uri : uris(client)) {
                    JsonNode contents = client.result(
                                    "resources/read", Json.object().put("uri", uri))
                            .path("contents")
                            .path(0);
                    assertEquals(uri, contents.path("uri").asText());
                    assertEquals("application/json", contents.path("mimeType").asText());
                    assertFalse(client.call("read_resource", Json.object().put("uri", uri))
                            .isError());
                }
            }
        });
    }

    @Test
    void theSqlOfOthersIsNotShown() {
        try (McpTestClient client = clients(ADMIN).findFirst().orElseThrow()) {
            CompletableFuture<HttpResponse<String>> running = send(READER, "SELECT 'sekret', pg_sleep(3600)");
            Eventually.within(Eventually.OF_A_PROCESS, () -> sleeping() == 1, () -> "a query runs");
            ToolResult activity = client.call("read_resource", "{\"uri\":\"pg://stat/activity\"}");
            assertFalse(activity.toString().contains("sekret"), activity::toString);
            assertTrue(activity.structured()
                    .path("activities")
                    .findValuesAsText("usename")
                    .contains(reader));
            running.cancel(true);
            Eventually.within(Eventually.OF_A_PROCESS, () -> sleeping() == 0, () -> "it ended");
        }
    }

    @Test
    void eachTeamSeesItsOwnRows() {
        try (McpTestClient client = clients(RED).findFirst().orElseThrow()) {
            assertEquals(
                    "[[\"team_red\",10]]",
                    client.call("query_database", "{\"query\":\"SELECT team, count(*) FROM orders GROUP BY team\"}")
                            .structured()
                            .path("rows")
                            .toString());
        }
        try (McpTestClient client = clients(READER).findFirst().orElseThrow()) {
            assertEquals(
                    "[[0]]",
                    client.call("query_database", "{\"query\":\"SELECT count(*) FROM orders\"}")
                            .structured()
                            .path("rows")
                            .toString());
        }
    }

    @Test
    void aCallerThatHangsUpEndsItsQueryOnTheServer() {
        List<CompletableFuture<HttpResponse<String>>> calls = Stream.generate(
                        () -> send(READER, "SELECT pg_sleep(3600)"))
                .limit(4)
                .toList();
        Eventually.within(Eventually.OF_A_PROCESS, () -> sleeping() == 4, () -> "all of them run");
        calls.forEach(call -> call.cancel(true));
        Eventually.within(Eventually.OF_A_PROCESS, () -> sleeping() == 0, () -> "none runs on");
        try (McpTestClient client = clients(READER).findFirst().orElseThrow()) {
            assertFalse(
                    client.call("query_database", "{\"query\":\"SELECT 1\"}").isError());
        }
    }

    @Test
    void aTeamsSlowQueriesLeaveConnectionsToOtherTeams() {
        List<CompletableFuture<HttpResponse<String>>> calls = Stream.generate(
                        () -> send(READER, "SELECT pg_sleep(3600)"))
                .limit(12)
                .toList();
        try (McpTestClient client = clients(ADMIN).findFirst().orElseThrow()) {
            Eventually.within(
                    Eventually.OF_A_PROCESS, () -> sleeping() == 4, () -> "half of the connections are the team's");
            for (int i = 0; i < 20; i++) {
                ToolResult result = client.call("query_database", "{\"query\":\"SELECT 1\"}");
                assertFalse(result.isError(), result::toString);
            }
            assertEquals(4, sleeping());
            // Those that waited are told so, and leave nothing behind.
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> calls.stream().filter(CompletableFuture::isDone).count() == 8,
                    () -> "eight had no turn");
            calls.stream()
                    .filter(CompletableFuture::isDone)
                    .forEach(call -> assertTrue(
                            call.resultNow().body().contains("are busy. Try again in a moment."),
                            call.resultNow()::body));
            assertEquals(4, sleeping());
        } finally {
            calls.forEach(call -> call.cancel(true));
        }
        Eventually.within(Eventually.OF_A_PROCESS, () -> sleeping() == 0, () -> "none runs on");
        try (McpTestClient client = clients(READER).findFirst().orElseThrow()) {
            assertFalse(
                    client.call("query_database", "{\"query\":\"SELECT 1\"}").isError());
        }
    }

    private static int sleeping() {
        return Integer.parseInt(CLUSTER.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = '" + reader
                + "' AND state = 'active' AND query LIKE '%pg_sleep(3600)%'"));
    }

    /** A call of the modern era on a connection of its own. */
    private static CompletableFuture<HttpResponse<String>> send(ApiKey key, String sql) {
        String body = """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "query_database",
                 "arguments": {"query": "%s"}, "_meta": {"io.modelcontextprotocol/protocolVersion": "%s",
                 "io.modelcontextprotocol/clientCapabilities": {}}}}""".formatted(sql, McpTestClient.MODERN);
        HttpRequest request = HttpRequest.newBuilder(gateway.url("postgres"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", McpTestClient.MODERN)
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "query_database")
                .header("X-API-Key", key.text())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }
}
