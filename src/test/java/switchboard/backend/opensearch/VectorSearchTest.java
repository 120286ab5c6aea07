package switchboard.backend.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.testing.LetterModel;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Searches by vector, in the request forms of OpenSearch and of Elasticsearch, with an embedder that counts letters. */
class VectorSearchTest {
    @TempDir
    private Path data;

    private final LetterModel model = new LetterModel();
    private VectorEngine engine;
    private TestGateway gateway;
    private ApiKey bound;
    private ApiKey unable;

    /** "eee" and "iii" have the vector of "aaa", and no word in common with it. */
    private McpTestClient start(boolean elasticsearch) throws IOException {
        engine = new VectorEngine(elasticsearch);
        engine.add("near", "aaa", "red", 0, 1, 0, 0);
        engine.add("far", "iii bbb", "red", 0, 0.1, 1, 0);
        engine.add("hidden", "aaa aaa", "blue", 0, 1, 0, 0);
        bound = ApiKey.generate(new SecureRandom());
        unable = ApiKey.generate(new SecureRandom());
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  bound:
                    keys: [{id: b, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {opensearch: {filter: '{"term": {"groups": "red"}}'}}
                  unable: {keys: [{id: u, sha256: %s}], grants: ["opensearch:read,search:*", "switchboard:*"]}
                """.formatted(bound.sha256(), unable.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: %s}
                backends: {opensearch: {type: opensearch, url: "%s", embedder: default, connection: {retries: 0}}}
                """.formatted(model.yaml(), engine.url()), data);
        return client(bound);
    }

    private McpTestClient client(ApiKey key) {
        return McpTestClient.modern(gateway.url()).with("X-API-Key", key.text());
    }

    @AfterEach
    void close() {
        gateway.close();
        engine.close();
        model.close();
    }

    private static ToolResult search(McpTestClient client, String more) {
        return client.call("opensearch_search", "{\"index\": \"docs\"" + more + "}");
    }

    private static List<String> ids(ToolResult found) {
        assertFalse(found.isError(), found::toString);
        List<String> ids = new ArrayList<>();
        found.structured().path("hits").forEach(hit -> ids.add(hit.path("id").asText()));
        return ids;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuestionInOtherWordsIsFoundByItsVector(boolean elasticsearch) throws IOException {
        McpTestClient client = start(elasticsearch);
        ToolResult found = search(client, ", \"query\": \"eee\", \"mode\": \"vector\"");
        assertEquals(List.of("near", "far"), ids(found));
        assertEquals("vector", found.structured().path("mode").asText());
        assertFalse(found.text().contains("vector\":["), found::toString);
        // The word is in the one, the vector is that of the other: both lists count.
        ToolResult both = search(client, ", \"query\": \"iii\"");
        assertEquals("hybrid", both.structured().path("mode").asText());
        assertEquals(List.of("far", "near"), ids(both));
        assertEquals(List.of("near"), ids(search(client, ", \"query\": \"iii\", \"offset\": 1")));
        assertEquals(List.of("far"), ids(search(client, ", \"query\": \"iii\", \"mode\": \"keyword\"")));
        assertEquals(
                List.of("near"),
                ids(search(client, ", \"vector\": [0, 2, 0, 0], \"limit\": 1")),
                "a vector of its own");
        assertEquals(List.of("far"), ids(search(client, ", \"query\": \"eee\", \"mode\": \"vector\", \"offset\": 1")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hiddenDocumentsTakeNoPlaceAmongTheNearest(boolean elasticsearch) throws IOException {
        McpTestClient client = start(elasticsearch);
        assertEquals(List.of("near"), ids(search(client, ", \"query\": \"eee\", \"mode\": \"vector\", \"limit\": 1")));
        assertEquals(
                List.of(),
                ids(search(client, ", \"query\": \"eee\", \"mode\": \"vector\", \"filters\": {\"groups\": \"blue\"}")));
        JsonNode asked = engine.asked.getLast();
        JsonNode filter = elasticsearch
                ? asked.path("knn").path("filter")
                : asked.at("/query/bool/must/0/knn/meta.vector/filter");
        assertEquals(2, filter.at("/bool/filter").size(), asked::toString);
        if (!elasticsearch) {
            assertEquals(2, asked.at("/query/bool/filter").size(), asked::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cosinesCompareWithThoseOfOtherEngines(boolean elasticsearch) throws IOException {
        McpTestClient client = start(elasticsearch);
        JsonNode results = client.call("search_everywhere", "{\"query\": \"eee\"}")
                .structured()
                .path("results");
        assertEquals("aaa", results.path(0).path("text").asText(), results::toString);
        assertFalse(results.toString().contains("\"vector\":["), results::toString);
        double near = results.path(0).path("relevance").asDouble();
        engine.withoutVectors = true;
        JsonNode again = client.call("search_everywhere", "{\"query\": \"eee\"}")
                .structured()
                .path("results");
        if (elasticsearch) {
            // Its score tells the cosine.
            assertEquals(near, again.path(0).path("relevance").asDouble(), 1e-9, again::toString);
        } else {
            assertEquals("aaa", again.path(0).path("text").asText(), again::toString);
        }
        JsonNode sources = client.call("list_sources", "{}").structured().path("sources");
        assertEquals(
                "[\"keyword\",\"vector\"]", sources.path(0).path("searched_by").toString());
    }

    private static JsonNode everywhere(McpTestClient client, String query, String mode) {
        ToolResult found =
                client.call("search_everywhere", "{\"query\": \"" + query + "\", \"mode\": \"" + mode + "\"}");
        assertFalse(found.isError(), found::toString);
        return found.structured();
    }

    private static String texts(JsonNode found) {
        return found.path("results")
                .valueStream()
                .map(hit -> hit.path("text").asText())
                .toList()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void asASourceItIsSearchedInTheModeAsFarAsThatIsPossible(boolean elasticsearch) throws IOException {
        McpTestClient client = start(elasticsearch);
        assertEquals("[]", texts(everywhere(client, "eee", "keyword")));
        assertEquals("[iii bbb]", texts(everywhere(client, "iii", "keyword")));
        JsonNode found = everywhere(client, "iii", "vector");
        assertEquals("[aaa, iii bbb]", texts(found));
        assertEquals("ok", found.at("/sources/0/status").asText(), found::toString);
        JsonNode denied = everywhere(client(unable), "iii", "vector");
        assertEquals("[iii bbb]", texts(denied));
        assertTrue(denied.at("/sources/0/detail").asText().contains("by keywords only"), denied::toString);
        engine.withoutFilters = !elasticsearch;
        JsonNode words = everywhere(client, "iii", "vector");
        assertEquals(elasticsearch ? "[aaa, iii bbb]" : "[iii bbb]", texts(words));
        assertEquals(
                elasticsearch ? "ok" : "partial", words.at("/sources/0/status").asText());
        model.close();
        JsonNode without = everywhere(client, "bbb", "vector");
        assertEquals("[iii bbb]", texts(without));
        assertTrue(without.at("/sources/0/detail").asText().contains("by keywords only"), without::toString);
    }

    @Test
    void anEngineThatCantFilterVectorsIsSearchedByKeywords() throws IOException {
        McpTestClient client = start(false);
        engine.withoutFilters = true;
        ToolResult found = search(client, ", \"query\": \"aaa\"");
        assertEquals(List.of("near"), ids(found));
        assertEquals("keyword", found.structured().path("mode").asText());
        assertTrue(found.structured().path("notes").toString().contains("does not support filters"), found::toString);
        assertEquals(
                "INVALID_ARGUMENT",
                search(client, ", \"query\": \"aaa\", \"mode\": \"vector\"").errorKind());
    }

    @Test
    void whatCantBeSearchedByVectorSaysWhy() throws IOException {
        McpTestClient client = start(false);
        for (String[] wrong : new String[][] {
            {", \"vector\": [1, 2]", "2 numbers"},
            {", \"mode\": \"vector\"", "query or vector"},
            {", \"query\": \"a\", \"mode\": \"hybrid\", \"sort\": [\"groups:asc\"]", "sort"},
            {", \"query\": \"a\", \"mode\": \"keyword\", \"vector\": [1, 2, 3, 4]", "keyword"},
            {", \"query\": \"a\", \"mode\": \"vector\", \"offset\": 1000", "1000"},
        }) {
            ToolResult refused = search(client, wrong[0]);
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused::toString);
            assertTrue(refused.text().contains(wrong[1]), refused::toString);
        }
        McpTestClient other = client(unable);
        ToolResult keywords = search(other, ", \"query\": \"aaa\"");
        assertEquals("keyword", keywords.structured().path("mode").asText(), keywords::toString);
        assertTrue(keywords.structured().path("notes").toString().contains("embed"), keywords::toString);
        assertEquals(
                "DENIED",
                search(other, ", \"query\": \"a\", \"mode\": \"vector\"").errorKind());
        model.close();
        ToolResult without = search(client, ", \"query\": \"aaa\"");
        assertEquals(List.of("near"), ids(without));
        assertTrue(without.structured().path("notes").toString().contains("keywords only"), without::toString);
        assertTrue(search(client, ", \"query\": \"aaa\", \"mode\": \"vector\"").isError());
    }
}
