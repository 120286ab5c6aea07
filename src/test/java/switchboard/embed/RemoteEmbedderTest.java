package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig;
import switchboard.config.EmbedderConfig.EmbedderProvider;
import switchboard.config.Secret;
import switchboard.testing.FaultServer;

/** Providers of embeddings against local servers that speak their wire formats, and that misbehave. */
@ExtendWith(VertxExtension.class)
class RemoteEmbedderTest {
    private static final String KEY = "sk-abcdefSECRETtail";

    private Vertx vertx;
    private final List<JsonNode> bodies = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    private static EmbedderConfig config(
            EmbedderProvider provider, @Nullable String model, URI url, @Nullable Integer dimension, Duration timeout) {
        return config(provider, model, url, dimension, timeout, "");
    }

    private static EmbedderConfig config(
            EmbedderProvider provider,
            @Nullable String model,
            URI url,
            @Nullable Integer dimension,
            Duration timeout,
            String documentPrefix) {
        return new EmbedderConfig(
                provider,
                model,
                null,
                null,
                url,
                Secret.of(KEY),
                dimension,
                "",
                documentPrefix,
                null,
                2,
                timeout,
                10,
                List.of(),
                List.of(),
                null,
                null);
    }

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    private Embedder embedder(EmbedderConfig config) {
        Embedders embedders = new EmbedderFactory(
                        vertx,
                        new SimpleMeterRegistry(),
                        Clock.systemUTC(),
                        TeamShare.ALL,
                        new ModelFolders(Path.of(""), List.of()))
                .create(Map.of("default", config));
        return embedders.find("default").orElseThrow().embedder();
    }

    private Embedder embedder(EmbedderProvider provider, FaultServer server) {
        return embedder(config(provider, null, server.url(), 2, Duration.ofMinutes(1)));
    }

