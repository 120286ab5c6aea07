package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.IntNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.testing.RecordingSink;

/** How an answer goes out, and what a call takes over from its request. */
class RpcAnswerTest {
    private static final EncodedJson JSON = EncodedJson.of("{\"a\":1}".getBytes(StandardCharsets.UTF_8));

    private static RecordingSink delivered(int status, String accept) {
        RecordingSink sink = new RecordingSink();
        new RpcAnswer(status, JSON, Map.of("X-Own", "o"))
                .deliver(sink, AcceptedTypes.of(accept), Map.of("X-More", "m", "X-Own", "other"));
        return sink;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | application/json, text/event-stream | false",
                "200 | application/json | false",
                "200 | text/event-stream | true",
                "400 | text/event-stream | false",
                "404 | application/json, text/event-stream | false"
            })
    void onlyAResultForWhoReadsNothingElseIsAStream(int status, String accept, boolean streamed) {
        RecordingSink sink = delivered(status, accept);
        assertEquals(streamed, sink.streamed());
        assertEquals(status, sink.status());
        assertEquals(1, sink.json().path("a").asInt());
        assertEquals("m", sink.headers().get("X-More"));
        assertEquals("o", sink.headers().get("X-Own"), "its own headers count");
    }

    @Test
    void nothingIsSaidToWhoIsGone() {
        RecordingSink sink = new RecordingSink();
        sink.close();
        new RpcAnswer(200, JSON).deliver(sink, AcceptedTypes.of(null), Map.of());
        assertEquals(0, sink.bytes().length);
    }

    // ---- the call

    private static CoreFixture.Sent call(String accept, String meta, @Nullable String trace) {
        CoreFixture gateway = new CoreFixture();
        Map<String, String> headers =
                trace == null ? Map.of("Accept", accept) : Map.of("Accept", accept, "traceparent", trace);
        gateway.post(CoreFixture.inbound(
                CoreFixture.ANYBODY,
                headers,
                ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"read\",\"arguments\":{},"
                                + "\"_meta\":" + meta + "}}")
                        .getBytes(StandardCharsets.UTF_8)));
        return gateway.last();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "application/json, text/event-stream | {\"progressToken\":\"p\"} | true",
                "application/json, text/event-stream | {\"progressToken\":7} | true",
                "text/event-stream | {\"progressToken\":0} | true",
                "application/json, text/event-stream | {\"progressToken\":7.5} | false",
                "application/json, text/event-stream | {\"progressToken\":{}} | false",
                "application/json, text/event-stream | {\"progressToken\":null} | false",
                "application/json, text/event-stream | {} | false",
                "application/json | {\"progressToken\":\"p\"} | false"
            })
    void aBackendReportsOnlyToWhoCanHearIt(String accept, String meta, boolean heard) {
        assertEquals(heard, call(accept, meta, null).options.events() != null);
    }

    @Test
    void onlyATraceThatIsOneIsContinued() {
        String header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        String meta = "00-11111111111111111111111111111111-2222222222222222-01";
        String both = "application/json, text/event-stream";
        assertEquals(header, call(both, "{}", header).options.traceparent());
        assertEquals(
                meta,
                call(both, "{\"traceparent\":\"" + meta + "\"}", header).options.traceparent());
        for (String wrong : List.of("x", header + "-01", header.replace('a', 'A'), header.substring(1))) {
            assertNull(call(both, "{}", wrong).options.traceparent(), wrong);
            assertNull(
                    call(both, "{\"traceparent\":\"" + wrong + "\"}", null)
                            .options
                            .traceparent(),
                    wrong);
        }
    }

    @Test
    void aReplyOfASharedStreamEndsOnceAndSaysNothingAfterwards() {
        RecordingSink stream = new RecordingSink();
        StreamedReply reply = new StreamedReply(stream);
        int[] gone = {0};
        reply.onGone(() -> gone[0]++);
        reply.event(RpcCodec.notification("a", switchboard.call.Json.object()), ReplySink.Urgency.LATEST);
        assertFalse(reply.closed());
        reply.takeBack();
        reply.takeBack();
        assertEquals(1, gone[0]);
        assertTrue(reply.closed());
        reply.event(RpcCodec.notification("b", switchboard.call.Json.object()), ReplySink.Urgency.KEEP);
        reply.end(200, Map.of(), RpcCodec.error(IntNode.valueOf(1), 1, "late", null));
        reply.onGone(() -> gone[0]++);
        assertEquals(1, gone[0]);
        assertEquals(
                List.of("a"),
                stream.events().stream()
                        .map(event -> event.path("method").asText())
                        .toList());
        StreamedReply answered = new StreamedReply(stream);
        answered.onGone(() -> gone[0]++);
        answered.end(200, Map.of(), JSON);
        answered.takeBack();
        assertEquals(1, gone[0], "what is answered is not taken back");
        assertEquals(2, stream.events().size());
        assertFalse(stream.over());
        StreamedReply empty = new StreamedReply(stream);
        empty.end(202, Map.of(), EncodedJson.NOTHING);
        assertTrue(empty.over().isComplete());
        assertEquals(2, stream.events().size());
    }
}
