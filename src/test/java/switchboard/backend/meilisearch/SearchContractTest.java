package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.BackendHarness;
import switchboard.testing.CalculatedEmbedder;
import switchboard.testing.ToolResult;

/** {@code meilisearch_search}: every recorded search that its arguments can express, and what the gateway adds. */
class SearchContractTest extends MeilisearchFixture {
    private static final String TOOL = "meilisearch_search";
    private static final Set<String> ARGUMENTS = Set.of(
            "q",
            "vector",
            "hybrid",
            "filter",
            "sort",
            "facets",
            "distinct",
            "limit",
            "offset",
            "page",
            "hitsPerPage",
            "attributesToRetrieve",
            "attributesToSearchOn",
            "attributesToHighlight",
            "showRankingScore",
            "rankingScoreThreshold");
    private static final List<String> ANSWERED = List.of(
            "hits",
            "estimatedTotalHits",
            "semanticHitCount",
            "query",
            "limit",
            "offset",
            "page",
            "hitsPerPage",
            "totalPages",
            "totalHits",
            "facetDistribution",
            "facetStats");
    /** Refusals of attributes that are not declared. */
    private static final Set<String> ATTRIBUTES =
            Set.of("invalid_search_facets", "invalid_search_distinct", "invalid_search_attributes_to_search_on");

    private static final Set<String> INDEXES = Set.of("movies", "movies_vec", "movies_attrs", "notes_empty", "many");
    /** Where the tool is kinder or stricter than the engine, tested one by one elsewhere. */
    private static final Set<String> DIFFERENT = Set.of(
            "search-null-limit",
            "search-null-offset",
            "search-null-show-ranking-score",
            "search-metadata-header",
            "search-hybrid-q-only-userprovided-ratio0.5");

    static Stream<Recording> expressible() {
        return Recording.all().stream()
                .filter(recording -> recording.name().startsWith("search-")
                        && recording.key().equals(MASTER)
                        && recording.path().matches("/indexes/[a-z_]+/search")
                        && INDEXES.contains(recording.path().split("/")[2])
                        && recording.body().isObject()
                        && !DIFFERENT.contains(recording.name())
                        && ARGUMENTS.containsAll(recording
                                .body()
                                .propertyStream()
                                .map(Map.Entry::getKey)
                                .toList()));
    }

    @Test
    void everyRecordedSearchIsAnsweredAsTheEngineDid() {
        BackendHarness tools = tools(MASTER);
        long replayed = expressible()
                .peek(recording -> {
                    ObjectNode arguments = recording.body().deepCopy();
                    arguments.put("indexUid", uid(recording.path().split("/")[2]));
                    engine().expect(recording);
                    if (ATTRIBUTES.contains(recording.answer().path("code").asText())) {
                        String settings = recording.path().replace("/search", "/settings");
                        engine().expect(Recording.of("settings-vectors").withPath(settings)); // for the nearest name
                    }
                    if (arguments.has("attributesToSearchOn")
                            && recording.answer().path("hits").isArray()
                            && recording.answer().path("hits").isEmpty()) {
                        engine().expect("stats-movies"); // which attributes there are
                    }
                    ToolResult result = tools.call(TOOL, arguments);
                    if (result.isError() && !result.error().has("link")) {
                        refusedByTheGateway(recording, result);
                    } else {
                        same(recording, result);
                    }
                    engine().verify();
                })
                .count();
        assertTrue(replayed > 100, "replayed " + replayed);
    }

    /** The gateway refuses what the engine refuses, and what its own schema bounds. */
    private void refusedByTheGateway(Recording recording, ToolResult result) {
        assertEquals("INVALID_ARGUMENT", result.errorKind(), recording.name() + result);
        boolean outOfBounds = recording.body().path("limit").asDouble(1) > 1000
                || recording.body().path("page").asInt(1) == 0
                || recording.name().equals("search-page-and-limit")
                || recording.name().contains("overflow")
                || recording.name().equals("search-sort-empty-entry");
        assertTrue(recording.status() == 400 || outOfBounds, recording.name() + result);
        if (engine() instanceof StubMeilisearch stub) {
            stub.forget();
        }
    }

