package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Row-level security by who asks: settings, roles and schemas from what is known about a caller, on a real server. */
@Tag("engines")
class ClaimedBindingsTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final Map<String, ApiKey> KEYS = new TreeMap<>();
    private static final String NEAR =
            "{\"table_name\": \"notes\", \"vector_column\": \"v\", \"query_vector\": [1, 0], \"top_k\": 100}";

    @TempDir
    static Path folder;

    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION IF NOT EXISTS vector;
                CREATE ROLE claimed_low LOGIN; GRANT USAGE ON SCHEMA public TO claimed_low;
                CREATE SCHEMA hr; CREATE TABLE hr.people (id int PRIMARY KEY);
                CREATE SCHEMA "sales,hr"; CREATE TABLE "sales,hr".trap (id int PRIMARY KEY);
                GRANT USAGE ON SCHEMA hr, "sales,hr" TO %1$s;
                GRANT SELECT ON hr.people, "sales,hr".trap TO %1$s;
                CREATE TABLE notes (id int PRIMARY KEY, owner text, grp text, v vector(2));
                INSERT INTO notes VALUES (1, 'ann', 'staff', '[1,0]'), (2, 'bob', 'staff', '[1,0]'),
                    (3, 'ann', 'managers', '[1,0]'), (4, 'x"y\\z', 'a,b', '[1,0]'), (5, '', '', '[1,0]');
                GRANT SELECT ON notes TO %1$s, claimed_low;
                ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
                CREATE POLICY mine ON notes TO %1$s USING (
                    owner = current_setting('app.user', true)
                    OR grp = ANY (coalesce(nullif(current_setting('app.groups', true), ''), '{}')::text[]));
                CREATE POLICY low ON notes TO claimed_low USING (id = 2);
                """.formatted(reader));
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  people:
                    keys: [%s, %s, %s, %s, %s, %s, %s]
                    grants: ["postgres:*"]
                    bindings:
                      postgres: {app.user: "{claim:user}", app.groups: "{list:groups}"}
                  roles:
                    keys: [%s, %s, %s]
                    grants: ["postgres:*"]
                    bindings: {postgres: {role: "{claim:level}"}}
                  schemas:
                    keys: [%s, %s]
                    grants: ["postgres:*"]
                    bindings: {postgres: {schemas: "{claim:schemas}"}}
                """.formatted(
                        key("ann", "{user: [ann], groups: [none, other]}"),
                        key("boss", "{user: [boss], groups: [staff, managers]}"),
                        key("odd", "{user: ['x\"y\\z'], groups: ['a,b', 'c\"d']}"),
                        key("nobody", "{user: [nobody], groups: ['x', '},{staff']}"),
                        key("one", "{user: [one], groups: [managers]}"),
                        key("array", "{user: [array], groups: ['{staff,managers}']}"),
                        key("missing", "{user: [missing]}"),
                        key("low", "{level: [low]}"),
                        key("high", "{level: [postgres]}"),
                        key("none", "{}"),
                        key("hr", "{schemas: [hr]}"),
                        key("comma", "{schemas: ['sales,hr']}")));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
                    access: {roles: {low: {user: claimed_low}}}
                    queries:
                      my_notes:
                        description: The notes that I may read.
                        sql: SELECT id FROM notes ORDER BY id
                """.formatted(CLUSTER.port(), CLUSTER.database(), reader), folder);
    }

    private static String key(String id, String claims) {
        ApiKey key = ApiKey.generate(new SecureRandom());
        KEYS.put(id, key);
        return "{id: " + id + ", sha256: " + key.sha256() + ", claims: " + claims + "}";
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static McpTestClient client(String id) {
        return McpTestClient.modern(gateway.url())
                .with("X-API-Key", KEYS.get(id).text());
    }

    private static List<String> ids(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured().path("rows").findValuesAsText("id").isEmpty()
                ? result.structured()
                        .path("rows")
                        .valueStream()
                        .map(row -> row.path(0).asText())
                        .sorted()
                        .toList()
                : result.structured().path("rows").findValuesAsText("id").stream()
                        .sorted()
                        .toList();
    }

    @Test
    void policiesKnowWhoAsks() {
        Map<String, List<String>> expected = Map.of(
                "ann", List.of("1", "3"),
                "boss", List.of("1", "2", "3"),
                "odd", List.of("4"),
                "one", List.of("3"),
                "array", List.of(),
                "nobody", List.of());
        expected.forEach((id, rows) -> {
            McpTestClient client = client(id);
            assertEquals(rows, ids(client.call("my_notes", "{}")), id);
            assertEquals(rows, ids(client.call("semantic_search", NEAR)), id);
        });
    }

    @Test
    void settingsDoNotStayOnAConnection() {
        for (int turn = 0; turn < 20; turn++) {
            assertEquals(List.of("1", "2", "3"), ids(client("boss").call("my_notes", "{}")));
            assertEquals(List.of(), ids(client("nobody").call("my_notes", "{}")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "query_database {\"query\": \"SELECT set_config('app.user', 'ann', true), id FROM notes\"}",
                "query_database {\"query\": \"SELECT 1\"}",
                "semantic_search {\"table_name\": \"notes\", \"vector_column\": \"v\", \"query_vector\": [1, 0], \"filter_conditions\": \"id = 1\"}"
            })
    void sqlOfTheCallerNeverReliesOnASetting(String call) {
        int gap = call.indexOf(' ');
        ToolResult result = client("ann").call(call.substring(0, gap), call.substring(gap + 1));
        assertEquals("DENIED", result.errorKind(), result::toString);
    }

    @Test
    void whoLacksAClaimSeesNothing() {
        for (String tool : List.of("my_notes", "semantic_search")) {
            ToolResult result = client("missing").call(tool, tool.equals("my_notes") ? "{}" : NEAR);
            assertEquals("DENIED", result.errorKind(), result::toString);
            assertTrue(result.text().contains("app.groups") && result.text().contains("groups"), result.text());
        }
        assertEquals("DENIED", client("none").call("my_notes", "{}").errorKind());
        assertEquals("DENIED", client("none").call("get_schema_info", "{}").errorKind());
    }

    @Test
    void aClaimChoosesAmongTheConfiguredRolesOnly() {
        assertEquals(List.of("2"), ids(client("low").call("my_notes", "{}")));
        assertEquals(List.of("2"), ids(client("low").call("query_database", "{\"query\": \"SELECT id FROM notes\"}")));
        assertEquals("DENIED", client("high").call("my_notes", "{}").errorKind());
    }

    @Test
    void aCommaInAClaimNamesOneSchema() {
        String hr = client("hr").call("get_schema_info", "{}").text();
        assertTrue(hr.contains("hr.people") && !hr.contains("trap"), hr);
        String comma = client("comma").call("get_schema_info", "{}").text();
        assertTrue(comma.contains("trap") && !comma.contains("hr.people"), comma);
    }
}
