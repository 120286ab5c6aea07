package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * A verb that is granted on some resources is no right on the others, also where a tool needs it for a part of its work
 * only: the provider of a collection, the language model, the gateway's embedder, an engine's own statistics.
 */
@ExtendWith(VertxExtension.class)
class VerbsOfResourcesTest {
    private final ApiKey partly = ApiKey.generate(new SecureRandom());
    private final ApiKey plain = ApiKey.generate(new SecureRandom());
    private final ApiKey operators = ApiKey.generate(new SecureRandom());

    /** What the language model, the embedding model and the search engine were asked. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @TempDir
    Path folder;

    private HttpServer server;
    private TestGateway gateway;

    @BeforeEach
    void start(Vertx vertx) throws IOException {
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await();
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/a.md"), "# Heron\n\nA heron waits.");
        Files.writeString(
                folder.resolve("teams.yaml"), """
                teams:
                  partly:
                    keys: [{id: p1, sha256: %s}]
                    grants:
                      - "agentroot:read,search,create,update,embed"
                      - "agentroot:files,fetch,llm:x-*"
                      - "meili:read,search"
                      - "meili:embed:x-*"
                  plain:
                    keys: [{id: w1, sha256: %s}]
                    grants: ["agentroot:read,search,create,update,embed,files"]
                  operators:
                    keys: [{id: o1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(partly.sha256(), plain.sha256(), operators.sha256()));
        String url = "http://127.0.0.1:" + server.actualPort();
        gateway = TestGateway.start("""
                auth: {mode: keys}
                console: {enabled: true}
                embedders:
                  default: {provider: none}
                  own: {provider: openai, url: '%1$s/v1', model: m, dimension: 2, cache: 0}
                llm: {url: '%1$s/v1', model: scripted, indexing: true}
                backends:
                  agentroot: {type: agentroot, roots: ['%2$s'], fetch: {allowPrivate: true}}
                  meili: {type: meilisearch, url: '%1$s', embedder: own}
                """.formatted(url, folder.resolve("docs").toRealPath()), folder);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void answer(HttpServerRequest request) {
        asked.add(request.path());
        ObjectNode reply = Json.object();
        if (request.path().endsWith("/chat/completions")) {
            String words = "{\"words\":\"heron\",\"since\":\"\",\"until\":\"\",\"category\":\"\",\"language\":\"\"}";
            reply.putArray("choices").addObject().putObject("message").put("content", words);
        } else if (request.path().endsWith("/embeddings")) {
            reply.putArray("data")
                    .addObject()
                    .put("index", 0)
                    .putArray("embedding")
                    .add(1)
                    .add(0);
        } else if (request.path().endsWith("/settings")) {
            reply.putObject("embedders")
                    .putObject("own")
                    .put("source", "userProvided")
                    .put("dimensions", 2);
        } else {
            reply.putArray("hits");
            reply.put("status", "available").put("estimatedTotalHits", 0).put("query", "q");
        }
        request.body().onSuccess(_ -> request.response()
                .putHeader("Content-Type", "application/json")
                .end(Json.text(reply)));
    }

    @Test
    void aProviderIsUsedOnlyForCollectionsThatItsVerbIsGrantedOn() {
        McpTestClient team = client(partly);
        for (String name : List.of("e-col", "x", "X-col", "e-x-col")) {
            assertEquals("DENIED", add(team, name, "file").errorKind(), name);
            assertEquals("DENIED", add(team, name, "url").errorKind(), name);
        }
        assertFalse(add(team, "x-col", "file").isError());
        assertFalse(add(client(operators), "e-col", "file").isError());
        assertEquals("DENIED", update(team, "e-col").errorKind());
        assertFalse(update(team, "x-col").isError());
        assertEquals(List.of("x-col"), collectionsWithDocuments(team));
    }

    @Test
    void theLanguageModelIsAskedOnlyOfCollectionsThatItsVerbIsGrantedOn() throws IOException {
        McpTestClient operator = client(operators);
        for (String name : List.of("x-col", "e-col")) {
            assertFalse(add(operator, name, "file").isError());
            assertFalse(update(operator, name).isError());
        }
        McpTestClient team = client(partly);
        asked.clear();
        assertEquals("heuristic", parser(team, "\"collection\":\"e-col\","));
        assertEquals("heuristic", parser(team, ""), "a search in all of them is one in e-col, too");
        assertEquals(List.of(), chats());
        assertEquals("llm", parser(team, "\"collection\":\"x-col\","));
        assertEquals(1, chats().size());
        assertEquals("llm", parser(operator, ""));
    }

    /** And what it has described stays so in updates of those who may not use it. */
    @Test
    void aScheduleUsesTheLanguageModelOnlyIfWhoSetItMay() {
        McpTestClient operator = client(operators);
        assertFalse(add(operator, "a", "file").isError());
        assertFalse(add(operator, "b", "file").isError());
        schedule(plain, "a");
        Eventually.that(() -> collectionsWithDocuments(operator).contains("a"), () -> "an update of a");
        assertEquals(List.of(), chats());
        schedule(operators, "b");
        Eventually.that(() -> collectionsWithDocuments(operator).contains("b"), () -> "an update of b");
        assertEquals(1, chats().size());
        for (ApiKey key : List.of(operators, plain, operators)) {
            assertFalse(update(client(key), "a").isError());
            assertEquals(2, chats().size());
        }
    }

