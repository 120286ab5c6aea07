package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.NullNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.auth.Budget;
import switchboard.auth.Principal;
import switchboard.telemetry.FinishedRequest;
import switchboard.testing.RecordingSink;

/** What is counted against a limit of calls, and how a message is refused before it is read. */
class MessageDecoderTest {
    private static final Budget.Limit LIMIT = new Budget.Limit("callsPerMinute", Budget.LimitScope.TEAM);
    private final List<Integer> counted = new ArrayList<>();
    private final List<String> limited = new ArrayList<>();
    private Budget.Verdict verdict = new Budget.Verdict.Granted();

    private final class Counting implements Budget {
        @Override
        public Verdict arrive(Principal principal, int calls) {
            counted.add(calls);
            return verdict;
        }

        @Override
        public Start begin(Principal principal) {
            throw new AssertionError("a call begins later");
        }

        @Override
        public int maxResultBytes(Principal principal) {
            return 1;
        }
    }

    private final class Noting implements OperationObserver {
        @Override
        public void finished(FinishedRequest operation) {
            throw new AssertionError("nothing has begun");
        }

        @Override
        public void sessionEnded(Duration age) {}

        @Override
        public void limited(InboundMessage inboundMessage, String limit, int calls) {
            limited.add(limit + " " + calls);
        }
    }

    private final MessageDecoder decoder = new MessageDecoder(new Counting(), new Noting());

    private Optional<IncomingMessages> read(RecordingSink sink, byte[] body) {
        AtomicReference<IncomingMessages> passed = new AtomicReference<>();
        decoder.read(
                new InboundMessage("", "http", Principal.anonymous(), _ -> null, body),
                sink,
                NullNode::getInstance,
                passed::set);
        return Optional.ofNullable(passed.get());
    }

    private Optional<IncomingMessages> read(RecordingSink sink, String body) {
        return read(sink, body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} | 1",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"} | 0",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} | 0",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"c\"}] | 2",
                "[] | 0",
                "7 | 0"
            })
    void requestsAreCountedAndNotificationsAndResponsesAreNot(String body, int requests) {
        assertTrue(read(new RecordingSink(), body).isPresent());
        assertEquals(List.of(requests), counted);
        assertEquals(List.of(), limited);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1000, 1", "1001, 2", "59999, 60"})
    void whoIsTooFastIsToldWhenToComeBackInWholeSecondsRoundedUp(long millis, String seconds) {
        verdict = new Budget.Verdict.RateExceeded(LIMIT, millis);
        RecordingSink sink = new RecordingSink();
        assertTrue(read(sink, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}")
                .isEmpty());
        assertEquals(429, sink.status());
        assertEquals(seconds, sink.headers().get("Retry-After"));
        assertEquals("x", sink.json().path("id").asText());
        assertEquals(millis, sink.json().at("/error/data/retryAfterMs").asLong());
        assertEquals(
                "More calls than the limit callsPerMinute of your team allows. Try again in " + millis + " ms.",
                sink.json().at("/error/message").asText());
        assertEquals(List.of("team.callsPerMinute 1"), limited);
    }

    @Test
    void aBatchThatCanNeverPassIsRefusedForGood() {
        verdict = new Budget.Verdict.BurstExceeded(LIMIT, 1);
        RecordingSink sink = new RecordingSink();
        String one = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}";
        assertTrue(read(sink, "[" + one + "," + one + "]").isEmpty());
        assertEquals(400, sink.status());
        assertEquals(
                "The batch has 2 requests, more than the 1 that the limit callsPerMinute of your team lets through at"
                        + " once. Split it.",
                sink.json().at("/error/message").asText());
        assertTrue(sink.headers().isEmpty(), "no time is said");
        assertEquals(List.of("team.callsPerMinute 2"), limited);
    }

    @Test
    void whatIsNoJsonIsCountedAsNothing() {
        for (byte[] body : List.of(
                "{".getBytes(StandardCharsets.UTF_8), new byte[] {'"', (byte) 0xC3, (byte) 0x28, '"'}, new byte[0])) {
            RecordingSink sink = new RecordingSink();
            Optional<IncomingMessages> incoming = read(sink, body);
            assertTrue(incoming.isEmpty() || body.length == 0);
            if (incoming.isEmpty()) {
                assertEquals(400, sink.status());
                assertEquals(-32700, sink.json().at("/error/code").asInt());
            }
        }
    }
}
