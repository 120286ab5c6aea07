package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The examples of pgEdge's tool page, at {@code /mcp/postgres} of a whole gateway, in both eras of the protocol. */
@Tag("engines")
class PostgresGatewayTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.seedTables(CLUSTER);
        gateway = TestGateway.start("""
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %1$d, database: %2$s, user: %3$s}
                    databases:
                      other_db: {host: 127.0.0.1, port: %1$d, database: postgres, user: %3$s}
                      down: {host: 127.0.0.1, port: 1, database: nowhere, user: %3$s}
                    limits: {rows: 100, bytes: 64KiB}
                    queries:
                      users_named:
                        sql: "SELECT id FROM users WHERE username = :name"
                        description: Users of that name.
                        parameters:
                          name: {description: The name., maxLength: 50}
                """.formatted(CLUSTER.port(), CLUSTER.database(), reader));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    static Stream<McpTestClient> clients() {
        return Stream.of(gateway.modern("postgres"), gateway.legacy("postgres"));
    }

    @Test
    void theDoctorIsToldOfVersionsClocksRightsAndWhatIsDown() throws Exception {
        List<DiagnosticFinding> findings =
                gateway.app().examine().await(1, TimeUnit.MINUTES).get("postgres");
        assertTrue(findings.stream()
                .anyMatch(found -> found.sound() && found.detail().startsWith("PostgreSQL 18")));
        assertTrue(findings.contains(DiagnosticFinding.good("clock", "agrees with the gateway's")), findings::toString);
        assertTrue(findings.stream()
                .anyMatch(found -> found.sound() && found.about().equals("rights")));
        assertTrue(
                findings.stream()
                        .anyMatch(found -> !found.sound()
                                && found.detail().contains("can't be reached")
                                && found.detail().contains("nowhere")
                                && found.detail().contains("check host, port, user and password")),
                findings::toString);
    }

    @Test
    void whereNobodySearchesByMeaningADatabaseNeedsNoPgvector() throws Exception {
        try (TestGateway plain = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: postgres, user: reader_%s}
                """.formatted(CLUSTER.port(), CLUSTER.database()))) {
            List<DiagnosticFinding> findings =
                    plain.app().examine().await(1, TimeUnit.MINUTES).get("postgres");
            assertTrue(findings.stream().allMatch(DiagnosticFinding::sound), findings::toString);
            assertTrue(findings.stream().anyMatch(found -> found.about().equals("pgvector")), findings::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theExamplesOfTheQueryTool(McpTestClient client) {
        ToolResult users = client.call("query_database", """
                {"query": "SELECT * FROM users WHERE created_at >= NOW() - INTERVAL '7 days' ORDER BY created_at DESC"}""");
        assertTrue(
                users.text().contains("Results (1 rows):\n[\n  {\n    \"id\": 123,\n    \"username\": \"john_doe\","));
        ToolResult elsewhere = client.call(
                "query_database",
                Json.object()
                        .put(
                                "query",
                                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AT postgres://127.0.0.1:"
                                        + CLUSTER.port() + "/postgres"));
        assertFalse(elsewhere.isError(), elsewhere::toString);
        assertEquals("other_db", elsewhere.structured().path("database").asText());
        ToolResult write = client.call("query_database", "{\"query\": \"DELETE FROM users\"}");
        assertTrue(write.text().contains("cannot execute DELETE in a read-only transaction"), write.text());
    }

    private static ToolResult setDefault(McpTestClient client, String target) {
        return client.call("query_database", Json.object().put("query", "SET DEFAULT DATABASE " + target));
    }

    private static String currentDatabase(McpTestClient client) {
        return client.call("query_database", "{\"query\": \"SELECT current_database()\"}")
                .structured()
                .path("rows")
                .path(0)
                .path(0)
                .asText();
    }

    @Test
    void aSessionKeepsItsDefaultDatabaseAndNobodyElseDoes() {
        McpTestClient client = gateway.legacy("postgres");
        McpTestClient other = gateway.legacy("postgres");
        ToolResult set = setDefault(client, "postgres://u:s3cretpw@127.0.0.1:" + CLUSTER.port() + "/postgres");
        assertEquals(
                "Successfully set default database connection to:\npostgres://127.0.0.1:" + CLUSTER.port()
                        + "/postgres\n\nMetadata loaded: 0 tables/views available.",
                set.text());
        assertEquals("other_db", set.structured().path("database").asText());
        assertEquals("postgres", currentDatabase(client));
        assertEquals(
                0,
                client.call("get_schema_info", "{}").structured().path("total").asInt(-1));
        assertEquals(CLUSTER.database(), currentDatabase(other));
        assertEquals(CLUSTER.database(), currentDatabase(gateway.modern("postgres")));
        // A declared query stays where its configuration says, and a call that names a database goes there.
        assertEquals(
                1,
                client.call("users_named", "{\"name\": \"john_doe\"}")
                        .structured()
                        .path("row_count")
                        .asInt());
        assertEquals(
                CLUSTER.database(),
                client.call("query_database", "{\"query\": \"SELECT current_database()\", \"database\": \"default\"}")
                        .structured()
                        .path("rows")
                        .path(0)
                        .path(0)
                        .asText());
        assertFalse(setDefault(client, "default").isError());
        assertEquals(CLUSTER.database(), currentDatabase(client));
    }

    @Test
    void aDefaultThatCannotBeIsNotKept() {
        McpTestClient client = gateway.legacy("postgres");
        for (String target : List.of("postgres://localhost/analytics", "nope", "down", "")) {
            ToolResult refused = setDefault(client, target);
            assertTrue(refused.isError(), target);
            assertEquals(CLUSTER.database(), currentDatabase(client));
        }
    }

    @Test
    void withoutASessionTheArgumentIsNamed() {
        ToolResult modern = setDefault(gateway.modern("postgres"), "postgres://u:s3cretpw@localhost/analytics");
        assertTrue(
                modern.isError() && modern.text().contains("'database' is one of default, down, other_db"),
                modern.text());
        assertFalse(modern.toString().contains("s3cretpw"));
        HttpReply sessionless = McpTestClient.modern(gateway.url("postgres"))
                .post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"query_database\","
                                + "\"arguments\":{\"query\":\"SET DEFAULT DATABASE other_db\"}}}",
                        Map.of());
        assertTrue(sessionless.body().contains("belongs to no session"), sessionless.body());
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theExamplesOfTheOtherTools(McpTestClient client) {
        assertTrue(
                client.call("get_schema_info", "{\"schema_name\": \"public\"}")
                        .text()
                        .contains(
                                "public.users (TABLE)\n  Columns:\n    - id: bigint\n    - username: character varying(255)\n"));
        assertFalse(client.call("get_schema_info", "{\"vector_tables_only\": true}")
                .text()
                .contains("public.users"));
        ToolResult similar = client.call("search_similar", "{\"text_query\": \"What is PostgreSQL?\", \"top_k\": 5}");
        assertTrue(
                similar.text()
                        .startsWith(
                                "Auto-discovered vector table: public.documents (column: embedding, dimensions: 384)\n\nSemantic Search Results:"),
                similar.text());
        ToolResult text = client.call("semantic_search", """
                {"table_name": "documents", "vector_column": "embedding",
                 "text_query": "What is vector similarity search?", "top_k": 10, "distance_metric": "cosine"}""");
        assertEquals(10, text.structured().path("row_count").asInt());
        ToolResult filtered = client.call("semantic_search", """
                {"table_name": "articles", "vector_column": "content_embedding", "query_vector": [0.1, 0.2, 0.3],
                 "top_k": 5, "distance_metric": "l2",
                 "filter_conditions": "category = 'technology' AND published = true"}""");
        assertEquals(
                "[6,12,18,24,30]",
                filtered.structured()
                        .path("rows")
                        .findValuesAsText("id")
                        .toString()
                        .replace(" ", ""));
        ToolResult embedding = client.call("generate_embedding", "{\"text\": \"What is vector similarity search?\"}");
        assertEquals(384, embedding.structured().path("dimensions").asInt());
        assertTrue(embedding.text().contains("Text Length: 33 characters"), embedding.text());
        assertEquals(
                List.of("pg://system_info", "pg://stat/activity", "pg://stat/replication"),
                client.call("read_resource", "{\"list\": true}")
                        .structured()
                        .path("resources")
                        .findValuesAsText("uri"));
        assertTrue(client.call("read_resource", "{\"uri\": \"pg://system_info\"}")
                .text()
                .contains("\"postgresql_version\": \"18."));
        assertEquals(
                "[[123]]",
                client.call("users_named", "{\"name\": \"john_doe\"}")
                        .structured()
                        .path("rows")
                        .toString());
    }
}
