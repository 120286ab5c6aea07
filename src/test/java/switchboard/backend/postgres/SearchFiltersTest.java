package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** Which rows each filter of {@code semantic_search} finds on a real server, and how it takes names. */
@Tag("engines")
class SearchFiltersTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static BackendHarness harness;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE DOMAIN labels AS text[];
                CREATE TABLE articles (id int PRIMARY KEY, year int, small smallint, big bigint, lang text, code char(3),
                  ok boolean, at timestamptz, price numeric, tags text[], marks labels, numbers int[], times timestamptz[],
                  meta jsonb, plain json, "Na""me" text, embedding vector(2));
                INSERT INTO articles VALUES
                  (1, 2000, 1, 9223372036854775807, 'en', 'abc', true, '2024-01-01T00:00:00Z', 1.50, '{a,b}', '{a,b}', '{1,2}',
                    '{2024-01-01T00:00:00Z}', '{"k": [1, 2], "s": "x"}', '{"k": 1}', 'one', '[1,0]'),
                  (2, 2001, 2, -9223372036854775808, 'de', 'abd', false, 'infinity', 2.5, '{b,c}', '{b}', '{2,3}', '{}',
                    '["a", "b"]', '[1]', 'two', '[1,1]'),
                  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[1,2]'),
                  (4, 2002, 32767, 0, 'null', 'xyz', true, '-infinity', 'NaN', '{}', '{}', '{NULL}', '{infinity}',
                    'null', 'null', 'four', '[1,3]'),
                  (5, -2147483648, -32768, 1, '', '', false, '2024-06-01T00:00:00Z', 0, '{NULL,a}', NULL, '{-1}', NULL,
                    '{"k": [2, 3], "s": null}', '"t"', 'five', '[1,4]');
                CREATE SCHEMA "Other";
                GRANT USAGE ON SCHEMA "Other" TO %1$s;
                CREATE TABLE "Other"."My Docs" ("Id" int PRIMARY KEY, "select" int, "Vec" vector(2));
                INSERT INTO "Other"."My Docs" VALUES (1, 1, '[1,0]'), (2, 2, '[1,1]');
                CREATE TABLE "Other"."a.b ""c" (n int, "Vec" vector(2));
                INSERT INTO "Other"."a.b ""c" VALUES (1, '[1,0]');
                GRANT SELECT ON "Other"."My Docs", "Other"."a.b ""c" TO %1$s;
                CREATE TABLE unkeyed (n int, embedding vector(2));
                INSERT INTO unkeyed VALUES (1, '[1,0]'), (2, '[1,0]');
                CREATE TABLE parts (n int, embedding vector(2)) PARTITION BY RANGE (n);
                CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
                INSERT INTO parts VALUES (1, '[1,0]'), (2, '[1,0]');
                """.formatted(reader));
        harness = PostgresFixture.start(PostgresFixture.settings(CLUSTER, reader), null);
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    private static ObjectNode search(String table, String column) {
        ObjectNode arguments = Json.object().put("table_name", table).put("vector_column", column);
        arguments.putArray("query_vector").add(1).add(0);
        return arguments.put("top_k", 100).put("distance_metric", "l2");
    }

    private static ToolResult filtered(String filter) throws JsonProcessingException {
        ObjectNode arguments = search("articles", "embedding");
        arguments.set("filter", Json.parse(filter.replace('\'', '"')));
        return harness.call("semantic_search", arguments);
    }

    private static String ids(ToolResult result) {
        return ids(result, "id");
    }

    private static String ids(ToolResult result, String key) {
        assertFalse(result.isError(), result::toString);
        List<String> ids = new ArrayList<>();
        result.structured().path("rows").forEach(row -> ids.add(row.path(key).asText()));
        return String.join(" ", ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|1 2 3 4 5",
                "{'year': 2001}|2",
                "{'year': 2001.0}|2",
                "{'year': 2.001e3}|2",
                "{'year': '2001'}|2",
                "{'year': 2001.5}|``",
                "{'year': {'ne': 2001.5}}|1 2 3 4 5",
                "{'year': {'gt': 2000.5}}|2 4",
                "{'year': {'gte': 2001.0}}|2 4",
                "{'year': {'lt': 2001}}|1 5",
                "{'year': {'lte': 2001}}|1 2 5",
                "{'year': {'gt': 2001}}|4",
                "{'year': {'gt': 2000, 'lt': 2002}}|2",
                "{'year': {'gte': -2147483648}}|1 2 4 5",
                "{'year': {'lte': -2147483648.0}}|5",
                "{'year': {'lt': 3000000000}}|1 2 4 5",
                "{'year': {'gt': -1e400}}|1 2 4 5",
                "{'year': {'ne': 2000}}|2 3 4 5",
                "{'year': {'ne': null}}|1 2 4 5",
                "{'year': null}|3",
                "{'year': {'eq': null}}|3",
                "{'year': {'exists': true}}|1 2 4 5",
                "{'year': {'exists': false}}|3",
                "{'year': []}|``",
                "{'year': {'in': []}}|``",
                "{'year': [2000, 2002.0, 9]}|1 4",
                "{'year': [2000, 2000.5, 1e30]}|1",
                "{'year': [null, 2000]}|1 3",
                "{'year': [null]}|3",
                "{'year': [null, 2000], 'lang': 'en'}|1",
                "{'year': [null, 2000], 'lang': 'de'}|``",
                "{'small': 32767}|4",
                "{'small': {'lt': 32768}}|1 2 4 5",
                "{'small': {'gt': -32769}}|1 2 4 5",
                "{'big': 9223372036854775807}|1",
                "{'big': -9223372036854775808}|2",
                "{'big': {'lt': 9223372036854775808}}|1 2 4 5",
                "{'big': {'lt': 9223372036854775807}}|2 4 5",
                "{'lang': [null, 'en']}|1 3",
                "{'lang': ['null']}|4",
                "{'lang': ''}|5",
                "{'lang': {'like': 'e_'}}|1",
                "{'lang': {'ilike': 'E%'}}|1",
                "{'lang': {'like': 'E%'}}|``",
                "{'code': 'abc'}|1",
                "{'code': ['abd', 'xyz']}|2 4",
                "{'ok': true}|1 4",
                "{'ok': {'ne': true}}|2 3 5",
                "{'at': 'infinity'}|2",
                "{'at': {'lt': '2024-02-01T00:00:00Z'}}|1 4",
                "{'price': 1.5}|1",
                "{'price': 'NaN'}|4",
                "{'price': {'gte': 2.5}}|2 4",
                "{'tags': {'contains': 'b'}}|1 2",
                "{'tags': {'contains': ['b', 'a']}}|1",
                "{'tags': {'contains': ['a']}}|1 5",
                "{'tags': {'contains': []}}|1 2 4 5",
                "{'tags': {'contains_any': ['a', 'c']}}|1 2 5",
                "{'tags': {'contains_any': []}}|``",
                "{'tags': {'contains_any': ['A']}}|``",
                "{'tags': {'contains': 'b', 'contains_any': ['a', 'z']}}|1",
                "{'tags': {'eq': ['a', 'b']}}|1",
                "{'tags': {'eq': ['b', 'a']}}|``",
                "{'tags': {'eq': []}}|4",
                "{'tags': {'ne': ['a', 'b']}}|2 3 4 5",
                "{'tags': null}|3",
                "{'marks': {'contains': 'a'}}|1",
                "{'marks': {'contains_any': ['b']}}|1 2",
                "{'numbers': {'contains': 2.0}}|1 2",
                "{'numbers': {'contains_any': [3, -1]}}|2 5",
                "{'numbers': {'contains_any': [3, 2.5, 1e20]}}|2",
                "{'numbers': {'contains': [2, 2.5]}}|``",
                "{'times': {'contains': '2024-01-01T01:00:00+01:00'}}|1",
                "{'times': {'contains': 'infinity'}}|4",
                "{'meta': {'contains': {'k': [2]}}}|1 5",
                "{'meta': {'contains': {'s': 'x'}}}|1",
                "{'meta': {'contains': {'s': null}}}|5",
                "{'meta': {'contains': 'a'}}|2",
                "{'meta': {'contains': ['b', 'a']}}|2",
                "{'meta': {'contains': null}}|4",
                "{'meta': {'contains_any': [{'k': [1]}, 'b']}}|1 2",
                "{'meta': {'contains_any': []}}|``",
                "{'meta': {'eq': ['a', 'b']}}|2",
                "{'meta': {'ne': ['a', 'b']}}|1 3 4 5",
                "{'meta': [['a', 'b'], {'k': [1, 2], 's': 'x'}]}|1 2",
                "{'meta': null}|3",
                "{'plain': {'contains': {'k': 1}}}|1",
                "{'plain': 't'}|5",
                "{'plain': {'contains_any': [1, 't']}}|2 5",
                "{'Na\\'me': 'two'}|2",
                "{'YEAR': 2000}|1",
                "{'articles.year': 2000}|1",
                "{'public.articles.Year': 2000}|1",
            })
    void aFilterFindsTheseRows(String filter, String ids) throws JsonProcessingException {
        assertEquals(ids == null ? "" : ids, ids(filtered(filter)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'yaer': 1}|Did you mean 'year'?",
                "{'other.year': 1}|Column 'other.year' not found",
                "{'\\'YEAR\\'': 1}|Available columns: id, year",
                "{'year': {'gtee': 1}}|there is no 'gtee'; did you mean 'gte'?",
                "{'tags': {'containsany': ['a']}}|did you mean 'contains_any'?",
                "{'year': {'%%%%': 1}}|there is no '%%%%'. A filter is",
                "{'year': {'gt': null}}|use exists",
                "{'lang': {'like': null}}|use exists",
                "{'year': {'exists': 'yes'}}|'exists' takes true or false",
                "{'year': {'in': 1}}|'in' takes a list",
                "{'tags': {'contains_any': 'a'}}|'contains_any' takes a list",
                "{'year': {'eq': [1]}}|a value here is a text",
                "{'year': [[1]]}|a value here is a text",
                "{'lang': {'contains': 'e'}}|for arrays and jsonb, and this column is text",
                "{'tags': 'a'}|use contains",
                "{'tags': ['a']}|contains_any",
                "{'tags': {'contains': [null]}}|leave it out",
                "{'tags': {'contains': {'a': 1}}}|an element here is a text",
            })
    void whatCanNotBeFilteredSaysWhatToDo(String filter, String said) throws JsonProcessingException {
        ToolResult result = filtered(filter);
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
        assertTrue(result.text().contains(said), result::text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "articles.id = 1|1",
                "public.articles.id = 1 OR Articles.Year = 2001|1 2",
                "tags @> ARRAY['a'] AND articles.year IN (SELECT a.year FROM articles a WHERE a.id = articles.id)|1 5",
            })
    void aConditionMayNameItsTable(String condition, String ids) {
        assertEquals(
                ids,
                ids(harness.call(
                        "semantic_search", search("articles", "embedding").put("filter_conditions", condition))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Vec", "\"Vec\"", "vec", "\"My Docs\".\"Vec\"", "\"Other\".\"My Docs\".\"Vec\""})
    void aVectorColumnMayBeWrittenAsInSql(String column) {
        ToolResult result = harness.call("semantic_search", search("\"Other\".\"My Docs\"", column));
        if (column.equals("vec")) {
            assertEquals("NOT_FOUND", result.errorKind());
            assertTrue(result.text().contains("Did you mean 'Vec'?"), result::text);
        } else {
            assertEquals("1 2", ids(result, "Id"));
        }
    }

    @ParameterizedTest
    @CsvSource({"l2,l2", "L2,l2", "Euclidean,l2", "COSINE,cosine", "Inner_Product,inner_product", "INNER,inner_product"
    })
    void theMetricIsWrittenInAnyCase(String given, String used) {
        ToolResult result =
                harness.call("semantic_search", search("articles", "embedding").put("distance_metric", given));
        assertEquals("1 2 3 4 5".length(), ids(result).length());
        assertEquals(used, result.structured().path("distance_metric").asText());
    }

    @Test
    void anUnknownMetricSaysWhichThereAre() {
        ToolResult result =
                harness.call("semantic_search", search("articles", "embedding").put("distance_metric", "cosinus"));
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertEquals(
                "There is no distance metric \"cosinus\". Did you mean cosine? 'distance_metric' is one of cosine, l2,"
                        + " euclidean, inner_product, inner.",
                result.text());
    }

    @Test
    void tablesWithoutAKeyAndPartitionsAreSearchedUnderTheirOwnNames() {
        assertEquals("1 2", ids(harness.call("semantic_search", search("unkeyed", "embedding")), "n"));
        assertEquals("1 2", ids(harness.call("semantic_search", search("parts", "embedding")), "n"));
    }

    @ParameterizedTest
    @CsvSource({"public,3", "Public,3", "PUBLIC,3", "\"public\",3", "Other,2", "\"Other\",2"})
    void aSchemaMayBeWrittenAsInSql(String schema, int tables) {
        ToolResult result = harness.call("get_schema_info", Json.object().put("schema_name", schema));
        assertFalse(result.isError(), result::toString);
        assertEquals(tables, result.structured().path("total").asInt());
    }

    /** It was refused, with itself as the nearest name. */
    @ParameterizedTest
    @ValueSource(strings = {"Other.a.b \"c", "a.b \"c", "\"Other\".\"a.b \"\"c\"", "\"a.b \"\"c\""})
    void aTableIsFoundByTheNameThatIsShownAndAsInSql(String name) {
        ToolResult found = harness.call("semantic_search", search(name, "Vec"));
        assertFalse(found.isError(), found::toString);
        assertEquals("1", ids(found, "n"));
    }

    @Test
    void anUnknownNameSaysTheNearest() {
        ToolResult schema = harness.call("get_schema_info", Json.object().put("schema_name", "pubic"));
        assertEquals(
                "There is no schema \"pubic\" with tables that you may read. Did you mean public? Schemas: Other, public.",
                schema.text());
        ToolResult table = harness.call("semantic_search", search("artcles", "embedding"));
        assertTrue(
                table.text().startsWith("Table 'artcles' not found in database metadata. Did you mean 'articles'?"),
                table::text);
    }
}