    private static void same(Recording recording, ToolResult result) {
        if (recording.status() == 200) {
            assertFalse(result.isError(), recording.name() + result);
            for (String field : ANSWERED) {
                if (field.equals("hits") && recording.answer().path(field).isTextual()) {
                    continue; // the recording has a count in the place of the hits
                }
                assertEquals(
                        Recording.canonical(recording.answer().path(field)),
                        Recording.canonical(result.structured().path(field)),
                        recording.name());
            }
        } else {
            assertEquals(
                    recording.answer().path("code").asText(),
                    result.error().path("code").asText(),
                    recording.name());
            assertEquals(
                    recording.answer().path("link").asText(),
                    result.error().path("link").asText());
        }
    }

    @Test
    void anUnknownIndexNamesItself() {
        engine().expect(Recording.of("search-unknown-index"), listOfAll());
        ToolResult result = call(MASTER, "nope", "{\"q\": \"Matrix\"}");
        assertEquals("NOT_FOUND", result.errorKind());
        assertTrue(result.text().contains("nope"), result.text());
        // On a real engine all names of the suite begin alike, so that one of them is near.
        assertTrue(
                result.text().contains(engine().stubbed() ? "meilisearch_list_indexes" : "Did you mean"),
                result.text());
    }

    @Test
    void anIndexOutsideOfTheKeysScopeIsRefusedWithoutTheEnginesList() {
        engine().expect("auth-movies-only-key-search-other");
        ToolResult result =
                call("test-movies-only-key", "movies_vec", "{\"q\": \"matrix\", \"attributesToRetrieve\": [\"id\"]}");
        assertEquals("DENIED_UPSTREAM", result.errorKind());
        assertEquals("invalid_api_key", result.error().path("code").asText());
        assertFalse(result.toString().contains("authorized indexes"), result.toString());
    }

    @Test
    void aVectorAloneIsRefusedWithTheEnginesCode() {
        ToolResult result = call(MASTER, "movies_vec", "{\"vector\": [0.9, 0.1, 0, 0.1]}");
        assertEquals("missing_search_hybrid", result.error().path("code").asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"hybrid\": {\"embedder\": \"vec\", \"semanticRatio\": 2}}",
                "{\"hybrid\": {\"embedder\": \"vec\", \"semanticRatio\": -0.1}}",
                "{\"hybrid\": {\"semanticRatio\": 0.5}}",
                "{\"rankingScoreThreshold\": 1.5}",
                "{\"limit\": -1}",
                "{\"page\": 0}",
                "{\"page\": -1}",
                "{\"hitsPerPage\": 1001}",
                "{\"page\": 2, \"offset\": 20}",
                "{\"page\": 2, \"limit\": 5}",
                "{\"hitsPerPage\": 5, \"limit\": 5}",
                "{\"facets\": \"genres\"}",
                "{\"distinct\": [\"genres\"]}",
                "{\"limit\": 1001}",
                "{\"offset\": -1}",
                "{\"limt\": 3}",
                "{\"filter\": 5}",
                "{\"filter\": [[[\"a = 1\"]]]}",
                "{\"vector\": [1e39], \"hybrid\": {\"embedder\": \"vec\"}}",
                "{\"sort\": \"year:asc\"}"
            })
    void declaredBoundsHold(String arguments) {
        assertEquals("INVALID_ARGUMENT", call(MASTER, "movies", arguments).errorKind());
    }

    @Test
    void pageAndOffsetContradictEachOtherAndTheMessageNamesBoth() {
        ToolResult result = call(MASTER, "movies", "{\"page\": 2, \"offset\": 20}");
        assertTrue(result.text().contains("page and offset contradict"), result.text());
        assertTrue(result.text().contains("hitsPerPage"), result.text());
    }

    @Test
    void aPageBeyondTheLastOneSaysWhichIsTheLast() {
        engine().expect("search-page-beyond");
        ObjectNode arguments = Recording.of("search-page-beyond").body().deepCopy();
        ToolResult result = tools(MASTER).call(TOOL, arguments.put("indexUid", uid("movies")));
        assertEquals(0, result.structured().path("hits").size());
        assertTrue(
                result.structured()
                        .at("/notes/0")
                        .asText()
                        .contains("the last one is "
                                + result.structured().path("totalPages").asInt()),
                result::toString);
    }

