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
import switchboard.dispatch.CallOptions;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** One library with passages of several models, over HTTP, with a provider of two models behind the gateway. */
@ExtendWith(VertxExtension.class)
class LanguageEmbeddersTest {
    private static final Map<String, Integer> DIMENSIONS = Map.of("latin", 4, "han", 7);
    private static final String BACKUP = "数据库的备份每天晚上进行";
    private static final String FLOWERS = "花园里面有很多红色的花";
    private static final String ENGLISH = "backups of the database run each night";

    @TempDir
    Path data;

    private final Map<String, List<String>> asked = new ConcurrentHashMap<>();
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
                                .put("embedding", vector((String) text, DIMENSIONS.get(model))));
                    }
                    request.response().end(new JsonObject().put("data", answer).encode());
                }))
                .listen(0, "127.0.0.1")
                .await();
    }

    /** Near to each other are texts about backups, by a word of either language, and texts about anything else. */
    private static JsonArray vector(String text, int dimension) {
        boolean backup =
                (text.contains("ackup") && !text.contains("flower")) || text.contains("备份") || text.contains("保存");
        JsonArray vector = new JsonArray();
        for (int i = 0; i < dimension; i++) {
            vector.add(i == (backup ? 0 : 1) ? 1.0 : 0.2);
        }
        return vector;
    }

    private TestGateway gateway(String languages) {
        return gateway(languages, ", cosines: {unrelated: 0.3, related: 0.9}");
    }

    private TestGateway gateway(String languages, String options) {
        String remote = "{provider: openai, url: \"http://127.0.0.1:" + provider.actualPort()
                + "\", model: %s, dimension: %d, scripts: [%s]" + options + "}";
        return TestGateway.start(
                """
                embedders:
                  default: %s
                  chinese: %s
                  "off": {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: store, languages: %s}
                """.formatted(remote.formatted("latin", 4, "Latin"), remote.formatted("han", 7, "Han"), languages),
                data);
    }

    private static ToolResult ingest(McpTestClient client, String text) {
        ToolResult result = client.call(
                "ingest_text",
                new JsonObject()
                        .put("content", text)
                        .put("source", text)
                        .put("library", "notes")
                        .encode());
        assertFalse(result.isError(), result.toString());
        return result;
    }

    private static JsonNode search(McpTestClient client, String query) {
        ToolResult result = client.call(
                "vectordb__search", new JsonObject().put("query", query).encode());
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    private static List<String> found(JsonNode answer) {
        return answer.path("results")
                .valueStream()
                .map(hit -> hit.path("content").asText())
                .toList();
    }

    private static int reindexed(TestGateway gateway) {
        ToolReply.Ok done = (ToolReply.Ok) gateway.app()
                .dispatcher()
                .send(
                        "vectordb",
                        new Maintain(new Maintain.Reindex()),
                        Caller.unrestricted(),
                        CallOptions.withEvents(Duration.ofMinutes(1), _ -> {}, null))
                .reply()
                .await();
        return done.structured().path("documents").asInt();
    }

    @Test
    void eachPassageHasTheVectorOfItsLanguagesModelAndAQueryThoseOfAllThatKnowItsScript() {
        try (TestGateway gateway = gateway("{zh: chinese}")) {
            McpTestClient client = gateway.modern();
            List.of(ENGLISH, BACKUP, FLOWERS).forEach(text -> ingest(client, text));
            assertEquals(Map.of("latin", List.of(ENGLISH), "han", List.of(BACKUP, FLOWERS)), asked);

            JsonNode chinese = search(client, "怎么保存数据");
            assertEquals(BACKUP, found(chinese).getFirst());
            assertEquals("hybrid", chinese.path("mode").asText());
            assertTrue(chinese.path("reason").isMissingNode(), chinese.toString());
            assertTrue(chinese.path("results").path(0).path("relevance").asDouble() > 0.5, chinese.toString());
            assertFalse(asked.get("latin").contains("怎么保存数据"));

            JsonNode english = search(client, "are there backup copies");
            assertEquals(ENGLISH, found(english).getFirst());
            assertEquals("hybrid", english.path("mode").asText());
            assertTrue(english.path("reason").isMissingNode(), english.toString());
        }
        // It is the same after a restart, and there is nothing to do.
        try (TestGateway gateway = gateway("{zh: chinese}")) {
            assertEquals(BACKUP, found(search(gateway.modern(), "怎么保存数据")).getFirst());
            assertEquals(0, reindexed(gateway));
            assertEquals(
                    "skipped",
                    ingest(gateway.modern(), BACKUP).structured().path("status").asText());
        }
    }

    @Test
    void searchOfAllSourcesAlsoCountsVectorsLessInALanguageThatTheModelWasNotTrainedOn() {
        String german = "Die Sicherung der Daten ist in der Nacht und wird backup genannt";
        String question = "Wie ist die Sicherung der Daten";
        double ofAnyLanguage;
        double ofOneWord;
        try (TestGateway gateway = gateway("{}", "")) {
            ingest(gateway.modern(), german);
            ofAnyLanguage = vectorPart(gateway.modern(), question);
            ofOneWord = vectorPart(gateway.modern(), "backup");
            assertTrue(ofAnyLanguage > 0.1 && ofOneWord > 0.1, ofAnyLanguage + " and " + ofOneWord);
        }
        try (TestGateway gateway = gateway("{}", ", languages: [en]")) {
            assertEquals(0.7 * ofAnyLanguage, vectorPart(gateway.modern(), question), 3e-5);
            assertEquals(ofOneWord, vectorPart(gateway.modern(), "backup"));
        }
    }

    /** What the vector is of the score of the best hit of {@code search_everywhere}. */
    private static double vectorPart(McpTestClient client, String query) {
        ToolResult result = client.call(
                "search_everywhere",
                new JsonObject().put("query", query).put("explain", true).encode());
        assertFalse(result.isError(), result.toString());
        return result.structured()
                .path("results")
                .path(0)
                .path("explanation")
                .path("parts")
                .valueStream()
                .filter(part -> part.path("name").asText().equals("vector"))
                .mapToDouble(part -> part.path("value").asDouble())
                .sum();
    }

    @Test
    void aPassageIsFoundByASentenceOfItOnceReindexHasMadeTheVectorsOfSentences() {
        String garden = "Red flowers are in the garden. The backup runs each night.";
        try (TestGateway gateway = gateway("{}")) {
            List.of("Bread is baked here. It is eaten.", garden).forEach(text -> ingest(gateway.modern(), text));
        }
        asked.clear();
        try (TestGateway gateway = gateway("{}", ", sentences: true, cosines: {unrelated: 0.5, related: 1}")) {
            McpTestClient client = gateway.modern();
            JsonNode before = search(client, "backup");
            assertTrue(before.path("reason").asText().contains("latin+sentences (4 dimensions)"), before.toString());
            assertEquals(2, reindexed(gateway));
            assertTrue(asked.get("latin").contains("The backup runs each night."), asked.toString());
            JsonNode hit = search(client, "backupping").path("results").path(0);
            assertEquals(garden, hit.path("content").asText());
            assertTrue(hit.path("relevance").asDouble() > 0.9, hit.toString());
        }
    }

    @Test
    void anotherMappingIsSaidUntilReindexHasMadeItsVectors() {
        try (TestGateway gateway = gateway("{}")) {
            List.of(ENGLISH, BACKUP).forEach(text -> ingest(gateway.modern(), text));
            assertEquals(Map.of("latin", List.of(ENGLISH)), asked);
        }
        try (TestGateway gateway = gateway("{zh: chinese}")) {
            McpTestClient client = gateway.modern();
            JsonNode before = search(client, "怎么备份");
            assertEquals(BACKUP, found(before).getFirst(), "by its words");
            String reason = before.path("reason").asText();
            assertTrue(reason.contains("han (7 dimensions)") && reason.contains("switchboard reindex"), reason);

            assertEquals(2, reindexed(gateway));

            JsonNode after = search(client, "怎么保存数据");
            assertEquals(BACKUP, found(after).getFirst());
            assertEquals("hybrid", after.path("mode").asText());
            assertTrue(after.path("reason").isMissingNode(), after.toString());
            assertEquals(List.of(BACKUP), asked.get("han").subList(1, 2));
        }
        // A document that is put in again gets the vectors of today's models.
        try (TestGateway gateway = gateway("{}")) {
            assertEquals(
                    "replaced",
                    ingest(gateway.modern(), BACKUP).structured().path("status").asText());
        }
    }

    @Test
    void aLanguageOrAnEmbedderThatDoesNotExistIsSaidAtTheStart() {
        BootException language = assertThrows(BootException.class, () -> gateway("{xx: chinese}"));
        assertTrue(language.getMessage().contains("languages: \"xx\" is not a language"), language.getMessage());
        BootException embedder = assertThrows(BootException.class, () -> gateway("{zh: chinesse}"));
        assertTrue(embedder.getMessage().contains("there is no embedder \"chinesse\""), embedder.getMessage());
    }

    @Test
    void aLanguageWhoseEmbedderIsOffHasTheModelOfTheOthers() {
        try (TestGateway gateway = gateway("{de: \"off\"}")) {
            ingest(gateway.modern(), "Die Sicherung der Datenbank wird von dem Dienst gemacht, und das ist gut");
            assertEquals(1, asked.get("latin").size());
        }
    }
}
