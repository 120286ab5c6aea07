package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** {@code get_schema_info}, {@code read_resource} and the resources on a real server. */
@Tag("engines")
class SchemaAndResourcesTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static BackendHarness harness;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE EXTENSION file_fdw;
                CREATE TABLE users (id bigint PRIMARY KEY, username varchar(255) UNIQUE NOT NULL,
                  created_at timestamptz DEFAULT now(), CHECK (id > 0));
                COMMENT ON TABLE users IS 'User accounts';
                COMMENT ON COLUMN users.username IS 'Unique username for login';
                CREATE DOMAIN vec AS vector(4);
                CREATE TABLE articles (zeta text, id int PRIMARY KEY, user_id bigint REFERENCES users, embedding vector(3),
                  dom vec);
                CREATE INDEX ON articles USING hnsw (embedding vector_l2_ops);
                CREATE TABLE events (at date NOT NULL, what text) PARTITION BY RANGE (at);
                CREATE TABLE events_2024 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
                CREATE VIEW names AS SELECT username FROM users;
                CREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM users;
                CREATE TABLE nothing ();
                CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
                CREATE FOREIGN TABLE elsewhere (line text) SERVER files OPTIONS (filename '/nonexistent');
                CREATE TABLE secret (id int); REVOKE ALL ON secret FROM %1$s;
                CREATE TABLE halfway (id int, hidden text); REVOKE ALL ON halfway FROM %1$s; GRANT SELECT (id) ON halfway TO %1$s;
                CREATE SCHEMA hr; GRANT USAGE ON SCHEMA hr TO %1$s;
                CREATE TABLE hr.salaries (amount numeric(10,2)); GRANT SELECT ON hr.salaries TO %1$s;
                """.formatted(reader));
        harness = PostgresFixture.start(PostgresFixture.settings(CLUSTER, reader), null);
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    private static ToolResult schema(String json) {
        return harness.call("get_schema_info", json);
    }

    @Test
    void listsTablesWithColumnsInTheirOrder() {
        String text = schema("{\"schema_name\":\"public\"}").text();
        assertTrue(
                text.startsWith(
                        "Database Schema Information:\n============================\n\npublic.articles (TABLE)\n"
                                + "  Columns:\n    - zeta: text (nullable)\n    - id: integer\n    - user_id: bigint (nullable)\n"
                                + "    - embedding: vector(3) (nullable)\n"),
                text);
        assertTrue(
                text.contains("public.users (TABLE)\n  Description: User accounts\n  Columns:\n    - id: bigint\n"
                        + "    - username: character varying(255)\n      Description: Unique username for login\n"
                        + "    - created_at: timestamp with time zone (nullable)\n"),
                text);
        assertTrue(text.contains("FOREIGN KEY (user_id) REFERENCES users(id)"), text);
        assertTrue(text.contains("hnsw (embedding), l2 distance"), text);
    }

    @Test
    void showsParentsInsteadOfPartitionsAndForeignTables() {
        String text = schema("{}").text();
        assertTrue(text.contains("public.events (PARTITIONED TABLE)"));
        assertFalse(text.contains("events_2024"));
        assertTrue(text.contains("public.elsewhere (FOREIGN TABLE)"));
        assertTrue(text.contains("public.names (VIEW)"));
        assertTrue(text.contains("public.counted (MATERIALIZED VIEW)"));
        assertFalse(text.contains("pg_catalog."));
        assertEquals(text, schema("{}").text());
    }

    @Test
    void showsOnlyWhatTheRoleMayRead() {
        String text = schema("{}").text();
        assertFalse(text.contains("secret"));
        assertFalse(text.contains("hidden"));
        assertTrue(text.contains("public.halfway (TABLE)\n  Columns:\n    - id: integer (nullable)\n"), text);
        assertTrue(text.contains("hr.salaries"));
    }

    @Test
    void vectorTablesOnly() {
        ToolResult result = schema("{\"vector_tables_only\":true}");
        assertEquals(1, result.structured().path("total").asInt());
        assertEquals(
                "articles",
                result.structured().path("tables").path(0).path("name").asText());
        assertEquals(
                4,
                result.structured()
                        .path("tables")
                        .path(0)
                        .path("columns")
                        .path(4)
                        .path("dimensions")
                        .asInt());
    }

    @Test
    void isLive() {
        CLUSTER.sql("CREATE TABLE brand_new (x int)");
        assertTrue(schema("{\"table_name\":\"brand_new\"}").text().contains("public.brand_new (TABLE)"));
        CLUSTER.sql("ALTER TABLE brand_new ADD COLUMN y text");
        assertTrue(schema("{\"table_name\":\"public.brand_new\"}").text().contains("- y: text"));
        CLUSTER.sql("DROP TABLE brand_new");
        assertEquals("NOT_FOUND", schema("{\"table_name\":\"brand_new\"}").errorKind());
    }

    @Test
    void anUnknownSchemaIsNotFoundAndThoseThatThereAreAreNamed() {
        ToolResult result = schema("{\"schema_name\":\"nope\"}");
        assertEquals("NOT_FOUND", result.errorKind());
        assertEquals("There is no schema \"nope\" with tables that you may read. Schemas: hr, public.", result.text());
    }

    @Test
    void grantsAndBindingsNarrowIt() {
        BackendHarness narrowed =
                PostgresFixture.start(PostgresFixture.settings(CLUSTER, "reader_" + CLUSTER.database()), null);
        try {
            narrowed.as(caller -> new Caller(
                    "t",
                    "k",
                    Rights.everywhere(EnumSet.of(Verb.READ)),
                    ResourceScope.anyOf(List.of("hr.*")),
                    Map.of()));
            assertEquals(
                    1,
                    narrowed.call("get_schema_info", "{}")
                            .structured()
                            .path("total")
                            .asInt());
            for (String hidden : List.of("public", "nope")) {
                assertEquals(
                        "There is no schema \"" + hidden + "\" with tables that you may read. Schemas: hr.",
                        narrowed.call("get_schema_info", "{\"schema_name\":\"" + hidden + "\"}")
                                .text());
            }
            assertEquals(
                    "DENIED",
                    narrowed.call("query_database", "{\"query\":\"SELECT 1\"}").errorKind());
            // A name without a schema is that of a table in "public".
            narrowed.as(caller -> new Caller(
                    "t",
                    "k",
                    Rights.everywhere(EnumSet.of(Verb.READ)),
                    ResourceScope.anyOf(List.of("salaries", "users")),
                    Map.of()));
            ToolResult named = narrowed.call("get_schema_info", "{}");
            assertEquals(1, named.structured().path("total").asInt(), named::toString);
            assertFalse(named.toString().contains("salaries"), named::toString);
            narrowed.as(caller -> new Caller(
                    "t", "k", Rights.everywhere(EnumSet.of(Verb.READ)), ResourceScope.ALL, Map.of("schemas", "hr")));
            assertEquals(
                    1,
                    narrowed.call("get_schema_info", "{}")
                            .structured()
                            .path("total")
                            .asInt());
            assertEquals(
                    "DENIED",
                    narrowed.call("query_database", "{\"query\":\"SELECT 1\"}").errorKind());
            narrowed.as(caller -> new Caller(
                    "t", "k", Rights.everywhere(EnumSet.of(Verb.READ)), ResourceScope.ALL, Map.of("tenant", "x")));
            assertEquals("DENIED", narrowed.call("get_schema_info", "{}").errorKind());
        } finally {
            narrowed.close();
        }
    }

    @Test
    void listsThreeResources() {
        ToolResult result = harness.call("read_resource", "{\"list\":true}");
        assertEquals(
                List.of("pg://system_info", "pg://stat/activity", "pg://stat/replication"),
                result.structured().path("resources").findValuesAsText("uri"));
        assertTrue(harness.call("read_resource", "{}").text().startsWith("'uri' parameter is required"));
        ToolResult unknown = harness.call("read_resource", "{\"uri\":\"pg://settings\"}");
        assertEquals("NOT_FOUND", unknown.errorKind());
        assertTrue(unknown.text().startsWith("Resource not found: pg://settings"));
    }

    @Test
    void systemInfoIsTheServers() {
        ToolResult result = harness.call("read_resource", "{\"uri\":\"pg://system_info\"}");
        assertEquals(
                CLUSTER.sql("SHOW server_version"),
                result.structured().path("postgresql_version").asText());
        assertEquals(
                CLUSTER.sql("SHOW server_version_num"),
                result.structured().path("version_number").asText());
        assertEquals("64-bit", result.structured().path("bit_version").asText());
    }

    @Test
    void activityHidesItselfAndTheSqlOfOthers() {
        ToolResult result = harness.call("read_resource", "{\"uri\":\"pg://stat/activity\"}");
        assertEquals(
                result.structured().path("activities").size(),
                result.structured().path("activity_count").asInt());
        assertFalse(result.toString().contains("pg_stat_activity"), result::toString);
        assertEquals(
                0,
                harness.call("read_resource", "{\"uri\":\"pg://stat/replication\"}")
                        .structured()
                        .path("replica_count")
                        .asInt(-1));
    }

    @Test
    void statisticsNeedTheVerbAdmin() {
        BackendHarness reader =
                PostgresFixture.start(PostgresFixture.settings(CLUSTER, "reader_" + CLUSTER.database()), null);
        try {
            reader.as(caller ->
                    new Caller("t", "k", Rights.everywhere(EnumSet.of(Verb.READ)), ResourceScope.ALL, Map.of()));
            assertEquals(
                    "NOT_FOUND",
                    reader.call("read_resource", "{\"uri\":\"pg://stat/activity\"}")
                            .errorKind());
            assertEquals(
                    1,
                    ((BackendReply.Resources) reader.send(new BackendRequest.ListResources(null)))
                            .items()
                            .size());
            assertEquals(
                    List.of(),
                    ((BackendReply.Contents) reader.send(new BackendRequest.ReadResource("pg://stat/activity")))
                            .contents());
            assertEquals(
                    1,
                    ((BackendReply.Contents) reader.send(new BackendRequest.ReadResource("pg://system_info")))
                            .contents()
                            .size());
        } finally {
            reader.close();
        }
    }
}