    /** A server that answers {@code form} with as many vectors as there are inputs. */
    private URI provider(String path, java.util.function.IntFunction<String> form) {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    JsonNode json = parse(body.toString());
                    bodies.add(json);
                    heads.add(request.path() + " " + request.getHeader("authorization"));
                    request.response()
                            .setStatusCode(request.path().equals(path) ? 200 : 404)
                            .end(form.apply(json.path("input").size()));
                }))
                .listen(0, "127.0.0.1")
                .await();
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    private static JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static String data(int count) {
        // The last text's vector first: the index counts, not the place.
        return "{\"object\":\"list\",\"data\":["
                + String.join(
                        ",",
                        IntStream.iterate(count - 1, i -> i >= 0, i -> i - 1)
                                .mapToObj(i -> "{\"index\":" + i + ",\"embedding\":[3," + (4 + i) + "]}")
                                .toList())
                + "]}";
    }

    private static ToolException failure(io.vertx.core.Future<?> future) {
        return assertThrows(ToolException.class, future::await);
    }

    @Test
    void openAiIsAskedAsItWants() {
        URI url = provider("/v1/embeddings", RemoteEmbedderTest::data);
        Embedder embedder = embedder(config(
                EmbedderProvider.OPENAI, "text-embedding-3-small", url.resolve("/v1"), 2, Duration.ofMinutes(1)));
        assertArrayEquals(new float[] {0.6f, 0.8f}, embedder.embedQuery("hello").await());
        assertEquals(
                "{\"model\":\"text-embedding-3-small\",\"input\":[\"hello\"],\"dimensions\":2}",
                Json.text(bodies.getFirst()));
        assertEquals("/v1/embeddings Bearer " + KEY, heads.getFirst());
    }

    @Test
    void documentsGoInBatchesAndKeepTheirOrder() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        Embedder embedder = embedder(config(EmbedderProvider.OPENAI, "own-model", url, 2, Duration.ofMinutes(1)));
        List<float[]> vectors = embedder.embedDocuments(List.of("a", "b", "c"), EmbedListener.NONE)
                .await();
        assertEquals(3, vectors.size());
        assertEquals(2, bodies.size());
        assertTrue(vectors.get(1)[1] > vectors.get(0)[1]);
        assertEquals("{\"model\":\"own-model\",\"input\":[\"c\"]}", Json.text(bodies.get(1)));
        assertEquals(
                List.of(),
                embedder.embedDocuments(List.of(), EmbedListener.NONE).await());
    }

    /** Vectors of the same texts with and without a prefix can't be compared: they are vectors of two models. */
    @Test
    void aPrefixOfDocumentsMakesAnotherModelOfTheVectors() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        List<Embedder> models = Stream.of("", "passage: ", "text: ")
                .map(prefix ->
                        embedder(config(EmbedderProvider.OPENAI, "own-model", url, 2, Duration.ofMinutes(1), prefix)))
                .toList();
        assertEquals("own-model", models.getFirst().model());
        assertEquals(3, models.stream().map(Embedder::model).distinct().count());
        models.get(1).embedDocuments(List.of("a"), EmbedListener.NONE).await();
        assertEquals("{\"model\":\"own-model\",\"input\":[\"passage: a\"]}", Json.text(bodies.getFirst()));
    }

    @Test
    void voyageLearnsWhatTextsAreForAndAnthropicIsVoyage() {
        URI url = provider("/v1/embeddings", RemoteEmbedderTest::data);
        Embedder embedder =
                embedder(config(EmbedderProvider.ANTHROPIC, "voyage-3", url.resolve("/v1/"), 2, Duration.ofMinutes(1)));
        embedder.embedQuery("q").await();
        embedder.embedDocuments(List.of("d"), EmbedListener.NONE).await();
        assertEquals("{\"model\":\"voyage-3\",\"input\":[\"q\"],\"input_type\":\"query\"}", Json.text(bodies.get(0)));
        assertEquals("document", bodies.get(1).path("input_type").asText());
    }

    @Test
    void ollamaAnswersInItsOwnForm() {
        URI url = provider("/api/embed", count -> "{\"model\":\"nomic-embed-text\",\"embeddings\":[[0,2]]}");
        Embedder embedder = embedder(config(EmbedderProvider.OLLAMA, null, url, 2, Duration.ofMinutes(1)));
        assertArrayEquals(new float[] {0, 1}, embedder.embedQuery("x").await());
        assertEquals("nomic-embed-text", bodies.getFirst().path("model").asText());
    }

    @Test
    void queriesAreRemembered() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        Embedder embedder = embedder(config(EmbedderProvider.OPENAI, "m", url, 2, Duration.ofMinutes(1)));
        float[] first = embedder.embedQuery("same").await();
        first[0] = 99;
        assertArrayEquals(new float[] {0.6f, 0.8f}, embedder.embedQuery("same").await());
        assertEquals(1, bodies.size());
    }

    @Test
    void aQueryThatManyAskAtOnceIsOneRequest() {
        Embedder embedder = embedder(config(
                EmbedderProvider.OLLAMA,
                null,
                provider("/api/embed", _ -> "{\"embeddings\":[[0,2]]}"),
                2,
                Duration.ofMinutes(1)));
        List<Future<float[]>> asked = IntStream.range(0, 8)
                .mapToObj(_ -> embedder.embedQuery("again"))
                .toList();
        asked.forEach(one -> assertArrayEquals(new float[] {0, 1}, one.await()));
        assertEquals(1, bodies.size());
    }

    @Test
    void aFailureIsNotRemembered() {
        AtomicInteger asked = new AtomicInteger();
        URI url = provider(
                "/api/embed",
                _ -> asked.getAndIncrement() == 0 ? "{\"embeddings\":[[0,2,0]]}" : "{\"embeddings\":[[0,2]]}");
        Embedder embedder = embedder(config(EmbedderProvider.OLLAMA, null, url, 2, Duration.ofMinutes(1)));
        assertEquals(
                FailureKind.UNAVAILABLE,
                failure(embedder.embedQuery("again")).failed().kind());
        assertArrayEquals(new float[] {0, 1}, embedder.embedQuery("again").await());
    }

    @Test
    void anotherDimensionIsAClearError() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        Embedder embedder = embedder(config(EmbedderProvider.OPENAI, "m", url, 768, Duration.ofMinutes(1)));
        ToolException failure = failure(embedder.embedQuery("x"));
        assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
        assertTrue(failure.getMessage().contains("vectors of 2 numbers, but 768 are expected"), failure.getMessage());
    }

    @Test
    void triesAgainAfterOverloadErrorsAndLostConnections() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(429, "application/json", "{}", "retry-after: 0"),
                FaultServer.reply(503, "text/plain", "busy"),
                FaultServer.reset(),
                FaultServer.json(data(1)))) {
            assertArrayEquals(
                    new float[] {0.6f, 0.8f},
                    embedder(EmbedderProvider.OPENAI, server).embedQuery("x").await());
            assertEquals(4, server.requests().size());
        }
    }

    @Test
    void givesUpAfterFourAttempts() {
        try (FaultServer server = new FaultServer(FaultServer.reply(503, "application/json", "{}", "retry-after: 0"))) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
            assertEquals(4, server.requests().size());
        }
    }

    @Test
    void onlyPassingFailuresAreTriedAgain() {
        for (int status : new int[] {400, 404, 422, 499}) {
            try (FaultServer server = new FaultServer(
                    FaultServer.reply(status, "application/json", "{}", "retry-after: 0"), FaultServer.json(data(1)))) {
                failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
                assertEquals(1, server.requests().size(), () -> "after " + status);
            }
        }
        for (int status : new int[] {429, 500, 502, 504}) {
            try (FaultServer server = new FaultServer(
                    FaultServer.reply(status, "application/json", "{}", "retry-after: 0"), FaultServer.json(data(1)))) {
                embedder(EmbedderProvider.OPENAI, server).embedQuery("x").await();
                assertEquals(2, server.requests().size(), () -> "after " + status);
            }
        }
    }

    @Test
    void anotherNumberOfVectorsThanOfTextsIsAnError() {
        try (FaultServer server = new FaultServer(FaultServer.json(data(2)))) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
            assertTrue(failure.getMessage().contains("2 vectors for 1 texts"), failure.getMessage());
        }
    }

    @Test
    void aLongerPauseThanThereIsTimeIsNotWaitedFor() {
        try (FaultServer server =
                new FaultServer(FaultServer.reply(429, "application/json", "{}", "retry-after: 3600"))) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.OVERLOADED, failure.failed().kind());
            assertEquals(3_600_000L, failure.failed().retryAfterMs());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void aRefusedKeyIsNotRepeatedAndNotShown() {
        try (FaultServer server = new FaultServer(FaultServer.reply(
                401,
                "application/json",
                "{\"error\":{\"message\":\"Incorrect API key provided: sk-abcde*****tail\"}}"))) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.DENIED_UPSTREAM, failure.failed().kind());
            assertFalse(failure.getMessage().contains("abcde"), failure.getMessage());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    void theProvidersReasonIsPassedOnWithoutTheKey() {
        try (FaultServer server = new FaultServer(FaultServer.reply(
                400, "application/json", "{\"error\":{\"message\":\"too long for key " + KEY + "\"}}"))) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.INVALID_ARGUMENT, failure.failed().kind());
            assertEquals(
                    "openai answered 400: too long for key ***. The longest of the texts sent has 1 characters; the model"
                            + " is configured to take 8191 tokens of each. Give less text, or ask the operator to check"
                            + " maxTokens and model of the embedder.",
                    failure.getMessage());
        }
    }

    @Test
    void silenceEndsAtTheTimeLimit() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter("HTTP/1.1 200 OK\r\ncontent-le"))) {
            Embedder embedder = embedder(config(EmbedderProvider.OPENAI, "m", server.url(), 2, Duration.ofMillis(300)));
            ToolException failure = failure(embedder.embedQuery("x"));
            assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
            assertTrue(failure.getMessage().contains("did not answer"), failure.getMessage());
        }
    }

    /** Eight are sent at a time, so the last ones wait for longer than the limit: that does not make them late. */
    @Test
    void timeInTheQueueIsNotTheProvidersTime() {
        HttpServer slow = vertx.createHttpServer()
                .requestHandler(
                        request -> vertx.setTimer(400, _ -> request.response().end(data(1))))
                .listen(0, "127.0.0.1")
                .await();
        Embedder embedder = embedder(config(
                EmbedderProvider.OPENAI,
                "m",
                URI.create("http://127.0.0.1:" + slow.actualPort()),
                2,
                Duration.ofSeconds(3)));
        List<Future<float[]>> asked = IntStream.range(0, 72)
                .mapToObj(i -> embedder.embedQuery("text " + i))
                .toList();
        asked.forEach(one -> assertArrayEquals(new float[] {0.6f, 0.8f}, one.await()));
        assertInstanceOf(ModelReadiness.Ready.class, embedder.readiness());
    }

    @Test
    void answersWithoutEndAreCutOff() {
        try (FaultServer server = new FaultServer(FaultServer.endless())) {
            ToolException failure =
                    failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
            assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind());
        }
    }

    @Test
    void nonsenseIsAnErrorNotAVector() {
        for (String body : List.of("not json", "[]", "{\"data\":[]}", "{\"data\":[{\"embedding\":[1,2]}]}")) {
            try (FaultServer server = new FaultServer(FaultServer.json(body))) {
                ToolException failure =
                        failure(embedder(EmbedderProvider.OPENAI, server).embedQuery("x"));
                assertEquals(FailureKind.UNAVAILABLE, failure.failed().kind(), body);
            }
        }
    }

    @Test
    void nobodyThereIsUnavailable() {
        Embedder embedder = embedder(
                config(EmbedderProvider.OLLAMA, null, URI.create("http://127.0.0.1:1"), 2, Duration.ofMillis(800)));
        assertEquals(
                FailureKind.UNAVAILABLE,
                failure(embedder.embedQuery("x")).failed().kind());
    }

    @Test
    void longTextsAreCutAtTheModelsLimit() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        EmbedderConfig config = new EmbedderConfig(
                EmbedderProvider.OPENAI,
                "m",
                null,
                null,
                url,
                null,
                2,
                "",
                "",
                16,
                2,
                Duration.ofMinutes(1),
                0,
                List.of(),
                List.of(),
                null,
                null);
        String text = "héllo 🐘 wörld ".repeat(50);
        embedder(config).embedQuery(text).await();
        String sent = bodies.getFirst().path("input").path(0).asText();
        assertTrue(text.startsWith(sent) && sent.length() < 100 && !sent.isEmpty(), sent);
        assertTrue(new Cl100kTokenCounter().count(sent) <= 17);
    }

    @Test
    void aTextOfExactlyTheLimitIsSentWholeAndALongerOneUpToIt() {
        URI url = provider("/embeddings", RemoteEmbedderTest::data);
        EmbedderConfig config = new EmbedderConfig(
                EmbedderProvider.OPENAI,
                "m",
                null,
                null,
                url,
                null,
                2,
                "",
                "",
                16,
                2,
                Duration.ofMinutes(1),
                0,
                List.of(),
                List.of(),
                null,
                null);
        Embedder embedder = embedder(config);
        for (int words : new int[] {16, 17, 40}) {
            embedder.embedQuery(" word".repeat(words)).await();
        }
        for (JsonNode body : bodies) {
            assertEquals(" word".repeat(16), body.path("input").path(0).asText());
        }
    }

    @Test
    void tokenStartsAscendInsideTheText() {
        for (String text : List.of("", "a", "Hello, world!", "日本語のテキスト", "🐘🐘🐘", "a\u0000b \ud83d")) {
            int[] starts = new Cl100kTokenCounter().starts(text);
            for (int i = 0; i < starts.length; i++) {
                assertTrue(starts[i] >= (i == 0 ? 0 : starts[i - 1]) && starts[i] <= text.length(), text);
            }
        }
    }

    @Test
    void aConfigurationThatCantWorkIsRefusedWithTheName() {
        URI url = URI.create("http://127.0.0.1:1");
        for (EmbedderConfig config : List.of(
                config(EmbedderProvider.OPENAI, "unheard-of", url, null, Duration.ofSeconds(1)),
                new EmbedderConfig(
                        EmbedderProvider.VOYAGE,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        "",
                        "",
                        null,
                        1,
                        Duration.ofSeconds(1),
                        0,
                        List.of(),
                        List.of(),
                        null,
                        null))) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> new EmbedderFactory(
                            vertx,
                            new SimpleMeterRegistry(),
                            Clock.systemUTC(),
                            TeamShare.ALL,
                            new ModelFolders(Path.of(""), List.of()))
                    .create(Map.of("mine", config)));
            assertTrue(Objects.requireNonNull(refused.getMessage()).startsWith("embedders.mine: "));
        }
    }
}