    private void schedule(ApiKey key, String collection) {
        try (ConsoleClient console =
                new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
            assertEquals(200, console.signIn(key.text()).status());
            String path = "api/v1/schedules/agentroot/" + collection;
            assertEquals(
                    200, console.send("PUT", path, "{\"update\":\"every 1h\"}").status());
        }
    }

    @Test
    void theEmbedderIsUsedOnlyForIndexesThatItsVerbIsGrantedOn() {
        String hybrid = "{\"indexUid\":\"%s\",\"q\":\"heron\",\"hybrid\":{\"embedder\":\"own\",\"semanticRatio\":0.5}}";
        McpTestClient team = gateway.modern("meili").with("X-API-Key", partly.text());
        assertFalse(team.call("meilisearch_search", hybrid.formatted("e-index")).isError());
        assertEquals(List.of(), embeddings());
        assertFalse(team.call("meilisearch_search", hybrid.formatted("x-index")).isError());
        assertEquals(1, embeddings().size());
    }

    private List<String> chats() {
        return asked.stream().filter(path -> path.endsWith("/completions")).toList();
    }

    private List<String> embeddings() {
        return asked.stream().filter(path -> path.endsWith("/embeddings")).toList();
    }

    private McpTestClient client(ApiKey key) {
        return gateway.modern("agentroot").with("X-API-Key", key.text());
    }

    private ToolResult add(McpTestClient client, String name, String provider) {
        ObjectNode arguments = Json.object()
                .put("name", name)
                .put("provider", provider)
                .put("path", provider.equals("file") ? folder.resolve("docs").toString() : "http://127.0.0.1:1/");
        return client.call("collection_add", arguments);
    }

    private static ToolResult update(McpTestClient client, String name) {
        return client.call("collection_update", Json.object().put("name", name));
    }

    private static String parser(McpTestClient client, String more) {
        ToolResult found = client.call("smart_search", "{" + more + "\"query\":\"where is the heron?\"}");
        return found.structured().path("parser").asText();
    }

    private static List<String> collectionsWithDocuments(McpTestClient client) {
        JsonNode collections = client.call("status", Json.object()).structured().path("collections");
        return java.util.stream.StreamSupport.stream(collections.spliterator(), false)
                .filter(one -> one.toString().matches(".*\"[a-zA-Z]*[dD]ocument[a-zA-Z]*\":[1-9].*"))
                .map(one -> one.path("name").asText())
                .toList();
    }
}
