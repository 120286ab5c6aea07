package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** What the gateway's role may be, a role for each team, and queries that the configuration declares as tools. */
@Tag("engines")
class RolesAndQueriesTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final CalculatedEmbedder EMBEDDER = CalculatedEmbedder.ofCharacters(8);
    private static String reader;

    @BeforeAll
    static void start() {
        reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE ROLE red LOGIN; CREATE ROLE blue LOGIN; CREATE ROLE writer LOGIN; CREATE ROLE maker LOGIN CREATEROLE;
                CREATE ROLE files LOGIN; GRANT pg_read_server_files TO files;
                CREATE TABLE orders (id int PRIMARY KEY, team text, customer text, total numeric(10,2), v vector(8));
                INSERT INTO orders SELECT i, CASE WHEN i %% 2 = 0 THEN 'red' ELSE 'blue' END, 'c' || i %% 5, i * 1.5, '[1,0,0,0,0,0,0,0]'
                  FROM generate_series(1, 40) i;
                ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
                CREATE POLICY teams ON orders USING (team = current_user);
                CREATE POLICY gateway ON orders TO %s USING (true);
                GRANT USAGE ON SCHEMA public TO red, blue, writer, maker, files;
                GRANT SELECT ON orders TO red, blue, writer, maker, files;
                GRANT INSERT ON orders TO writer;
                """.formatted(reader));
    }

    private static PostgresSettings settings(
            String user, PostgresSettings.Access access, Map<String, PostgresSettings.Query> queries) {
        PostgresSettings base = PostgresFixture.settings(CLUSTER, user);
        return new PostgresSettings(
                base.connection(), Map.of(), access, base.pool(), base.limits(), base.embedder(), Map.of(), queries);
    }

    private static PostgresSettings.Access access(boolean allowPrivileged) {
        return new PostgresSettings.Access(
                allowPrivileged,
                true,
                List.of(),
                Map.of("red", new PostgresSettings.Role("red", null), "blue", new PostgresSettings.Role("blue", null)),
                false);
    }

    private static PostgresSettings.Parameter parameter(
            String type, @Nullable String from, @Nullable String fallback, String... values) {
        return new PostgresSettings.Parameter(
                type,
                from == null ? "What to look for." : null,
                from,
                fallback,
                false,
                null,
                BigDecimal.valueOf(1000),
                100,
                List.of(values));
    }

    private static PostgresSettings.Query query(String sql, Map<String, PostgresSettings.Parameter> parameters) {
        return new PostgresSettings.Query(sql, "Test.", null, "read", null, null, parameters);
    }

    private static BackendHarness as(BackendHarness harness, Map<String, String> bindings) {
        return harness.as(caller ->
                new Caller("red", "key", Rights.everywhere(EnumSet.allOf(Verb.class)), ResourceScope.ALL, bindings));
    }

    @Test
    void aDeclaredQueryShowsTheColumnsThatItsTableHasNow() {
        CLUSTER.sql(
                "CREATE TABLE changing (a int); INSERT INTO changing VALUES (1); GRANT SELECT ON changing TO PUBLIC");
        BackendHarness harness = PostgresFixture.start(
                settings(reader, access(false), Map.of("all_of_it", query("SELECT * FROM changing", Map.of()))), null);
        try {
            assertTrue(harness.call("all_of_it", "{}").text().contains("\"a\": 1"));
            CLUSTER.sql("ALTER TABLE changing ADD COLUMN b text DEFAULT 'new'");
            String wider = harness.call("all_of_it", "{}").text();
            assertTrue(wider.contains("\"a\": 1") && wider.contains("\"b\": \"new\""), wider);
            CLUSTER.sql("ALTER TABLE changing DROP COLUMN a");
            String narrower = harness.call("all_of_it", "{}").text();
            assertTrue(!narrower.contains("\"a\"") && narrower.contains("\"b\": \"new\""), narrower);
        } finally {
            harness.close();
        }
    }

    @Test
    void rolesThatCanDoMoreThanReadAreRefused() {
        Map<String, String> reasons = Map.of(
                "postgres", "it is a superuser",
                "writer", "it may write to tables such as public.orders",
                "maker", "it has CREATEROLE",
                "files", "it is a member of pg_read_server_files");
        reasons.forEach((user, reason) -> {
            RuntimeException refused = assertThrows(
                    RuntimeException.class,
                    () -> PostgresFixture.start(settings(user, PostgresFixture.ACCESS, Map.of()), null));
            assertTrue(String.valueOf(refused.getMessage()).contains(reason), String.valueOf(refused.getMessage()));
        });
        BackendHarness allowed = PostgresFixture.start(settings("writer", access(true), Map.of()), null);
        try {
            ToolResult write =
                    allowed.call("query_database", "{\"query\":\"EXPLAIN ANALYZE SELECT * FROM orders FOR UPDATE\"}");
            assertTrue(write.isError(), write::toString);
            assertFalse(
                    allowed.call("query_database", "{\"query\":\"SELECT 1\"}").isError());
        } finally {
            allowed.close();
        }
    }

    @Test
    void eachTeamWorksAsItsOwnRole() {
        BackendHarness harness = PostgresFixture.start(settings(reader, access(false), Map.of()), EMBEDDER);
        try {
            for (String team : List.of("red", "blue")) {
                as(harness, Map.of("role", team));
                ToolResult rows = harness.call(
                        "query_database", "{\"query\":\"SELECT DISTINCT team, session_user::text FROM orders\"}");
                assertEquals(
                        "[[\"" + team + "\",\"" + team + "\"]]",
                        rows.structured().path("rows").toString());
                ToolResult near = harness.call(
                        "semantic_search",
                        "{\"table_name\":\"orders\",\"vector_column\":\"v\",\"text_query\":\"x\",\"top_k\":100}");
                assertEquals(20, near.structured().path("row_count").asInt());
            }
            as(harness, Map.of("role", "green"));
            assertEquals(
                    "DENIED",
                    harness.call("query_database", "{\"query\":\"SELECT 1\"}").errorKind());
            as(harness, Map.of("tenant", "red"));
            assertEquals(
                    "DENIED",
                    harness.call("query_database", "{\"query\":\"SELECT 1\"}").errorKind());
        } finally {
            harness.close();
        }
    }

    @Test
    void declaredQueriesAreTools() {
        Map<String, PostgresSettings.Parameter> parameters = new LinkedHashMap<>();
        parameters.put("customer", parameter("string", null, null, "c1", "c2"));
        parameters.put("least", parameter("number", null, "0"));
        parameters.put("team", parameter("string", "binding:tenant", null));
        Map<String, PostgresSettings.Query> queries = Map.of(
                "orders_of",
                query(
                        "SELECT id, total, ':team' AS text FROM orders WHERE customer = :customer AND total >= :least"
                                + " AND team = :team ORDER BY id::int",
                        parameters),
                "near_orders",
                query(
                        "SELECT id FROM orders ORDER BY v <=> :text::vector, id LIMIT 3",
                        Map.of("text", parameter("embedding", null, null))));
        BackendHarness harness = PostgresFixture.start(settings(reader, access(false), queries), EMBEDDER);
        try {
            as(harness, Map.of("tenant", "blue"));
            ToolResult result = harness.call("orders_of", "{\"customer\":\"c1\",\"least\":10}");
            assertEquals(
                    "[[11,16.50,\":team\"],[21,31.50,\":team\"],[31,46.50,\":team\"]]",
                    result.structured().path("rows").toString());
            assertEquals(
                    4,
                    harness.call("orders_of", "{\"customer\":\"c1\"}")
                            .structured()
                            .path("row_count")
                            .asInt());
            for (String wrong : List.of(
                    "{}",
                    "{\"customer\":\"c9\"}",
                    "{\"customer\":\"c1\",\"least\":1001}",
                    "{\"customer\":\"c1\",\"team\":\"red\"}",
                    "{\"customer\":\"' OR true --\"}")) {
                assertEquals(
                        "INVALID_ARGUMENT", harness.call("orders_of", wrong).errorKind(), wrong);
            }
            as(harness, Map.of());
            assertEquals(
                    "DENIED", harness.call("orders_of", "{\"customer\":\"c1\"}").errorKind());
            assertEquals(
                    3,
                    harness.call("near_orders", "{\"text\":\"x\"}")
                            .structured()
                            .path("row_count")
                            .asInt());
        } finally {
            harness.close();
        }
    }

    @Test
    void aTextThatTheQueryMakesAVectorIsSentAsOne() {
        String nearest = "SELECT id FROM orders WHERE v IS NOT NULL ORDER BY v <=> CAST(:near AS vector), id LIMIT 2";
        Map<String, PostgresSettings.Query> queries = Map.of(
                "nearest", query(nearest, Map.of("near", parameter("string", null, null))),
                "told",
                        query(
                                "SELECT pg_typeof(:near::vector)::text, :near AS given",
                                Map.of("near", parameter("string", null, null))));
        BackendHarness harness = PostgresFixture.start(settings(reader, access(false), queries), EMBEDDER);
        try {
            as(harness, Map.of());
            // More often than the server takes to settle on a plan.
            for (int call = 0; call < 8; call++) {
                assertEquals(
                        2,
                        harness.call("nearest", "{\"near\":\"[1,0,1,0,0,0,0,0]\"}")
                                .structured()
                                .path("row_count")
                                .asInt());
            }
            ToolResult noVector = harness.call("nearest", "{\"near\":\"near\"}");
            assertTrue(noVector.toString().contains("invalid input syntax for type vector"), noVector::toString);
            ToolResult otherDimension = harness.call("nearest", "{\"near\":\"[1,2]\"}");
            assertTrue(otherDimension.toString().contains("different vector dimensions"), otherDimension::toString);
            assertEquals(
                    "[[\"vector\",\"[1,0,1,0,0,0,0,0]\"]]",
                    harness.call("told", "{\"near\":\"[1,0,1,0,0,0,0,0]\"}")
                            .structured()
                            .path("rows")
                            .toString());
        } finally {
            harness.close();
        }
    }

    private static PostgresSettings.Parameter plain(String type, boolean optional) {
        return new PostgresSettings.Parameter(
                type, "What to look for.", null, null, optional, null, null, 100, List.of());
    }

    @Test
    void parametersOfEveryTypeNeedNoCasts() {
        CLUSTER.sql("""
                CREATE TABLE visits (id int PRIMARY KEY, day date, at timestamptz, tags text[], fee numeric, near halfvec(8));
                INSERT INTO visits VALUES
                  (1, '2024-01-01', '2024-01-01T10:00:00Z', '{a,b}', 1.5, '[1,0,0,0,0,0,0,0]'),
                  (2, '2024-02-01', '2024-02-01T10:00:00Z', '{b}', 2.5, '[0,1,0,0,0,0,0,0]'),
                  (3, NULL, NULL, NULL, NULL, NULL);
                GRANT SELECT ON visits TO PUBLIC;
                """);
        String where = "SELECT id FROM visits WHERE ";
        Map<String, PostgresSettings.Query> queries = new LinkedHashMap<>();
        queries.put("since", query(where + "day >= :x ORDER BY id", Map.of("x", plain("date", false))));
        queries.put("at", query(where + "at = :x", Map.of("x", plain("timestamp", false))));
        queries.put("ids", query(where + "id = ANY (:x) ORDER BY id", Map.of("x", plain("integer[]", false))));
        queries.put("tagged", query(where + "tags && :x ORDER BY id", Map.of("x", plain("string[]", false))));
        queries.put("fees", query(where + "fee = ANY (:x) ORDER BY id", Map.of("x", plain("number[]", false))));
        queries.put("days", query(where + "day = ANY (:x) ORDER BY id", Map.of("x", plain("date[]", false))));
        queries.put(
                "maybe",
                query(
                        where + "(:x IS NULL OR day >= :x) AND (:y IS NULL OR tags @> :y) ORDER BY id",
                        Map.of("x", plain("date", true), "y", plain("string[]", true))));
        queries.put(
                "nearest",
                query(
                        "SELECT id FROM visits ORDER BY near <=> :x, id LIMIT 2",
                        Map.of("x", plain("embedding", false))));
        BackendHarness harness = PostgresFixture.start(settings(reader, access(false), queries), EMBEDDER);
        try {
            as(harness, Map.of());
            List<List<String>> calls = List.of(
                    List.of("since", "{\"x\":\"2024-01-15\"}", "[[2]]"),
                    List.of("at", "{\"x\":\"2024-01-01T11:00:00+01:00\"}", "[[1]]"),
                    List.of("at", "{\"x\":\"2024-01-01T10:00:00\"}", "[[1]]"),
                    List.of("ids", "{\"x\":[3,1,9]}", "[[1],[3]]"),
                    List.of("ids", "{\"x\":[9223372036854775807,2.0]}", "[[2]]"),
                    List.of("ids", "{\"x\":[]}", "[]"),
                    List.of("tagged", "{\"x\":[\"a\",\"z,\\\"{}\"]}", "[[1]]"),
                    List.of("fees", "{\"x\":[1.50,2.5]}", "[[1],[2]]"),
                    List.of("days", "{\"x\":[\"2024-02-01\"]}", "[[2]]"),
                    List.of("maybe", "{}", "[[1],[2],[3]]"),
                    List.of("maybe", "{\"x\":null,\"y\":[\"a\"]}", "[[1]]"),
                    List.of("maybe", "{\"x\":\"2024-01-02\"}", "[[2]]"));
            // More often than the server takes to settle on a plan.
            for (int round = 0; round < 7; round++) {
                for (List<String> call : calls) {
                    ToolResult result = harness.call(call.get(0), call.get(1));
                    assertFalse(result.isError(), () -> call + ": " + result);
                    assertEquals(call.get(2), result.structured().path("rows").toString(), call::toString);
                }
                ToolResult nearest = harness.call("nearest", "{\"x\":\"abc\"}");
                assertEquals(2, nearest.structured().path("row_count").asInt(), nearest::toString);
            }
            for (List<String> call : List.of(
                    List.of("since", "{}"),
                    List.of("since", "{\"x\":\"the other day\"}"),
                    List.of("ids", "{\"x\":[\"a\"]}"),
                    List.of("ids", "{\"x\":1}"))) {
                assertEquals(
                        "INVALID_ARGUMENT",
                        harness.call(call.get(0), call.get(1)).errorKind(),
                        call::toString);
            }
        } finally {
            harness.close();
        }
    }

    @Test
    void aDeclaredQueryWritesNothingHoweverOftenItIsCalled() {
        CLUSTER.sql("""
                CREATE TABLE written (n int);
                CREATE FUNCTION note() RETURNS int LANGUAGE sql SECURITY DEFINER
                    AS 'INSERT INTO written VALUES (1) RETURNING n';
                """);
        Map<String, PostgresSettings.Query> queries = Map.of(
                "note", query("SELECT note() AS n", Map.of()),
                "transaction",
                        query(
                                "SELECT current_setting('transaction_read_only') AS read_only,"
                                        + " current_setting('transaction_isolation') AS isolation,"
                                        + " current_setting('statement_timeout') AS timeout",
                                Map.of()));
        BackendHarness harness = PostgresFixture.start(settings(reader, access(false), queries), EMBEDDER);
        try {
            for (int call = 0; call < 3; call++) {
                ToolResult refused = harness.call("note", "{}");
                assertTrue(
                        refused.isError() && refused.toString().contains("read-only transaction"), refused::toString);
                assertEquals(
                        "[[\"on\",\"repeatable read\",\"20s\"]]",
                        harness.call("transaction", "{}")
                                .structured()
                                .path("rows")
                                .toString());
            }
            assertEquals("0", CLUSTER.sql("SELECT count(*) FROM written"));
        } finally {
            harness.close();
        }
    }

    @Test
    void declaredQueriesAreCheckedAtBoot() {
        Map<String, String> wrong = Map.of(
                "SELECT nope FROM orders", "column \"nope\" does not exist",
                "DELETE FROM orders", "read-only",
                "SELECT 1; SELECT 2", "One statement per call",
                "SELECT :x::int", "sql does not use y");
        wrong.forEach((sql, reason) -> {
            Map<String, PostgresSettings.Parameter> parameters = sql.contains(":x")
                    ? Map.of("x", parameter("integer", null, null), "y", parameter("integer", null, null))
                    : Map.of();
            RuntimeException refused = assertThrows(
                    RuntimeException.class,
                    () -> PostgresFixture.start(
                            settings(reader, access(false), Map.of("mine", query(sql, parameters))), null));
            assertTrue(String.valueOf(refused.getMessage()).contains(reason), String.valueOf(refused.getMessage()));
        });
    }
}
