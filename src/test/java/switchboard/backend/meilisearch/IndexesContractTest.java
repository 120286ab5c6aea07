package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/** {@code meilisearch_list_indexes} and {@code meilisearch_get_index_info}: what they answer, and what they ask for. */
class IndexesContractTest extends MeilisearchFixture {
    private static final String LIST = "meilisearch_list_indexes";
    private static final String INFO = "meilisearch_get_index_info";
    private static final Recording REFUSED = Recording.of("stats-seed-full-key");
    private static final List<String> ALL_UIDS = List.of("many", "movies", "movies_attrs", "movies_vec", "notes_empty");

    @Test
    void listsIndexesWithTheirCounts() {
        engine().expect(Recording.of("auth-movies-only-key-list"), Recording.of("stats-movies-only-key"));
        ToolResult result = tools("test-movies-only-key").call(LIST, "{}");
        JsonNode movies = result.structured().path("results").path(0);
        assertEquals(uid("movies"), movies.path("uid").asText(), result.toString());
        assertEquals("id", movies.path("primaryKey").asText());
        assertEquals(13, movies.path("numberOfDocuments").asInt());
        assertTrue(movies.path("createdAt").asText().matches("\\d{4}-\\d\\d-\\d\\dT.*Z"));
        assertEquals(1, result.structured().path("total").asInt());
        assertEquals(20, result.structured().path("limit").asInt());
        assertEquals(result.structured().toString(), result.text());
    }

    @Test
    void showsOnlyIndexesOfTheCallersScopeAndCountsOnlyThose() {
        engine().expect(listOfAll(), Recording.of("stats-all"));
        ToolResult result = tools(MASTER)
                .as(caller -> scoped(caller, uid("movies*"), uid("notes_empty")))
                .call(LIST, "{\"limit\": %d, \"offset\": 1}".formatted(engine().stubbed() ? 3 : 4));
        // A real engine has an index more: one whose embedder is on the network.
        assertEquals(
                engine().stubbed()
                        ? List.of(uid("movies_attrs"), uid("movies_vec"), uid("notes_empty"))
                        : List.of(uid("movies_attrs"), uid("movies_remote"), uid("movies_vec"), uid("notes_empty")),
                uids(result),
                result.toString());
        assertEquals(
                engine().stubbed() ? 4 : 5, result.structured().path("total").asInt());
        JsonNode empty = result.structured().path("results").path(engine().stubbed() ? 2 : 3);
        assertTrue(empty.path("primaryKey").isNull() && empty.has("primaryKey"), empty.toString());
        assertEquals(0, empty.path("numberOfDocuments").asInt(-1));
        assertFalse(result.toString().contains(uid("many")));
    }

    @Test
    void pagesAndPastTheEndIsEmpty() {
        engine().expect("index-list-limit2-offset1", "stats-all", "index-list-offset-beyond");
        BackendHarness tools = tools(MASTER);
        ToolResult page = tools.call(LIST, "{\"limit\": 2, \"offset\": 1}");
        assertEquals(2, page.structured().path("results").size());
        if (engine().stubbed()) {
            assertEquals(List.of("movies", "movies_attrs"), uids(page));
            assertEquals(5, page.structured().path("total").asInt());
        }
        ToolResult beyond = tools.call(LIST, "{\"offset\": 100}");
        assertEquals(List.of(), uids(beyond));
    }

    @Test
    void aKeyThatCoversNothingSeesAnEmptyList() {
        engine().expect("auth-no-index-key-list");
        ToolResult result = tools("test-no-index-key").call(LIST, "{}");
        assertEquals(List.of(), uids(result));
        assertEquals(0, result.structured().path("total").asInt(-1));
    }

    @Test
    void aSearchOnlyKeyIsToldWhichRightIsMissing() {
        engine().expect("auth-search-key-list");
        ToolResult result = tools(SEARCH).call(LIST, "{}");
        assertEquals("DENIED_UPSTREAM", result.errorKind());
        assertEquals("invalid_api_key", result.error().path("code").asText());
        assertTrue(result.text().contains("indexes.get"), result.text());
        assertTrue(result.error().path("link").asText().startsWith("https://"), result.toString());
    }

