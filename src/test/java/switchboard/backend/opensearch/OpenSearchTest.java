package switchboard.backend.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.OpenSearchServer;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A real OpenSearch behind the gateway, over HTTP, for teams with different rights. */
@Tag("engines")
class OpenSearchTest {
    @RegisterExtension
    static final OpenSearchServer ENGINE = new OpenSearchServer();

    private static final String ARTICLES = """
            {"mappings": {"properties": {
              "title": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
              "body": {"type": "text"},
              "tags": {"type": "keyword"},
              "year": {"type": "integer"},
              "price": {"type": "double"},
              "open": {"type": "boolean"},
              "published": {"type": "date"},
              "measured": {"type": "date_nanos"},
              "day": {"type": "keyword"},
              "author": {"properties": {"name": {"type": "keyword"}}},
              "comments": {"type": "nested", "properties": {"by": {"type": "keyword"}}},
              "groups": {"type": "keyword"}}}}""";

    private static final List<String> DOCUMENTS = List.of("""
            {"title": "Granite quarry", "body": "The quarry sells granite blocks.", "tags": ["stone", "north"],
             "year": 2020, "price": 2.5, "open": true, "published": "2020-05-01T10:00:00.250Z", "day": "2020-05-01",
             "measured": "2020-05-01T10:00:00.000000001Z", "author": {"name": "Ann"}, "groups": ["masons"], "url": "https://example.org/1"}""", """
            {"title": "Slate roof", "body": "A roof of slate beside a wall of granite.", "tags": ["stone"], "year": 2021,
             "price": 10, "open": false, "published": "2021-05-01", "day": "2021-05-01T00:00:00Z", "author": {"name": "Bob"},
             "groups": ["roofers", "masons"]}""", """
            {"title": "Oak table", "body": "Oak, waxed.", "tags": [], "year": 2022, "price": -1, "open": true,
             "published": "2022-01-31T23:59:59.999Z", "groups": ["joiners"]}""");

    private static final Map<String, ApiKey> KEYS = new TreeMap<>();

    @TempDir
    static Path folder;

    private static TestGateway gateway;

