package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.app.BootException;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.config.ConfigException;
import switchboard.dispatch.CallOptions;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Libraries with models of their own, over HTTP, with two providers of different dimensions behind the gateway. */
@ExtendWith(VertxExtension.class)
class LibraryEmbeddersTest {

    /** All three fit {@code law-index}; the first counts. */
    private static final String PER_LIBRARY = "{law-index: off, \"law*\": wide, \"*\": default}";

    @TempDir
    Path data;

    private final Map<String, List<String>> asked = new ConcurrentHashMap<>();
    private final Map<String, Integer> dimensions = new ConcurrentHashMap<>(Map.of("small", 4, "wide", 7));
    private HttpServer provider;

    @BeforeEach
    void serveModels(Vertx vertx) {
        provider = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    JsonObject json = body.toJsonObject();
                    String model = json.getString("model");
                    JsonArray answer = new JsonArray();
                    for (Object text : json.getJsonArray("input")) {
                        asked.computeIfAbsent(model, _ -> new CopyOnWriteArrayList<>())
                                .add((String) text);
                        answer.add(new JsonObject()
                                .put("index", answer.size())
                                .put("embedding", vector((String) text, dimensions.get(model))));
                    }
                    request.response().end(new JsonObject().put("data", answer).encode());
                }))
                .listen(0, "127.0.0.1")
                .await();
    }

    /** Near to each other are texts that begin with the same letter. */
    private static JsonArray vector(String text, int dimension) {
        JsonArray vector = new JsonArray();
        for (int i = 0; i < dimension; i++) {
            vector.add(text.charAt(0) % dimension == i ? 1.0 : 0.01);
        }
        return vector;
    }

    private TestGateway gateway(String perLibrary) {
        return gateway(perLibrary, "");
    }

    private TestGateway gateway(String perLibrary, String options) {
        String remote = "{provider: openai, url: \"http://127.0.0.1:" + provider.actualPort()
                + "\", model: %s, dimension: %d" + options + "}";
        return TestGateway.start(
                """
                embedders:
                  default: %s
                  wide: %s
                  "off": {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: store, embedders: %s}
                """.formatted(
                        remote.formatted("small", 4), remote.formatted("wide", dimensions.get("wide")), perLibrary),
                data);
    }

    private static ToolResult ingest(McpTestClient client, String library, String text) {
        ToolResult result = client.call(
                "ingest_text",
                new JsonObject()
                        .put("content", text)
                        .put("source", text)
                        .put("library", library)
                        .encode());
        assertFalse(result.isError(), result.toString());
        return result;
    }

    private static JsonNode search(McpTestClient client, String query, String... library) {
        JsonObject arguments = new JsonObject().put("query", query).put("top_k", 10);
        if (library.length > 0) {
            arguments.put("library", library[0]);
        }
        ToolResult result = client.call("vectordb__search", arguments.encode());
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    private static List<String> found(JsonNode answer) {
        return answer.path("results")
                .valueStream()
                .map(hit -> hit.path("content").asText())
                .toList();
    }

    /** The cosine of texts that begin with the same letter is 1, of others nearly 0. */
    @Test
    void relevanceIsKnownOnceSomebodySaysWhatTheCosinesMean() {
        String query = "apricot";
        try (TestGateway gateway = gateway("{}")) {
            McpTestClient client = gateway.modern();
            ingest(client, "notes", "apple");
            JsonNode hit = search(client, query).path("results").path(0);
            assertEquals("apple", hit.path("content").asText());
            assertTrue(hit.path("relevance").isMissingNode(), hit.toString());
        }
        try (TestGateway gateway = gateway("{}", ", cosines: {unrelated: 0.2, related: 0.8}")) {
            JsonNode hit = search(gateway.modern(), query).path("results").path(0);
            // The place of 1 is 4/3, so it is 1 / (1 + e^-(8 - 4.5)).
            assertEquals(0.971, hit.path("relevance").asDouble(), hit.toString());
        }
        for (String wrong : List.of("{unrelated: 0.8, related: 0.8}", "{unrelated: 0.9, related: 0.1}")) {
            BootException refused = assertThrows(BootException.class, () -> gateway("{}", ", cosines: " + wrong)
                    .close());
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains("cosines: unrelated must be lower than related"), message);
        }
        ConfigException beyond =
                assertThrows(ConfigException.class, () -> gateway("{}", ", cosines: {unrelated: 0.1, related: 1.1}")
                        .close());
        assertTrue(String.valueOf(beyond.getMessage()).contains("cosines.related"), beyond.getMessage());
    }

    @Test
    void eachLibraryIsFilledAndSearchedWithItsModel() {
        try (TestGateway gateway = gateway(PER_LIBRARY)) {
            McpTestClient client = gateway.modern();
            ingest(client, "notes", "apple");
            ingest(client, "law-cases", "bail");
            ingest(client, "law-index", "court");
            assertEquals(Map.of("small", List.of("apple"), "wide", List.of("bail")), asked);

            JsonNode notes = search(client, "axe", "notes");
            assertEquals("hybrid", notes.path("mode").asText());
            assertEquals(List.of("apple"), found(notes));
            assertTrue(notes.path("reason").isMissingNode(), notes.toString());
            JsonNode law = search(client, "boat", "law-cases");
            assertEquals(List.of("bail"), found(law));
            assertEquals(Map.of("small", List.of("apple", "axe"), "wide", List.of("bail", "boat")), asked);

            JsonNode index = search(client, "court", "law-index");
            assertEquals("keyword", index.path("mode").asText());
            assertEquals(List.of("court"), found(index));
            assertEquals(
                    "Configured without an embedder: law-index.",
                    index.path("reason").asText());
            assertEquals(2, asked.get("wide").size());
        }
    }

    @Test
    void aSearchOverLibrariesOfSeveralModelsGoesByRankAndSaysSo() {
        try (TestGateway gateway = gateway("{\"law*\": wide}")) {
            McpTestClient client = gateway.modern();
            ingest(client, "notes", "apple");
            ingest(client, "notes", "zebra");
            ingest(client, "law", "arson");
            ingest(client, "law", "zoning");
            JsonNode both = search(client, "axe");
            assertEquals(
                    List.of("apple", "arson"),
                    found(both).subList(0, 2).stream().sorted().toList());
            assertEquals("hybrid", both.path("mode").asText());
            assertTrue(
                    both.path("reason")
                            .asText()
                            .startsWith("The libraries have vectors of several models (small, wide)"),
                    both.toString());
            both.path("results")
                    .forEach(hit -> assertTrue(hit.path("vector_rank").asInt() <= 2, hit.toString()));
            assertEquals(found(both), found(search(client, "axe")));
        }
    }

    @Test
    void textsInScriptsThatTheModelDoesNotKnowAreSearchedByTheirWordsOnly() {
        String japanese = "SSO の設定はこちらのページにあります";
        try (TestGateway gateway = gateway("{}", ", scripts: [Latin]")) {
            McpTestClient client = gateway.modern();
            ingest(client, "notes", "single sign-on for everybody");
            ingest(client, "notes", japanese);
            ingest(client, "japanese", japanese);
            assertEquals(List.of("single sign-on for everybody"), asked.get("small"));

            JsonNode near = search(client, "sign on", "notes");
            assertEquals(List.of("single sign-on for everybody"), found(near));
            assertEquals("hybrid", near.path("mode").asText());
            assertTrue(near.path("reason").isMissingNode(), near.toString());
            assertTrue(found(search(client, "SSO", "notes")).contains(japanese));
            JsonNode words = search(client, "SSO", "japanese");
            assertEquals(List.of(japanese), found(words));
            assertTrue(words.path("reason").isMissingNode(), words.toString());

            JsonNode question = search(client, "設定のページ", "notes");
            assertEquals(List.of(japanese), found(question));
            assertEquals("keyword", question.path("mode").asText());
            String reason = question.path("reason").asText();
            assertTrue(reason.contains("small") && reason.contains("Latin"), reason);
            assertFalse(asked.get("small").contains("設定のページ"));

            assertEquals(0, outdated(gateway, "notes"));
            assertEquals(
                    0, chore(gateway, new Maintain.Reindex()).path("documents").asInt());
        }
        try (TestGateway gateway = gateway("{notes: wide}", ", scripts: [Latin]")) {
            assertEquals(
                    2, chore(gateway, new Maintain.Reindex()).path("documents").asInt());
            assertEquals(0, outdated(gateway, "notes"));
            assertEquals(List.of("single sign-on for everybody"), asked.get("wide"));
            JsonNode near = search(gateway.modern(), "sign on", "notes");
            assertEquals(List.of("single sign-on for everybody"), found(near));
            assertTrue(near.path("reason").isMissingNode(), near.toString());
        }
    }

    @Test
    void aScriptThatDoesNotExistIsSaidAtTheStart() {
        BootException refused = assertThrows(BootException.class, () -> gateway("{}", ", scripts: [Latim]"));
        assertTrue(refused.getMessage().contains("\"Latim\""), refused.getMessage());
    }

    private static void assertByVector(McpTestClient client, String found, String detail) {
        ToolResult result = client.call("search_everywhere", "{\"query\": \"arson\", \"mode\": \"vector\"}");
        assertFalse(result.isError(), result::toString);
        assertEquals(1, result.structured().path("results").size(), result::toString);
        assertEquals(found, result.structured().at("/results/0/text").asText(), result::toString);
        assertTrue(result.structured().at("/sources/0/detail").asText().contains(detail), result::toString);
    }

    @Test
    void byVectorAloneTheVectorsThatAreThereAreSearchedAndWithoutAnyTheWords() {
        try (TestGateway gateway = gateway("{}")) {
            ingest(gateway.modern(), "law", "arson");
        }
        try (TestGateway gateway = gateway("{law: wide}")) {
            McpTestClient client = gateway.modern();
            assertByVector(client, "arson", "Those were searched by keyword only.");
            ingest(client, "law", "axe");
            assertByVector(client, "axe", "Those were not searched.");
            assertEquals(
                    1, chore(gateway, new Maintain.Reindex()).path("documents").asInt());
        }
        dimensions.put("wide", 9);
        try (TestGateway gateway = gateway("{law: wide}")) {
            assertByVector(gateway.modern(), "arson", "there are vectors of wide (7 dimensions). Those were searched");
        }
    }

    @Test
    void anotherModelForALibraryIsSaidUntilReindexHasMadeItsVectors() {
        try (TestGateway gateway = gateway("{}")) {
            ingest(gateway.modern(), "notes", "apple");
            ingest(gateway.modern(), "law", "arson");
        }
        try (TestGateway gateway = gateway("{law: wide}")) {
            McpTestClient client = gateway.modern();
            JsonNode before = search(client, "arson", "law");
            assertEquals("keyword", before.path("mode").asText());
            assertEquals(List.of("arson"), found(before));
            String reason = before.path("reason").asText();
            assertTrue(reason.contains("No document has vectors of the model wide (7 dimensions)"), reason);
            assertTrue(reason.contains("there are vectors of small (4 dimensions)"), reason);
            assertTrue(reason.contains("switchboard reindex"), reason);
            assertEquals(1, outdated(gateway, "law"));
            assertEquals(0, outdated(gateway, "notes"));

            assertEquals(
                    1, chore(gateway, new Maintain.Reindex()).path("documents").asInt());

            assertEquals(0, outdated(gateway, "law"));
            JsonNode after = search(client, "axe", "law");
            assertEquals("hybrid", after.path("mode").asText());
            assertEquals(List.of("arson"), found(after));
            assertEquals(List.of("apple"), found(search(client, "axe", "notes")));
        }
        try (TestGateway gateway = gateway("{law: \"off\"}")) {
            assertEquals(
                    "Configured without an embedder: law.",
                    search(gateway.modern(), "arson", "law").path("reason").asText());
        }
    }

    @Test
    void ingestingTheSameAgainGivesItTheVectorsOfTheNewModel() {
        try (TestGateway gateway = gateway("{}")) {
            ingest(gateway.modern(), "law", "arson");
        }
        try (TestGateway gateway = gateway("{law: wide}")) {
            McpTestClient client = gateway.modern();
            assertEquals(
                    "replaced",
                    ingest(client, "law", "arson").structured().path("status").asText());
            assertEquals("hybrid", search(client, "axe", "law").path("mode").asText());
        }
    }

    @Test
    void anEmbedderThatDoesNotExistIsSaidAtTheStart() {
        BootException refused = assertThrows(BootException.class, () -> gateway("{law: wider}"));
        assertTrue(refused.getMessage().contains("there is no embedder \"wider\""), refused.getMessage());
    }

    private static long outdated(TestGateway gateway, String library) {
        return chore(gateway, new Maintain.Check())
                .path("namespaces")
                .valueStream()
                .filter(space -> space.path("name").asText().equals(library))
                .findFirst()
                .orElseThrow()
                .path("outdated")
                .asLong();
    }

    private static JsonNode chore(TestGateway gateway, Maintain.Chore chore) {
        ToolReply.Ok done = (ToolReply.Ok) gateway.app()
                .dispatcher()
                .send(
                        "vectordb",
                        new Maintain(chore),
                        Caller.unrestricted(),
                        CallOptions.withEvents(Duration.ofMinutes(1), _ -> {}, null))
                .reply()
                .await();
        return done.structured();
    }
}
