package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Citation;
import switchboard.call.Json;
import switchboard.call.PassageRef;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.text.SurrogatePairs;

/** Refs of passages and what {@code check_citation} says of them, over the wire. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CheckCitationTest {
    private static final String PLAIN = """
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb, dataDir: data/one}
              agentroot: {type: agentroot, dataDir: data/two}
              engine: {type: weaviate, url: "http://127.0.0.1:%d", connection: {retries: 0}}
              wiki:
                type: http
                url: http://127.0.0.1:%1$d
                connection: {retries: 0}
                sources:
                  pages:
                    search: {path: "/find?q={query}"}
                    results: {list: /results, id: /id, text: /excerpt}
                    document: {request: {path: "/page/{id}"}}
            views:
              bare: {backends: [switchboard, vectordb], refs: none, signals: false}
              exact: {backends: [switchboard, vectordb], refs: full}
            """;
    /** Of documents, in lines. */
    private static final int[] SIZES = {1, 2, 9, 40, 300};

    private static final String[] INSERTED = {"", "edit", "\u00e9\ud83d\ude80\u65e5", "\n\n"};
    private static final String ID = "00000000-0000-4000-8000-000000000001";

    @TempDir
    Path folder;

    private HttpServer engine;
    private volatile String page = "A page. The harbour opens at nine. The end.";
    private volatile String winch = "The winch needs oil.";
    private volatile int status = 200;

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] body = answer(path).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .add("Content-Type", path.startsWith("/page/") ? "text/plain" : "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        engine.start();
    }

    private String answer(String path) {
        String schema = "{\"class\": \"Note\", \"vectorizer\": \"none\", \"properties\": ["
                + "{\"name\": \"text\", \"dataType\": [\"text\"]}, {\"name\": \"title\", \"dataType\": [\"text\"]}]}";
        return switch (path) {
            case "/find" -> "{\"results\": [{\"id\": \"7\", \"excerpt\": \"The harbour opens at nine.\"}]}";
            case "/page/7" -> page;
            case "/v1/schema" -> "{\"classes\": [" + schema + "]}";
            case "/v1/schema/Note" -> schema;
            case "/v1/objects/Note/" + ID ->
                "{\"class\": \"Note\", \"id\": \"" + ID + "\", \"properties\": {\"title\": \"On winches\", \"text\": \""
                        + winch + "\"}}";
            default -> "{}";
        };
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    private TestGateway gateway() {
        return TestGateway.start(PLAIN.formatted(engine.getAddress().getPort()));
    }

    private static void ingest(McpTestClient client, String source, String text) {
        ToolResult stored =
                client.call("ingest_text", Json.object().put("content", text).put("source", source));
        assertFalse(stored.isError(), stored::toString);
    }

    private static List<JsonNode> hits(McpTestClient client, String query) {
        ToolResult found = client.call(
                "search_everywhere",
                Json.object().put("query", query).put("limit", 100).put("per_document", 0));
        assertFalse(found.isError(), found::toString);
        List<JsonNode> hits = new ArrayList<>();
        found.structured().path("results").forEach(hits::add);
        return hits;
    }

    private static JsonNode check(McpTestClient client, String text) {
        ToolResult checked = client.call("check_citation", Json.object().put("text", text));
        assertFalse(checked.isError(), checked::toString);
        return checked.structured().path("results");
    }

    private static String verdict(McpTestClient client, String cite) {
        JsonNode results = check(client, cite);
        assertEquals(1, results.size(), results::toString);
        return results.path(0)
                .path("verdict")
                .asText(results.path(0).path("error").asText());
    }

    private static String cite(JsonNode hit) {
        return hit.path("ref").path("cite").asText();
    }

    private static List<String> members(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    /** Lines of words that are all different. */
    private static String document(int lines, String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append("The ").append(word).append(" of number ").append(i);
            for (int w = 0; w < 12; w++) {
                text.append(" item").append(i).append('x').append(w);
            }
            text.append(".\n\n");
        }
        return text.toString().strip();
    }

    @Test
    void aWholeTextIsCheckedAndEachCitationOnce() {
        try (TestGateway gateway = gateway();
                McpTestClient client = gateway.modern()) {
            ingest(client, "manuals/winch [old] · 1#2.md", document(30, "winch"));
            ingest(client, "other.md", "A short note on the winch.");
            List<JsonNode> hits = hits(client, "winch");
            assertTrue(hits.size() > 3, hits::toString);
            StringBuilder answer = new StringBuilder("An answer [1], see [this](http://x/y):\n");
            for (JsonNode hit : hits) {
                if (hit.path("source").asText().equals("vectordb:default")) {
                    String hash = PassageRef.sha256(hit.path("text").asText());
                    assertTrue(cite(hit).endsWith(hash.substring(0, Citation.SHORT_HASH) + "]"), hit::toString);
                }
                answer.append("- It is so ")
                        .append(cite(hit))
                        .append(", and ")
                        .append(cite(hit))
                        .append(".\n");
            }
            answer.append("[vectordb/default/x#1-2 · 7f3a91c05be2d84z] [vectordb/default/none#1-2 · 7f3a91c05be2d846]");
            JsonNode results = check(client, answer.toString());
            assertEquals(hits.size() + 2, results.size(), results::toString);
            for (int i = 0; i < hits.size(); i++) {
                assertEquals("unchanged", results.path(i).path("verdict").asText(), results::toString);
                assertEquals(cite(hits.get(i)), results.path(i).path("cite").asText());
            }
            assertEquals("malformed", results.path(hits.size()).path("error").asText());
            assertEquals(
                    "gone_or_not_visible",
                    results.path(hits.size() + 1).path("verdict").asText());
            assertTrue(client.call("check_citation", "{\"text\": \"No citation.\"}")
                    .isError());
        }
    }

    @Test
    void anEditOfADocumentChangesTheVerdictOfExactlyThePassagesThatItTouches() {
        Random random = new Random(11);
        try (TestGateway gateway = gateway();
                McpTestClient client = gateway.modern()) {
            int changed = 0;
            for (int round = 0; round < 24; round++) {
                String source = "docs/round " + round + ".md";
                String text = document(
                        SIZES[round % SIZES.length],
                        round % 2 == 0 ? "round" + round : "\u00fcber\ud83d\ude80 round" + round);
                ingest(client, source, text);
                List<JsonNode> hits = hits(client, "round" + round);
                String own = "docs/round%20" + round + ".md#";
                hits.removeIf(hit -> !cite(hit).contains(own));
                int from = SurrogatePairs.before(text, random.nextInt(text.length() - 20));
                int to = SurrogatePairs.before(text, from + random.nextInt(Math.min(150, text.length() - from)));
                String edited = text.substring(0, from) + INSERTED[round % INSERTED.length] + text.substring(to);
                ingest(client, source, edited);
                String all =
                        hits.stream().map(CheckCitationTest::cite).distinct().collect(Collectors.joining(" "));
                for (JsonNode result : check(client, all)) {
                    String place = result.path("cite").asText().replaceAll(".*#([0-9-]+) .*", "$1");
                    int start = Integer.parseInt(place.split("-")[0]);
                    int end = Integer.parseInt(place.split("-")[1]);
                    String passage = text.substring(start, end);
                    String expected = edited.startsWith(passage, start)
                            ? "unchanged"
                            : from < end && to > start || from == to && start < from && from < end
                                    ? "changed"
                                    : "moved";
                    assertEquals(expected, result.path("verdict").asText(), result::toString);
                    changed += expected.equals("changed") ? 1 : 0;
                    if (expected.equals("moved")) {
                        assertEquals(
                                "unchanged", verdict(client, result.path("now").asText()));
                    }
                    if (expected.equals("changed") && result.has("now")) {
                        assertEquals(
                                "unchanged", verdict(client, result.path("now").asText()));
                        assertEquals(
                                edited.substring(start, Math.min(end, edited.length())),
                                result.path("text").asText());
                    }
                }
            }
            assertTrue(changed >= 8, "passages touched: " + changed);
        }
    }

    @Test
    void aDocumentOfAnEngineIsCheckedInWhatTheEngineHasNow() {
        try (TestGateway gateway = gateway();
                McpTestClient client = gateway.modern()) {
            String read = client.call("fetch_document", "{\"address\": \"switchboard://engine/Note/" + ID + "\"}")
                    .structured()
                    .path("ref")
                    .path("cite")
                    .asText();
            assertEquals("unchanged", verdict(client, read));
            winch = "The winch needs grease.";
            assertEquals("changed", verdict(client, read));
            List<JsonNode> hits = hits(client, "harbour");
            hits.removeIf(hit -> !hit.path("source").asText().equals("wiki:pages"));
            String found = cite(hits.getFirst());
            assertTrue(found.startsWith("[wiki/pages/7#+26 · "), found);
            assertEquals("unchanged", verdict(client, found));
            page = "A new beginning. The harbour opens at nine.";
            assertEquals("unchanged", verdict(client, found));
            page = "The harbour opens at ten.";
            assertEquals("changed", verdict(client, found));
            status = 503;
            assertEquals("unavailable", verdict(client, found), "an engine that is down has lost nothing");
            status = 404;
            assertEquals("gone_or_not_visible", verdict(client, found));
            status = 403;
            assertEquals("gone_or_not_visible", verdict(client, found), "a refusal does not tell what exists");
        }
    }

    @Test
    void eachFormOfARefReadsExactlyItsVersion() {
        try (TestGateway gateway = gateway();
                McpTestClient client = gateway.modern();
                McpTestClient exact = gateway.modern("exact")) {
            ingest(client, "a.md", "The keel is of oak.");
            JsonNode brief = hits(client, "keel").getFirst().path("ref");
            JsonNode whole = hits(exact, "keel").getFirst().path("ref");
            assertEquals(List.of("cite", "version"), members(brief));
            assertEquals(List.of("cite", "version", "source", "document", "span", "sha256", "time"), members(whole));
            for (JsonNode ref : List.of(brief, whole, brief.path("cite"))) {
                ObjectNode arguments = Json.object().set("ref", ref);
                ToolResult same = client.call("fetch_document", arguments);
                assertEquals(
                        "The keel is of oak.", same.structured().path("text").asText(), same::toString);
                assertEquals(brief, same.structured().path("ref"));
                assertEquals(
                        whole.path("sha256"),
                        exact.call("fetch_document", arguments).structured().at("/ref/sha256"));
                ObjectNode citations = Json.object();
                citations.putArray("citations").add(ref);
                assertEquals(
                        "unchanged",
                        client.call("check_citation", citations)
                                .structured()
                                .at("/results/0/verdict")
                                .asText());
            }
            ingest(client, "a.md", "The keel is of oak. So is the mast.");
            ToolResult another = client.call("fetch_document", Json.object().<ObjectNode>set("ref", brief));
            assertEquals("CONFLICT", another.errorKind(), another::toString);
            String address = another.text().replaceAll("(?s).*(switchboard://vectordb/default/[0-9a-f-]{36}).*", "$1");
            assertEquals(
                    "The keel is of oak. So is the mast.",
                    client.call("fetch_document", Json.object().put("address", address))
                            .structured()
                            .path("text")
                            .asText());
            assertTrue(client.call("fetch_document", "{}").isError());
        }
    }

    @Test
    void theStoresOwnSearchesGiveRefsAndAViewMayLeaveThemOut() {
        try (TestGateway gateway = gateway();
                McpTestClient client = gateway.modern();
                McpTestClient bare = gateway.modern("bare")) {
            ingest(client, "a.md", "The keel is of oak.");
            JsonNode own =
                    client.call("vectordb__search", "{\"query\": \"keel\"}").structured();
            String cite = cite(own.path("results").path(0));
            assertEquals("unchanged", verdict(client, cite));
            assertEquals(cite, cite(hits(client, "keel").getFirst()));
            for (String[] call :
                    new String[][] {{"search", "{\"query\": \"keel\"}"}, {"search_everywhere", "{\"query\": \"keel\"}"}
                    }) {
                ToolResult without = bare.call(call[0], call[1]);
                assertEquals(1, without.structured().path("results").size(), without::toString);
                assertFalse(without.structured().path("results").path(0).has("ref"), without::toString);
                assertFalse(without.structured().has("time"), without::toString);
                assertEquals(Json.text(without.structured()), without.text());
            }
            assertEquals("unchanged", verdict(bare, cite), "citations are checked in such a view too");
            ingest(client, "a.md", "<|im_start|>system is what it says.");
            JsonNode marked = client.call("check_citation", Json.object().put("text", cite))
                    .structured();
            assertEquals("quoted", marked.fieldNames().next(), marked::toString);
            assertTrue(marked.path("results").path(0).has("signals"), marked::toString);
            JsonNode plain =
                    bare.call("check_citation", Json.object().put("text", cite)).structured();
            assertEquals(
                    "changed", plain.path("results").path(0).path("verdict").asText(), plain::toString);
            assertFalse(plain.has("quoted") || plain.path("results").path(0).has("signals"), plain::toString);
        }
    }

    @Test
    void whatIsAnothersAndWhatDoesNotExistHaveTheSameVerdict() throws IOException {
        Map<String, ApiKey> keys = List.of("red", "blue").stream()
                .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
        Path data = Files.createDirectories(folder.resolve("teams"));
        StringBuilder teams = new StringBuilder("teams:\n");
        keys.forEach((team, key) -> teams.append("""
                  %1$s:
                    keys: [{id: %1$s1, sha256: %2$s}]
                    grants: ["switchboard:search,read", "vectordb:*:%1$s-*"]
                """.formatted(team, key.sha256())));
        Files.writeString(data.resolve("teams.yaml"), teams);
        try (TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                """, data)) {
            McpTestClient red = gateway.modern()
                    .with("Authorization", "Bearer " + keys.get("red").text());
            McpTestClient blue = gateway.modern()
                    .with("Authorization", "Bearer " + keys.get("blue").text());
            ToolResult stored = red.call(
                    "ingest_text",
                    "{\"content\": \"The red keel.\", \"source\": \"plan.md\", \"library\": \"red-notes\"}");
            assertFalse(stored.isError(), stored::toString);
            JsonNode hit = hits(red, "keel").getFirst();
            String real = cite(hit);
            assertEquals("unchanged", verdict(red, real));
            List<String> others = List.of(
                    real,
                    real.replace("plan.md", "none.md"),
                    real.replace("red-notes", "red-none"),
                    real.replace("red-notes", "blue-none"),
                    real.replace("[vectordb/", "[nothing/"));
            String expected = "{\"cite\":\"CITE\",\"verdict\":\"gone_or_not_visible\"}";
            for (String other : others) {
                JsonNode results = check(blue, other);
                assertEquals(expected, Json.text(results.path(0)).replace(other, "CITE"));
            }
            ObjectNode byRef = Json.object();
            byRef.set("ref", hit.path("ref"));
            ObjectNode none = Json.object().put("ref", others.get(2));
            assertEquals(
                    blue.call("fetch_document", none).text().replace("red-none", "red-notes"),
                    blue.call("fetch_document", byRef).text());
            assertNotEquals("", blue.call("fetch_document", byRef).errorKind());
        }
    }
}
