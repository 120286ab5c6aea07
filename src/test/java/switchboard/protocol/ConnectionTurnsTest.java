package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.call.BackendEvent;
import switchboard.call.ToolReply;
import switchboard.testing.RecordingSink;

/** Messages of both eras on one connection: what ends which of them, and what is left at its end. */
class ConnectionTurnsTest {
    private final CoreFixture gateway = new CoreFixture();
    private final RecordingSink stream = new RecordingSink();
    private final Connection connection = gateway.endpoint.connect(
            new InboundMessage("", InboundMessage.STDIO, CoreFixture.ANYBODY, _ -> null, new byte[0]), stream);

    private Future<Void> take(String message) {
        return connection.take(CoreFixture.ANYBODY, message.getBytes(StandardCharsets.UTF_8));
    }

    private static String meta(String more) {
        return "\"_meta\":{\"" + MetaKeys.PROTOCOL_VERSION + "\":\"" + CoreFixture.VERSION + "\",\""
                + MetaKeys.CLIENT_CAPABILITIES + "\":{}" + more + "}";
    }

    private Future<Void> modern(int id, String tool) {
        return take("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":{}," + meta(",\"progressToken\":\"p\"") + "}}");
    }

    private Future<Void> legacy(int id, String tool) {
        return take("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":{}}}");
    }

    private Future<Void> listen(int id) {
        return take("{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},"
                + meta("") + "}}");
    }

    private void shakeHands() {
        take("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                        + "\"capabilities\":{}}}")
                .await();
        take("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").await();
    }

    private void notify(String method, int id) {
        take("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"requestId\":" + id + "}}");
    }

    private long answers(int id) {
        return stream.events().stream()
                .filter(event -> event.path("id").asInt(-1) == id && !event.has("method"))
                .count();
    }

    @Test
    void aModernCallIsTakenBackByItsIdAndNothingElse() {
        Future<Void> call = modern(1, "write");
        modern(2, "write");
        notify("notifications/progress", 1);
        notify("notifications/cancelled", 3);
        assertFalse(gateway.sent.getFirst().cancelled());
        notify("notifications/cancelled", 1);
        assertTrue(gateway.sent.getFirst().cancelled());
        assertFalse(gateway.sent.getLast().cancelled());
        assertTrue(call.isComplete());
        gateway.sent.getFirst().tell(new BackendEvent.CallProgress(1, null, null));
        assertEquals(List.of(), stream.events(), "what is taken back has no answer");
        gateway.last().answer(ToolReply.text("done"));
        assertEquals(1, answers(2));
    }

    @Test
    void anIdThatIsFreeAgainBelongsToTheNextRequest() {
        modern(1, "read");
        gateway.last().answer(ToolReply.text("done"));
        shakeHands();
        legacy(1, "read");
        notify("notifications/cancelled", 1);
        assertTrue(gateway.last().cancelled(), "which is of the other era");
        modern(1, "read");
        notify("notifications/cancelled", 1);
        assertTrue(gateway.last().cancelled());
        assertEquals(1, answers(1));
    }

    @Test
    void anEndThatIsWaitedForEndsSubscriptionsAtOnceAndCallsWithTheirAnswers() {
        listen(1);
        shakeHands();
        Future<Void> modern = modern(2, "read");
        Future<Void> legacy = legacy(3, "read");
        Future<Void> finished = connection.finish();
        assertEquals(0, gateway.endpoint.openStreams() - 1, "the session's stream is open, the subscription is not");
        assertFalse(finished.isComplete());
        gateway.sent.forEach(sent -> assertFalse(sent.cancelled()));
        gateway.sent.get(0).answer(ToolReply.text("done"));
        assertTrue(modern.isComplete());
        assertFalse(finished.isComplete());
        gateway.sent.get(1).answer(ToolReply.text("done"));
        assertTrue(legacy.isComplete());
        assertTrue(finished.isComplete());
        assertEquals(1, answers(2));
        assertEquals(1, answers(3));
    }

    @Test
    void anIdleConnectionIsFinishedAtOnce() {
        modern(1, "read");
        gateway.last().answer(ToolReply.text("done"));
        assertTrue(connection.finish().isComplete());
    }

    @Test
    void aLostConnectionEndsModernCallsAndItsSession() {
        listen(1);
        shakeHands();
        modern(2, "write");
        assertEquals(1, gateway.endpoint.liveSessions());
        connection.lost();
        assertTrue(gateway.last().cancelled());
        assertEquals(0, gateway.endpoint.liveSessions());
        assertEquals(0, gateway.endpoint.openStreams());
        assertEquals(1, gateway.endedSessions.size());
    }

    @Test
    void aSessionThatWasEndedIsFollowedByAnother() {
        shakeHands();
        gateway.endpoint.accessChanged(_ -> false, _ -> true);
        assertEquals(0, gateway.endpoint.liveSessions());
        legacy(4, "read");
        gateway.last().answer(ToolReply.text("done"));
        assertEquals(1, answers(4));
        assertEquals(1, gateway.endpoint.liveSessions());
    }
}
