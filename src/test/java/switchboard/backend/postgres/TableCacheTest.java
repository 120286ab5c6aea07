package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.PostgresCluster;
import switchboard.testing.ToolResult;

/** {@code semantic_search} on tables that it knows and that change, on a real server. */
@Tag("engines")
class TableCacheTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static String reader;

    private final AtomicLong now = new AtomicLong();
    private final CalculatedEmbedder embedder = CalculatedEmbedder.ofCharacters(3);
    private BackendHarness harness;

    @BeforeAll
    static void prepare() {
        reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE ROLE outsider LOGIN;
                GRANT USAGE ON SCHEMA public TO outsider;
                CREATE SCHEMA archive;
                GRANT USAGE ON SCHEMA archive TO %s;
                """.formatted(reader));
    }

    /** A table of two rows that has been searched. */
    @BeforeEach
    void search() {
        CLUSTER.sql("""
                CREATE TABLE papers (id int PRIMARY KEY, year int, body text, v vector(3));
                INSERT INTO papers VALUES (1, 2001, 'ships', '[1,0,0]'), (2, 2011, 'roads', '[0,1,0]');
                """);
        PostgresSettings base = PostgresFixture.settings(CLUSTER, reader);
        PostgresSettings settings = new PostgresSettings(
                base.connection(),
                Map.of(),
                new PostgresSettings.Access(
                        false, true, List.of(), Map.of("out", new PostgresSettings.Role("outsider", null)), false),
                base.pool(),
                base.limits(),
                base.embedder(),
                Map.of(),
                Map.of());
        harness = PostgresFixture.start(settings, embedder, now::get);
        assertEquals("[{\"id\":1,\"year\":2001,\"body\":\"ships\",\"distance\":0}]", rows(search(1, 0, 0)));
    }

    @AfterEach
    void drop() {
        harness.close();
        CLUSTER.sql("DROP TABLE IF EXISTS papers, papers_of_old, archive.papers CASCADE");
    }

    private static ObjectNode papers() {
        return Json.object()
                .put("table_name", "papers")
                .put("vector_column", "v")
                .put("top_k", 1);
    }

    private static ObjectNode papers(double... vector) {
        ObjectNode arguments = papers();
        Arrays.stream(vector).forEach(arguments.putArray("query_vector")::add);
        return arguments;
    }

    private ToolResult search(double... vector) {
        return search(papers(vector));
    }

    private ToolResult search(ObjectNode arguments) {
        return harness.call("semantic_search", arguments);
    }

    private static String rows(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured().path("rows").toString();
    }

    private void as(ResourceScope scope, Map<String, String> bindings) {
        harness.as(caller -> new Caller("team", "key", caller.rights(), scope, bindings));
    }

    @Test
    void aSecondSearchDoesNotReadTheCatalogue() {
        CLUSTER.sql("REVOKE SELECT ON pg_catalog.pg_index FROM PUBLIC");
        try {
            ObjectNode text = papers().put("text_query", "ccc");
            ObjectNode condition = papers(1, 0, 0).put("filter_conditions", "year < 2011");
            ObjectNode filter = papers(1, 0, 0);
            filter.putObject("filter").putObject("year").put("lt", 2011);
            for (ObjectNode one : List.of(papers(1, 0, 0), text, condition, filter)) {
                assertEquals("[{\"id\":1,\"year\":2001,\"body\":\"ships\",\"distance\":0}]", rows(search(one)));
            }
            assertEquals(
                    "42501",
                    harness.call("get_schema_info", "{\"table_name\":\"papers\"}")
                            .error()
                            .path("code")
                            .asText());
            now.addAndGet(Duration.ofMinutes(1).toNanos());
            assertEquals("42501", search(1, 0, 0).error().path("code").asText());
        } finally {
            CLUSTER.sql("GRANT SELECT ON pg_catalog.pg_index TO PUBLIC");
        }
    }

    @Test
    void aColumnThatIsRenamedOrDroppedIsNoticedAtOnce() {
        CLUSTER.sql("ALTER TABLE papers RENAME COLUMN body TO text");
        assertEquals("[{\"id\":1,\"year\":2001,\"text\":\"ships\",\"distance\":0}]", rows(search(1, 0, 0)));
        CLUSTER.sql("ALTER TABLE papers DROP COLUMN text");
        assertEquals("[{\"id\":1,\"year\":2001,\"distance\":0}]", rows(search(1, 0, 0)));
        CLUSTER.sql("ALTER TABLE papers DROP COLUMN v");
        assertEquals(
                "Column 'v' not found in table 'public.papers'. Available columns: id, year",
                search(1, 0, 0).text());
    }

    @Test
    void aColumnOfAnotherTypeIsNoticedAtOnce() {
        ObjectNode lately = papers(1, 0, 0);
        lately.putObject("filter").put("year", "MMI");
        assertEquals("22P02", search(lately).error().path("code").asText());
        CLUSTER.sql("ALTER TABLE papers ALTER COLUMN year TYPE text USING 'MMI'");
        assertEquals("[{\"id\":1,\"year\":\"MMI\",\"body\":\"ships\",\"distance\":0}]", rows(search(lately)));
    }

    @Test
    void aColumnThatIsAddedCanBeAskedForAtOnceAndIsShownHalfAMinuteLater() {
        CLUSTER.sql("ALTER TABLE papers ADD COLUMN pages int DEFAULT 7");
        now.addAndGet(Duration.ofSeconds(29).toNanos());
        assertEquals("[{\"id\":1,\"year\":2001,\"body\":\"ships\",\"distance\":0}]", rows(search(1, 0, 0)));
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals("[{\"id\":1,\"year\":2001,\"body\":\"ships\",\"pages\":7,\"distance\":0}]", rows(search(1, 0, 0)));
        CLUSTER.sql("ALTER TABLE papers ADD COLUMN shelf int DEFAULT 3");
        ObjectNode shelved = papers(1, 0, 0);
        shelved.putObject("filter").put("shelf", 3);
        assertTrue(rows(search(shelved)).contains("\"shelf\":3"));
    }

    @Test
    void aTableThatIsMadeAnewWithOtherDimensionsIsNoticedAtOnce() {
        CLUSTER.sql("DROP TABLE papers");
        assertTrue(search(1, 0, 0).text().startsWith("Table 'papers' not found in database metadata."));
        CLUSTER.sql("CREATE TABLE papers (id int, v vector(3)); INSERT INTO papers VALUES (3, '[1,0,0]')");
        assertEquals("[{\"id\":3,\"distance\":0}]", rows(search(1, 0, 0)), "what was not there is not remembered");
        CLUSTER.sql("DROP TABLE papers; CREATE TABLE papers (id int, v vector(4))");
        CLUSTER.sql("INSERT INTO papers VALUES (4, '[1,0,0,0]')");
        assertEquals(
                "Query vector dimensions (3) don't match column dimensions (4) for 'public.papers.v'. Pass a vector of that length, or another column.",
                search(1, 0, 0).text());
        CLUSTER.sql("DROP TABLE papers; CREATE TABLE papers (id int, v vector(5))");
        CLUSTER.sql("INSERT INTO papers VALUES (5, '[1,0,0,0,0]')");
        assertEquals("[{\"id\":5,\"distance\":0}]", rows(search(1, 0, 0, 0, 0)));
    }

    @Test
    void aTableThatIsRenamedOrMovedIsNoticedAtOnce() {
        CLUSTER.sql("ALTER TABLE papers RENAME TO papers_of_old");
        assertEquals("NOT_FOUND", search(1, 0, 0).errorKind());
        CLUSTER.sql("ALTER TABLE papers_of_old RENAME TO papers");
        rows(search(1, 0, 0));
        CLUSTER.sql("ALTER TABLE papers SET SCHEMA archive");
        assertEquals(
                "archive.papers", search(1, 0, 0).structured().path("table").asText(), "the only one of that name");
    }

    @Test
    void aRightThatIsTakenAwayIsNoticedAtOnce() {
        CLUSTER.sql("REVOKE SELECT ON papers FROM " + reader);
        ToolResult refused = search(1, 0, 0);
        assertEquals("NOT_FOUND", refused.errorKind());
        assertFalse(refused.text().contains("body"), refused::text);
        CLUSTER.sql("GRANT SELECT (id, v) ON papers TO " + reader);
        assertEquals("[{\"id\":1,\"distance\":0}]", rows(search(1, 0, 0)));
        CLUSTER.sql("REVOKE SELECT (v) ON papers FROM " + reader);
        assertEquals(
                "Column 'v' not found in table 'public.papers'. Available columns: id",
                search(1, 0, 0).text());
    }

    @Test
    void whatOneTeamHasSearchedIsNotKnownToAnother() {
        as(ResourceScope.anyOf(List.of("public.books")), Map.of());
        assertEquals(
                "Table 'papers' not found in database metadata. Available tables: none",
                search(1, 0, 0).text());
        as(ResourceScope.ALL, Map.of("schemas", "archive"));
        assertEquals(
                "Table 'papers' not found in database metadata. Available tables: none",
                search(1, 0, 0).text());
        as(ResourceScope.ALL, Map.of("role", "out"));
        assertEquals(
                "Table 'papers' not found in database metadata. Available tables: none",
                search(1, 0, 0).text());
        CLUSTER.sql("GRANT SELECT (id, v) ON papers TO outsider");
        assertEquals("[{\"id\":1,\"distance\":0}]", rows(search(1, 0, 0)));
        as(ResourceScope.ALL, Map.of());
        assertEquals("[{\"id\":1,\"year\":2001,\"body\":\"ships\",\"distance\":0}]", rows(search(1, 0, 0)));
    }

    @Test
    void whatACallerMayNotDoIsRefusedBeforeAnEmbeddingIsPaidFor() {
        ObjectNode condition = papers().put("text_query", "ccc").put("filter_conditions", "true");
        as(ResourceScope.anyOf(List.of("public.papers")), Map.of());
        assertEquals("DENIED", search(condition).errorKind());
        as(ResourceScope.ALL, Map.of("tenant", "red"));
        assertEquals("DENIED", search(condition).errorKind());
        condition.remove("filter_conditions");
        assertEquals("DENIED", search(condition).errorKind());
        assertEquals(List.of(), embedder.texts());
    }

    @Test
    void anIndexThatIsMadeMeanwhileDoesNotEndASearchEarly() {
        CLUSTER.sql("""
                INSERT INTO papers SELECT i, i % 100, 'p', ('[' || i || ',' || i % 7 || ',1]')::vector
                  FROM generate_series(3, 3000) i;
                """);
        ObjectNode many = papers(5, 5, 5).put("top_k", 200);
        assertEquals(200, search(many).structured().path("row_count").asInt());
        CLUSTER.sql("CREATE INDEX ON papers USING hnsw (v vector_cosine_ops); ANALYZE papers");
        assertEquals(200, search(many).structured().path("row_count").asInt());
    }

    @Test
    void tooFewRowsAreStillWhatThereIs() {
        ObjectNode all = papers(1, 0, 0).put("top_k", 100);
        for (int i = 0; i < 3; i++) {
            assertEquals(2, search(all).structured().path("row_count").asInt());
        }
    }
}