    @BeforeAll
    static void fill() throws IOException {
        ENGINE.send("PUT", "/articles", ARTICLES);
        ENGINE.send("PUT", "/notes-1", "{\"mappings\": {\"properties\": {\"kind\": {\"type\": \"keyword\"}}}}");
        ENGINE.send(
                "PUT",
                "/notes-2",
                "{\"mappings\": {\"properties\": {\"kind\": {\"type\": \"integer\"}, \"rank\": {\"type\": \"long\"}}}}");
        ENGINE.send("PUT", "/ledger", "{}");
        ENGINE.send("PUT", "/.secrets", "{}");
        ENGINE.send("POST", "/_aliases", """
                {"actions": [{"add": {"indices": ["notes-1", "notes-2"], "alias": "notes"}},
                             {"add": {"index": "ledger", "alias": "books"}}]}""");
        for (int i = 0; i < DOCUMENTS.size(); i++) {
            ENGINE.send("PUT", "/articles/_doc/a" + (i + 1), DOCUMENTS.get(i));
        }
        ENGINE.send("PUT", "/notes-1/_doc/n", "{\"text\": \"granite in the first\", \"kind\": \"x\"}");
        ENGINE.send("PUT", "/notes-2/_doc/n", "{\"text\": \"granite in the second\", \"kind\": 1}");
        ENGINE.send("PUT", "/notes-2/_doc/only%2Fhere", "{\"text\": \"feldspar in the second\"}");
        ENGINE.send("PUT", "/ledger/_doc/l", "{\"text\": \"granite for the king\"}");
        ENGINE.send("PUT", "/.secrets/_doc/s", "{\"text\": \"granite secret\"}");
        ENGINE.send("POST", "/*,.secrets/_refresh", "");
        for (String name : List.of("all", "masons", "claims", "none", "broken", "parsed", "reader", "mistyped")) {
            KEYS.put(name, ApiKey.generate(new SecureRandom()));
        }
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  all: {keys: [{id: k1, sha256: %s}], grants: ["*:*"]}
                  masons:
                    keys: [{id: k2, sha256: %s}]
                    grants: ["opensearch:read,search:articles", "opensearch:read,search:notes*", "switchboard:*"]
                    bindings: {opensearch: {filter: '{"term": {"groups": "masons"}}'}}
                  claims:
                    keys:
                      - {id: k3, sha256: %s, claims: {groups: [joiners, 'x"}}'], name: [Ann]}}
                      - {id: k4, sha256: %s}
                    grants: ["*:*"]
                    bindings: {opensearch: {filter: '{"bool": {"should": [{"terms": {"groups": "{list:groups}"}}, {"term": {"author.name": "{claim:name}"}}]}}'}}
                  broken:
                    keys: [{id: k5, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {opensearch: {filter: '{"term": {"groups": "masons"}'}}
                  parsed:
                    keys: [{id: k6, sha256: %s, claims: {g: ["masons OR joiners"]}}]
                    grants: ["*:*"]
                    bindings: {opensearch: {filter: '{"query_string": {"query": "groups:{claim:g}"}}'}}
                  reader: {keys: [{id: k7, sha256: %s}], grants: ["opensearch:read:articles"]}
                  mistyped:
                    keys: [{id: k8, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {opensearch: {filter: '{"term": {"year": "internal-42"}}'}}
                """.formatted(
                        List.of("all", "masons", "claims", "none", "broken", "parsed", "reader", "mistyped").stream()
                                .map(name -> KEYS.get(name).sha256())
                                .toArray()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  own: {type: vectordb}
                  opensearch: {type: opensearch, url: "%s", indices: ["art*", "notes*", ledger, "book*", absent]}
                """.formatted(ENGINE.url()), folder);
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static McpTestClient client(String key) {
        return McpTestClient.modern(gateway.url())
                .with("X-API-Key", KEYS.get(key).text());
    }

    private static ToolResult search(String key, String arguments) {
        return client(key).call("opensearch_search", arguments);
    }

    private static List<String> ids(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        List<String> ids = new ArrayList<>();
        result.structured().path("hits").forEach(hit -> ids.add(hit.path("id").asText()));
        return ids;
    }

    private static List<String> filtered(String filters) {
        return ids(search("all", "{\"index\": \"articles\", \"sort\": [\"year:asc\"], \"filters\": " + filters + "}"));
    }

    @Test
    void namesAreListedWithWhatTheCallerSees() {
        JsonNode all = client("all").call("opensearch_list_indices", "{}").structured();
        assertEquals(
                "[articles index 3, books alias 1, ledger index 1, notes alias 3, notes-1 index 1, notes-2 index 2]",
                listed(all));
        assertEquals(6, all.path("total").asInt());
        assertEquals(
                "[articles index 2, notes alias 0, notes-1 index 0, notes-2 index 0]",
                listed(client("masons").call("opensearch_list_indices", "{}").structured()));
        JsonNode page = client("all")
                .call("opensearch_list_indices", "{\"offset\": 1, \"limit\": 1}")
                .structured();
        assertEquals("[books alias 1]", listed(page));
        assertEquals(6, page.path("total").asInt());
    }

    private static String listed(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        answer.path("indices")
                .forEach(entry -> lines.add(
                        entry.path("index").asText() + " " + entry.path("type").asText() + " "
                                + entry.path("documents").asText()));
        return lines.toString();
    }

    @Test
    void aMappingTellsWhatSearchesCanUse() {
        JsonNode mapping = client("all")
                .call("opensearch_get_mapping", "{\"index\": \"articles\"}")
                .structured();
        Map<String, String> fields = new TreeMap<>();
        mapping.path("fields")
                .forEach(field -> fields.put(
                        field.path("field").asText(),
                        field.path("type").asText() + " "
                                + field.path("filterable").asBoolean()));
        assertEquals("text true", fields.get("title"));
        assertEquals("text false", fields.get("body"));
        assertEquals("keyword true", fields.get("author.name"));
        assertFalse(fields.containsKey("comments.by"), fields::toString);
        assertEquals("[\"keyword\"]", mapping.path("modes").toString());
        assertEquals(3, mapping.path("documents").asInt());
        JsonNode alias = client("all")
                .call("opensearch_get_mapping", "{\"index\": \"notes\"}")
                .structured();
        assertTrue(
                alias.toString().contains("{\"field\":\"kind\",\"type\":\"conflict\",\"filterable\":false}"),
                alias::toString);
    }

    @Test
    void keywordsFindAndPagesFollow() {
        ToolResult found = search("all", "{\"index\": \"articles\", \"query\": \"granite\"}");
        assertEquals(List.of("a1", "a2"), ids(found));
        assertEquals("keyword", found.structured().path("mode").asText());
        assertEquals(2, found.structured().path("total").asInt());
        assertTrue(found.structured().path("totalIsExact").asBoolean());
        assertTrue(found.structured().path("hits").path(0).path("score").asDouble() > 0);
        assertEquals(
                List.of("a2"),
                ids(search("all", "{\"index\": \"articles\", \"query\": \"granite\", \"offset\": 1, \"limit\": 1}")));
        assertEquals(3, ids(search("all", "{\"index\": \"articles\"}")).size());
        assertEquals(
                List.of(),
                ids(search("all", "{\"index\": \"articles\", \"query\": \"granite\", \"fields\": [\"tags\"]}")));
        // Text without operators: these would be an error, or everything, for a parser.
        for (String query : List.of("((( AND", "*", "tags:stone", "\\\"", "/[/", "_exists_:title")) {
            assertTrue(
                    ids(search("all", "{\"index\": \"articles\", \"query\": \"" + query + "\"}"))
                                    .size()
                            < 3,
                    query);
        }
    }

    @Test
    void fieldsAndHighlightsAreShownAsAskedFor() {
        JsonNode hit = search("all", """
                {"index": "articles", "query": "granite", "return_fields": ["title", "author.*"], "highlight": true}""").structured().path("hits").path(0);
        assertEquals(
                Json.object()
                        .put("title", "Granite quarry")
                        .set("author", Json.object().put("name", "Ann")),
                hit.path("fields"));
        assertTrue(hit.path("highlights").path("body").path(0).asText().contains("<em>granite</em>"), hit::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"year\": 2021} | a2",
                "{\"year\": {\"gte\": 2021}} | a2 a3",
                "{\"year\": {\"gt\": 2021}} | a3",
                "{\"year\": {\"lte\": 2021}} | a1 a2",
                "{\"year\": {\"lt\": 2021}} | a1",
                "{\"year\": {\"gt\": 2020, \"lt\": 2022}} | a2",
                "{\"year\": 2020.5} | ''",
                "{\"price\": 2.5} | a1",
                "{\"price\": {\"lt\": 0}} | a3",
                "{\"open\": true} | a1 a3",
                "{\"tags\": \"north\"} | a1",
                "{\"tags\": \"nor\"} | ''",
                "{\"title\": \"Granite quarry\"} | a1",
                "{\"title\": \"granite\"} | ''",
                "{\"author.name\": \"Bob\"} | a2",
                "{\"published\": \"2021-05-01\"} | a2",
                "{\"published\": \"2020-05-01T12:00:00.250+02:00\"} | a1",
                "{\"published\": \"2020-05-01T10:00:00Z\"} | ''",
                "{\"published\": {\"lte\": \"2020-05-01T10:00:00Z\"}} | ''",
                "{\"published\": {\"lte\": \"2022-01-31\"}} | a1 a2",
                "{\"published\": \"2020-05-01T10:00:00.2505Z\"} | ''",
                "{\"published\": {\"gte\": \"2020-05-01T10:00:00.2505Z\", \"lt\": \"2021-01-01\"}} | ''",
                "{\"published\": {\"gte\": \"2020-05-01T10:00:00.2495Z\", \"lt\": \"2021-01-01\"}} | a1",
                "{\"published\": {\"lt\": \"2020-05-01T10:00:00.2505Z\"}} | a1",
                "{\"published\": {\"lt\": \"2020-05-01T10:00:00.250Z\"}} | ''",
                "{\"published\": {\"gt\": \"2021-05-01\"}} | a3",
                "{\"measured\": \"2020-05-01T10:00:00.000000001Z\"} | a1",
                "{\"measured\": \"2020-05-01T10:00:00Z\"} | ''",
                "{\"day\": \"2020-05-01T00:00:00Z\"} | a1",
                "{\"day\": \"2021-05-01\"} | a2",
                "{\"day\": {\"gte\": \"2021-05-01T00:00:00Z\"}} | a2",
                "{\"day\": {\"gt\": \"2021-05-01\"}} | ''",
                "{\"day\": {\"lt\": \"2021-05-01\"}} | a1",
                "{\"tags\": \"stone\", \"open\": false} | a2",
            })
    void filtersCompareExactly(String filters, String ids) {
        assertEquals(ids.isEmpty() ? List.of() : List.of(ids.split(" ")), filtered(filters));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"yaer\": 2021} | year",
                "{\"body\": \"granite\"} | no exact values",
                "{\"comments.by\": \"x\"} | comments.by",
                "{\"year\": \"2021\"} | number",
                "{\"open\": \"true\"} | boolean",
                "{\"tags\": 7} | string",
                "{\"published\": \"soon\"} | ISO 8601",
                "{\"published\": 2021} | ISO 8601",
                "{\"year\": {\"near\": 3}} | near",
                "{\"_id\": \"a1\"} | _id",
            })
    void aFilterThatCantHoldIsRefusedByName(String filters, String said) {
        ToolResult refused = search("all", "{\"index\": \"articles\", \"filters\": " + filters + "}");
        assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused::toString);
        assertTrue(refused.text().contains(said), refused::toString);
    }

    @Test
    void hitsAreSortedByExactValues() {
        assertEquals(
                List.of("a3", "a2", "a1"), ids(search("all", "{\"index\": \"articles\", \"sort\": [\"year:desc\"]}")));
        assertEquals(
                List.of("a1", "a3", "a2"), ids(search("all", "{\"index\": \"articles\", \"sort\": [\"title:asc\"]}")));
        assertEquals(
                List.of("a2", "a1"),
                ids(search("all", "{\"index\": \"articles\", \"query\": \"granite\", \"sort\": [\"_score:asc\"]}")));
        assertEquals(
                "INVALID_ARGUMENT",
                search("all", "{\"index\": \"articles\", \"sort\": [\"body:asc\"]}")
                        .errorKind());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "articles,ledger",
                "art*",
                "-ledger",
                "_all",
                "<logs-{now/d}>",
                "other:articles",
                "..",
                "a/b",
                "articles/_search",
                "a b",
                "A#"
            })
    void aNameIsNeverAPattern(String name) {
        for (String tool : List.of("opensearch_search", "opensearch_get_mapping", "opensearch_get_document")) {
            ObjectNode arguments = Json.object().put("index", name);
            if (tool.endsWith("document")) {
                arguments.put("id", "l");
            }
            ToolResult refused = client("all").call(tool, arguments);
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused::toString);
        }
    }

