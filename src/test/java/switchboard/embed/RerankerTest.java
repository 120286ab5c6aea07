package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.concurrent.TeamShare;
import switchboard.config.RerankConfig;
import switchboard.config.RerankConfig.RerankProvider;
import switchboard.config.Secret;
import switchboard.testing.FaultServer;
import switchboard.testing.TinyModel;
import switchboard.upstream.UpstreamServices;

/** Cross-encoders that ONNX Runtime really runs, of a few words that are made here, and servers with the API of rerankers. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ExtendWith(VertxExtension.class)
class RerankerTest {
    private static final TinyModel WORDS = new TinyModel(
            2, Map.of("apple", new float[] {1, 0}, "pear", new float[] {0, 1}, "fruit", new float[] {1, 1}));

    private static final List<String> PASSAGES = List.of("a pear", "an apple", "apple apple pear", "");
    private static final String KEY = "rk-operators-secret";

    @TempDir
    Path data;

    private Vertx vertx;
    private @Nullable Reranker open;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close().await();
        }
    }

    private Reranker create(RerankConfig config) {
        UpstreamServices services =
                new UpstreamServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Tracing.OFF);
        Reranking made = new RerankerFactory(services, TeamShare.ALL, new ModelFolders(data, List.of())).create(config);
        open = made.reranker();
        return made.reranker();
    }

    private static RerankConfig config(
            RerankProvider provider, @Nullable String folder, @Nullable URI url, @Nullable Integer maxTokens) {
        return new RerankConfig(
                provider,
                url == null ? null : "reader",
                folder == null ? null : Path.of(folder),
                url,
                url == null ? null : Secret.of(KEY),
                maxTokens,
                50,
                Duration.ofSeconds(30));
    }

    private Reranker onnx(byte[] graph, @Nullable Integer maxTokens) throws IOException {
        WORDS.export(data.resolve("cross"), graph, Map.of());
        return create(config(RerankProvider.ONNX, "cross", null, maxTokens));
    }

    private Reranker http(FaultServer server) {
        return create(config(RerankProvider.HTTP, null, server.url(), null));
    }

    private static List<Double> scores(Reranker reranker, String query, List<String> passages) {
        return reranker.scores(query, passages, Lifetime.within(Duration.ofMinutes(1)))
                .await();
    }

    private static ToolReply.Failed failure(Reranker reranker) {
        return assertThrows(ToolException.class, () -> scores(reranker, "apple", PASSAGES))
                .failed();
    }

    /** The query's words and the passage's are told apart: "apple" has (1, 0), "apple apple pear" (2, 1). */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aCrossEncoderReadsTheQueryWithEachPassage(int logits) throws IOException {
        Reranker reranker = onnx(WORDS.crossEncoder(logits), null);
        assertEquals(List.of(0.0, 1.0, 2.0, 0.0), scores(reranker, "apple", PASSAGES));
        assertEquals(List.of(1.0, 1.0, 3.0, 0.0), scores(reranker, "fruit?", PASSAGES));
        assertEquals(List.of(), scores(reranker, "apple", List.of()));
        assertEquals(Health.up(), reranker.check().await());
    }

    @Test
    void longPassagesLoseTheirEndAndLongQueriesKeepHalf() throws IOException {
        Reranker reranker = onnx(WORDS.crossEncoder(1), 32);
        String words = "apple ".repeat(100);
        // 32 tokens: [CLS], 16 of the query, [SEP], 13 of the passage, [SEP].
        assertEquals(List.of(16.0 * 13), scores(reranker, words, List.of(words)));
        assertEquals(List.of(28.0), scores(reranker, "apple", List.of(words)));
    }

    @ParameterizedTest
    @CsvSource({
        "'', folder is missing",
        "nowhere, does not exist",
        "empty, export onnx --task text-classification",
    })
    void aFolderThatIsNoModelIsNamedAtTheStart(String folder, String message) throws IOException {
        Files.createDirectories(data.resolve("empty"));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> create(config(RerankProvider.ONNX, folder.isEmpty() ? null : folder, null, null)));
        assertTrue(refused.getMessage().startsWith("rerank: "), refused.getMessage());
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
        assertThrows(
                IllegalArgumentException.class, () -> create(config(RerankProvider.HTTP, null, null, null)), "no url");
    }

    @Test
    void anEmbeddingModelIsNoCrossEncoder() throws IOException {
        Reranker reranker = onnx(WORDS.ofTexts(), null);
        ToolReply.Failed failed = failure(reranker);
        assertEquals(FailureKind.UNAVAILABLE, failed.kind());
        assertTrue(failed.message().contains("no logits"), failed.message());
        assertEquals(Health.down(failed.message()), reranker.check().await());
        assertFalse(failed.message().contains(data.toString()), failed.message());
    }

    @Test
    void tooManyLogitsAreNamed() throws IOException {
        ToolReply.Failed failed = failure(onnx(WORDS.crossEncoder(3), null));
        assertTrue(failed.message().contains("3 numbers"), failed.message());
    }

    @Test
    void aCallWithoutTimeIsNotScored() throws IOException {
        Reranker reranker = onnx(WORDS.crossEncoder(1), null);
        ToolException late = assertThrows(
                ToolException.class, () -> reranker.scores("apple", PASSAGES, Lifetime.within(Duration.ZERO))
                        .await());
        assertEquals(FailureKind.CANCELLED, late.failed().kind());
    }

    @ParameterizedTest
    @CsvSource({"results, relevance_score", "data, relevance_score", "results, score"})
    void serversAnswerInAnyOrderWithEitherName(String list, String score) throws JsonProcessingException {
        String answer = """
                {"%1$s": [{"index": 2, "%2$s": 0.9}, {"index": 0, "%2$s": 0.1}, {"index": 3, "%2$s": -3},
                 {"index": 1, "%2$s": 0.5}], "usage": {"total_tokens": 9}}""".formatted(list, score);
        try (FaultServer server = new FaultServer(FaultServer.json(answer))) {
            Reranker reranker = http(server);
            assertEquals(List.of(0.1, 0.5, 0.9, -3.0), scores(reranker, "apple", PASSAGES));
            JsonNode body = Json.parse(server.bodies().getFirst());
            assertEquals("reader", body.path("model").asText());
            assertEquals("apple", body.path("query").asText());
            assertEquals(
                    PASSAGES,
                    body.path("documents").valueStream().map(JsonNode::asText).toList());
            String head = server.requests().getFirst();
            assertTrue(head.startsWith("POST /rerank "), head);
            assertTrue(head.contains("Bearer " + KEY), "the key goes to its server");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"results\": [{\"index\": 0, \"relevance_score\": 1}]}",
                "{\"results\": [{\"index\": 0, \"score\": 1}, {\"index\": 0, \"score\": 1}, {\"index\": 1, \"score\": 1},"
                        + " {\"index\": 7, \"score\": 1}]}",
                "{\"results\": \"none\"}"
            })
    void anAnswerThatLacksScoresIsNone(String answer) {
        try (FaultServer server = new FaultServer(FaultServer.json(answer))) {
            ToolReply.Failed failed = failure(http(server));
            assertEquals(FailureKind.UNAVAILABLE, failed.kind());
            assertTrue(failed.message().contains("scores for 4 passages"), failed.message());
        }
    }

    @Test
    void refusalsSayNothingOfTheKey() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(401, "application/json", "{\"message\": \"invalid api key " + KEY + "\"}"))) {
            Reranker reranker = http(server);
            ToolReply.Failed failed = failure(reranker);
            assertEquals(FailureKind.DENIED_UPSTREAM, failed.kind());
            assertFalse(failed.message().contains("secret"), failed.message());
            String checked = String.valueOf(reranker.check().await().detail());
            assertFalse(checked.contains("secret"), checked);
        }
    }

    @Test
    void aServerThatIsBusyForAMomentIsAskedAgain() {
        try (FaultServer server = new FaultServer(
                FaultServer.reply(503, "text/plain", "later"),
                FaultServer.json("{\"results\": [{\"index\": 0, \"score\": 7}]}"))) {
            assertEquals(List.of(7.0), scores(http(server), "apple", List.of("an apple")));
        }
    }
}
