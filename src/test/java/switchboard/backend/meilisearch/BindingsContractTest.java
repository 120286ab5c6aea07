package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Caller;
import switchboard.call.Claim;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/** What a team bound to a filter, or to search rules, can see and do. */
class BindingsContractTest extends MeilisearchFixture {
    private static final String TOOL = "meilisearch_search";
    private static final String SCI_FI = "genre = 'sci-fi'";

    @Test
    void aBoundFilterHoldsWithEveryFormOfTheCallersOwn() {
        engine().expect(search("[\"genre = 'sci-fi'\"]"));
        assertEquals(2, hits(""));
        engine().expect(search("[\"genre = 'sci-fi'\", \"year > 1000 OR genre = crime\"]"));
        assertEquals(2, hits(", \"filter\": \"year > 1000 OR genre = crime\""));
        engine().expect(search("[\"genre = 'sci-fi'\", [\"genre = crime\", \"year > 1000\"]]"));
        assertEquals(2, hits(", \"filter\": [[\"genre = crime\", \"year > 1000\"]]"));
        engine().expect(search("[\"genre = 'sci-fi'\"]"));
        assertEquals(2, hits(", \"filter\": \"\""));
    }

    @Test
    void aBoundTeamIsToldOnlyHowManyDocumentsItSees() {
        engine().expect(
                        Recording.of("index-get"),
                        Recording.of("settings-movies"),
                        search("[\"genre = 'sci-fi'\"]")
                                .withBody("{\"q\":\"\",\"limit\":0,\"filter\":[\"" + SCI_FI + "\"]}"));
        JsonNode info = bound(MASTER, null, Map.of("filter", SCI_FI))
                .call("meilisearch_get_index_info", "{\"indexUid\": \"" + uid("movies") + "\"}")
                .structured();
        assertEquals(2, info.path("numberOfDocuments").asInt(), info.toString());
    }

    @Test
    void anIndexWhereTheFilterCantHoldIsClosed() {
        Recording invalid = Recording.of("search-filter-not-filterable");
        engine().expect(
                        invalid.withBody("{\"q\": \"\", \"filter\": [\"director = x\"]}"),
                        invalid.withBody("{\"q\": \"\", \"limit\": 0, \"filter\": [\"director = x\"]}"));
        ToolResult result = bound(MASTER, null, Map.of("filter", "director = x"))
                .call(TOOL, "{\"q\": \"\", \"indexUid\": \"" + uid("movies") + "\"}");
        assertEquals("DENIED", result.errorKind());
        assertFalse(result.toString().contains("director"), result.toString());
    }

    @Test
    void theCallersOwnBadFilterStaysItsOwn() {
        engine().expect(
                        Recording.of("search-filter-bad-syntax")
                                .withBody("{\"q\": \"\", \"filter\": [\"" + SCI_FI + "\", \"genre =\"]}"),
                        search("[]").withBody("{\"q\":\"\",\"limit\":0,\"filter\":[\"" + SCI_FI + "\"]}"));
        ToolResult result = bound(MASTER, null, Map.of("filter", SCI_FI))
                .call(TOOL, "{\"q\": \"\", \"filter\": \"genre =\", \"indexUid\": \"" + uid("movies") + "\"}");
        assertEquals("INVALID_ARGUMENT", result.errorKind());
        assertEquals("invalid_search_filter", result.error().path("code").asText());
    }

    @Test
    void searchRulesBecomeASignedTenantToken() {
        engine().expect("tenant-filter-rule", "tenant-filter-rule-user-filter-or");
        String rules = "{\"" + uid("movies") + "\": {\"filter\": \"" + SCI_FI + "\"}}";
        BackendHarness tools = bound(SEARCH, engine().keyUid(SEARCH), Map.of("searchRules", rules));
        ToolResult plain = tools.call(
                TOOL,
                "{\"indexUid\": \"" + uid("movies")
                        + "\", \"q\": \"\", \"attributesToRetrieve\": [\"id\", \"genre\"]}");
        assertEquals(2, plain.structured().path("hits").size(), plain.toString());
        Recording or = Recording.of("tenant-filter-rule-user-filter-or");
        ToolResult widened = tools.call(
                TOOL,
                "{\"indexUid\": \"" + uid("movies") + "\", \"q\": \"\", \"attributesToRetrieve\": [\"id\", \"genre\"],"
                        + " \"filter\": " + or.body().path("filter") + "}");
        assertEquals(
                or.answer().path("hits").size(),
                widened.structured().path("hits").size(),
                widened.toString());
        ToolResult other = tools.call(TOOL, "{\"indexUid\": \"" + uid("movies_vec") + "\"}");
        assertEquals("DENIED", other.errorKind());
    }