    @Test
    void otherNamesAreDeniedAndMisspeltOnesSuggested() {
        for (String name : List.of("ledger", "books", ".secrets")) {
            assertEquals(
                    "DENIED", search("masons", "{\"index\": \"" + name + "\"}").errorKind(), name);
        }
        assertEquals("DENIED", search("all", "{\"index\": \".secrets\"}").errorKind());
        ToolResult missing = search("all", "{\"index\": \"article\"}");
        assertEquals("NOT_FOUND", missing.errorKind(), missing::toString);
        assertTrue(missing.toString().contains("articles"), missing::toString);
        assertFalse(client("reader").toolNames().contains("opensearch_search"));
        assertTrue(client("reader").toolNames().contains("opensearch_get_document"));
    }

    @Test
    void aDocumentIsReadByItsId() {
        ToolResult read = client("all").call("opensearch_get_document", "{\"index\": \"articles\", \"id\": \"a3\"}");
        assertEquals("Oak table", read.structured().path("fields").path("title").asText(), read::toString);
        assertEquals(
                "feldspar in the second",
                client("all")
                        .call("opensearch_get_document", "{\"index\": \"notes\", \"id\": \"only/here\"}")
                        .structured()
                        .path("fields")
                        .path("text")
                        .asText());
        assertEquals(
                "CONFLICT",
                client("all")
                        .call("opensearch_get_document", "{\"index\": \"notes\", \"id\": \"n\"}")
                        .errorKind());
        ToolResult missing = client("all").call("opensearch_get_document", "{\"index\": \"articles\", \"id\": \"a9\"}");
        assertEquals("NOT_FOUND", missing.errorKind());
        ToolResult hidden =
                client("masons").call("opensearch_get_document", "{\"index\": \"articles\", \"id\": \"a3\"}");
        assertEquals(
                missing.text().replace("a9", "?"),
                hidden.text().replace("a3", "?"),
                "a hidden document is one that does not exist");
    }

