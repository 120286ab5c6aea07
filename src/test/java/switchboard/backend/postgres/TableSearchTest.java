package switchboard.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.FilterField;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.Passage;
import switchboard.call.ResourceScope;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.PostgresCluster;

/** Tables as sources of searches over all backends, on a real server. */
@Tag("engines")
@ExtendWith(VertxExtension.class)
class TableSearchTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static final CalculatedEmbedder EMBEDDER = CalculatedEmbedder.ofCharacters(3);

    private static BackendHarness harness;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
                CREATE EXTENSION vector;
                CREATE TABLE papers (id int PRIMARY KEY, title text, body text, year int, embedding vector(3));
                COMMENT ON TABLE papers IS 'What was published';
                INSERT INTO papers VALUES
                  (1, 'Ships', 'Of ships and harbours', 2001, '[1,0,0]'),
                  (2, 'Rivers', 'Of rivers and bridges', 2011, '[0.9,0.1,0]'),
                  (3, 'Roads', 'Of roads and carts', 2021, '[0,1,0]');
                ANALYZE papers;
                CREATE TABLE pairs (a text, b int, note text, embedding vector(3), PRIMARY KEY (a, b));
                INSERT INTO pairs VALUES ('x"y', 7, 'two columns make the key', '[1,0,0]');
                CREATE TABLE keyless (note text, embedding vector(3));
                CREATE TABLE notes (id int PRIMARY KEY, body text, updated_at timestamptz, embedding vector(3));
                CREATE INDEX ON notes (updated_at DESC);
                INSERT INTO notes VALUES (1, 'old', '2024-02-29 23:30:00-05', '[1,0,0]'), (2, 'new', NULL, '[1,0,0]');
                CREATE TABLE drafts (id int PRIMARY KEY, body text, updated_at timestamptz, embedding vector(3));
                CREATE INDEX ON drafts (updated_at) WHERE id > 1;
                INSERT INTO drafts VALUES (1, 'draft', '2024-02-29 23:30:00Z', '[1,0,0]');
                CREATE TABLE secrets (id int PRIMARY KEY, body text, updated_at timestamptz, embedding vector(3));
                CREATE INDEX ON secrets (updated_at);
                INSERT INTO secrets VALUES (1, 'hidden', '2024-02-29 23:30:00Z', '[1,0,0]');
                ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
                ANALYZE notes; ANALYZE drafts; ANALYZE secrets;
                CREATE TYPE state AS ENUM ('draft', 'final');
                CREATE TABLE kinds (id bigint PRIMARY KEY, "Name" varchar(9), open bool, day date, at timestamptz, local timestamp,
                  tags text[], years int[], extra jsonb, state state, picture bytea, key uuid, embedding vector(3));
                INSERT INTO kinds VALUES (1, 'a', true, '2024-02-29', '2024-02-29 12:00Z', '2024-02-29 12:00', '{x,y}', '{1,2}',
                  '{"a": 1}', 'draft', '\\x00', '00000000-0000-4000-8000-000000000001', '[1,0,0]');
                CREATE TABLE other_size (id int PRIMARY KEY, embedding vector(4));
                """);
        harness = PostgresFixture.start(PostgresFixture.settings(CLUSTER, reader), EMBEDDER);
    }

    @AfterAll
    static void stop() {
        harness.close();
    }

    private static List<Passage> search(String table, Condition... conditions) {
        return assertInstanceOf(
                        BackendReply.Passages.class,
                        harness.send(new BackendRequest.SearchSource(
                                table, new SourceQuery("ccc", List.of(conditions), 10))))
                .passages();
    }

    @Test
    void tablesWithAKeyAndAFittingVectorAreSources() {
        List<SearchableSource> sources = sources();
        assertEquals(
                List.of(
                        "public.drafts",
                        "public.kinds",
                        "public.notes",
                        "public.pairs",
                        "public.papers",
                        "public.secrets"),
                sources.stream().map(SearchableSource::name).toList());
        SearchableSource papers = source("public.papers");
        assertEquals("What was published", papers.description());
        assertEquals(3, papers.documents());
        assertNull(source("public.pairs").documents(), "never analysed");
        assertEquals(
                List.of(
                        new FilterField("body", List.of(FilterField.ValueType.STRING), true),
                        new FilterField("id", List.of(FilterField.ValueType.NUMBER), true),
                        new FilterField("title", List.of(FilterField.ValueType.STRING), true),
                        new FilterField("year", List.of(FilterField.ValueType.NUMBER), true)),
                papers.fields());
    }

    private static List<SearchableSource> sources() {
        BackendReply reply = harness.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN));
        return assertInstanceOf(BackendReply.Sources.class, reply, reply::toString)
                .sources();
    }

    private static SearchableSource source(String name) {
        return sources().stream()
                .filter(source -> source.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTableThatKeepsAndIndexesItSaysWhenItWasLastWrittenTo() {
        assertEquals("2024-03-01T04:30:00Z", source("public.notes").updated());
        assertNull(source("public.papers").updated(), "no such column");
        assertNull(source("public.drafts").updated(), "the index leaves rows out");
        assertNull(source("public.secrets").updated(), "row security");
        assertNull(source("public.secrets").documents(), "row security");
    }

    @Test
    void aTableThatIsBeingRebuiltIsListedAllTheSame(Vertx vertx) {
        PgConnection owner = PgConnection.connect(
                        vertx,
                        new PgConnectOptions()
                                .setHost("127.0.0.1")
                                .setPort(CLUSTER.port())
                                .setDatabase(CLUSTER.database())
                                .setUser(CLUSTER.superuser()))
                .await();
        owner.query("BEGIN").execute().await();
        owner.query("LOCK TABLE notes IN ACCESS EXCLUSIVE MODE").execute().await();
        assertNull(source("public.notes").updated());
        owner.query("ROLLBACK").execute().await();
        assertEquals("2024-03-01T04:30:00Z", source("public.notes").updated());
    }

    @Test
    void aTeamSeesTheTablesOfItsGrants() {
        harness.as(caller -> new switchboard.call.Caller(
                "team", "key", caller.rights(), ResourceScope.anyOf(List.of("public.pa*s")), caller.bindings()));
        try {
            assertEquals(
                    2,
                    assertInstanceOf(
                                    BackendReply.Sources.class,
                                    harness.send(new BackendRequest.ListSources(BackendRequest.FilterFields.KNOWN)))
                            .sources()
                            .size());
        } finally {
            harness.as(_ -> switchboard.call.Caller.unrestricted());
        }
    }

    @Test
    void theNearestRowsComeWithTheirCosines() {
        // "c" is 99, which is 0 modulo 3.
        List<Passage> found = search("public.papers");
        assertEquals(
                List.of("1", "2", "3"), found.stream().map(Passage::document).toList());
        assertEquals("Ships", found.getFirst().title());
        assertEquals("Of ships and harbours", found.getFirst().text());
        assertEquals(1.0, found.getFirst().similarity().cosine(), 1e-6);
        assertEquals(0.0, found.getLast().similarity().cosine(), 1e-6);
        assertEquals(2001, found.getFirst().fields().path("year").asInt());
    }

    @Test
    void conditionsHoldForEveryRow() {
        Condition after =
                new Condition("year", Operator.MORE_THAN, Json.mapper().valueToTree(2001));
        Condition before =
                new Condition("year", Operator.LESS_THAN, Json.mapper().valueToTree(2021));
        assertEquals(
                List.of("2"),
                search("public.papers", after, before).stream()
                        .map(Passage::document)
                        .toList());
    }

    @Test
    void fieldsHaveTheTypesOfTheirColumns() {
        Map<String, String> fields = new TreeMap<>();
        source("public.kinds")
                .fields()
                .forEach(field -> fields.put(field.name(), field.types() + (field.ranges() ? " ranges" : "")));
        assertEquals(
                "{Name=[STRING] ranges, at=[DATE_TIME] ranges, day=[DATE_TIME] ranges, extra=[], id=[NUMBER] ranges,"
                        + " key=[STRING] ranges, local=[DATE_TIME] ranges, open=[BOOLEAN], state=[] ranges, tags=[STRING],"
                        + " years=[NUMBER]}",
                fields.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            id | EQUAL | 1
            Name | EQUAL | "a"
            Name | AT_LEAST | "a"
            open | EQUAL | true
            OPEN | EQUAL | true
            day | EQUAL | "2024-02-29"
            at | AT_LEAST | "2024-02-29T11:00:00-01:00"
            local | LESS_THAN | "2024-03-01"
            tags | EQUAL | "y"
            years | EQUAL | 2
            state | EQUAL | "draft"
            extra | EQUAL | {"a": 1}
            key | EQUAL | "00000000-0000-4000-8000-000000000001"
            """)
    void aConditionOfTheRightTypeFindsTheRow(String field, Operator comparison, String value) throws Exception {
        assertEquals(
                1,
                search("public.kinds", new Condition(field, comparison, Json.parse(value)))
                        .size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            id | EQUAL | "1" | its type is number
            Name | EQUAL | 1 | its type is string
            Name | EQUAL | true | its type is string
            open | EQUAL | "true" | its type is boolean
            open | EQUAL | 1 | its type is boolean
            day | EQUAL | "yesterday" | its type is date-time
            at | AT_LEAST | "infinity" | its type is date-time
            at | AT_LEAST | 2024 | its type is date-time
            local | EQUAL | "2024-02-30" | its type is date-time
            tags | AT_LEAST | "x" | by order
            tags | EQUAL | 1 | its type is string
            years | EQUAL | "1" | its type is number
            extra | MORE_THAN | 1 | by order
            state | EQUAL | "none" | state
            key | EQUAL | "none" | uuid
            """)
    void aConditionOfAnotherTypeIsAnError(String field, Operator comparison, String value, String part)
            throws Exception {
        ToolReply.Failed failed = refused("public.kinds", field, comparison, value);
        assertTrue(failed.message().contains(part), failed::message);
        assertEquals(Optional.empty(), UnknownFields.in(failed));
    }

    private static ToolReply.Failed refused(String table, String field, Operator comparison, String value)
            throws Exception {
        ToolReply.Failed failed = assertInstanceOf(
                ToolReply.Failed.class,
                harness.send(new BackendRequest.SearchSource(
                        table,
                        new SourceQuery("ccc", List.of(new Condition(field, comparison, Json.parse(value))), 10))));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind(), failed::message);
        return failed;
    }

    @Test
    void aColumnThatIsNotThereOrHoldsBytesOrVectorsIsUnknown() throws Exception {
        for (String field : List.of("picture", "embedding", "nam", "name", "public.papers.id")) {
            UnknownFields unknown = UnknownFields.in(refused("public.kinds", field, Operator.EQUAL, "1"))
                    .orElseThrow();
            assertEquals(List.of(field), List.copyOf(unknown.near().keySet()));
            assertEquals(field.startsWith("nam") ? "Name" : "", unknown.near().get(field));
            assertEquals(11, unknown.known().size());
        }
    }

    @Test
    void aRowIsReadByItsKey() {
        for (String table : List.of("public.papers", "public.pairs")) {
            Passage best = search(table).getFirst();
            BackendReply.DocumentPart part = assertInstanceOf(
                    BackendReply.DocumentPart.class,
                    harness.send(new BackendRequest.ReadDocument(table, best.document(), 0, 1000, NamedFields.NONE)));
            assertEquals(true, part.text().contains(best.text()), part.text());
        }
        for (String document : List.of("99", "' OR true --", "[1]")) {
            ToolReply.Failed failed = assertInstanceOf(
                    ToolReply.Failed.class,
                    harness.send(
                            new BackendRequest.ReadDocument("public.papers", document, 0, 1000, NamedFields.NONE)));
            assertEquals(FailureKind.NOT_FOUND, failed.kind(), failed::message);
        }
    }
}
