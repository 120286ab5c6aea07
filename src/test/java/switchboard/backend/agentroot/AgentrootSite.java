package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.embed.EmbedListener;
import switchboard.store.DocumentStore;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.StoreSettings;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.WordEmbedder;

/**
 * A gateway with two knowledge bases, {@code agentroot} and {@code plain} (without vectors), and what stands around
 * them: a web server that is also GitHub, an embedding model and a language model. Or only what stands around, for gateways that a test
 * starts itself.
 */
public final class AgentrootSite implements AutoCloseable {
    /** Gateways that were started elsewhere, by {@link #models} and {@link #backends}. */
    public interface Gateways {
        /** A client of a view. */
        McpTestClient client(String view);

        /** Makes it look as if a search session was last used so much earlier. */
        void unused(String session, Duration time);
    }

    /** An answer of the web server. */
    record Page(int status, String type, byte[] body, Map<String, String> headers) {
        static Page html(String html) {
            return new Page(200, "text/html", html.getBytes(StandardCharsets.UTF_8), Map.of());
        }

        static Page json(String json) {
            return new Page(
                    200, "application/json", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Map.of());
        }

        static Page raw(String text) {
            return new Page(200, "application/vnd.github.raw+json", text.getBytes(StandardCharsets.UTF_8), Map.of());
        }
    }

    /** A request that the web server got. */
    record Seen(String uri, String authorization) {}

    final HandClock clock = HandClock.ticking(Instant.parse("2026-03-01T12:00:00.001Z"));
    final WordEmbedder words = new WordEmbedder();
    final Map<String, Page> pages = new ConcurrentHashMap<>();
    final List<Seen> seen = new CopyOnWriteArrayList<>();

    /** What the language model says next: a status and, for 200, its words. */
    final Queue<Map.Entry<Integer, String>> answers = new ConcurrentLinkedQueue<>();

    /** What it was asked. */
    final List<JsonNode> questions = new CopyOnWriteArrayList<>();

    /** How long the embedding model's vectors are, and are said to be; for the next start. */
    int given = 64;

    int expected = 64;

    final Path folder;
    private final Path data;
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer web;
    private @Nullable TestGateway gateway;
    private @Nullable Gateways elsewhere;
    private @Nullable McpTestClient client;

    AgentrootSite(Path temp) {
        this(temp, true);
    }

