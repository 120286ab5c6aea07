package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * What one document may take of the hits, and texts that several documents have, over HTTP: in the search of a backend and
 * in that of all.
 */
class VariedHitsTest {
    private static final int OTHERS = 6;
    private static final String COPY =
            "Der Fährmann übersetzt — 船 — bei Nebel nur mit Nebelhorn, sonst mit zwei Lampen am Bug 🚢.";

    @TempDir
    private static Path folder;

    private static TestGateway gateway;
    private static McpTestClient client;

    @BeforeAll
    static void start() {
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """, folder);
        client = gateway.modern();
        // Some hundred chunks, each with the word more often than any other document has it.
        ingest(
                "book",
                "handbook",
                IntStream.range(0, 400)
                        .mapToObj(i ->
                                "## Part " + i + "\n\n" + ("The lighthouse " + i + " and the lighthouse. ").repeat(30))
                        .collect(Collectors.joining("\n\n")));
        for (int i = 0; i < OTHERS; i++) {
            ingest("book", "note " + i, "One lighthouse among many other words of the note with the number " + i);
        }
        ingest("copies", "north", COPY);
        ingest("copies", "south", COPY.replace(" ", "\n"));
        ingest("copies", "other", "Der Fährmann hat am Nebelhorn heute nichts zu tun.");
        ingest("elsewhere", "east", COPY);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static void ingest(String library, String title, String content) {
        ok(
                "ingest_text",
                Json.object()
                        .put("content", content)
                        .put("title", title)
                        .put("source", "text:" + library + "/" + title)
                        .put("library", library));
    }

    private static JsonNode ok(String tool, ObjectNode arguments) {
        ToolResult result = client.call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static List<JsonNode> results(JsonNode reply) {
        return StreamSupport.stream(reply.path("results").spliterator(), false).toList();
    }

    private static List<String> values(List<JsonNode> nodes, String member) {
        return nodes.stream().map(node -> node.path(member).asText()).toList();
    }

    private static ObjectNode search(String query, String library) {
        return Json.object().put("query", query).put("library", library);
    }

    private static ObjectNode everywhere(String query, String... sources) {
        ObjectNode arguments = Json.object().put("query", query);
        for (String source : sources) {
            arguments.withArray("sources").add(source);
        }
        return arguments;
    }

    private static Map<String, Long> byTitle(JsonNode reply) {
        return results(reply).stream()
                .collect(Collectors.groupingBy(hit -> hit.path("title").asText(), TreeMap::new, Collectors.counting()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aLongDocumentLeavesPlacesToOthers(int most) {
        JsonNode reply =
                ok("search", search("lighthouse", "book").put("top_k", 11).put("per_document", most));
        Map<String, Long> titles = byTitle(reply);
        assertEquals(most, titles.get("handbook"));
        assertEquals(1 + OTHERS, titles.size(), titles::toString);
        JsonNode all = ok(
                "search_everywhere",
                everywhere("lighthouse", "vectordb:book").put("limit", 11).put("per_document", most));
        assertEquals(titles, byTitle(all));
    }

    @Test
    void twoIsTheUsualNumber() {
        assertEquals(2, byTitle(ok("search", search("lighthouse", "book"))).get("handbook"));
        assertEquals(
                2,
                byTitle(ok("search_everywhere", everywhere("lighthouse", "*:book")))
                        .get("handbook"));
    }

    @Test
    void zeroIsNoLimit() {
        assertEquals(
                Map.of("handbook", 20L),
                byTitle(ok(
                        "search", search("lighthouse", "book").put("top_k", 20).put("per_document", 0))));
        assertEquals(
                Map.of("handbook", 20L),
                byTitle(ok(
                        "search_everywhere",
                        everywhere("lighthouse", "*:book").put("limit", 20).put("per_document", 0))));
    }

    @Test
    void aFilterForOneDocumentGivesAllItsChunks() {
        JsonNode first = results(ok("search", search("lighthouse", "book"))).getFirst();
        for (String field : List.of("doc_id", "source")) {
            ObjectNode arguments = search("lighthouse", "book").put("top_k", 30);
            arguments.putObject("filter").set(field, first.path(field));
            assertEquals(Map.of("handbook", 30L), byTitle(ok("search", arguments)));
        }
        ObjectNode byTitle = search("lighthouse", "book").put("top_k", 30);
        byTitle.putObject("filter").put("title", "handbook");
        assertEquals(Map.of("handbook", 2L), byTitle(ok("search", byTitle)));
    }

    @Test
    void moreThanThereIsGivesAllThatThereIs() {
        JsonNode reply =
                ok("search", search("lighthouse", "book").put("top_k", 100).put("per_document", 1));
        assertEquals(1 + OTHERS, results(reply).size());
        assertEquals(
                0,
                results(ok(
                                "search",
                                search("Flugzeug", "copies").put("top_k", 100).put("per_document", 1)))
                        .size());
    }

    @Test
    void boundsAreThoseOfTheSchema() {
        for (String wrong : List.of("-1", "101", "1.5", "\"two\"")) {
            for (String tool : List.of("search", "search_everywhere")) {
                ToolResult result = client.call(tool, "{\"query\":\"x\",\"per_document\":" + wrong + "}");
                assertEquals("INVALID_ARGUMENT", result.errorKind(), tool + " " + wrong);
            }
        }
    }

    @Test
    void theSameTextUnderTwoSourcesIsOneResultThatNamesTheOther() {
        List<JsonNode> results = results(ok("search", search("Fährmann Nebelhorn", "copies")));
        assertEquals(2, results.size(), results::toString);
        JsonNode folded =
                results.stream().filter(hit -> hit.has("also_in")).findFirst().orElseThrow();
        JsonNode other = folded.path("also_in").path(0);
        assertEquals(
                List.of("text:copies/north", "text:copies/south"),
                List.of(folded, other).stream()
                        .map(hit -> hit.path("source").asText())
                        .sorted()
                        .toList());
        assertEquals("copies", other.path("library").asText());
        JsonNode read = ok(
                "get_document", Json.object().put("doc_id", other.path("doc_id").asText()));
        assertEquals(other.path("source"), read.path("source"));
    }

    @Test
    void copiesInAllLibrariesAreOneResult() {
        ObjectNode arguments = Json.object().put("query", "Fährmann Nebelhorn");
        JsonNode folded = results(ok("search", arguments)).stream()
                .filter(hit -> hit.has("also_in"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of("text:copies/north", "text:copies/south", "text:elsewhere/east"),
                Stream.concat(
                                Stream.of(folded.path("source").asText()),
                                values(results(Json.object().set("results", folded.path("also_in"))), "source")
                                        .stream())
                        .sorted()
                        .toList());
    }

    @Test
    void everywhereNamesTheCopiesOfOneLibraryAndOfOthers() {
        List<JsonNode> results = results(
                ok("search_everywhere", everywhere("Fährmann Nebelhorn", "vectordb:copies", "vectordb:elsewhere")));
        assertEquals(2, results.size(), results::toString);
        JsonNode folded =
                results.stream().filter(hit -> hit.has("also_in")).findFirst().orElseThrow();
        List<String> addresses = new ArrayList<>();
        addresses.add(folded.path("address").asText());
        folded.path("also_in")
                .forEach(other -> addresses.add(other.path("address").asText()));
        assertEquals(3, new HashSet<>(addresses).size(), folded::toString);
        for (String address : addresses) {
            JsonNode document = ok("fetch_document", Json.object().put("address", address));
            assertEquals(COPY, document.path("text").asText().replace('\n', ' '));
        }
    }

    @Test
    void nextLeadsToTheSameHitsWithinTheLimit() {
        Map<String, String> limits = Map.of("search", "top_k", "search_everywhere", "limit");
        for (String tool : limits.keySet()) {
            ObjectNode whole = Json.object().put("query", "lighthouse").put("per_document", 2);
            whole.put(limits.get(tool), 6); // without it, a call with a budget looks for more
            List<String> all = values(results(ok(tool, whole)), "title");
            ObjectNode arguments = whole.deepCopy().put("budget_tokens", 700);
            List<String> together = new ArrayList<>();
            int calls = 0;
            for (JsonNode next = arguments; !next.isMissingNode() && calls < 30; calls++) {
                arguments.setAll((ObjectNode) next);
                JsonNode reply = ok(tool, arguments);
                together.addAll(values(results(reply), "title"));
                next = reply.path("truncated").path("next");
            }
            assertTrue(calls > 1, tool);
            assertEquals(new HashSet<>(all), new HashSet<>(together), tool);
        }
    }
}
