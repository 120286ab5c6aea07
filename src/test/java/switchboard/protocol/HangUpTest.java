package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.protocol.CoreFixture.ANYBODY;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.BackendEvent;
import switchboard.call.BackendRequest;
import switchboard.call.ToolReply;
import switchboard.testing.RecordingSink;

/** A client of the legacy era that hangs up ends what only reads, once nothing can take the answer any more. */
class HangUpTest {
    private static final String BOTH = "application/json, text/event-stream";

    private final CoreFixture gateway = new CoreFixture();

    private RecordingSink post(@Nullable String session, String accept, String method, String params) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", accept));
        if (session != null) {
            headers.put("Mcp-Session-Id", session);
        }
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
        return gateway.post(CoreFixture.inbound(ANYBODY, headers, body.getBytes(StandardCharsets.UTF_8)));
    }

    private RecordingSink call(@Nullable String session, String tool) {
        return post(
                session,
                BOTH,
                "tools/call",
                "{\"name\":\"" + tool + "\",\"arguments\":{},\"_meta\":{\"progressToken\":\"p\"}}");
    }

    private RecordingSink stream(String session) {
        RecordingSink sink = new RecordingSink();
        gateway.endpoint.get(
                CoreFixture.inbound(
                        ANYBODY, Map.of("Mcp-Session-Id", session, "Accept", "text/event-stream"), new byte[0]),
                sink);
        assertTrue(sink.streamed());
        return sink;
    }

    private void delete(String session) {
        gateway.endpoint.delete(
                CoreFixture.inbound(ANYBODY, Map.of("Mcp-Session-Id", session), new byte[0]), new RecordingSink());
    }

    /** Makes an answer that can be taken up again a stream. */
    private void tellProgress() {
        gateway.last().tell(new BackendEvent.CallProgress(1, null, "under way"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void aCallThatOnlyReadsEndsWithItsCaller(String version) {
        RecordingSink sink = call(gateway.session(version), "read");
        assertFalse(gateway.last().cancelled());
        sink.leave();
        assertTrue(gateway.last().cancelled());
        assertEquals(0, sink.bytes().length);
        assertEquals("tools/call", gateway.operations.getLast().subject().method());
    }

    @Test
    void soItDoesWithoutASession() {
        call(null, "read").leave();
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void soDoWhatIsReadOtherwiseAndAllOfABatch() {
        post(gateway.session("2025-06-18"), BOTH, "resources/read", "{\"uri\":\"alpha:1\"}")
                .leave();
        assertTrue(gateway.last().cancelled());
        post(gateway.session("2025-06-18"), BOTH, "prompts/list", "{}").leave();
        assertTrue(gateway.sent.stream().allMatch(CoreFixture.Sent::cancelled), "all backends were told");
        int before = gateway.sent.size();
        String call = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}";
        gateway.post(CoreFixture.raw(
                        gateway.session("2025-03-26"),
                        "[" + call.formatted(1, "read") + "," + call.formatted(2, "write") + "]"))
                .leave();
        List<CoreFixture.Sent> batch = gateway.sent.subList(before, gateway.sent.size());
        assertEquals(
                List.of(true, false),
                batch.stream().map(CoreFixture.Sent::cancelled).toList());
    }

    @Test
    void aCallThatChangesSomethingIsFinished() {
        RecordingSink sink = call(gateway.session("2025-06-18"), "write");
        sink.leave();
        assertFalse(gateway.last().cancelled());
        gateway.last().answer(ToolReply.text("in vain"));
        assertEquals(0, sink.bytes().length);
        assertEquals("tools/call", gateway.operations.getLast().subject().method());
    }

    @Test
    void aClientWhoseSessionHasAStreamKeepsItsCallUntilThatIsGoneToo() {
        String session = gateway.session("2025-06-18");
        RecordingSink standing = stream(session);
        call(session, "read").leave();
        assertFalse(gateway.last().cancelled());
        standing.leave();
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void theOrderInWhichAClientsConnectionsBreakMakesNoDifference() {
        String session = gateway.session("2025-06-18");
        RecordingSink standing = stream(session);
        RecordingSink call = call(session, "read");
        standing.leave();
        assertFalse(gateway.last().cancelled());
        call.leave();
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void theStreamOfAnotherSessionKeepsNothing() {
        stream(gateway.session("2025-06-18"));
        call(gateway.session("2025-06-18"), "read").leave();
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void anAnswerThatCanBeTakenUpAgainIsMadeToTheEnd() {
        RecordingSink sink = call(gateway.session("2025-11-25"), "read");
        tellProgress();
        sink.leave();
        assertFalse(gateway.last().cancelled());
        gateway.last().answer(ToolReply.text("for later"));
        assertFalse(gateway.last().cancelled());
    }

    @Test
    void itEndsWithItsSessionWhenNobodyReadsIt() {
        String session = gateway.session("2025-11-25");
        RecordingSink sink = call(session, "read");
        tellProgress();
        sink.leave();
        delete(session);
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void andIfSomebodyStillReadsWhenTheReaderIsGone() {
        String session = gateway.session("2025-11-25");
        RecordingSink sink = call(session, "read");
        tellProgress();
        delete(session);
        assertFalse(gateway.last().cancelled());
        sink.leave();
        assertTrue(gateway.last().cancelled());
    }

    @Test
    void whoHangsUpAfterTheAnswerEndsNothing() {
        RecordingSink sink = call(gateway.session("2025-06-18"), "read");
        gateway.last().answer(ToolReply.text("done"));
        sink.leave();
        assertFalse(gateway.last().cancelled());
        assertTrue(sink.over());
    }

    @Test
    void aClientThatHangsUpGetsItsPlaceInTheSessionBack() {
        String session = gateway.session("2025-06-18");
        call(session, "read").leave();
        RecordingSink next = call(session, "read");
        gateway.last().answer(ToolReply.text("next"));
        assertEquals("next", next.json().at("/result/content/0/text").asText());
        assertTrue(gateway.last().request instanceof BackendRequest.CallTool);
    }
}
