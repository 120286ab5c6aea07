package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.Passage;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SourceQuery.Operator;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;

/** Indexes as sources of searches over all backends. */
class IndexSearchTest extends MeilisearchFixture {
    private static final CalculatedEmbedder EMBEDDER = CalculatedEmbedder.constant(0.9f, 0.1f, 0.0f, 0.1f);

    private BackendReply ask(BackendHarness backend, String index, String text, Condition... conditions) {
        return backend.send(new BackendRequest.SearchSource(uid(index), new SourceQuery(text, List.of(conditions), 5)));
    }

    private static List<Passage> passages(BackendReply reply) {
        return assertInstanceOf(BackendReply.Passages.class, reply, reply::toString)
                .passages();
    }

    @Test
    void anIndexWithVectorsIsSearchedByBothAndTheirCosinesAreTaken() {
        engine().expect(
                        Recording.of("index-get").withPath("/indexes/movies_vec"),
                        Recording.of("settings-vectors"),
                        Recording.of("settings-vectors"),
                        Recording.of("search-hybrid-retrieve-vectors")
                                .withBody("{\"q\": \"matrix\", \"limit\": 5, \"offset\": 0, \"showRankingScore\": true,"
                                        + " \"retrieveVectors\": true, \"vector\": [0.9, 0.1, 0.0, 0.1],"
                                        + " \"hybrid\": {\"embedder\": \"vec\", \"semanticRatio\": 0.5}}"));
        Passage best = passages(ask(tools(MASTER, null, EMBEDDER), "movies_vec", "matrix"))
                .getFirst();
        assertEquals("1", best.document());
        assertEquals("The Matrix", best.title());
        assertEquals(1.0, assertNotNullValue(best.similarity()).cosine(), 1e-6);
        assertFalse(best.fields().has("_vectors"));
    }

    private static <T> T assertNotNullValue(T value) {
        assertNotNull(value);
        return value;
    }

    @Test
    void anIndexWithoutIsSearchedByKeyword() {
        engine().expect(
                        Recording.of("index-get"),
                        Recording.of("settings-vectors")
                                .withPath("/indexes/movies/settings")
                                .withAnswer("{\"filterableAttributes\": [\"year\"], \"embedders\": {}}"),
                        Recording.of("search-hybrid-retrieve-vectors")
                                .withPath("/indexes/movies/search")
                                .withBody("{\"q\": \"matrix\", \"limit\": 5, \"offset\": 0, \"showRankingScore\": true,"
                                        + " \"retrieveVectors\": false, \"filter\": [\"\\\"year\\\" > 1990\"]}"));
        Condition after =
                new Condition("year", Operator.MORE_THAN, Json.mapper().valueToTree(1990));
        Passage best = passages(ask(tools(MASTER), "movies", "matrix", after)).getFirst();
        assertEquals("The Matrix", best.title());
        assertNull(best.similarity());
    }

    @Test
    void textsAreNotOrdered() {
        engine().expect(
                        Recording.of("index-get"),
                        Recording.of("settings-vectors")
                                .withPath("/indexes/movies/settings")
                                .withAnswer("{\"embedders\": {}}"));
        Condition order =
                new Condition("title", Operator.AT_LEAST, Json.mapper().valueToTree("M"));
        ToolReply.Failed failed =
                assertInstanceOf(ToolReply.Failed.class, ask(tools(MASTER), "movies", "matrix", order));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
    }

    /** The settings that the stand-in answers with; an index of a real engine has its own. */
    private void expectSettings(String settings) {
        assumeTrue(engine().stubbed(), "a real index has its own settings");
        engine().expect(
                        Recording.of("index-get"),
                        Recording.of("settings-vectors")
                                .withPath("/indexes/movies/settings")
                                .withAnswer(settings));
    }

    private static Condition equal(String field, Object value) {
        return new Condition(field, Operator.EQUAL, Json.mapper().valueToTree(value));
    }

    private ToolReply.Failed refused(Condition condition) {
        ToolReply.Failed failed =
                assertInstanceOf(ToolReply.Failed.class, ask(tools(MASTER), "movies", "matrix", condition));
        assertEquals(FailureKind.INVALID_ARGUMENT, failed.kind());
        return failed;
    }

