package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.app.BootException;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code search.sources.*.embedder} for tables of PostgreSQL, and for one column of a table with several. */
@Tag("engines")
class DeclaredTableEmbedderTest {
    private static final int DIMENSION = 384;

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    @BeforeAll
    static void tables() {
        float[] vector = new float[DIMENSION];
        vector[0] = 1;
        String stored = Arrays.toString(vector);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE ROLE declared_reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                GRANT USAGE ON SCHEMA public TO declared_reader;
                ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO declared_reader;
                CREATE TABLE prose (id int PRIMARY KEY, text text, embedding vector(384));
                INSERT INTO prose VALUES (1, 'A tug moves ships.', '%1$s');
                CREATE TABLE plain (id int PRIMARY KEY, text text, embedding vector(384));
                INSERT INTO plain VALUES (1, 'A tug moves ships.', '%1$s');
                CREATE TABLE twice (id int PRIMARY KEY, text text, older vector(384), newer vector(384));
                INSERT INTO twice VALUES (1, 'A tug moves ships.', NULL, '%1$s');
                """.formatted(stored));
    }

    private static TestGateway gateway(String sources) {
        return TestGateway.start("""
                embedders: {default: {provider: none}, prose: {provider: onnx}}
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: declared_reader}
                search:
                  sources:
                %s
                """.formatted(CLUSTER.port(), CLUSTER.database(), sources.indent(4)));
    }

    @Test
    void aTableAndAColumnAreSearchedByTheModelThatIsDeclaredForThem() {
        try (TestGateway gateway = gateway("""
                "postgres:public.prose": {embedder: prose}
                "postgres:public.twice.newer": {embedder: prose}
                """)) {
            McpTestClient client = gateway.modern();
            List<String> sources = new ArrayList<>();
            client.call("list_sources", "{}")
                    .structured()
                    .path("sources")
                    .forEach(source -> sources.add(source.path("source").asText()));
            assertEquals(List.of("postgres:public.prose", "postgres:public.twice"), sources);
            JsonNode answer =
                    client.call("search_everywhere", "{\"query\": \"tug\"}").structured();
            assertEquals(2, answer.path("sources").size(), answer::toString);
            answer.path("sources")
                    .forEach(source -> assertEquals(1, source.path("hits").asInt(), answer::toString));
            answer.path("results").forEach(hit -> assertTrue(hit.has("similarity"), answer::toString));
        }
    }

    @Test
    void theBackendsOwnToolsKeepToIt() {
        try (TestGateway gateway = gateway("\"postgres:public.prose\": {embedder: prose}")) {
            McpTestClient client = gateway.modern();
            ToolResult declared = client.call("semantic_search", arguments("prose"));
            assertTrue(declared.toString().contains("A tug moves ships."), declared::toString);
            assertTrue(client.call("semantic_search", arguments("plain")).isError());
        }
    }

    private static ObjectNode arguments(String table) {
        return Json.object()
                .put("table_name", table)
                .put("vector_column", "embedding")
                .put("text_query", "tug");
    }

    @Test
    void aTableWithoutItsSchemaKeepsTheGatewayFromStarting() {
        BootException refused =
                assertThrows(BootException.class, () -> gateway("\"postgres:prose\": {embedder: prose}"));
        assertTrue(
                refused.getMessage()
                        .contains("search.sources.postgres:prose.embedder: a table is named with its schema, as in"
                                + " public.prose"),
                refused::getMessage);
    }
}
