package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.embed.Embedders;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** {@code semantic_search}, {@code search_similar} and {@code generate_embedding} on a real server. */
@Tag("engines")
class VectorToolsTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final CalculatedEmbedder EMBEDDER = CalculatedEmbedder.ofCharacters(8);

    private static BackendHarness harness;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE SCHEMA extensions;
                GRANT USAGE ON SCHEMA extensions TO %1$s;
                CREATE EXTENSION vector SCHEMA extensions;
                SET search_path = public, extensions;
                CREATE TABLE hundred (id int PRIMARY KEY, distance text, embedding vector(3));
                INSERT INTO hundred SELECT i, 'd' || i, ('[' || cos(i / 100.0) || ',' || sin(i / 100.0) || ',0]')::vector
                  FROM generate_series(1, 100) i;
                CREATE INDEX ON hundred USING hnsw (embedding vector_cosine_ops);
                CREATE TABLE many (id int PRIMARY KEY, category int, lang text, embedding vector(8));
                SELECT setseed(0.5);
                INSERT INTO many SELECT i, i %% 100, CASE WHEN i %% 2 = 0 THEN 'en' ELSE 'de' END,
                    (SELECT ('[' || string_agg((random() - 0.5)::text, ',') || ']')::vector
                      FROM generate_series(1, 8) WHERE i > 0)
                  FROM generate_series(1, 4000) i;
                CREATE INDEX ON many USING hnsw (embedding vector_l2_ops);
                CREATE TABLE ties (name text, v vector(2));
                INSERT INTO ties SELECT 't' || i, '[1,0]' FROM generate_series(1, 300) i;
                CREATE TABLE "Mixed Case" ("Key" int PRIMARY KEY, "Vec" halfvec(4), sparse sparsevec(4), free vector);
                INSERT INTO "Mixed Case" VALUES (1, '[1,0,0,0]', '{1:1}/4', '[1,2]'), (2, '[0,1,0,0]', '{2:1}/4', '[2,1]'),
                  (3, NULL, NULL, NULL);
                CREATE TABLE clustered (id int PRIMARY KEY, v vector(3));
                INSERT INTO clustered SELECT i, ('[' || i || ',' || i %% 7 || ',1]')::vector FROM generate_series(1, 500) i;
                CREATE INDEX ON clustered USING ivfflat (v vector_l2_ops) WITH (lists = 20);
                ANALYZE;
                -- The server believes that all rows are alike, so that it reads them by the index.
                CREATE TABLE onward (LIKE many) WITH (autovacuum_enabled = false, fillfactor = 10);
                INSERT INTO onward SELECT id, 7, lang, embedding FROM many;
                CREATE INDEX ON onward USING hnsw (embedding vector_l2_ops);
                ANALYZE onward;
                UPDATE onward SET category = 8 WHERE id %% 100 <> 7;
                ALTER TABLE onward ENABLE ROW LEVEL SECURITY;
                CREATE POLICY by_the_index ON onward USING (current_setting('enable_indexscan')::boolean);
                GRANT SELECT ON onward TO %1$s;
                """.formatted(reader));
        harness = PostgresFixture.start(PostgresFixture.settings(CLUSTER, reader), EMBEDDER);
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    private static ObjectNode search(String table, String column) {
        return Json.object().put("table_name", table).put("vector_column", column);
    }

    private static ToolResult run(ObjectNode arguments) {
        return harness.call("semantic_search", arguments);
    }

    private static ObjectNode vector(ObjectNode arguments, double... values) {
        Arrays.stream(values).forEach(arguments.withArray("query_vector")::add);
        return arguments;
    }

    private static List<String> ids(ToolResult result, String key) {
        List<String> ids = new ArrayList<>();
        assertFalse(result.isError(), result::toString);
        result.structured().path("rows").forEach(row -> ids.add(row.path(key).asText()));
        return ids;
    }

    @Test
    void topKBeyondTheIndexsDefaultGivesAllRowsInExactOrder() {
        ToolResult result = run(vector(search("hundred", "embedding"), 1, 0, 0).put("top_k", 60));
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            expected.add(Integer.toString(i));
        }
        assertEquals(expected, ids(result, "id"));
        assertEquals("__distance", result.structured().path("distance_column").asText());
        assertTrue(result.text().startsWith("""
                Semantic Search Results:
                Table: public.hundred
                Vector Column: embedding (dimensions: 3)
                Distance Metric: Cosine Distance
                Top K: 60

                Results (60 rows):
                [
                  {
                    "id": 1,
                    "distance": "d1",
                    "__distance":"""), result.text());
    }

    @Test
    void topKBeyondTheTableGivesTheTable() {
        assertEquals(
                100,
                ids(run(vector(search("hundred", "embedding"), 1, 0, 0).put("top_k", 1000)), "id")
                        .size());
    }

    @ParameterizedTest
    @CsvSource({"l2,<->", "euclidean,<->", "cosine,<=>", "inner_product,<#>", "inner,<#>"})
    void rareRowsAreFoundUnderAFilter(String metric, String operator) {
        ObjectNode arguments = vector(search("many", "embedding"), .3, .1, -.2, .4, 0, 0, .1, -.3)
                .put("top_k", 30)
                .put("distance_metric", metric);
        String expected = CLUSTER.sql("SET search_path = public, extensions; SET enable_indexscan = off;"
                + "SELECT id FROM many WHERE category = 7 ORDER BY embedding " + operator
                + " '[.3,.1,-.2,.4,0,0,.1,-.3]', id LIMIT 30");
        ObjectNode structured = arguments.deepCopy();
        structured.putObject("filter").put("category", 7);
        assertEquals(expected.lines().toList(), ids(run(structured), "id"));
        ObjectNode written = arguments.deepCopy().put("filter_conditions", "category = 7 -- only these");
        assertEquals(expected.lines().toList(), ids(run(written), "id"));
    }

    /** Its rows are there only while indexes are used, so that a repetition without the index would come back empty. */
    @Test
    void theIndexItselfGoesOnUntilThereAreEnough() {
        for (int call = 0; call < 7; call++) {
            ObjectNode arguments = vector(search("onward", "embedding"), 0.1 * call, 0, 0, 0, 0, 0, 0, 0)
                    .put("top_k", 30)
                    .put("distance_metric", "l2");
            arguments.putObject("filter").put("category", 7);
            assertEquals(30, run(arguments).structured().path("row_count").asInt());
        }
    }

    @Test
    void structuredFiltersCompareInTheColumnsType() {
        ObjectNode arguments =
                vector(search("many", "embedding"), 1, 0, 0, 0, 0, 0, 0, 0).put("top_k", 1000);
        ObjectNode filter = arguments.putObject("filter");
        filter.putArray("lang").add("en").add("fr");
        filter.putObject("category").put("gte", 10).put("lt", 20);
        filter.putObject("id").put("ne", 10);
        assertEquals(
                CLUSTER.sql(
                        "SELECT count(*) FROM many WHERE lang = 'en' AND category >= 10 AND category < 20 AND id <> 10"),
                Integer.toString(ids(run(arguments), "id").size()));
        arguments.putObject("filter").putObject("lang").put("exists", false);
        assertEquals(List.of(), ids(run(arguments), "id"));
        arguments.putObject("filter").put("category", "seven");
        assertEquals("22P02", run(arguments).error().path("code").asText());
        arguments.putObject("filter").put("cat\" = 1 OR \"", 1);
        assertTrue(run(arguments).text().contains("not found in table"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1=1) UNION SELECT 1, 'x', 'y', 0 --",
                "true ORDER BY id --",
                "true; DROP TABLE many",
                "true) AS t, pg_sleep(1",
                "(true",
                "1, 2",
                "category = $1",
                "pg_notify('a','b') IS NULL",
                "/* open",
                "lang = 'de"
            })
    void conditionsThatAreNotOneExpressionAreRefused(String condition) {
        ToolResult result =
                run(vector(search("many", "embedding"), 1, 0, 0, 0, 0, 0, 0, 0).put("filter_conditions", condition));
        assertTrue(result.isError(), result::toString);
    }

    @Test
    void errorsInAConditionSayWhereInIt() {
        ToolResult result = run(vector(search("many", "embedding"), 1, 0, 0, 0, 0, 0, 0, 0)
                .put("filter_conditions", "category = 1 AND nope = 2"));
        assertEquals("42703", result.error().path("code").asText());
        assertEquals(18, result.error().path("position").asInt());
    }

    @Test
    void tiesComeInTheSameOrderEveryTime() {
        ObjectNode arguments = vector(search("ties", "v"), 1, 0).put("top_k", 17);
        List<String> first = ids(run(arguments), "name");
        assertEquals(17, first.size());
        for (int i = 0; i < 10; i++) {
            assertEquals(first, ids(run(arguments), "name"));
        }
    }

    @Test
    void namesAreQuotedAndOtherVectorTypesWork() {
        assertEquals(List.of("2", "1"), ids(run(vector(search("\"Mixed Case\"", "Vec"), 0, 1, 0, 0)), "Key"));
        assertEquals(List.of("1", "2"), ids(run(vector(search("public.Mixed Case", "sparse"), 1, 0, 0, 0)), "Key"));
        assertEquals(List.of("2", "1"), ids(run(vector(search("Mixed Case", "free"), 2, 1)), "Key"));
    }

    @Test
    void ivfflatGivesWhatIsAskedForInOrder() {
        ToolResult result = run(vector(search("clustered", "v"), 250, 3, 1)
                .put("distance_metric", "l2")
                .put("top_k", 400));
        assertEquals(
                CLUSTER.sql("SET search_path = public, extensions; SET enable_indexscan = off;"
                                + "SELECT id FROM clustered ORDER BY v <-> '[250,3,1]', id LIMIT 400")
                        .lines()
                        .toList(),
                ids(result, "id"));
    }

    @Test
    void smallNumbersKeepTheirDigits() {
        ToolResult result = run(vector(search("hundred", "embedding"), 1e-7, 0, 0)
                .put("distance_metric", "inner_product")
                .put("top_k", 1));
        double distance =
                result.structured().path("rows").path(0).path("__distance").asDouble();
        assertTrue(distance < -0.9e-7 && distance > -1.1e-7, result::toString);
    }

    @Test
    void argumentsAreCheckedBeforeAnEmbeddingIsPaidFor() {
        int before = EMBEDDER.texts().size();
        ObjectNode text = search("nope", "embedding").put("text_query", "x");
        assertTrue(run(text).text().startsWith("Table 'nope' not found in database metadata. Available tables: "));
        assertTrue(run(search("many", "nope").put("text_query", "x"))
                .text()
                .startsWith("Column 'nope' not found in table 'public.many'. Available columns: id, category"));
        assertEquals(
                "Column 'lang' in table 'public.many' is not a pgvector column (type: text). get_schema_info shows the"
                        + " columns and their types.",
                run(search("many", "lang").put("text_query", "x")).text());
        assertEquals(
                "Query vector dimensions (8) don't match column dimensions (3) for 'public.hundred.embedding'. Pass a vector of that length, or another column.",
                run(search("hundred", "embedding").put("text_query", "x")).text());
        assertEquals(before, EMBEDDER.texts().size());
    }

    @Test
    void mistakesAreNamed() {
        assertEquals(
                "Query vector dimensions (3) don't match column dimensions (8) for 'public.many.embedding'. Pass a"
                        + " vector of that length, or another column.",
                run(vector(search("many", "embedding"), 1, 2, 3)).text());
        assertEquals(
                "Either 'query_vector' or 'text_query' parameter must be provided",
                run(search("many", "embedding")).text());
        assertEquals(
                "Only one of 'query_vector' or 'text_query' can be provided, not both",
                run(vector(search("many", "embedding").put("text_query", "x"), 1))
                        .text());
        assertEquals(
                "'text_query' parameter cannot be empty or whitespace-only. Say what to look for.",
                run(search("many", "embedding").put("text_query", " \n")).text());
        ObjectNode empty = search("many", "embedding");
        empty.putArray("query_vector");
        assertEquals("'query_vector' cannot be empty", run(empty).text());
        assertTrue(
                run(vector(search("x;drop table many", "embedding"), 1)).text().startsWith("Table 'x;drop"));
        for (String json : List.of(
                "{\"table_name\":\"many\",\"vector_column\":\"embedding\",\"query_vector\":[1,\"x\"]}",
                "{\"table_name\":\"many\",\"vector_column\":\"embedding\",\"query_vector\":[1],\"top_k\":0}",
                "{\"table_name\":\"many\",\"vector_column\":\"embedding\",\"query_vector\":[1e39]}",
                "{\"table_name\":\"many\",\"vector_column\":\"embedding\",\"text_query\":\"x\",\"distance_metric\":\"manhattan\"}",
                "{\"vector_column\":\"embedding\",\"text_query\":\"x\"}")) {
            assertEquals(
                    "INVALID_ARGUMENT", harness.call("semantic_search", json).errorKind(), json);
        }
    }

    @Test
    void similarChoosesTheTableThatFitsTheModel() {
        for (int i = 0; i < 3; i++) {
            ToolResult result = harness.call("search_similar", "{\"text_query\":\"What is PostgreSQL?\",\"top_k\":5}");
            assertTrue(
                    result.text()
                            .startsWith(
                                    "Auto-discovered vector table: public.many (column: embedding, dimensions: 8)\n"),
                    result.text());
            assertEquals(5, result.structured().path("row_count").asInt());
        }
        assertEquals(
                3,
                harness.call("search_similar", "{\"text_query\":\"x\"}")
                        .structured()
                        .path("row_count")
                        .asInt());
    }

    @Test
    void tablesAndColumnsHaveTheirOwnEmbedders() {
        CalculatedEmbedder three = CalculatedEmbedder.ofCharacters(3);
        CalculatedEmbedder eight = CalculatedEmbedder.ofCharacters(8);
        PostgresSettings base = PostgresFixture.settings(CLUSTER, "reader_" + CLUSTER.database());
        PostgresSettings settings = new PostgresSettings(
                base.connection(),
                Map.of(),
                base.access(),
                base.pool(),
                base.limits(),
                "off",
                Map.of("public.hundred", "three", "public.many", "three", "public.many.embedding", "eight"),
                Map.of());
        Embedders embedders = new Embedders(
                Map.of("three", new Embedders.Named("a", three), "eight", new Embedders.Named("b", eight)),
                Set.of("off"));
        BackendHarness several = PostgresFixture.startWith(settings, embedders);
        try {
            ToolResult hundred = several.call(
                    "semantic_search", search("hundred", "embedding").put("text_query", "abc"));
            assertEquals(10, ids(hundred, "id").size());
            ToolResult many =
                    several.call("semantic_search", search("many", "embedding").put("text_query", "abc"));
            assertEquals(8, many.structured().path("dimensions").asInt());
            assertEquals(
                    List.of(1, 1), List.of(three.texts().size(), eight.texts().size()));
            assertTrue(several.call("semantic_search", search("clustered", "v").put("text_query", "abc"))
                    .text()
                    .startsWith("Embedding generation not enabled"));
            String similar =
                    several.call("search_similar", "{\"text_query\":\"x\"}").text();
            assertTrue(
                    similar.startsWith(
                            "Auto-discovered vector table: public.hundred (column: embedding, dimensions: 3)"
                                    + "\nAlso searchable with semantic_search: public.many (column: embedding, dimensions: 8)\n"),
                    similar);
            assertEquals(
                    3,
                    several.call("generate_embedding", "{\"text\":\"x\",\"embedder\":\"three\"}")
                            .structured()
                            .path("dimensions")
                            .asInt());
            ToolResult unknown = several.call("generate_embedding", "{\"text\":\"x\",\"embedder\":\"nope\"}");
            assertEquals("NOT_FOUND", unknown.errorKind());
            assertTrue(unknown.text().endsWith("Embedders: eight, three."), unknown.text());
        } finally {
            several.close();
        }
    }

    @Test
    void embeddingIsReturnedInFull() {
        ToolResult result = harness.call("generate_embedding", "{\"text\":\" aab \"}");
        assertTrue(result.text().startsWith("Embedding Generated Successfully\n====="), result.text());
        assertTrue(result.text().contains("Provider: fake\nModel: letters\nDimensions: 8\nText Length: 3 characters"));
        JsonNode embedding = result.structured().path("embedding");
        assertEquals(8, embedding.size());
        assertEquals(2.0, embedding.path('a' % 8).asDouble());
        assertEquals(
                "'text' parameter cannot be empty or whitespace-only. Give the text to embed.",
                harness.call("generate_embedding", "{\"text\":\"   \"}").text());
    }

    @Test
    void withoutAnEmbedderTheToolsSaySo() {
        BackendHarness without =
                PostgresFixture.start(PostgresFixture.settings(CLUSTER, "reader_" + CLUSTER.database()), null);
        try {
            assertEquals(
                    "Embedding generation is not enabled in server configuration. The operator can configure an"
                            + " embedder.",
                    without.call("generate_embedding", "{\"text\":\"x\"}").text());
            assertTrue(without.call("search_similar", "{\"text_query\":\"x\"}")
                    .text()
                    .startsWith("Embedding generation not enabled in server configuration"));
        } finally {
            without.close();
        }
    }
}