    private AgentrootSite(Path temp, boolean started) {
        try {
            folder = Files.createDirectories(temp.resolve("root")).toRealPath();
            data = Files.createDirectories(temp.resolve("data"));
            Files.writeString(temp.resolve("token"), "ghp_operators0secret");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        web = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await();
        if (started) {
            open("");
        }
    }

    /** What stands around gateways that the caller starts, with files below {@code temp}. */
    public static AgentrootSite around(Path temp) {
        return new AgentrootSite(temp, false);
    }

    /** Has the calls go to gateways that were started elsewhere. */
    public void on(Gateways gateways) {
        elsewhere = gateways;
        client = gateways.client("agentroot");
    }

    private void open(String more) {
        TestGateway opened = start(more);
        gateway = opened;
        client = opened.modern("agentroot");
    }

    String url() {
        return "http://127.0.0.1:" + web.actualPort();
    }

    /** Starts the gateway again, with more settings of {@code agentroot}, such as {@code , maxDocuments: 3}. */
    void restart(String more) {
        gateway().close();
        open(more);
    }

    /** Changes what {@code agentroot} has stored while the gateway does not run, and starts it again. */
    void changeStore(Consumer<DocumentStore> change) throws TimeoutException {
        gateway().close();
        DocumentStore store = LuceneDocumentStore.open(
                        vertx, new SimpleMeterRegistry(), clock, StoreSettings.of(data.resolve("one"), "agentroot"))
                .await(30, TimeUnit.SECONDS);
        try {
            change.accept(store);
        } finally {
            store.close().await(30, TimeUnit.SECONDS);
        }
        open("");
    }

    private TestGateway start(String more) {
        String yaml = """
                embedders:
                %s
                llm: {url: '%s/v1', model: scripted, indexing: %s}
                backends:
                %s
                """.formatted(
                        models("default"),
                        url(),
                        more.contains("indexing"),
                        backends("default", "", more.replace("indexing", "")));
        return TestGateway.start(yaml, data, clock);
    }

    /** Entries of the section {@code embedders}: the model of this site by a name, and none. */
    public String models(String name) {
        return """
                  %s: {provider: openai, url: '%s/v1', model: words, dimension: %d}
                  off: {provider: none}
                """.formatted(name, url(), expected);
    }

    /** The section {@code llm}. */
    public String languageModel() {
        return "llm: {url: '%s/v1', model: scripted}%n".formatted(url());
    }

    /**
     * Entries of the section {@code backends}.
     *
     * @param embedder what {@link #models} called the model of this site
     * @param both further settings of both, such as {@code , store: cluster}
     * @param more further settings of {@code agentroot}, such as {@code , maxDocuments: 3}
     */
    public String backends(String embedder, String both, String more) {
        return """
                  agentroot:
                    {type: agentroot, dataDir: one, roots: ['%2$s'], fetch: {allowPrivate: true}, fusion: rrf, embedder: %4$s%5$s,
                     github: {apiUrl: '%1$s/api', token: '${file:%3$s}'}%6$s}
                  plain: {type: agentroot, dataDir: two, roots: ['%2$s'], embedder: off%5$s}
                """.formatted(url(), folder, folder.resolveSibling("token"), embedder, both, more);
    }

    /** A client of the knowledge base without vectors. */
    McpTestClient plain() {
        Gateways others = elsewhere;
        return others == null ? gateway().modern("plain") : others.client("plain");
    }

    /** The gateways' time. */
    Instant now() {
        return elsewhere == null ? clock.instant() : Clock.systemUTC().instant();
    }

    /** A search session is not used for some time. */
    void unused(String session, Duration time) {
        Gateways others = elsewhere;
        if (others == null) {
            clock.forward(time);
        } else {
            others.unused(session, time);
        }
    }

    TestGateway gateway() {
        return Objects.requireNonNull(gateway);
    }

    private McpTestClient client() {
        return Objects.requireNonNull(client);
    }

    private void answer(HttpServerRequest request) {
        if (request.path().equals("/v1/embeddings")) {
            request.body().onSuccess(body -> embed(request, body));
        } else if (request.path().equals("/v1/chat/completions")) {
            request.body().onSuccess(body -> chat(request, body));
        } else {
            seen.add(new Seen(request.uri(), String.valueOf(request.getHeader("Authorization"))));
            Page page = pages.getOrDefault(
                    request.uri(), new Page(404, "application/json", "{}".getBytes(StandardCharsets.UTF_8), Map.of()));
            request.response().setStatusCode(page.status()).putHeader("Content-Type", page.type());
            page.headers().forEach(request.response()::putHeader);
            request.response().end(Buffer.buffer(page.body()));
        }
    }

    private void embed(HttpServerRequest request, Buffer body) {
        List<String> texts = new ArrayList<>();
        body.toJsonObject().getJsonArray("input").forEach(text -> texts.add((String) text));
        words.embedDocuments(texts, EmbedListener.NONE)
                .onFailure(failure -> request.response().setStatusCode(500).end("{}"))
                .onSuccess(vectors -> {
                    ArrayNode all = Json.array();
                    for (int i = 0; i < vectors.size(); i++) {
                        ArrayNode vector = all.addObject().put("index", i).putArray("embedding");
                        for (int k = 0; k < given; k++) {
                            vector.add(vectors.get(i)[k]);
                        }
                    }
                    request.response()
                            .putHeader("Content-Type", "application/json")
                            .end(Json.text(Json.object().set("data", all)));
                });
    }

    private void chat(HttpServerRequest request, Buffer body) {
        JsonNode question = parse(body.toString());
        // Gateways also look whether a model that has failed answers again: that takes no answer from a question.
        boolean check = question.path("max_tokens").asInt() == 1;
        if (!check) {
            questions.add(question);
        }
        Map.Entry<Integer, String> answer = check ? answers.peek() : answers.poll();
        int status = answer == null ? 500 : answer.getKey();
        JsonObject message = new JsonObject().put("content", answer == null ? "" : answer.getValue());
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(new JsonObject()
                        .put("choices", List.of(new JsonObject().put("message", message)))
                        .encode());
    }

    /** The language model's next answer. */
    void says(String words) {
        answers.add(Map.entry(200, words.replace('\'', '"')));
    }

    Path write(String path, String text) {
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ToolResult call(String tool, String json) {
        return client().call(tool, json.replace('\'', '"'));
    }

    ToolResult call(String tool, ObjectNode arguments) {
        return client().call(tool, arguments);
    }

    JsonNode ok(String tool, String json) {
        return structured(call(tool, json));
    }

    static JsonNode structured(ToolResult result) {
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    /** Adds the folder of that name as a collection of that name, and indexes it. */
    JsonNode index(String name) {
        ok("collection_add", "{'name':'" + name + "','path':'" + folder.resolve(name) + "','pattern':'**/*'}");
        return update(name);
    }

    JsonNode update(String name) {
        return ok("collection_update", "{'name':'" + name + "'}");
    }

    /** The files that a search in one collection finds, in order. */
    List<String> found(String tool, String collection, String query) {
        return files(structured(call(tool, Json.object().put("query", query).put("collection", collection))));
    }

    static List<String> files(JsonNode reply) {
        return AgentrootFixture.files(reply);
    }

    static JsonNode parse(String json) {
        try {
            return Json.parse(json);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        if (gateway != null) {
            gateway.close();
        }
        vertx.close().await();
    }
}