    @Test
    void countsByFetchingOrSearchingNothingWhenStatisticsAreRefused() {
        engine().expect("auth-seed-full-key-list", "stats-seed-full-key", "documents-fetch-no-permission");
        engine().expect(
                        Recording.of("documents-fetch-no-permission").withPath("/indexes/many/documents/fetch"),
                        searchForNothing("many", 1200),
                        searchForNothing("movies", 13));
        ToolResult result = tools("test-seed-full-key").call(LIST, "{\"limit\": 2}");
        assertEquals(List.of(uid("many"), uid("movies")), uids(result));
        assertEquals(
                1200, result.structured().at("/results/0/numberOfDocuments").asInt());
        assertEquals(13, result.structured().at("/results/1/numberOfDocuments").asInt());
        assertFalse(result.structured().has("countUnavailable"));
    }

    @Test
    void aCountThatCantBeHadIsNullWithTheReason() {
        String key = "test-wild-indexes-key";
        engine().expect(
                        Recording.of("auth-seed-full-key-list")
                                .withKey(key)
                                .withPath("/indexes?limit=1")
                                .withAnswer("{\"results\":[{\"uid\":\"many\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                                        + "\"updatedAt\":\"2026-01-01T00:00:00Z\",\"primaryKey\":\"id\"}],"
                                        + "\"offset\":0,\"limit\":1,\"total\":5}"),
                        REFUSED.withKey(key),
                        Recording.of("documents-fetch-no-permission")
                                .withKey(key)
                                .withPath("/indexes/many/documents/fetch"),
                        searchForNothing("many", 0).withKey(key).failing(REFUSED));
        ToolResult result = tools(key).call(LIST, "{\"limit\": 1}");
        JsonNode count = result.structured().at("/results/0/numberOfDocuments");
        assertTrue(count.isNull(), result.toString());
        assertTrue(result.structured().path("countUnavailable").asText().contains("stats.get"), result.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-1", "1.5", "\"5\"", "1e30", "true", "[]"})
    void limitsOutsideOfOneToAHundredAreRefused(String limit) {
        ToolResult result = tools(MASTER).call(LIST, "{\"limit\": " + limit + "}");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertTrue(result.text().contains("limit"), result.text());
    }

    @Test
    void describesAnIndex() {
        engine().expect("index-get", "settings-movies", "stats-movies");
        JsonNode info = tools(MASTER)
                .call(INFO, "{\"indexUid\": \"" + uid("movies") + "\"}")
                .structured();
        assertEquals(13, info.path("numberOfDocuments").asInt());
        assertEquals("id", info.path("primaryKey").asText());
        assertEquals("[\"*\"]", info.path("searchableAttributes").toString());
        assertEquals(
                "[\"genre\",\"year\",\"rating\",\"tags\",\"cast.lead\"]",
                info.path("filterableAttributes").toString());
        assertEquals(
                "[\"rating\",\"title\",\"year\"]",
                info.path("sortableAttributes").toString());
        assertEquals("{}", info.path("embedders").toString());
        assertEquals(1000, info.path("maxTotalHits").asInt());
    }

    @Test
    void keepsFilterRulesAsTheyAre() {
        engine().expect(
                        Recording.of("index-get").withPath("/indexes/movies_attrs"),
                        Recording.of("settings-attribute-patterns"),
                        Recording.of("stats-movies").withPath("/indexes/movies_attrs/stats"));
        JsonNode info = tools(MASTER)
                .call(INFO, "{\"indexUid\": \"" + uid("movies_attrs") + "\"}")
                .structured();
        assertEquals("genre", info.at("/filterableAttributes/0").asText());
        assertEquals(
                "ye*", info.at("/filterableAttributes/1/attributePatterns/0").asText(), info.toString());
        assertEquals(5, info.path("maxTotalHits").asInt());
    }

    @Test
    void showsEmbeddersWithoutKeysAddressesOrHeaders() {
        engine().expect(
                        Recording.of("index-get").withPath("/indexes/movies_remote"),
                        Recording.of("settings-remote-embedders"),
                        Recording.of("stats-movies").withPath("/indexes/movies_remote/stats"));
        ToolResult result = tools(MASTER).call(INFO, "{\"indexUid\": \"" + uid("movies_remote") + "\"}");
        assertEquals("openAi", result.structured().at("/embedders/oa/source").asText());
        assertFalse(result.structured().at("/embedders/oa/quantized").asBoolean(true));
        assertEquals(512, result.structured().at("/embedders/oa/dimensions").asInt());
        for (String secret : List.of("XXX", "http", "127.0.0.1", "header-secret", "X-Secret", "token", "Template")) {
            assertFalse(result.toString().contains(secret), secret);
        }
    }

