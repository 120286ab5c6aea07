package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** {@code query_database} on a real server. */
@Tag("engines")
class QueryDatabaseTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static BackendHarness harness;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE EXTENSION hstore;
                CREATE TABLE users (id bigint PRIMARY KEY, name text NOT NULL);
                INSERT INTO users SELECT i, 'user ' || i FROM generate_series(1, 5000) i;
                CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
                CREATE TYPE pair AS (a int, b text);
                CREATE TYPE big AS (n int8, p pair);
                """);
        PostgresSettings base = PostgresFixture.settings(CLUSTER, reader);
        PostgresSettings settings = new PostgresSettings(
                base.connection(),
                Map.of("system", PostgresFixture.connection(CLUSTER, reader, "postgres")),
                base.access(),
                base.pool(),
                base.limits(),
                base.embedder(),
                base.embedders(),
                base.queries());
        harness = PostgresFixture.start(settings, null);
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    private static ToolResult query(String sql) {
        return harness.call("query_database", Json.object().put("query", sql));
    }

    private static JsonNode cell(String expression) {
        ToolResult result = query("SELECT " + expression + " AS v");
        assertFalse(result.isError(), result::toString);
        return result.structured().path("rows").path(0).path(0);
    }

    @Test
    void answersRowsAsTextAndAsArraysWithTypes() {
        ToolResult result = query("SELECT id, name FROM users WHERE id <= 2 ORDER BY id; -- done");
        assertEquals("""
                SQL Query:
                SELECT id, name FROM users WHERE id <= 2 ORDER BY id

                Results (2 rows):
                [
                  {
                    "id": 1,
                    "name": "user 1"
                  },
                  {
                    "id": 2,
                    "name": "user 2"
                  }
                ]""", result.text());
        assertEquals(
                "{\"database\":\"default\",\"query\":\"SELECT id, name FROM users WHERE id <= 2 ORDER BY id\","
                        + "\"columns\":[{\"name\":\"id\",\"type\":\"bigint\"},{\"name\":\"name\",\"type\":\"text\"}],"
                        + "\"rows\":[[1,\"user 1\"],[2,\"user 2\"]],\"row_count\":2,\"truncated\":false}",
                Json.text(result.structured()));
    }

    @Test
    void keepsColumnsOfTheSameName() {
        ToolResult result = query("select 1 a, 2 a, 3 b");
        assertEquals("[[1,2,3]]", Json.text(result.structured().path("rows")));
        assertTrue(result.text().contains("\"a\": 1,\n    \"a_2\": 2,\n    \"b\": 3"), result.text());
    }

    @Test
    void aColumnMayBeCalledWhatTheGatewayCallsTheQuery() {
        ToolResult result = query("SELECT 1 AS q, 2 AS j");
        assertFalse(result.isError(), result::toString);
        assertEquals("[[1,2]]", Json.text(result.structured().path("rows")));
    }

    @Test
    void zeroRowsStillHaveColumns() {
        ToolResult result = query("select id, name from users where false");
        assertTrue(result.text().endsWith("Results (0 rows):\n[ ]"), result.text());
        assertEquals(2, result.structured().path("columns").size());
    }

    @Test
    void refusesSeveralStatementsAndRunsNoneOfThem() {
        ToolResult result = query("select 1; commit; create table h(x int)");
        assertTrue(result.isError());
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertEquals("", CLUSTER.sql("SELECT relname FROM pg_class WHERE relname = 'h'"));
    }

    @Test
    void refusesWritesInPostgresqlsWords() {
        for (String sql : new String[] {
            "insert into users values (0, 'x')",
            "WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone",
            "with x as (select 1) update users set name = ''"
        }) {
            ToolResult result = query(sql);
            assertTrue(result.isError(), sql);
            assertTrue(result.text().contains("in a read-only transaction"), result.text());
            assertEquals("25006", result.error().path("code").asText(), sql);
        }
        assertEquals("5000", CLUSTER.sql("SELECT count(*) FROM users"));
    }

    @Test
    void cutsAtTheRowLimitAndGoesOn() {
        ToolResult first = query("SELECT id FROM users ORDER BY id");
        assertEquals(1000, first.structured().path("row_count").asInt());
        assertTrue(first.structured().path("truncated").asBoolean());
        assertTrue(first.text().contains("Call again with offset: 1000"), first.text());
        ToolResult next = harness.call(
                "query_database",
                Json.object()
                        .put("query", "SELECT id FROM users ORDER BY id")
                        .put("offset", 4000)
                        .put("limit", 5000));
        assertEquals(1000, next.structured().path("row_count").asInt());
        assertFalse(next.structured().path("truncated").asBoolean());
        assertEquals(4001, next.structured().path("rows").path(0).path(0).asInt());
    }

    @Test
    void cutsAtTheByteLimitOnTheServer() {
        ToolResult many = query("SELECT repeat('x', 100000) FROM generate_series(1, 100)");
        assertTrue(many.structured().path("truncated").asBoolean());
        assertEquals(10, many.structured().path("row_count").asInt());
        ToolResult one = query("SELECT repeat('x', 50000000)");
        assertEquals(0, one.structured().path("row_count").asInt());
        assertTrue(one.text().contains("the next row alone has 500000"), one.text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "9007199254740993::int8|\"9007199254740993\"",
                "9007199254740992::int8|9007199254740992",
                "42::int2|42",
                "12345678901234567890.123456789::numeric|\"12345678901234567890.123456789\"",
                "0.10::numeric|0.10",
                "'NaN'::numeric|\"NaN\"",
                "'Infinity'::numeric|\"Infinity\"",
                "'NaN'::float8|\"NaN\"",
                "'-Infinity'::float4|\"-Infinity\"",
                "0.1::float8|0.1",
                "1e300::float8|1E+300",
                "true|true",
                "null::int|null",
                "'2024-02-29 12:34:56.789012+02'::timestamptz at time zone 'UTC'|\"2024-02-29T10:34:56.789012\"",
                "'infinity'::timestamptz|\"infinity\"",
                "'0044-03-15 BC'::date|\"0044-03-15 BC\"",
                "'24:00:00'::time|\"24:00:00\"",
                "'1 year 2 mons 3 days 04:05:06.7'::interval|\"1 year 2 mons 3 days 04:05:06.7\"",
                "'\\xdeadbeef'::bytea|\"\\\\xdeadbeef\"",
                "'{\"b\":1.0,\"a\":12345678901234567890.5}'::json|{\"b\":1.0,\"a\":\"12345678901234567890.5\"}",
                "'[1,null,\"x\"]'::jsonb|[1,null,\"x\"]",
                "array[[1,2],[3,4]]|[[1,2],[3,4]]",
                "array[9007199254740993]::int8[]|[\"9007199254740993\"]",
                "int4range(1,5)|\"[1,5)\"",
                "int4multirange(int4range(1,2),int4range(5,6))|\"{[1,2),[5,6)}\"",
                "row(1,'x')::pair|{\"a\":1,\"b\":\"x\"}",
                "'happy'::mood|\"happy\"",
                "'[1.5,-2,3e-7]'::vector|[1.5,-2,3E-7]",
                "'[0.5,2]'::halfvec|[0.5,2]",
                "'{1:0.5,3:2}/4'::sparsevec|\"{1:0.5,3:2}/4\"",
                "'b1e6ba0c-91bb-4a1f-ab0f-1f2e3d4c5b6a'::uuid|\"b1e6ba0c-91bb-4a1f-ab0f-1f2e3d4c5b6a\"",
                "'10.0.0.0/8'::inet|\"10.0.0.0/8\"",
                "'a=>1'::hstore|{\"a\":\"1\"}",
                "'$12.50'::money|\"$12.50\"",
                "b'101'|\"101\"",
                "point(1,2)|\"(1,2)\"",
                "'fat & rat'::tsquery|\"'fat' & 'rat'\"",
                "pg_sleep(0)|\"\"",
                "(-32768)::int2|-32768",
                "32767::int2|32767",
                "(-2147483648)::int4|-2147483648",
                "2147483647::int4|2147483647",
                "9223372036854775807::int8|\"9223372036854775807\"",
                "(-9223372036854775808)::int8|\"-9223372036854775808\"",
                "(-9007199254740993)::int8|\"-9007199254740993\"",
                "(-9007199254740992)::int8|-9007199254740992",
                "4294967295::oid|\"4294967295\"",
                "'-Infinity'::numeric|\"-Infinity\"",
                "1e40::numeric|10000000000000000000000000000000000000000",
                "(1e40+1)::numeric|\"10000000000000000000000000000000000000001\"",
                "1e-20::numeric|1E-20",
                "0.1234567890123456789::numeric|\"0.1234567890123456789\"",
                "123456789012345::numeric|123456789012345",
                "1.7976931348623157e308::float8|1.7976931348623157E+308",
                "5e-324::float8|5E-324",
                "'-0'::float8|0",
                "'Infinity'::float8|\"Infinity\"",
                "3.4028235e38::float4|3.4028235E+38",
                "'-infinity'::timestamp|\"-infinity\"",
                "'infinity'::date|\"infinity\"",
                "'5874897-12-31'::date|\"5874897-12-31\"",
                "'294276-12-31 23:59:59.999999'::timestamp|\"294276-12-31T23:59:59.999999\"",
                "'4713-01-01 00:00:00 BC'::timestamp|\"4713-01-01T00:00:00 BC\"",
                "'00:00:00.000001'::time|\"00:00:00.000001\"",
                "'12:00:00+05:30'::timetz|\"12:00:00+05:30\"",
                "'-178000000 years'::interval|\"-178000000 years\"",
                "'infinity'::interval|\"infinity\"",
                "'0'::interval|\"00:00:00\"",
                "''::bytea|\"\\\\x\"",
                "'\\x00ff'::bytea|\"\\\\x00ff\"",
                "null::json|null",
                "'null'::json|null",
                "'null'::jsonb|null",
                "'\"\"'::jsonb|\"\"",
                "'{}'::jsonb|{}",
                "'9007199254740993'::jsonb|\"9007199254740993\"",
                "'{\"a\":[{\"b\":9007199254740993,\"c\":9007199254740992}]}'::jsonb|{\"a\":[{\"b\":\"9007199254740993\",\"c\":9007199254740992}]}",
                "array[null,1]::int[]|[null,1]",
                "array[]::int[]|[]",
                "'{}'::text[]|[]",
                "array['',null,'NULL','a,b']|[\"\",null,\"NULL\",\"a,b\"]",
                "array['NaN',1]::float8[]|[\"NaN\",1]",
                "array[row(9007199254740993,null)::big]|[{\"n\":\"9007199254740993\",\"p\":null}]",
                "row(-9007199254740993,row(1,'x')::pair)::big|{\"n\":\"-9007199254740993\",\"p\":{\"a\":1,\"b\":\"x\"}}",
                "row(null,null)::big|{\"n\":null,\"p\":null}",
                "array['{\"a\":9007199254740993}']::jsonb[]|[{\"a\":\"9007199254740993\"}]",
                "'empty'::int4range|\"empty\"",
                "'(,)'::int8range|\"(,)\"",
                "int8range(null,9223372036854775807)|\"(,9223372036854775807)\"",
                "tstzrange('-infinity','infinity')|\"[-infinity,infinity)\"",
                "'{}'::int4multirange|\"{}\"",
                "numrange(0.10,1e30)|\"[0.10,1000000000000000000000000000000)\"",
                "'::1'::inet|\"::1\"",
                "'255.255.255.255/32'::inet|\"255.255.255.255\"",
                "'::ffff:1.2.3.4/128'::inet|\"::ffff:1.2.3.4\"",
                "'08:00:2b:01:02:03'::macaddr|\"08:00:2b:01:02:03\"",
                "''::text|\"\"",
                "'ab'::char(4)|\"ab  \"",
                "''::varbit|\"\"",
                "'a=>NULL'::hstore|{\"a\":null}",
                "'16/B374D848'::pg_lsn|\"16/B374D848\"",
                "'[16777217,0]'::vector|[16777216,0]",
                "U&'d\\0061t\\+000061'|\"data\"",
                "'ünï ☃ 🐘'::text|\"ünï ☃ 🐘\""
            })
    void keepsValuesOfEveryType(String expression, String json) {
        assertEquals(json, Json.text(cell(expression)));
    }

    @Test
    void saysWhereAndWhatIsWrong() {
        ToolResult result = query("SELECT nme FROM users");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertEquals("42703", result.error().path("code").asText());
        assertEquals(8, result.error().path("position").asInt());
        assertTrue(result.text().contains("Hint: Perhaps you meant to reference the column"), result.text());
        assertEquals("42601", query("SELECT FROM WHERE").error().path("code").asText());
        assertEquals("22012", query("SELECT 1/0").error().path("code").asText());
        assertEquals(
                "42501", query("SELECT * FROM pg_authid").error().path("code").asText());
        assertEquals("DENIED_UPSTREAM", query("SELECT * FROM pg_authid").errorKind());
    }

    @Test
    void leavesUrlsInsideStringsAlone() {
        assertEquals("\"copied from postgres://h/db\"", Json.text(cell("'copied from postgres://h/db'")));
        assertFalse(query("SELECT 'x' LIKE '%switch to%' -- at postgres://h/db").isError());
    }

    @Test
    void followsAConnectionPhraseToConfiguredDatabasesOnly() {
        ToolResult there = query(
                "SELECT current_database() AT postgres://who:s3cretpw@127.0.0.1:" + CLUSTER.port() + "/postgres;");
        assertEquals("postgres", there.structured().path("rows").path(0).path(0).asText());
        assertTrue(there.text().startsWith("Using connection: postgres://127.0.0.1:"), there.text());
        assertFalse(there.toString().contains("s3cretpw"));
        ToolResult elsewhere = query("SELECT 1 AT postgres://who:s3cretpw@192.0.2.1/x");
        assertEquals("DENIED", elsewhere.errorKind());
        assertFalse(elsewhere.toString().contains("s3cretpw"));
        ToolResult inside = query("SELECT 1 AT postgres://who:s3cretpw@192.0.2.1/x WHERE true");
        assertEquals("INVALID_ARGUMENT", inside.errorKind());
        assertFalse(inside.toString().contains("s3cretpw"));
    }

    @Test
    void takesTheDatabaseAsAnArgument() {
        ToolResult there = harness.call(
                "query_database",
                Json.object().put("query", "SELECT current_database()").put("database", "system"));
        assertEquals("postgres", there.structured().path("rows").path(0).path(0).asText());
        ToolResult unknown = harness.call(
                "query_database", Json.object().put("query", "SELECT 1").put("database", "nope"));
        assertEquals("NOT_FOUND", unknown.errorKind());
        assertTrue(unknown.text().contains("default, system"), unknown.text());
    }

    @Test
    void refusesToKeepADefaultAndNamesTheArgument() {
        ToolResult result = query("SET DEFAULT DATABASE postgres://u:s3cretpw@localhost/analytics");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertTrue(result.text().contains("'database'"), result.text());
        assertFalse(result.toString().contains("s3cretpw"));
    }

    @Test
    void explainsAndShows() {
        assertTrue(query("EXPLAIN (ANALYZE, COSTS OFF) SELECT count(*) FROM users")
                .text()
                .contains("Aggregate"));
        assertEquals(
                "\"on\"",
                Json.text(query("SHOW transaction_read_only")
                        .structured()
                        .path("rows")
                        .path(0)
                        .path(0)));
        assertEquals(
                "25006",
                query("EXPLAIN ANALYZE INSERT INTO users VALUES (0,'')")
                        .error()
                        .path("code")
                        .asText());
    }

    @Test
    void aPlanInJsonIsJson() {
        ToolResult result = query("EXPLAIN (FORMAT JSON) SELECT count(*) FROM users WHERE id > 10");
        JsonNode cell = result.structured().path("rows").path(0).path(0);
        assertEquals("Aggregate", cell.path(0).path("Plan").path("Node Type").asText(), result::toString);
        assertEquals(
                "json", result.structured().path("columns").path(0).path("type").asText());
        assertTrue(result.text().contains("\"Node Type\": \"Aggregate\""), result::text);
        assertTrue(query("EXPLAIN (FORMAT YAML) SELECT 1")
                .structured()
                .path("rows")
                .path(0)
                .path(0)
                .asText()
                .startsWith("- Plan:"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WITH dblink(x) AS (SELECT 1) SELECT x FROM dblink",
                "WITH a AS (SELECT 2), setval (x, y) AS NOT MATERIALIZED (VALUES (1, 2)) SELECT x FROM setval",
                "WITH RECURSIVE lo_get(x) AS ((SELECT 1) UNION ALL SELECT x + 1 FROM lo_get WHERE x < 1) TABLE lo_get",
                "WITH nextval AS MATERIALIZED (SELECT 1 AS x) SELECT x FROM nextval",
                "SELECT x FROM (VALUES (1)) AS dblink(x)",
            })
    void aTableOfTheStatementMayBeCalledLikeAForbiddenFunction(String sql) {
        ToolResult result = query(sql);
        assertFalse(result.isError(), result::toString);
        assertEquals("[[1]]", Json.text(result.structured().path("rows")), sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WITH dblink(x) AS (SELECT 1) SELECT dblink('a')",
                "SELECT * FROM users a, dblink('x') AS (a int)",
                "SELECT * FROM users a, dblink(name) AS (a int)",
                "SELECT * FROM users, dblink(name, name) AS (values int)",
                "WITH a AS (SELECT 1), b AS (SELECT dblink(name) AS c FROM users) SELECT 1",
                "SELECT 1, dblink(name) AS b, (SELECT 1) FROM users",
                "SELECT name AS c, set_config(name, name, true) FROM users",
                "SELECT dblink (name) AS dblink FROM users",
            })
    void aCallOfAForbiddenFunctionIsNotTakenForATable(String sql) {
        ToolResult result = query(sql);
        assertEquals("DENIED", result.errorKind(), result::toString);
        assertTrue(result.text().startsWith("The function "), result::text);
    }

    @Test
    void keepsTheOrderOfTheQuery() {
        String ordered = "SELECT id FROM users ORDER BY id % 7, id DESC LIMIT 500";
        List<String> ids = new ArrayList<>();
        query(ordered)
                .structured()
                .path("rows")
                .forEach(row -> ids.add(row.path(0).asText()));
        assertEquals(CLUSTER.sql(ordered).lines().toList(), ids);
    }

    @Test
    void neverShowsThePassword() {
        for (String sql : new String[] {"SELECT 1", "SELECT x", "SHOW all", "SELECT current_user, version()"}) {
            assertFalse(query(sql).toString().contains("hunter2"), sql);
        }
    }
}
