package switchboard.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.CallContext;
import switchboard.call.DetachedCallContext;
import switchboard.call.FailureKind;
import switchboard.call.Health;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.config.LlmConfig;
import switchboard.config.Secret;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.HandClock;
import switchboard.upstream.UpstreamServices;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ExtendWith(VertxExtension.class)
class ChatModelTest {
    private static final int MOST_CHARS = 100;
    private Vertx vertx;

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    private record Call() implements DetachedCallContext {
        @Override
        public String callId() {
            return "call";
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(1);
        }

        @Override
        public boolean cancelled() {
            return false;
        }

        @Override
        public void onCancel(Runnable action) {}

        @Override
        public @Nullable String traceparent() {
            return null;
        }
    }

    private static final CallContext CALL = new Call();

    private ChatModel chat(URI url, int callsPerHour) {
        LlmConfig config = new LlmConfig(
                url,
                "talker",
                Secret.of("sk-operators-secret"),
                Duration.ofSeconds(30),
                callsPerHour,
                MOST_CHARS,
                77,
                false);
        return new ChatModel(
                config, new UpstreamServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Tracing.OFF));
    }

    private static LlmQuestion question(String text) {
        return new LlmQuestion("Find the words.", text, "words", Json.object().put("type", "object"));
    }

    private static FaultServer.Behaviour says(String content) {
        var answer = Json.object();
        answer.putArray("choices").addObject().putObject("message").put("content", content);
        return FaultServer.json(Json.text(answer));
    }

    private static JsonNode body(FaultServer server, int request) {
        String body = server.bodies().get(request);
        try {
            return Json.parse(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError(body, e);
        }
    }

    private static ToolReply.Failed failure(Future<?> asked) {
        return assertThrows(ToolException.class, asked::await).failed();
    }

    @Test
    void theQuestionGoesWithItsTaskSchemaAndBounds() {
        try (FaultServer server = new FaultServer(says("{\"words\": \"soup\"}"))) {
            JsonNode answer = chat(server.url(), 1).ask(question("soup?"), CALL).await();
            assertEquals("soup", answer.path("words").asText());
            JsonNode body = body(server, 0);
            assertEquals("talker", body.path("model").asText());
            assertEquals(77, body.path("max_tokens").asInt());
            assertTrue(body.path("messages").path(0).path("content").asText().startsWith("Find the words."));
            assertEquals("soup?", body.path("messages").path(1).path("content").asText());
            assertTrue(body.path("response_format")
                    .path("json_schema")
                    .path("strict")
                    .asBoolean());
            assertTrue(server.requests().getFirst().contains("Bearer sk-operators-secret"));
        }
    }

    @Test
    void asManyQuestionsAreAskedAsTheBudgetHasAndNoMore() {
        try (FaultServer server = new FaultServer(says("{}"))) {
            ChatModel chat = chat(server.url(), 2);
            chat.ask(question("one"), CALL).await();
            chat.ask(question("two"), CALL).await();
            ToolReply.Failed refused = failure(chat.ask(question("three"), CALL));
            assertEquals(FailureKind.OVERLOADED, refused.kind());
            assertTrue(refused.message().contains("llm.callsPerHour"), refused.message());
            assertEquals(2, server.requests().size());
            assertTrue(chat.health().ok(), "which says nothing of the server");
            assertTrue(chat.check().await().ok(), "and does not keep an operator from asking");
        }
    }

    @Test
    void aTextIsCutAtTheLimitAndNeverWithinACharacter() {
        try (FaultServer server = new FaultServer(says("{}"))) {
            ChatModel chat = chat(server.url(), 10);
            String whole = "x".repeat(MOST_CHARS);
            for (String text : new String[] {whole, whole + "y", "x".repeat(MOST_CHARS - 1) + "\uD83D\uDC18", ""}) {
                chat.ask(question(text), CALL).await();
            }
            assertEquals(whole, asked(server, 0));
            assertEquals(whole, asked(server, 1));
            assertEquals("x".repeat(MOST_CHARS - 1), asked(server, 2));
            assertEquals("", asked(server, 3));
        }
    }

    private static String asked(FaultServer server, int request) {
        return body(server, request).path("messages").path(1).path("content").asText();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1}|{\"a\":1}",
                "Sure: {\"a\": {\"b\": 1}} as you like|{\"a\":{\"b\":1}}",
                "Here: [1, {\"a\": 2}] done|[1,{\"a\":2}]",
                "{\"a\": [1]} there|{\"a\":[1]}",
                "[]|[]"
            })
    void theJsonIsFoundAmongWords(String said, String json) {
        try (FaultServer server = new FaultServer(says(said))) {
            assertEquals(
                    json,
                    Json.text(chat(server.url(), 1).ask(question("x"), CALL).await()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no idea", "}{", "{\"a\": ", "{a}", "][", "{", "}", "["})
    void anAnswerWithoutJsonIsUnavailable(String said) {
        try (FaultServer server = new FaultServer(says(said))) {
            ChatModel chat = chat(server.url(), 1);
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(chat.ask(question("x"), CALL)).kind());
            assertTrue(chat.health().ok(), "the server answers");
        }
    }

    @Test
    void aServerThatRefusesSchemasIsAskedInWordsFromThenOn() {
        try (FaultServer server = new FaultServer(FaultServer.reply(422, "application/json", "{}"), says("{}"))) {
            ChatModel chat = chat(server.url(), 3);
            chat.ask(question("one"), CALL).await();
            chat.ask(question("two"), CALL).await();
            assertEquals(3, server.requests().size());
            assertTrue(body(server, 0).has("response_format"));
            for (int later = 1; later < 3; later++) {
                assertFalse(body(server, later).has("response_format"));
                assertTrue(server.bodies().get(later).contains("JSON Schema"));
            }
        }
    }

    @Test
    void aQuestionThatIsRefusedEitherWaySaysNothingAboutSchemas() {
        FaultServer.Behaviour refuses = FaultServer.reply(400, "application/json", "{}");
        try (FaultServer server = new FaultServer(refuses, refuses, says("{}"))) {
            ChatModel chat = chat(server.url(), 3);
            failure(chat.ask(question("one"), CALL));
            chat.ask(question("two"), CALL).await();
            assertEquals(3, server.requests().size());
            assertTrue(body(server, 2).has("response_format"));
        }
    }

    @ParameterizedTest
    @CsvSource({"401, DENIED_UPSTREAM, llm.apiKey", "403, DENIED_UPSTREAM, llm.apiKey", "404, UNAVAILABLE, llm.model"})
    void aRefusalSaysWhatTheOperatorHasToCheck(int status, FailureKind kind, String what) {
        String said = "{\"error\": \"sk-operators-secret is wrong\"}";
        try (FaultServer server = new FaultServer(FaultServer.reply(status, "application/json", said))) {
            ChatModel chat = chat(server.url(), 1);
            ToolReply.Failed failed = failure(chat.ask(question("x"), CALL));
            assertEquals(kind, failed.kind());
            assertTrue(failed.message().contains(what), failed.message());
            assertFalse(failed.message().contains("secret"), failed.message());
            assertFalse(chat.health().ok());
            assertEquals(failed.message(), chat.check().await().detail());
        }
    }

    @Test
    void withoutAKeyThereMustBeAnAddress() {
        LlmConfig config = new LlmConfig(null, "m", null, Duration.ofSeconds(1), 1, MOST_CHARS, 16, false);
        UpstreamServices services =
                new UpstreamServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Tracing.OFF);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new ChatModel(config, services))
                .getMessage()
                .contains("apiKey"));
    }

    // ---- how the server is

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));

    private ChatModel observed(FaultServer server, Duration timeout) {
        LlmConfig config = new LlmConfig(
                server.url(), "talker", Secret.of("sk-operators-secret"), timeout, 100, MOST_CHARS, 77, false);
        return new ChatModel(config, new UpstreamServices(vertx, new SimpleMeterRegistry(), clock, Tracing.OFF));
    }

    private static FaultServer.Behaviour status(int status) {
        return FaultServer.reply(status, "application/json", "{}");
    }

    @Test
    void aModelThatWasNotAskedYetIsTakenToBeWell() {
        try (FaultServer server = new FaultServer(says("{}"))) {
            ChatModel chat = observed(server, Duration.ofSeconds(30));
            assertEquals(Health.up("not asked yet"), chat.health());
            assertEquals("talker", chat.name());
            assertEquals(List.of(), server.requests());
            chat.close().await();
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(chat.ask(question("x"), CALL)).kind());
        }
    }

    /** Each look of the operator's page may cause a check, and no more than one in half a minute. */
    @Test
    void aServerThatIsNotWellIsCheckedEveryHalfMinuteUntilItIs() {
        try (FaultServer server = new FaultServer(status(404), status(401), status(403), says("{}"))) {
            ChatModel chat = observed(server, Duration.ofSeconds(30));
            failure(chat.ask(question("x"), CALL));
            looks(chat, server, 2, "(401)");
            clock.forward(Duration.ofSeconds(30).minusMillis(1));
            looks(chat, server, 2, "(401)");
            clock.forward(Duration.ofMillis(1));
            looks(chat, server, 3, "(403)");
            clock.forward(Duration.ofSeconds(30));
            chat.health();
            Eventually.that(() -> chat.health().ok(), () -> chat.health().toString());
            assertEquals(4, server.requests().size());
            clock.forward(Duration.ofHours(1));
            assertEquals(Health.up(), chat.health());
            assertEquals(Health.up(), chat.check().await());
            assertEquals(5, server.requests().size(), "what is well is not checked, unless somebody asks");
            JsonNode check = body(server, 1);
            assertEquals(1, check.path("max_tokens").asInt());
            assertEquals(".", check.path("messages").path(0).path("content").asText());
        }
    }

    /** Looks often, after which the server has had {@code requests}, and its last {@code answer} is known. */
    private static void looks(ChatModel chat, FaultServer server, int requests, String answer) {
        for (int i = 0; i < 10; i++) {
            assertFalse(chat.health().ok());
        }
        Eventually.that(
                () -> chat.health().detail().contains(answer), () -> chat.health() + " after " + server.requests());
        assertFalse(chat.health().ok());
        assertEquals(requests, server.requests().size());
    }

    @ParameterizedTest
    @CsvSource({
        "200, true",
        "400, true",
        "413, true",
        "422, true",
        "429, true",
        "401, false",
        "403, false",
        "404, false",
        "500, false",
        "503, false"
    })
    void onlyWhatIsAboutTheServerSpeaksAgainstIt(int status, boolean well) {
        try (FaultServer server = new FaultServer(status(status))) {
            ChatModel chat = observed(server, Duration.ofSeconds(30));
            failure(chat.ask(question("x"), CALL));
            assertEquals(well, chat.health().ok());
            assertEquals(status == 200, chat.check().await().ok(), "but a check that is refused is no success");
        }
    }

    @Test
    void aQuestionThatIsTakenBackSaysNothingOfTheServer() {
        CallContext over = new DetachedCallContext() {
            @Override
            public String callId() {
                return "over";
            }

            @Override
            public Duration remaining() {
                return Duration.ofMinutes(1);
            }

            @Override
            public boolean cancelled() {
                return true;
            }

            @Override
            public void onCancel(Runnable action) {}

            @Override
            public @Nullable String traceparent() {
                return null;
            }
        };
        try (FaultServer server = new FaultServer(says("{}"))) {
            ChatModel chat = observed(server, Duration.ofSeconds(30));
            assertEquals(
                    FailureKind.CANCELLED,
                    failure(chat.ask(question("x"), over)).kind());
            assertTrue(chat.health().ok());
            assertEquals(List.of(), server.requests());
        }
    }

    @Test
    void aServerThatIsSilentIsNotWaitedForLongerThanIsConfigured() {
        try (FaultServer server = new FaultServer(FaultServer.silentAfter(""))) {
            ChatModel chat = observed(server, Duration.ofMillis(250));
            assertEquals(
                    FailureKind.TIMEOUT, failure(chat.ask(question("x"), CALL)).kind());
            Future<Health> checked = chat.check();
            Eventually.that(checked::isComplete, () -> "long before the ten seconds of a check");
            assertFalse(checked.result().ok());
        }
    }
}
