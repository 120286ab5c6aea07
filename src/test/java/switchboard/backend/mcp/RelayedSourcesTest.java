package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** Tools of relayed servers as sources of {@code search_everywhere}. */
class RelayedSourcesTest {
    private static final String OWN = """
            embedders: {default: {provider: none}}
            """;

    @TempDir
    private Path data;

    private final List<AutoCloseable> open = new ArrayList<>();

    private <T extends AutoCloseable> T closed(T resource) {
        open.addFirst(resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    /** A gateway whose source {@code wiki:pages} is the tool {@code test_simple_text} of {@code fixture}. */
    private McpTestClient relay(FixtureServer fixture, String source) {
        TestGateway gateway = closed(TestGateway.start(OWN + """
                backends:
                  wiki: {type: mcp, url: "%s"}
                search:
                  sources:
                    "wiki:pages": %s
                """.formatted(fixture.url(), source), data));
        Eventually.that(() -> !gateway.modern("wiki").toolNames().isEmpty(), () -> "its tools were never listed");
        return gateway.modern();
    }

    private static ToolResult search(McpTestClient client, String query) {
        return client.call("search_everywhere", Json.object().put("query", query));
    }

    private static List<String> each(ToolResult result, String list, String field) {
        assertFalse(result.isError(), result::toString);
        List<String> values = new ArrayList<>();
        result.structured()
                .path(list)
                .forEach(entry -> values.add(entry.path(field).asText()));
        return values;
    }

    private static ObjectNode hit(String id, String title, String text) {
        return Json.object().put("id", id).put("title", title).put("text", text);
    }

    /** Another gateway is the server: its search is asked, and its tool reads the documents. */
    @Test
    void theSearchOfAnotherServerIsASourceLikeAnyOther() {
        TestGateway library = closed(TestGateway.start(OWN + "backends: {vectordb: {type: vectordb}}"));
        String text = "The quarry sells granite. ".repeat(300) + "Its zirconium is not for sale.";
        for (String[] page : new String[][] {
            {"quarry", "# Quarry\n\n" + text}, {"lanterns", "# Lanterns\n\nLanterns hang in the tunnel."}
        }) {
            library.modern()
                    .call("ingest_text", Json.object().put("source", page[0]).put("content", page[1]));
        }
        TestGateway gateway = closed(TestGateway.start(OWN + """
                backends:
                  own: {type: vectordb}
                  wiki: {type: mcp, url: "%s"}
                search:
                  sources:
                    "wiki:pages":
                      description: Pages about the quarry
                      tool: {name: search, limit: top_k, arguments: {per_document: 1}, results: /results, id: /doc_id, score: /score}
                      document: {tool: get_document, argument: doc_id}
                """.formatted(library.url("vectordb")), data));
        McpTestClient client = gateway.modern();
        Eventually.that(() -> !gateway.modern("wiki").toolNames().isEmpty(), () -> "its tools were never listed");
        client.call("own__ingest_text", Json.object().put("source", "mine").put("content", "Zirconium is a metal."));

        JsonNode sources = client.call("list_sources", "{}").structured().path("sources");
        assertEquals("wiki:pages", sources.get(1).path("source").asText(), sources::toString);
        assertEquals(
                "Pages about the quarry", sources.get(1).path("description").asText());

        ToolResult found = search(client, "zirconium for sale");
        assertEquals(
                List.of("own:default", "wiki:pages"),
                each(found, "sources", "source").stream().sorted().toList());
        JsonNode hit = found.structured().path("results").get(0);
        assertEquals("Quarry", hit.path("title").asText(), found::toString);
        assertTrue(hit.path("text").asText().contains("zirconium"), hit::toString);
        assertTrue(each(found, "results", "title").size() > 1, found::toString);

        String address = hit.path("address").asText();
        StringBuilder read = new StringBuilder();
        for (JsonNode next = Json.object().put("next_offset", 0); next.hasNonNull("next_offset"); ) {
            next = client.call(
                            "fetch_document",
                            Json.object()
                                    .put("address", address)
                                    .put("max_chars", 1_000)
                                    .put("offset", next.path("next_offset").asInt()))
                    .structured();
            read.append(next.path("text").asText());
        }
        assertTrue(read.toString().contains(text.strip()), read::toString);

        // Who filters gets nothing from it that may not match, and is told.
        ToolResult filtered =
                client.call("search_everywhere", "{\"query\": \"zirconium\", \"filters\": {\"year\": 2020}}");
        assertTrue(filtered.error().toString().contains("wiki:pages can't be filtered"), filtered::toString);
        // It is gone: the others answer, and its status says why.
        library.close();
        open.remove(library);
        ToolResult alone = search(client, "zirconium");
        assertEquals(
                List.of("own:default", "wiki:pages"),
                each(alone, "sources", "source").stream().sorted().toList());
        assertTrue(each(alone, "sources", "status").contains("error"), alone::toString);
        assertEquals(1, each(alone, "results", "title").size());
    }

    /** What {@code doctor} proposes can be pasted into the configuration. */
    @Test
    void doctorProposesToolsThatLookLikeASearch() throws Exception {
        TestGateway library = closed(TestGateway.start(OWN + "backends: {vectordb: {type: vectordb}}"));
        library.modern().call("ingest_text", "{\"source\": \"a\", \"content\": \"Feldspar is pink.\"}");
        String yaml = OWN + "backends: {wiki: {type: mcp, url: \"" + library.url("vectordb") + "\"}}\n";
        String proposed;
        try (TestGateway gateway = TestGateway.start(yaml, data.resolve("first"))) {
            Eventually.that(() -> !gateway.modern("wiki").toolNames().isEmpty(), () -> "its tools were never listed");
            List<DiagnosticFinding> findings =
                    gateway.app().examine().await(30, TimeUnit.SECONDS).get("wiki");
            assertEquals(
                    List.of("engine", "tool search"),
                    findings.stream().map(DiagnosticFinding::about).toList());
            String detail = findings.get(1).detail();
            proposed = detail.substring(detail.indexOf("sources: ") + "sources: ".length());
        }
        assertEquals(
                "{\"wiki:search\": {tool: {name: search, limit: top_k, results: /results, id: /doc_id}}}", proposed);
        TestGateway gateway = closed(TestGateway.start(yaml + "search: {sources: " + proposed + "}\n", data));
        Eventually.that(() -> !gateway.modern("wiki").toolNames().isEmpty(), () -> "its tools were never listed");
        assertEquals(List.of("Feldspar is pink."), each(search(gateway.modern(), "feldspar"), "results", "text"));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void resultsAreFoundWhereverAServerPutsThem(Era era) {
        FixtureServer fixture = closed(new FixtureServer(era));
        fixture.listTools(list -> {
            list.path("tools").forEach(tool -> ((ObjectNode) tool.path("inputSchema"))
                    .putObject("properties")
                    .putObject("most")
                    .put("type", "integer")
                    .put("maximum", 7));
            return list;
        });
        McpTestClient client = relay(fixture, """
                {text: /body/plain, tool: {name: test_simple_text, limit: most, arguments: {space: docs}, results: /found/items, id: /key}}""");
        ObjectNode answer = Json.object();
        ArrayNode items = answer.putObject("found").putArray("items");
        items.addObject().put("key", 7).put("name", "Seven").putObject("body").put("plain", "Basalt columns");
        items.addObject()
                .put("link", "https://example.org/8")
                .put("name", "Eight")
                .putObject("body")
                .put("plain", "Basalt sand");
        items.add("Basalt as a text");
        items.add(9);
        // As structured content, and as JSON in a text after another text.
        for (boolean structured : new boolean[] {true, false}) {
            fixture.answerTools(result -> {
                result.removeAll();
                ArrayNode content = result.putArray("content");
                content.addObject().put("type", "text").put("text", "Here it is:");
                if (structured) {
                    result.set("structuredContent", answer);
                } else {
                    content.addObject().put("type", "text").put("text", answer.toString());
                }
                return result;
            });
            ToolResult found = search(client, "basalt");
            assertEquals(
                    List.of("Basalt columns", "Basalt sand"),
                    each(found, "results", "text").stream().sorted().toList());
            List<String> addresses = each(found, "results", "address");
            assertTrue(addresses.contains("switchboard://wiki/pages/7"), addresses::toString);
            assertTrue(
                    addresses.contains("switchboard://wiki/pages/https%3A%2F%2Fexample.org%2F8"), addresses::toString);
        }
        JsonNode asked = fixture.received().stream()
                .filter(message -> message.path("method").asText().equals("tools/call"))
                .findFirst()
                .orElseThrow()
                .at("/params/arguments");
        assertEquals("{\"space\":\"docs\",\"query\":\"basalt\",\"most\":7}", asked.toString());
    }

    @Test
    void contentBlocksAreResultsAndTheirResourcesCanBeRead() {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        McpTestClient client = relay(fixture, "{tool: {name: test_simple_text}}");
        fixture.answerTools(result -> {
            result.removeAll();
            ArrayNode content = result.putArray("content");
            content.addObject().put("type", "text").put("text", "Gneiss is a rock.");
            content.addObject().put("type", "image").put("data", "AAAA").put("mimeType", "image/png");
            content.addObject()
                    .put("type", "resource_link")
                    .put("uri", "test://static-text")
                    .put("name", "static")
                    .put("description", "Gneiss, static.");
            content.addObject()
                    .put("type", "resource")
                    .putObject("resource")
                    .put("uri", "test://x")
                    .put("text", "Gneiss, x.");
            return result;
        });
        ToolResult found = search(client, "gneiss");
        assertEquals(
                List.of("Gneiss is a rock.", "Gneiss, static.", "Gneiss, x."),
                each(found, "results", "text").stream().sorted().toList());
        List<String> read = new ArrayList<>();
        for (JsonNode hit : found.structured().path("results")) {
            ToolResult document = client.call(
                    "fetch_document",
                    Json.object().put("address", hit.path("address").asText()));
            read.add(
                    document.isError()
                            ? document.errorKind()
                            : document.structured().path("text").asText());
        }
        assertTrue(read.contains("NOT_FOUND"), read::toString);
        assertTrue(read.stream().anyMatch(text -> text.contains("static text")), read::toString);
    }

    @Test
    void whatAServerDoesWrongIsItsOwnStatusOnly() throws IOException {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        McpTestClient client = relay(fixture, "{tool: {name: test_simple_text, results: /results}}");
        for (String wrong : List.of(
                "{\"content\": [{\"type\": \"text\", \"text\": \"No results.\"}]}",
                "{\"content\": [], \"structuredContent\": {\"results\": {}}}",
                "{\"content\": [{\"type\": \"text\", \"text\": \"{{{\"}]}",
                "{\"content\": [{\"type\": \"text\", \"text\": \"disk full at 10.0.0.7:9200\"}], \"isError\": true}",
                "{\"resultType\": \"input_required\", \"inputRequests\": {\"a\": {\"method\": \"roots/list\", \"params\": {}}}}",
                "{}")) {
            ObjectNode answer = (ObjectNode) Json.parse(wrong.getBytes(StandardCharsets.UTF_8));
            fixture.answerTools(_ -> answer);
            ToolResult failed = search(client.able("roots"), "slate");
            assertTrue(failed.isError(), failed::toString);
            assertEquals("UNAVAILABLE", failed.errorKind(), failed::toString);
            assertFalse(failed.text().contains("10.0.0.7"), failed::toString);
        }
        fixture.answerTools(_ -> {
            ObjectNode result = Json.object();
            result.putArray("content");
            result.putObject("structuredContent").putArray("results");
            return result;
        });
        assertEquals(List.of(), each(search(client, "slate"), "results", "title"));
    }

    /** Nobody else's hits suffer from a server that sends megabytes. */
    @Test
    void hugeResultsAreCut() {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        McpTestClient client =
                relay(fixture, "{text: /body/plain, tool: {name: test_simple_text, results: /results, id: /id}}");
        String huge = "Tuff and ash. ".repeat(30_000);
        fixture.answerTools(_ -> {
            ObjectNode result = Json.object();
            result.putArray("content");
            ArrayNode hits = result.putObject("structuredContent").putArray("results");
            for (int i = 0; i < 15; i++) {
                ObjectNode hit =
                        hits.addObject().put("id", i).put("title", huge).put("small", i);
                hit.putObject("body").put("plain", huge + i);
            }
            return result;
        });
        ToolResult found = search(client, "tuff");
        assertEquals(10, each(found, "results", "text").size());
        for (JsonNode hit : found.structured().path("results")) {
            assertTrue(
                    hit.path("text").asText().length() <= 20_000,
                    () -> hit.path("text").asText().length() + "");
            assertTrue(hit.path("text").asText().startsWith("Tuff and ash."));
            assertTrue(hit.path("title").asText().length() <= 2_000);
            assertTrue(hit.path("fields").has("small"), () -> hit.path("fields").toString());
        }
    }

    @Test
    void documentsAreReadByTheDeclaredTemplateAndNoOther() {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        McpTestClient client = relay(
                fixture, "{tool: {name: test_simple_text}, document: {resource: \"test://template/{+id}/data\"}}");
        fixture.forgetReceived();
        for (String id : List.of("..", "a/../b", "../static-text", "a\\b", "a%2f..")) {
            ToolResult refused = read(client, id);
            assertEquals("NOT_FOUND", refused.errorKind(), refused::toString);
        }
        assertTrue(fixture.received().isEmpty(), fixture.received()::toString);
        read(client, "a b/ü?x#y");
        assertEquals(
                List.of("test://template/a%20b/%C3%BC%3Fx%23y/data"),
                fixture.received().stream()
                        .map(message -> message.at("/params/uri").asText())
                        .toList());
        ToolResult read = read(client, "7");
        assertTrue(read.text().contains("7"), read::toString);
    }

    @Test
    void aDocumentIsReadByTheDeclaredToolWithAnIdOfItsType() {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        fixture.listTools(list -> {
            list.path("tools").forEach(tool -> ((ObjectNode) tool.path("inputSchema"))
                    .putObject("properties")
                    .putObject("number")
                    .put("type", "integer"));
            return list;
        });
        McpTestClient client = relay(fixture, """
                {tool: {name: test_simple_text}, document: {tool: test_simple_text, argument: number, result: /page/markdown}}""");
        fixture.answerTools(result -> {
            result.putObject("structuredContent").putObject("page").put("markdown", "All of it.");
            return result;
        });
        fixture.forgetReceived();
        assertEquals("All of it.", read(client, "42").structured().path("text").asText());
        read(client, "a42");
        assertEquals(
                List.of("{\"number\":42}", "{\"number\":\"a42\"}"),
                fixture.received().stream()
                        .map(message -> message.at("/params/arguments").toString())
                        .toList());
        fixture.answerTools(result -> result); // without what the declaration points to
        assertEquals("NOT_FOUND", read(client, "42").errorKind());
    }

    private static ToolResult read(McpTestClient client, String id) {
        String address = "switchboard://wiki/pages/"
                + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return client.call("fetch_document", Json.object().put("address", address));
    }

    /** The source is granted by its name; the tool behind it need not be. */
    @Test
    void onlyWhoseTeamMaySearchTheSourceFindsSomethingThere() throws Exception {
        FixtureServer fixture = closed(new FixtureServer(Era.BOTH));
        ApiKey reader = ApiKey.generate(new SecureRandom());
        ApiKey other = ApiKey.generate(new SecureRandom());
        ApiKey both = ApiKey.generate(new SecureRandom());
        Path teams = Files.writeString(
                data.resolve("teams.yaml"), """
                teams:
                  readers:
                    keys: [{id: reader, sha256: %s}]
                    grants: ["wiki:search,read:pages", "switchboard:*"]
                  others:
                    keys: [{id: other, sha256: %s}]
                    grants: ["wiki:search,read:news", "switchboard:*"]
                  both:
                    keys: [{id: both, sha256: %s}]
                    grants: ["wiki:search,read:pages", "wiki:read:test://*", "switchboard:*"]
                """.formatted(reader.sha256(), other.sha256(), both.sha256()));
        TestGateway gateway = closed(TestGateway.start(OWN + """
                auth: {mode: keys, teamsFile: "%s"}
                backends:
                  wiki: {type: mcp, url: "%s"}
                search:
                  sources:
                    "wiki:pages": {tool: {name: test_simple_text}}
                """.formatted(teams, fixture.url()), data));
        McpTestClient reads = gateway.modern().with("X-API-Key", reader.text());
        Eventually.that(() -> !search(reads, "simple").isError(), () -> "its tools were never listed");
        assertEquals(List.of("This is a simple text."), each(search(reads, "simple"), "results", "text"));
        assertFalse(reads.toolNames().contains("wiki__test_simple_text"));
        // A resource of the server is read by the team's own grant for it only.
        assertEquals("NOT_FOUND", read(reads, "test://static-text").errorKind());
        assertFalse(read(gateway.modern().with("X-API-Key", both.text()), "test://static-text")
                .isError());
        McpTestClient others = gateway.modern().with("X-API-Key", other.text());
        assertEquals(List.of(), each(others.call("list_sources", "{}"), "sources", "source"));
        assertEquals("NOT_FOUND", search(others, "simple").errorKind());
        assertEquals("NOT_FOUND", read(others, "test://static-text").errorKind());
    }
}