    @Test
    void aTeamsFilterHoldsInEveryTool() {
        assertEquals(List.of("a1", "a2"), ids(search("masons", "{\"index\": \"articles\", \"sort\": [\"year:asc\"]}")));
        assertEquals(
                List.of(), ids(search("masons", "{\"index\": \"articles\", \"filters\": {\"groups\": \"joiners\"}}")));
        assertEquals(
                2,
                search("masons", "{\"index\": \"articles\"}")
                        .structured()
                        .path("total")
                        .asInt());
        assertEquals(
                2,
                client("masons")
                        .call("opensearch_get_mapping", "{\"index\": \"articles\"}")
                        .structured()
                        .path("documents")
                        .asInt());
        ToolResult everywhere = client("masons")
                .call("search_everywhere", "{\"query\": \"oak table waxed\", \"sources\": [\"opensearch:articles\"]}");
        assertFalse(everywhere.text().contains("waxed"), everywhere::toString);
        ToolResult read =
                client("masons").call("fetch_document", "{\"address\": \"switchboard://opensearch/articles/a3\"}");
        assertEquals("NOT_FOUND", read.errorKind(), read::toString);
    }

    /** The engine's words would quote the filter. */
    @Test
    void anIndexThatCantApplyTheTeamsFilterIsClosed() {
        for (String tool : List.of("opensearch_search", "opensearch_get_document")) {
            ObjectNode arguments = Json.object().put("index", "articles");
            if (tool.endsWith("document")) {
                arguments.put("id", "a1");
            }
            ToolResult closed = client("mistyped").call(tool, arguments);
            assertEquals("DENIED", closed.errorKind(), closed::toString);
            assertFalse(closed.toString().contains("internal-42"), closed::toString);
        }
        ToolResult sources = client("mistyped").call("search_everywhere", "{\"query\": \"granite\"}");
        assertFalse(sources.toString().contains("internal-42"), sources::toString);
    }