    @Test
    void claimsOfTheCallerGoIntoTheFilterAndTheRules() {
        Map<String, Claim> claims = Map.of("genre", Claim.of("sci-fi"), "genres", Claim.of(List.of("sci-fi", "crime")));
        assertEquals(Set.of("1", "2"), found("genre = {claim:genre}", "[\"genre = \\\"sci-fi\\\"\"]", claims));
        Set<String> several =
                found("genre IN {claim:genres}", "[\"genre IN [\\\"sci-fi\\\", \\\"crime\\\"]\"]", claims);
        assertTrue(
                several.containsAll(Set.of("1", "2"))
                        && Set.of("1", "2", "3", "10").containsAll(several),
                several::toString);
        Recording rule = Recording.of("tenant-filter-rule");
        engine().expect(rule.withKey("rules:{movies={filter=\"genre = \\\"sci-fi\\\"\"}}"));
        String rules = "{\"" + uid("movies") + "\": {\"filter\": \"genre = {claim:genre}\"}}";
        ToolResult ruled = bound(SEARCH, engine().keyUid(SEARCH), Map.of("searchRules", rules), claims)
                .call(
                        TOOL,
                        "{\"indexUid\": \"" + uid("movies")
                                + "\", \"q\": \"\", \"attributesToRetrieve\": [\"id\", \"genre\"]}");
        assertEquals(2, ruled.structured().path("hits").size(), ruled.toString());
    }

    @Test
    void whoLacksAClaimSeesNothingAndTheEngineIsNotAsked() {
        for (Map<String, String> bindings : List.of(
                Map.of("filter", "genre = {claim:genre}"),
                Map.of("searchRules", "{\"*\": {\"filter\": [\"genre = {claim:genre}\"]}}"),
                Map.of("searchRules", "{\"{claim:genre}\": {}}"),
                Map.of("searchRules", "[\"{claim:genre}\"]"))) {
            BackendHarness tools = bound(SEARCH, engine().keyUid(SEARCH), bindings, Map.of());
            for (String index : List.of("movies", "there_is_none")) {
                ToolResult result = tools.call(TOOL, "{\"indexUid\": \"" + uid(index) + "\", \"q\": \"\"}");
                assertEquals("DENIED", result.errorKind(), result.toString());
            }
            assertEquals("DENIED", tools.call("meilisearch_list_indexes", "{}").errorKind());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tenant", "owner", "role"})
    void aBindingThatCantBeHonouredClosesTheBackend(String name) {
        ToolResult result = bound(MASTER, null, Map.of(name, "x")).call("meilisearch_list_indexes", "{}");
        assertEquals("DENIED", result.errorKind());
        assertTrue(result.text().contains(name), result.text());
    }

    @Test
    void rulesWithoutAKeyToSignThemOrThatAreNoRulesAreDenied() {
        String arguments = "{\"indexUid\": \"" + uid("movies") + "\"}";
        assertEquals(
                "DENIED",
                bound(MASTER, null, Map.of("searchRules", "[\"*\"]"))
                        .call(TOOL, arguments)
                        .errorKind());
        ToolResult broken =
                bound(MASTER, null, Map.of("searchRules", "{secret")).call(TOOL, arguments);
        assertEquals("DENIED", broken.errorKind());
        assertFalse(broken.toString().contains("secret"));
        assertEquals(
                "DENIED",
                bound(MASTER, null, Map.of("filter", " ")).call(TOOL, arguments).errorKind());
    }

    private int hits(String more) {
        ToolResult result = bound(MASTER, null, Map.of("filter", SCI_FI))
                .call(TOOL, "{\"indexUid\": \"" + uid("movies") + "\", \"q\": \"\"" + more + "}");
        assertFalse(result.isError(), result.toString());
        return result.structured().path("hits").size();
    }

    private BackendHarness bound(String key, @Nullable String keyUid, Map<String, String> bindings) {
        return tools(key, keyUid, null).as(caller -> bound(caller, bindings));
    }

    private BackendHarness bound(
            String key, @Nullable String keyUid, Map<String, String> bindings, Map<String, Claim> claims) {
        return tools(key, keyUid, null)
                .as(caller -> new Caller(
                        caller.team(), caller.principal(), caller.rights(), caller.scope(), bindings, claims));
    }

    /** The ids that a caller finds whose team is bound to {@code filter}, for which the engine gets {@code sent}. */
    private Set<String> found(String filter, String sent, Map<String, Claim> claims) {
        engine().expect(search(sent));
        ToolResult result = bound(MASTER, null, Map.of("filter", filter), claims)
                .call(TOOL, "{\"indexUid\": \"" + uid("movies") + "\", \"q\": \"\"}");
        Set<String> found = new HashSet<>();
        result.structured().path("hits").forEach(hit -> found.add(hit.path("id").asText()));
        return found;
    }

    private static Recording search(String filter) {
        return Recording.of("search-filter-sci-fi").withBody("{\"q\": \"\", \"filter\": " + filter + "}");
    }
}