    @Test
    void anAttributeThatIsNotDeclaredComesWithTheNearestThatIs() {
        for (String arguments : new String[] {"{\"facets\": [\"genrs\"]}", "{\"distinct\": \"genrs\"}"}) {
            if (engine().stubbed()) {
                Recording settings = Recording.of("settings-vectors").withPath("/indexes/movies/settings");
                engine().expect(
                                Recording.of("search-facets-not-filterable")
                                        .withPath("/indexes/movies/search")
                                        .withBody(arguments)
                                        .withAnswer(
                                                "{\"message\": \"Attribute is not declared.\", \"code\": \"invalid_search_"
                                                        + (arguments.contains("facets") ? "facets" : "distinct")
                                                        + "\", \"type\": \"invalid_request\", \"link\": \"https://docs\"}"),
                                settings.withAnswer(
                                        "{\"filterableAttributes\": [{\"attributePatterns\": [\"genres\"]}, \"year\"]}"));
            }
            ToolResult result = call(MASTER, "movies", arguments);
            assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
            assertTrue(result.text().contains("Did you mean"), result.text());
        }
    }

    @Test
    void whereOnlySomeAttributesAreSearchedAnotherOneIsRefusedWithTheNearest() {
        String arguments = "{\"q\": \"a\", \"attributesToSearchOn\": [\"titel\"]}";
        engine().expect(
                        Recording.of("search-attributes-to-search-on-bad").withBody(arguments),
                        Recording.of("settings-attribute-patterns"));
        ToolResult result = call(MASTER, "movies_attrs", arguments);
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result::toString);
        assertTrue(result.text().contains("Did you mean \"title\"?"), result.text());
    }

    @Test
    void whereAllAttributesAreSearchedOneThatNoDocumentHasIsNamedInANote() {
        String arguments = "{\"q\": \"zzzz\", \"attributesToSearchOn\": [\"titel\", \"cast.lead\"]}";
        engine().expect(
                        Recording.of("search-attributes-to-search-on")
                                .withBody(arguments)
                                .withAnswer("{\"hits\": [], \"query\": \"a\", \"processingTimeMs\": 1, \"limit\": 20,"
                                        + " \"offset\": 0, \"estimatedTotalHits\": 0}"),
                        Recording.of("stats-movies"));
        ToolResult result = call(MASTER, "movies", arguments);
        assertEquals(
                "attributesToSearchOn: no document has \"titel\". Did you mean \"title\"?",
                result.structured().at("/notes/0").asText(),
                result::toString);
    }

    @Test
    void pagesBeyondWhatAnIndexGivesAreExplained() {
        String arguments = "{\"page\": 11, \"hitsPerPage\": 100}";
        if (engine().stubbed()) {
            engine().expect(Recording.of("search-page-beyond")
                    .withPath("/indexes/many/search")
                    .withBody(arguments)
                    .withAnswer(
                            "{\"hits\": [], \"query\": \"\", \"processingTimeMs\": 1, \"hitsPerPage\": 100, \"page\": 11,"
                                    + " \"totalPages\": 12, \"totalHits\": 1200}"));
        }
        ToolResult result = call(MASTER, "many", arguments);
        assertTrue(result.structured().at("/notes/0").asText().contains("maxTotalHits"), result::toString);
    }

    @Test
    void whetherAnEmbedderFailedIsNotSaidWhereTheCheckCouldNotTell() {
        assumeTrue(engine().stubbed(), "a real server does not fail on demand");
        Recording good = Recording.of("search-text-embedder-ratio0.5-limit1");
        engine().expect(
                        good,
                        check(Recording.of("search-text-embedder-ratio1"), "dream", "text")
                                .failing(Recording.of("search-too-many-requests")));
        ToolResult result = tools(MASTER).call(TOOL, ((ObjectNode) good.body().deepCopy()).put("indexUid", "films"));
        assertFalse(result.structured().has("degraded"), result::toString);
        assertTrue(result.structured().at("/notes/0").asText().contains("it is not known whether"), result::toString);
    }

    @Test
    void pagesThatTheEngineCutsAreExplained() {
        engine().expect("search-many-offset-1000");
        ToolResult result = call(MASTER, "many", "{\"q\": \"\", \"offset\": 1000, \"limit\": 10}");
        assertEquals(0, result.structured().path("hits").size());
        assertTrue(result.structured().at("/notes/0").asText().contains("maxTotalHits"), result.toString());
    }

    @Test
    void anOverloadedEngineIsOverloadedAndSaysWhenToComeBack() {
        assumeTrue(engine().stubbed(), "a real server does not fail on demand");
        engine().expect(Recording.of("search-too-many-requests").withBody("{\"q\": \"w1\"}"));
        ToolResult result = call(MASTER, "busy", "{\"q\": \"w1\"}");
        assertEquals("OVERLOADED", result.errorKind());
        assertEquals(10_000, result.error().path("retryAfterMs").asInt());
        assertEquals("too_many_search_requests", result.error().path("code").asText());
    }

    static Stream<String> failures() {
        return Stream.of("401", "429", "500", "503", "dims", "garbage", "slow");
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aSilentEmbedderFailureIsMadeAudible(String how) {
        assumeTrue(engine().stubbed(), "a real server does not fail on demand");
        Recording silent = Recording.of("search-text-embedder-fail-" + how + "-ratio0.5");
        engine().expect(
                        silent,
                        check(Recording.of("search-text-embedder-fail-" + how + "-ratio1"), "dream", "f" + how));
        ToolResult result = tools(MASTER).call(TOOL, ((ObjectNode) silent.body().deepCopy()).put("indexUid", "films"));
        assertTrue(result.structured().path("degraded").asBoolean(), result.toString());
        assertEquals(4, result.structured().path("hits").size());
        assertTrue(result.structured().at("/notes/0").asText().contains("keywords only"), result.toString());
        assertFalse(result.toString().contains("fake embedder says"), "the embedder's reply may quote a key");
    }

    @Test
    void goodKeywordHitsAreNotCalledDegraded() {
        assumeTrue(engine().stubbed(), "a real server does not fail on demand");
        Recording good = Recording.of("search-text-embedder-ratio0.5-limit1");
        engine().expect(good, check(Recording.of("search-text-embedder-ratio1"), "dream", "text"));
        ToolResult result = tools(MASTER).call(TOOL, ((ObjectNode) good.body().deepCopy()).put("indexUid", "films"));
        assertFalse(result.structured().path("degraded").asBoolean(true), result.toString());
        assertEquals(0, result.structured().path("semanticHitCount").asInt(-1));
    }

    @Test
    void aFailingEmbedderAtRatioOneIsTheEnginesFaultAndShowsNoAddress() {
        engine().expect("search-remote-embedder-rest-ratio1");
        ToolResult result = call(
                MASTER,
                "movies_remote",
                "{\"attributesToRetrieve\": [\"id\", \"title\"], \"showRankingScore\": true, \"q\": \"dream\","
                        + " \"hybrid\": {\"embedder\": \"rest\", \"semanticRatio\": 1.0}}");
        assertEquals("UNAVAILABLE", result.errorKind());
        assertEquals("vector_embedding_error", result.error().path("code").asText());
        assertFalse(result.text().contains("127.0.0.1"), result.text());
    }

    @Test
    void textForAUserProvidedEmbedderIsDegradedUnlessTheGatewayEmbedsIt() {
        String arguments = "{\"attributesToRetrieve\": [\"id\", \"title\"], \"limit\": 3, \"showRankingScore\": true,"
                + " \"q\": \"godfather\", \"hybrid\": {\"embedder\": \"vec\", \"semanticRatio\": 0.5}}";
        engine().expect(
                        Recording.of("search-hybrid-q-only-userprovided-ratio0.5"),
                        check(Recording.of("search-hybrid-q-only-userprovided-ratio1"), "godfather", "vec"));
        ToolResult without = call(MASTER, "movies_vec", arguments);
        assertTrue(without.structured().path("degraded").asBoolean(), without.toString());
        engine().expect("settings-vectors", "search-hybrid-ratio0.5-vector-and-q");
        ToolResult with = tools(MASTER, null, CalculatedEmbedder.constant(0.9f, 0.1f, 0.0f, 0.1f))
                .call(TOOL, arguments.replaceFirst("\\{", "{\"indexUid\": \"" + uid("movies_vec") + "\", "));
        assertEquals(2, with.structured().path("semanticHitCount").asInt(), with.toString());
        assertFalse(with.structured().path("degraded").asBoolean(true));
    }

    private ToolResult call(String key, String index, String arguments) {
        return tools(key).call(TOOL, arguments.replaceFirst("\\{", "{\"indexUid\": \"" + uid(index) + "\", "));
    }

    /** The gateway's own question whether an embedder works. */
    private static Recording check(Recording answer, String q, String embedder) {
        return answer.withBody("{\"q\": \"" + q + "\", \"limit\": 1, \"attributesToRetrieve\": [],"
                + " \"hybrid\": {\"embedder\": \"" + embedder + "\", \"semanticRatio\": 1}}");
    }

    private static Recording listOfAll() {
        return Recording.of("index-list-limit-huge").withPath("/indexes?limit=1000");
    }
}
