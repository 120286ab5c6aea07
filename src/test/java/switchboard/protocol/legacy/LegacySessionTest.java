package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.Json;
import switchboard.call.SessionValues;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcMessage;

class LegacySessionTest {
    private static LegacySession session(ObjectNode capabilities) {
        return new LegacySession(ProtocolVersion.V2025_11_25, capabilities, ResumeLimits.DEFAULT);
    }

    @Test
    void aThousandSubscriptionsHaveRoomAndOneThatIsThereStays() {
        LegacySession session = session(Json.object());
        for (int i = 1; i <= 1000; i++) {
            assertTrue(session.subscribe("file:///" + i), "number " + i);
        }
        assertFalse(session.subscribe("file:///one-more"));
        assertTrue(session.subscribe("file:///7"), "it is subscribed to already");
        assertEquals(1000, session.subscribed().size());
        session.unsubscribe("file:///7");
        assertTrue(session.subscribe("file:///one-more"));
        assertTrue(session.subscribed().contains("file:///one-more"));
        assertFalse(session.subscribed().contains("file:///7"));
    }

    @Test
    void ofWhatAClientDeclaresTheQuestionsAndExtensionsItSupportsAreKept() {
        ObjectNode largest = Json.object().put("x", "y".repeat(2048 - "{\"x\":\"\"}".length()));
        ObjectNode tooLarge = Json.object().put("x", "y".repeat(2049 - "{\"x\":\"\"}".length()));
        ObjectNode declared = Json.object().put("roots", true);
        declared.set("elicitation", largest);
        declared.set("sampling", tooLarge);
        declared.set("experimental", Json.object());
        declared.set("extensions", Json.object().set("io.modelcontextprotocol/ui", Json.object()));
        ObjectNode expected = Json.object();
        expected.set("elicitation", largest);
        expected.set("sampling", Json.object());
        expected.set("extensions", Json.object().set("io.modelcontextprotocol/ui", Json.object()));
        assertEquals(expected, session(declared).capabilities());
    }

    @Test
    void aCancellationEndsThatRequestAndNoOther() {
        LegacySession session = session(Json.object());
        List<String> cancelled = new ArrayList<>();
        Runnable first = () -> cancelled.add("first");
        Runnable second = () -> cancelled.add("second");
        session.began(IntNode.valueOf(1), first);
        session.began(TextNode.valueOf("1"), second);
        session.cancel(IntNode.valueOf(2));
        session.cancel(IntNode.valueOf(1));
        assertEquals(List.of("first"), cancelled);
        session.ended(TextNode.valueOf("1"), first);
        session.cancel(TextNode.valueOf("1"));
        assertEquals(List.of("first", "second"), cancelled, "another request of that id has not ended");
        session.ended(TextNode.valueOf("1"), second);
        session.cancel(TextNode.valueOf("1"));
        assertEquals(2, cancelled.size());
        session.cancelAll();
        assertEquals(List.of("first", "second", "first"), cancelled);
    }

    @Test
    void valuesAreKeptForEachBackend() {
        LegacySession session = session(Json.object());
        session.keep("a", new SessionValues(Map.of("x", "1", "y", "1")));
        session.keep("a", SessionValues.of("x", "2"));
        session.keep("b", SessionValues.of("x", "3"));
        assertEquals(new SessionValues(Map.of("x", "2", "y", "1")), session.of("a"));
        assertEquals(SessionValues.of("x", "3"), session.of("b"));
        assertEquals(SessionValues.NONE, session.of("c"));
    }

    @Test
    void onlyClientsOfAVersionWithResumptionCanResume() {
        assertTrue(session(Json.object()).replayBuffer().isPresent());
        LegacySession older = LegacySession.beforeHandshake(ResumeLimits.DEFAULT);
        assertEquals(ProtocolVersion.ASSUMED, older.version());
        assertFalse(older.replayBuffer().isPresent());
        older.handshake(ProtocolVersion.V2025_11_25, Json.object().<ObjectNode>set("roots", Json.object()));
        assertTrue(older.replayBuffer().isPresent());
        assertEquals(
                Set.of("roots"),
                Set.copyOf(older.capabilities()
                        .propertyStream()
                        .map(Map.Entry::getKey)
                        .toList()));
    }

    // ---- questions to the client

    private static final ClientQuestion QUESTION = new ClientQuestion("roots/list", Json.object());

    @Test
    void aHundredQuestionsMayBeOpenAndTheNextIsDeclinedUnasked() {
        PendingClientRequests questions = new PendingClientRequests();
        AtomicInteger sent = new AtomicInteger();
        List<PendingClientRequests.Sent> open = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            open.add(questions.put(QUESTION, _ -> sent.incrementAndGet()));
        }
        Future<ClientAnswer> tooMany =
                questions.put(QUESTION, _ -> sent.incrementAndGet()).answer();
        assertEquals(
                new ClientAnswer.Declined(-32603, "Too many requests to the client have no answer yet."),
                tooMany.result());
        assertEquals(100, sent.get());
        assertTrue(open.stream().noneMatch(question -> question.answer().isComplete()));
        questions.close(open.getFirst().id());
        assertEquals(ClientAnswer.Declined.LATE, open.getFirst().answer().result());
        assertFalse(
                questions.put(QUESTION, _ -> sent.incrementAndGet()).answer().isComplete());
        questions.closeAll();
        assertTrue(open.stream().allMatch(question -> question.answer().isComplete()));
    }

    @Test
    void anAnswerBelongsToTheQuestionOfItsId() {
        PendingClientRequests questions = new PendingClientRequests();
        PendingClientRequests.Sent first = questions.put(QUESTION, _ -> {});
        PendingClientRequests.Sent second = questions.put(QUESTION, _ -> {});
        questions.answered(new RpcMessage.Response(
                TextNode.valueOf("nobody"), Json.object().<ObjectNode>set("result", Json.object())));
        questions.answered(new RpcMessage.Response(
                TextNode.valueOf(second.id()),
                Json.object().<ObjectNode>set("result", Json.object().put("n", 2))));
        assertFalse(first.answer().isComplete());
        assertEquals(
                new ClientAnswer.Answered(Json.object().put("n", 2)),
                second.answer().result());
        questions.answered(new RpcMessage.Response(
                TextNode.valueOf(first.id()),
                Json.object().<ObjectNode>set("error", Json.object().put("code", 7))));
        assertEquals(
                new ClientAnswer.Declined(7, "It answered with an error."),
                first.answer().result());
    }
}