    @Test
    void tellsAQuantizedEmbedder() {
        engine().expect(
                        Recording.of("index-get").withPath("/indexes/movies_vec"),
                        Recording.of("settings-vectors"),
                        Recording.of("stats-vectors"));
        JsonNode embedders = tools(MASTER)
                .call(INFO, "{\"indexUid\": \"" + uid("movies_vec") + "\"}")
                .structured()
                .path("embedders");
        assertEquals("userProvided", embedders.at("/vec/source").asText());
        assertTrue(embedders.at("/vecbq/quantized").asBoolean());
        assertFalse(embedders.at("/vec/quantized").asBoolean(true));
    }

    @Test
    void anUnknownIndexIsNotFoundAndTheNearestVisibleNameSuggested() {
        engine().expect(
                        missing("index-get-unknown", "/indexes/movie"),
                        missing("settings-unknown-index", "/indexes/movie/settings"),
                        missing("stats-unknown-index", "/indexes/movie/stats"),
                        listOfAll());
        ToolResult result = tools(MASTER)
                .as(caller -> scoped(caller, uid("mo*")))
                .call(INFO, "{\"indexUid\": \"" + uid("movie") + "\"}");
        assertEquals("NOT_FOUND", result.errorKind());
        assertEquals("index_not_found", result.error().path("code").asText());
        assertEquals(uid("movies"), result.error().path("suggestion").asText(), result.toString());
        assertFalse(result.toString().contains(uid("notes_empty")));
    }

    @Test
    void anIndexOutsideOfTheKeysScopeDoesNotTellWhatIsInside() {
        engine().expect(
                        Recording.of("auth-movies-only-key-get-other"),
                        Recording.of("auth-movies-only-key-settings-other"),
                        Recording.of("stats-out-of-scope"),
                        Recording.of("auth-movies-only-key-fetch-other"),
                        searchForNothing("movies_vec", 0)
                                .withKey("test-movies-only-key")
                                .failing(Recording.of("auth-movies-only-key-search-other")));
        ToolResult result = tools("test-movies-only-key").call(INFO, "{\"indexUid\": \"" + uid("movies_vec") + "\"}");
        assertEquals("DENIED_UPSTREAM", result.errorKind());
        assertFalse(result.toString().contains("authorized"), result.toString());
        assertFalse(result.toString().contains("[\\\""), result.toString());
    }

    @Test
    void anIndexOutsideOfTheCallersScopeIsNotAskedFor() {
        ToolResult result = tools(MASTER)
                .as(caller -> scoped(caller, "other-*"))
                .call(INFO, "{\"indexUid\": \"" + uid("movies") + "\"}");
        assertEquals("DENIED", result.errorKind());
    }

    @Test
    void namesThatAreNoNamesNeverReachAPath() {
        BackendHarness tools = tools(MASTER);
        List<String> names = List.of(
                "",
                ".",
                "..",
                "../keys",
                "movies/settings",
                "movies?limit=1",
                "%2e%2e",
                "movies\n",
                "a b",
                "é",
                "\0",
                "*",
                "a".repeat(401),
                "a".repeat(1 << 20),
                "\uD800",
                "🦊");
        for (String tool : List.of(INFO, "meilisearch_search")) {
            for (String name : names) {
                ToolResult result = tools.call(tool, Json.object().put("indexUid", name));
                assertEquals("INVALID_ARGUMENT", result.errorKind(), name.length() > 20 ? "long" : name);
                assertTrue(result.text().length() < 1_000, "a short answer");
            }
        }
    }

    private static List<String> uids(ToolResult result) {
        List<String> uids = new ArrayList<>();
        result.structured()
                .path("results")
                .forEach(index -> uids.add(index.path("uid").asText()));
        return uids;
    }

    private static Recording listOfAll() {
        return Recording.of("index-list-limit-huge").withPath("/indexes?limit=1000");
    }

    private static Recording missing(String name, String path) {
        return Recording.of(name).withPath(path);
    }

    private static Recording searchForNothing(String uid, int documents) {
        assertTrue(ALL_UIDS.contains(uid));
        return Recording.of("search-limit0")
                .withKey("test-seed-full-key")
                .withPath("/indexes/" + uid + "/search")
                .withBody("{\"q\": \"\", \"limit\": 0}")
                .withAnswer("{\"hits\":[],\"query\":\"\",\"estimatedTotalHits\":" + documents + "}");
    }
}
