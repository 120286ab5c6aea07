package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;
import static switchboard.protocol.CoreFixture.legacy;
import static switchboard.protocol.CoreFixture.raw;
import static switchboard.protocol.CoreFixture.team;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendRequest;
import switchboard.call.SessionValues;
import switchboard.call.ToolReply;
import switchboard.session.SessionLimits;
import switchboard.testing.RecordingSink;

class LegacyExchangeTest {
    private static final String CALL = "{\"name\":\"read\"}";

    private final CoreFixture gateway = new CoreFixture();

    private static String call(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":" + CALL + "}";
    }

    private void cancel(String session, String id) {
        gateway.post(raw(
                session,
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}"));
    }

    @Test
    void aNotificationOfTheSameSessionTakesACallBackAndNoAnswerFollows() {
        String session = gateway.session("2025-11-25");
        RecordingSink sink = gateway.post(legacy(session, 1, "tools/call", CALL));
        cancel(session, "\"1\"");
        cancel(session, "2");
        cancel(gateway.session("2025-11-25"), "1");
        assertFalse(gateway.last().cancelled());
        cancel(session, "1");
        assertTrue(gateway.last().cancelled());
        assertTrue(sink.over());
        assertTrue(sink.streamed());
        assertEquals(0, sink.bytes().length);
        cancel(session, "1");
    }

    @Test
    void aCancelledCallOfACallerWithoutStreamsEndsEmpty() {
        String session = gateway.session("2025-11-25");
        RecordingSink sink = gateway.post(CoreFixture.inbound(
                ANYBODY,
                Map.of("Mcp-Session-Id", session, "Accept", "application/json"),
                call(1).getBytes(StandardCharsets.UTF_8)));
        cancel(session, "1");
        assertEquals(204, sink.status());
        assertEquals(0, sink.bytes().length);
    }

    private @Nullable SessionValues seen() {
        return gateway.last().options.session();
    }

    @Test
    void whatABackendHasTheSessionKeepReachesItsLaterCallsThereOnly() {
        String session = gateway.session("2025-11-25");
        gateway.post(legacy(session, 1, "tools/call", CALL));
        assertEquals(SessionValues.NONE, seen());
        gateway.last().answer(new ToolReply.Ok(List.of(), null).keeping(new SessionValues(Map.of("a", "1", "b", "1"))));
        gateway.post(legacy(session, 2, "tools/call", CALL));
        gateway.last().answer(new ToolReply.Ok(List.of(), null).keeping(SessionValues.of("b", "2")));
        gateway.post(legacy(session, 3, "tools/call", CALL));
        assertEquals(new SessionValues(Map.of("a", "1", "b", "2")), seen());
        gateway.post(legacy(session, 4, "tools/call", "{\"name\":\"beta__search\"}"));
        assertEquals(SessionValues.NONE, seen());
        gateway.post(legacy(gateway.session("2025-11-25"), 5, "tools/call", CALL));
        assertEquals(SessionValues.NONE, seen());
    }

    @Test
    void withoutASessionNothingIsKept() {
        gateway.post(legacy(null, 1, "tools/call", CALL));
        assertNull(seen());
        gateway.last().answer(new ToolReply.Ok(List.of(), null).keeping(SessionValues.of("a", "1")));
        gateway.post(CoreFixture.modern(ANYBODY, 2, "tools/call", CALL));
        assertNull(seen());
        gateway.last().answer(new ToolReply.Ok(List.of(), null).keeping(SessionValues.of("a", "1")));
        gateway.post(CoreFixture.modern(ANYBODY, 3, "tools/call", CALL));
        assertNull(seen());
    }

    @Test
    void aSessionKeepsLittle() {
        assertThrows(IllegalArgumentException.class, () -> SessionValues.of("a", "x".repeat(257)));
        Map<String, String> many =
                IntStream.range(0, 17).boxed().collect(Collectors.toMap(String::valueOf, String::valueOf));
        assertThrows(IllegalArgumentException.class, () -> new SessionValues(many));
    }

    @Test
    void anIdMayBeUsedAgainOnceItsCallIsOver() {
        String session = gateway.session("2025-11-25");
        RecordingSink first = gateway.post(legacy(session, 1, "tools/call", CALL));
        gateway.last().answer(ToolReply.text("first"));
        RecordingSink second = gateway.post(legacy(session, 1, "tools/call", CALL));
        cancel(session, "1");
        assertEquals("first", first.json().at("/result/content/0/text").asText());
        assertEquals(0, second.bytes().length);
    }

    @Test
    void aSessionIsUnknownToAnotherPrincipal() {
        String session = gateway.session("2025-11-25");
        RecordingSink foreign = gateway.post(CoreFixture.inbound(
                team("alpha:read"), Map.of("Mcp-Session-Id", session), call(1).getBytes(StandardCharsets.UTF_8)));
        assertEquals(404, foreign.status());
        assertEquals("1", foreign.json().path("id").toString());
        assertEquals(1, gateway.endpoint.liveSessions());
    }

    @Test
    void anIdleSessionIsUnknownAndItsAgeIsTold() {
        String session = gateway.session("2025-11-25");
        gateway.now.addAndGet(Duration.ofMinutes(61).toNanos());
        assertEquals(404, gateway.post(legacy(session, 1, "ping", "{}")).status());
        assertEquals(0, gateway.endpoint.liveSessions());
        assertEquals(List.of(Duration.ofMinutes(61)), gateway.endedSessions);
    }

    @Test
    void theSessionOneTooManyTakesTheOldestsPlace() {
        CoreFixture small = new CoreFixture(ProtocolSettings.defaults("1"), new SessionLimits(2, Duration.ofHours(1)));
        String first = small.session("2025-11-25");
        String second = small.session("2025-11-25");
        small.post(legacy(first, 1, "ping", "{}"));
        String third = small.session("2025-11-25");
        assertEquals(200, small.post(legacy(first, 1, "ping", "{}")).status());
        assertEquals(404, small.post(legacy(second, 1, "ping", "{}")).status());
        assertEquals(200, small.post(legacy(third, 1, "ping", "{}")).status());
        assertEquals(2, small.endpoint.liveSessions());
    }

    @Test
    void elementsRunConcurrentlyWithinTheBoundAndAnswerInOrder() {
        String batch =
                IntStream.range(0, 20).mapToObj(LegacyExchangeTest::call).collect(Collectors.joining(",", "[", "]"));
        RecordingSink sink = gateway.post(raw(null, batch));
        assertEquals(8, gateway.sent.size());
        for (int i = 7; i >= 0; i--) {
            gateway.sent.get(i).answer(ToolReply.text("answer " + i));
        }
        assertEquals(16, gateway.sent.size());
        for (int i = 8; i < 20; i++) {
            gateway.sent.get(i).answer(ToolReply.text("answer " + i));
        }
        JsonNode answers = sink.json();
        assertEquals(20, answers.size());
        for (int i = 0; i < 20; i++) {
            assertEquals(i, answers.path(i).path("id").asInt());
            assertEquals(
                    "answer " + i, answers.path(i).at("/result/content/0/text").asText());
        }
    }

    @Test
    void aLongBatchOfPromptAnswersDoesNotExhaustTheStack() {
        CoreFixture wide = new CoreFixture(new ProtocolSettings(
                new ProtocolSettings.ServerTexts("s", "S", "1"),
                new ProtocolSettings.BatchLimits(100_000, 4),
                250,
                Duration.ofMinutes(1),
                4,
                Duration.ofSeconds(1),
                RequestStateKeys.random()));
        wide.answer(BackendRequest.CallTool.class, sent -> ToolReply.text("at once"));
        String batch = IntStream.range(0, 20_000)
                .mapToObj(LegacyExchangeTest::call)
                .collect(Collectors.joining(",", "[", "]"));
        assertEquals(20_000, wide.post(raw(null, batch)).json().size());
    }

    @Test
    void aBatchMayTakeBackItsOwnElements() {
        String session = gateway.session("2025-03-26");
        RecordingSink sink = gateway.post(
                raw(
                        session,
                        "[" + call(1) + "," + call(2)
                                + ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}]"));
        assertTrue(gateway.sent.getFirst().cancelled());
        gateway.sent.getLast().answer(ToolReply.text("two"));
        assertEquals(1, sink.json().size());
        assertEquals(2, sink.json().at("/0/id").asInt());
    }

    @Test
    void aBatchTakenBackWholeHasNoAnswer() {
        String session = gateway.session("2025-03-26");
        RecordingSink sink = gateway.post(raw(session, "[" + call(1) + "]"));
        cancel(session, "1");
        assertTrue(sink.over());
        assertEquals(0, sink.bytes().length);
    }

    @Test
    void theRestOfABatchWaitsForItsHandshake() {
        RecordingSink sink = gateway.post(raw(
                null,
                "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2024-11-05\"}},"
                        + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}},"
                        + call(2) + "]"));
        assertEquals("DEBUG", String.valueOf(gateway.last().options.logLevel()));
        gateway.last().answer(ToolReply.text("x"));
        assertEquals(3, sink.json().size());
        assertTrue(sink.headers().containsKey("Mcp-Session-Id"));
        assertEquals(1, gateway.endpoint.liveSessions());
    }

    @Test
    void onlyAnAcceptedHandshakeAllocatesASession() {
        gateway.post(CoreFixture.inbound(
                ANYBODY,
                Map.of("Accept", "text/html"),
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}".getBytes(StandardCharsets.UTF_8)));
        gateway.post(raw(null, "{\"jsonrpc\":\"2.0\",\"method\":\"initialize\"}"));
        assertEquals(0, gateway.endpoint.liveSessions());
    }
}
