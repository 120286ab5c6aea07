package switchboard.backend.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.DiagnosticFinding;
import switchboard.call.Json;
import switchboard.config.ConfigException;
import switchboard.config.Problem;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Searches of other servers, declared request by request, over HTTP on both sides. */
class HttpSourcesTest {
    private static final String SECRET = "s3cr3t-k3y-of-the-wiki";

    /** A source in the form of Elasticsearch's search API. */
    private static final String BY_BODY = """
            {description: Logs, search: {method: post, path: /logs/_search,
              body: {size: "{limit}", query: {match: {text: "{query}"}}}},
             results: {list: /hits/hits, id: /_id, score: /_score, text: /_source/body/plain, title: /_source/head},
             document: {request: {path: "/logs/_doc/{id}"}, result: /_source, title: head}}""";
    /** A source whose query language has quoted texts. */
    private static final String BY_URL = """
            {search: {path: "/rest/search?cql=text~{quoted}&limit={limit}"}, results: {list: /results}}""";

    @TempDir
    private Path data;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String type = "application/json";
    private volatile String answer = "{}";
    private TestGateway gateway;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", this::handle);
        server.start();
        Files.writeString(data.resolve("key"), SECRET);
    }

    @AfterEach
    void close() {
        if (gateway != null) {
            gateway.close();
        }
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestHeaders().getFirst("X-Key");
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                    + (SECRET.equals(key) ? "" : " without its key"));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private McpTestClient start(String source) {
        gateway = TestGateway.start(yaml(source), data);
        return gateway.modern();
    }

    private String yaml(String source) {
        return """
                embedders: {default: {provider: none}}
                backends:
                  own: {type: vectordb}
                  wiki:
                    type: http
                    url: http://127.0.0.1:%d/base
                    headers: {X-Key: "${file:%s}"}
                    connection: {retries: 0}
                    sources:
                      pages: %s
                """.formatted(server.getAddress().getPort(), data.resolve("key"), source);
    }

    private static ToolResult search(McpTestClient client, String query) {
        return client.call("search_everywhere", Json.object().put("query", query));
    }

    private static ToolResult read(McpTestClient client, String id) {
        String address = "switchboard://wiki/pages/"
                + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return client.call("fetch_document", Json.object().put("address", address));
    }

    private static List<String> texts(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        List<String> texts = new ArrayList<>();
        result.structured()
                .path("results")
                .forEach(hit -> texts.add(hit.path("text").asText()));
        return texts.stream().sorted().toList();
    }

    @Test
    void aSearchByPostIsASourceBesideTheOthers() {
        McpTestClient client = start(BY_BODY);
        client.call("own__ingest_text", "{\"source\": \"mine\", \"content\": \"A dolerite dyke.\"}");
        answer = """
                {"hits": {"hits": [
                  {"_id": "a 1", "_score": 7.5, "_source": {"head": "Dyke", "body": {"plain": "Dolerite in the north."}}},
                  {"_id": 2, "_score": "x", "_source": {"body": {"plain": "Dolerite in the south."}}}]}}""";
        ToolResult found = search(client, "dolerite \"x\" {limit} {quoted}");
        assertEquals(List.of("A dolerite dyke.", "Dolerite in the north.", "Dolerite in the south."), texts(found));
        assertEquals(
                List.of(
                        "POST /base/logs/_search {\"size\":50,\"query\":{\"match\":{\"text\":\"dolerite \\\"x\\\" {limit}"
                                + " {quoted}\"}}}"),
                asked);
        List<String> addresses = new ArrayList<>();
        for (JsonNode hit : found.structured().path("results")) {
            addresses.add(hit.path("address").asText() + " " + hit.path("title").asText() + " "
                    + hit.path("source_score").asText());
        }
        assertTrue(addresses.contains("switchboard://wiki/pages/a%201 Dyke 7.5"), addresses::toString);
        assertTrue(addresses.contains("switchboard://wiki/pages/2  "), addresses::toString);
        assertEquals(
                "Logs",
                client.call("list_sources", "{}")
                        .structured()
                        .at("/sources/1/description")
                        .asText());

        asked.clear();
        answer = "{\"_source\": {\"head\": \"Dyke\", \"content\": \"All of it.\"}}";
        assertEquals(
                "Dyke\n\nAll of it.",
                read(client, "a 1").structured().path("text").asText());
        assertEquals(List.of("GET /base/logs/_doc/a%201 "), asked);
        status = 404;
        assertEquals("NOT_FOUND", read(client, "a 1").errorKind());
        status = 200;
        type = "text/markdown; charset=utf-8";
        answer = "# Dyke";
        assertEquals("# Dyke", read(client, "a 1").structured().path("text").asText());
    }

    @Test
    void idsThatLookLikeDigestsAreTheServersOwn() {
        McpTestClient client = start(BY_BODY);
        answer = "{\"_source\": {\"content\": \"An image.\"}}";
        assertEquals(
                "An image.", read(client, "sha256:0").structured().path("text").asText());
        assertEquals(List.of("GET /base/logs/_doc/sha256%3A0 "), asked);
    }

    /** Only a search can show that a server is back, and a gateway that is not ready gets none. */
    @Test
    void aServerThatFailedDoesNotKeepTheGatewayFromBeingReady() throws Exception {
        gateway = TestGateway.start(
                yaml(BY_URL).replace("{retries: 0}", "{retries: 0, breaker: {window: 2, openFor: 1h}}"), data);
        McpTestClient client = gateway.modern();
        status = 503;
        for (int i = 0; i < 4; i++) {
            search(client, "gneiss");
        }
        DiagnosticFinding engine =
                gateway.app().examine().await(30, TimeUnit.SECONDS).get("wiki").getFirst();
        assertTrue(engine.sound(), engine::detail);
        assertEquals("most of its last searches failed or got no answer in time", engine.detail());
    }

    @Test
    void aQuestionCanNotLeaveItsPlaceInAUrl() {
        McpTestClient client = start(BY_URL);
        answer = "{\"results\": [\"Chert.\"]}";
        assertEquals(List.of("Chert."), texts(search(client, "chert\" OR\ntype = \"&limit=9#\\ {limit} é")));
        assertEquals(
                List.of(
                        "GET /base/rest/search?cql=text~%22chert%5C%22%20OR%20type%20%3D%20%5C%22%26limit%3D9%23%5C%5C%20"
                                + "%7Blimit%7D%20%C3%A9%22&limit=50 "),
                asked);
        asked.clear();
        ToolResult shortened = search(client, "chert ".repeat(2_000));
        assertTrue(shortened.text().contains("its first 6"), shortened::toString);
        assertTrue(asked.getFirst().length() < 8_000, asked::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                ".",
                "../secret",
                "a/../../secret",
                "a\\..\\b",
                "a/b",
                "..;/x",
                "a;b",
                "%2e%2e%2fx",
                "a\nb",
                "switchboard-sha256:0"
            })
    void anIdCanNotLeadToAnotherPath(String id) {
        McpTestClient client = start(BY_BODY);
        assertEquals("NOT_FOUND", read(client, id).errorKind());
        assertEquals(List.of(), asked);
    }

    @Test
    void whatGoesWrongIsSaidWithoutTheKeyAndWithoutTheAnswer() {
        McpTestClient client = start(BY_URL);
        for (String[] wrong : new String[][] {
            {
                "401",
                "application/json",
                "{\"error\": \"no such key: " + SECRET + "\"}",
                "refuses the gateway's credential (401)"
            },
            {"500", "text/html", "<b>" + SECRET + "</b>", "status 500"},
            {"200", "text/html", "<b>Log in</b>", "text/html instead of JSON"},
            {"200", "application/json", "{\"results\": {}}", "no list at"},
            {"200", "application/json", "{\"results\": [", "JSON that can't be read"},
            {"302", "application/json", "{\"results\": []}", "status 302"}
        }) {
            status = Integer.parseInt(wrong[0]);
            type = wrong[1];
            answer = wrong[2];
            ToolResult failed = search(client, "gabbro");
            assertEquals("UNAVAILABLE", failed.errorKind(), failed::toString);
            assertTrue(failed.text().contains(wrong[3]), failed::toString);
            assertFalse(failed.toString().contains(SECRET), failed::toString);
        }
        ToolResult filtered = client.call("search_everywhere", "{\"query\": \"x\", \"filters\": {\"a\": 1}}");
        assertTrue(filtered.text().contains("can't be filtered"), filtered::toString);
        ToolResult unreadable = read(client, "1");
        assertEquals("NOT_FOUND", unreadable.errorKind());
        assertTrue(unreadable.text().contains("can't be read here"), unreadable::toString);
    }

    @Test
    void aDeclarationThatCanNotWorkKeepsTheGatewayFromStarting() {
        for (String[] wrong : new String[][] {
            {"{search: {path: /x}, results: {list: /r}}", "{query}"},
            {"{search: {path: 'x?{query}'}, results: {list: /r}}", "path must begin with /"},
            {"{search: {path: '/x?{query}&n={limt}'}, results: {list: /r}}", "path may have the characters of a URL"},
            {"{search: {path: '/x?a b={query}'}, results: {list: /r}}", "path may have the characters of a URL"},
            {"{search: {method: post, path: /x, body: {'{query}': 1}}, results: {list: /r}}", "{query}"},
            {"{search: {path: '/x?{query}'}, results: {list: r}}", "list must be a JSON pointer"},
            {"{search: {path: '/x?{query}', body: {a: 1}}, results: {list: /r}}", "body is for method post"},
            {"{search: {path: '/x?{query}'}, results: {list: /r}, document: {request: {path: /y}}}", "{id}"}
        }) {
            ConfigException refused = assertThrows(ConfigException.class, () -> TestGateway.start(yaml(wrong[0])));
            assertTrue(
                    refused.problems().stream().map(Problem::toString).anyMatch(problem -> problem.contains(wrong[1])),
                    refused.problems()::toString);
        }
        ConfigException refused = assertThrows(ConfigException.class, () -> TestGateway.start("""
                        backends: {own: {type: vectordb}, other: {type: mcp, url: "http://127.0.0.1:1/mcp"}}
                        search:
                          sources:
                            "own:x": {tool: {name: search}}
                            "other": {tool: {name: search}}
                            "other:y": {weight: 2}
                            "other:z": {tool: {name: search, id: id}}
                            "other:w": {tool: {name: search}, document: {resource: "{id}"}}
                        """));
        List<String> problems =
                refused.problems().stream().map(Problem::toString).toList();
        for (String expected :
                List.of("id must be a JSON pointer", "resource must be a URI with {id} or {+id} after its beginning")) {
            assertTrue(problems.stream().anyMatch(problem -> problem.contains(expected)), problems::toString);
        }
        ConfigException misplaced = assertThrows(ConfigException.class, () -> TestGateway.start("""
                        backends: {own: {type: vectordb}, other: {type: mcp, url: "http://127.0.0.1:1/mcp"}}
                        search:
                          sources:
                            "own:x": {tool: {name: search}}
                            "other": {tool: {name: search}}
                            "other:y": {weight: 2}
                        """));
        assertEquals(
                List.of(
                        "test.yaml:4: search.sources.own:x.tool is for backends of the type mcp; one of the type vectordb"
                                + " is searched without it",
                        "test.yaml:5: search.sources.other.tool is for one source: give it a name, as in"
                                + " \"other:documents\"",
                        "test.yaml:6: search.sources.other:y.tool is missing: a relayed server is searched by a tool that"
                                + " is declared"),
                misplaced.problems().stream().map(Problem::toString).toList());
    }
}