    @Test
    void anAttributeThatIsNotFilterableIsUnknownWithoutASearch() {
        String settings = """
                {"filterableAttributes": ["genre", "_geo", {"attributePatterns": ["year"], "features": {"filter": {"equality": false}}}],
                 "embedders": {}}""";
        for (String field : List.of("gener", "year", "_geo", "genres.x", "Genre", "title")) {
            expectSettings(settings);
            UnknownFields unknown = UnknownFields.in(refused(equal(field, "x"))).orElseThrow();
            assertEquals(List.of("genre"), unknown.known());
            assertEquals(
                    field.toLowerCase(Locale.ROOT).startsWith("gen") && !field.contains(".") ? "genre" : "",
                    unknown.near().get(field),
                    field);
        }
    }

    @Test
    void anAttributeOfAPatternTakesWhatThePatternAllows() {
        String settings = "{\"filterableAttributes\": [{\"attributePatterns\": [\"ye*\"]}], \"embedders\": {}}";
        expectSettings(settings);
        ToolReply.Failed failed =
                refused(new Condition("year", Operator.MORE_THAN, Json.mapper().valueToTree(1990)));
        assertEquals(true, failed.message().contains("by order"), failed::message);
        assertEquals(Optional.empty(), UnknownFields.in(failed));
    }

    private ToolReply.Failed refusedAfter(String hit) {
        engine().expect(
                        Recording.of("index-get"),
                        Recording.of("settings-vectors")
                                .withPath("/indexes/movies/settings")
                                .withAnswer("{\"filterableAttributes\": [\"year\"], \"embedders\": {}}"),
                        Recording.of("search-hybrid-retrieve-vectors")
                                .withPath("/indexes/movies/search")
                                .withBody("{\"q\": \"matrix\", \"limit\": 5, \"offset\": 0, \"showRankingScore\": true,"
                                        + " \"retrieveVectors\": false, \"filter\": [\"\\\"year\\\" = \\\"1999\\\"\"]}")
                                .withAnswer("{\"hits\": [" + hit + "]}"));
        return refused(equal("year", "1999"));
    }

    @Test
    void aTextThatTheEngineTakesForANumberIsAnError() {
        ToolReply.Failed failed = refusedAfter("{\"id\": 1, \"title\": \"The Matrix\", \"year\": 1999}");
        assertEquals(true, failed.message().contains("its type is number"), failed::message);
    }

    @Test
    void anAttributeThatTheEngineDoesNotShowCantBeChecked() {
        assumeTrue(engine().stubbed(), "a real index shows all attributes");
        ToolReply.Failed failed = refusedAfter("{\"id\": 1, \"title\": \"The Matrix\"}");
        assertEquals(true, failed.message().contains("\"year\" is not in what the engine shows"), failed::message);
    }

    private BackendHarness bound(String binding, String value) {
        return tools(MASTER)
                .as(caller -> new Caller("team", "key", caller.rights(), caller.scope(), Map.of(binding, value)));
    }

    @Test
    void aTeamThatSeesPartOfAnIndexReadsThatPartOnly() {
        Recording asked = Recording.of("documents-fetch-limit0-filter");
        String body = "{\"limit\": 0, \"ids\": [\"2\"], \"filter\": \"genre = 'sci-fi'\"}";
        engine().expect(asked.withBody(body), Recording.of("documents-get-one"));
        BackendRequest read = new BackendRequest.ReadDocument(uid("movies"), "2", 0, 100, NamedFields.NONE);
        BackendReply.DocumentPart own = assertInstanceOf(
                BackendReply.DocumentPart.class,
                bound("filter", "genre = 'sci-fi'").send(read));
        assertEquals("Inception", own.title());

        engine().expect(asked.withBody(body.replace("sci-fi", "drama"))
                .withAnswer("{\"results\": [], \"offset\": 0, \"limit\": 0, \"total\": 0}"));
        ToolReply.Failed hidden = assertInstanceOf(
                ToolReply.Failed.class, bound("filter", "genre = 'drama'").send(read));
        assertEquals(FailureKind.NOT_FOUND, hidden.kind());
    }

    @Test
    void aTeamHeldToSearchRulesCantReadByNumber() {
        ToolReply.Failed failed = assertInstanceOf(
                ToolReply.Failed.class,
                bound("searchRules", "[\"" + uid("movies") + "\"]")
                        .send(new BackendRequest.ReadDocument(uid("movies"), "1", 0, 100, NamedFields.NONE)));
        assertEquals(FailureKind.DENIED, failed.kind());
    }
}