    @Test
    void aClosedTeamIsRefusedBeforeAnythingIsListed() {
        for (String key : List.of("none", "broken", "parsed")) {
            ToolResult refused = client(key).call("opensearch_list_indices", "{\"offset\": 1000}");
            assertEquals("DENIED", refused.errorKind(), refused::toString);
            ToolResult sources = client(key).call("list_sources", "{}");
            assertFalse(sources.toString().contains("articles"), sources::toString);
        }
    }

    @Test
    void aClosedIndexSaysSo() {
        ENGINE.send("PUT", "/notes-shut", "{}");
        ENGINE.send("POST", "/notes-shut/_close", "");
        try {
            ToolResult closed = search("all", "{\"index\": \"notes-shut\", \"query\": \"x\"}");
            assertEquals("UNAVAILABLE", closed.errorKind(), closed::toString);
            assertTrue(closed.text().contains("closed"), closed::toString);
        } finally {
            ENGINE.send("DELETE", "/notes-shut", "");
        }
    }

    @Test
    void indicesBehindAnAliasMayLackAFieldToSortBy() {
        ToolResult sorted = search("all", "{\"index\": \"notes\", \"sort\": [\"rank:asc\"]}");
        assertEquals(3, ids(sorted).size(), sorted::toString);
        assertFalse(sorted.structured().has("notes"), sorted::toString);
        assertTrue(sorted.text().contains("notes-1"), "hits of an alias say where they are");
    }

    @Test
    void claimsAreValuesAndNothingElse() {
        assertEquals(List.of("a1", "a3"), ids(search("claims", "{\"index\": \"articles\", \"sort\": [\"year:asc\"]}")));
        for (String tool : List.of("opensearch_search", "opensearch_get_mapping")) {
            ToolResult lacking = client("none").call(tool, "{\"index\": \"articles\"}");
            assertEquals("DENIED", lacking.errorKind(), tool);
            assertTrue(lacking.text().contains("claim"), lacking::toString);
            assertEquals(
                    "DENIED",
                    client("broken").call(tool, "{\"index\": \"articles\"}").errorKind(),
                    tool);
            assertEquals(
                    "DENIED",
                    client("parsed").call(tool, "{\"index\": \"articles\"}").errorKind(),
                    tool);
        }
        assertEquals(
                "DENIED", client("none").call("opensearch_list_indices", "{}").errorKind());
    }

    @Test
    void indicesAreSourcesBesideTheOthers() {
        JsonNode listed = client("all").call("list_sources", "{}").structured();
        List<String> names = new ArrayList<>();
        listed.path("sources").forEach(source -> names.add(source.path("source").asText()));
        // An alias of several indices stands for them, one of a single index is left out.
        assertEquals(List.of("opensearch:articles", "opensearch:ledger", "opensearch:notes"), names);
        ToolResult found = client("all").call("search_everywhere", "{\"query\": \"granite quarry\"}");
        assertFalse(found.isError(), found::toString);
        JsonNode best = found.structured().path("results").path(0);
        assertEquals("Granite quarry", best.path("title").asText(), found::toString);
        assertEquals("https://example.org/1", best.path("url").asText(), found::toString);
        assertEquals(5, found.structured().path("results").size(), found::toString);
        ToolResult filtered = client("all")
                .call(
                        "search_everywhere",
                        "{\"query\": \"granite\", \"sources\": [\"opensearch:articles\"], \"filters\": {\"year\": {\"gte\": 2021}}}");
        assertEquals(1, filtered.structured().path("results").size(), filtered::toString);
        ToolResult read = client("all")
                .call(
                        "fetch_document",
                        Json.object().put("address", best.path("address").asText()));
        assertTrue(read.text().contains("sells granite blocks"), read::toString);
    }

    @Test
    void wordsOfEveryLanguageAndHugeQueriesAreTaken() {
        ENGINE.send("PUT", "/articles/_doc/u?refresh=true", "{\"title\": \"Ünïcode 日本語 \uD83D\uDE80\", \"year\": 1}");
        try {
            assertEquals(List.of("u"), ids(search("all", "{\"index\": \"articles\", \"query\": \"日本語\"}")));
            StringBuilder huge = new StringBuilder();
            for (int word = 0; word < 1_200; word++) {
                huge.append("w").append(word).append(word == 5 ? " granite " : " ");
            }
            ToolResult found = search("all", "{\"index\": \"articles\", \"query\": \"" + huge + "\"}");
            assertTrue(ids(found).contains("a1"), found::toString);
            assertTrue(found.text().contains("The query is long"), found::toString);
        } finally {
            ENGINE.send("DELETE", "/articles/_doc/u?refresh=true", "");
        }
    }
}
