package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.ReplySink;

/** The answer to one request, on its own connection and on those that come after it. */
class ResumableReplyTest {
    private static final Duration AFTER = Duration.ofSeconds(2);
    private static final Duration KEEP = Duration.ofMinutes(2);
    private static final Duration HANG_UP = Duration.ofMinutes(1);

    /** A connection that writes down what it is told. */
    private final class Connection implements ReplySink {
        private final List<String> told = new ArrayList<>();
        private final List<Runnable> onGone = new ArrayList<>();
        private boolean over;

        @Override
        public void end(int status, Map<String, String> headers, EncodedJson json) {
            tell("end " + status + headers + " " + text(json.bytes()));
            over = true;
        }

        @Override
        public void open(Map<String, String> headers) {
            tell("open" + headers);
        }

        @Override
        public void event(byte[] json, Urgency urgency) {
            tell(urgency + " " + text(json));
        }

        @Override
        public void close() {
            tell("close");
            over = true;
        }

        @Override
        public void resumable(String id, Duration retry) {
            tell("resumable " + id + " " + retry);
        }

        @Override
        public void event(String id, byte[] json, Urgency urgency) {
            tell(id + " " + urgency + " " + text(json));
        }

        @Override
        public void end(String id, byte[] json) {
            tell(id + " last " + text(json));
            over = true;
        }

        @Override
        public boolean closed() {
            return over;
        }

        @Override
        public void onGone(Runnable action) {
            onGone.add(action);
        }

        @Override
        public void execute(Runnable action) {
            action.run();
        }

        @Override
        public Runnable after(Duration delay, Runnable action) {
            Timer timer = new Timer(delay, action);
            timers.add(timer);
            return () -> timers.remove(timer);
        }

        private void tell(String what) {
            told.add(what);
        }

        void breaks() {
            over = true;
            List.copyOf(onGone).forEach(Runnable::run);
        }
    }

    private record Timer(Duration delay, Runnable action) {}

    private final List<Timer> timers = new ArrayList<>();
    private final Connection post = new Connection();
    private ReplayBuffer buffer = new ReplayBuffer(limits(null), 0);

    private static ResumeLimits limits(@Nullable Duration hangUpAfter) {
        return new ResumeLimits(AFTER, hangUpAfter, Duration.ofSeconds(1), KEEP, 16, 400);
    }

    private ResumableReply reply(@Nullable Duration hangUpAfter) {
        buffer = new ReplayBuffer(limits(hangUpAfter), 0);
        return new ResumableReply(post, IntNode.valueOf(7), buffer, limits(hangUpAfter), EventIds.ALONE);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    private static byte[] json(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<Duration> waiting() {
        return timers.stream().map(Timer::delay).toList();
    }

    private void fire() {
        timers.removeFirst().action().run();
    }

    @Test
    void aQuickAnswerIsNoStreamAndNothingIsKept() {
        ResumableReply reply = reply(null);
        assertEquals(List.of(AFTER), waiting());
        reply.end(202, Map.of("A", "b"), EncodedJson.of(json("{}")));
        assertEquals(List.of("end 202{A=b} {}"), post.told);
        assertEquals(List.of(), waiting(), "it opens no stream later");
        assertEquals(Optional.empty(), buffer.stream(1));
        assertTrue(reply.closed());
        reply.end(200, Map.of(), EncodedJson.of(json("{\"again\":1}")));
        reply.event(json("{}"), ReplySink.Urgency.KEEP);
        reply.open(Map.of());
        assertEquals(1, post.told.size(), "an answer ends once");
    }

    @Test
    void aSlowAnswerComesOnAStreamThatCanBeResumedForAWhile() {
        ResumableReply reply = reply(null);
        fire();
        assertEquals(List.of("open{}", "open{}", "resumable 1-0 PT1S"), post.told);
        assertEquals(List.of(), waiting());
        reply.event(json("[1]"), ReplySink.Urgency.LATEST);
        reply.end(500, Map.of("A", "b"), EncodedJson.of(json("{}")));
        assertEquals(List.of("1-1 LATEST [1]", "1-2 last {}"), post.told.subList(3, 5));
        assertEquals(List.of(KEEP), waiting());
        assertEquals(
                List.of(false, true),
                buffer.after(new ReplayBuffer.EventId(1, 0)).stream()
                        .map(ReplayBuffer.Event::last)
                        .toList());
        assertTrue(buffer.stream(1).isPresent());

        Connection late = new Connection();
        reply.resume(new ReplayBuffer.EventId(1, 1), late);
        assertEquals(List.of("open{}", "resumable 1-1 PT1S", "1-2 KEEP {}", "close"), late.told);
        fire();
        assertEquals(Optional.empty(), buffer.stream(1));
        assertEquals(List.of(), buffer.after(new ReplayBuffer.EventId(1, 0)));
    }

    @Test
    void aStreamWithoutALastMessageIsForgottenAtOnce() {
        ResumableReply reply = reply(null);
        reply.event(json("[1]"), ReplySink.Urgency.KEEP);
        assertEquals(List.of(), waiting(), "the stream is open already");
        reply.close();
        assertEquals(List.of("open{}", "open{}", "resumable 1-0 PT1S", "1-1 KEEP [1]", "close"), post.told);
        assertEquals(Optional.empty(), buffer.stream(1));
        assertEquals(List.of(), buffer.after(new ReplayBuffer.EventId(1, 0)));
        assertEquals(List.of(), waiting());
        assertTrue(reply.closed());
    }

    @Test
    void nothingAtAllIsAnAnswerToo() {
        ResumableReply reply = reply(null);
        reply.close();
        assertEquals(List.of("end 200{} "), post.told);
        assertEquals(List.of(), waiting());
    }

    @Test
    void whoComesBackGetsTheRestInsteadOfTheFirstReader() {
        ResumableReply reply = reply(null);
        reply.event(json("[1]"), ReplySink.Urgency.KEEP);
        reply.event(json("[2]"), ReplySink.Urgency.KEEP);
        post.over = true;
        assertFalse(reply.closed(), "it can be resumed");
        reply.event(json("[3]"), ReplySink.Urgency.KEEP);
        Connection second = new Connection();
        reply.resume(new ReplayBuffer.EventId(1, 1), second);
        assertEquals("close", post.told.getLast(), "one reader at a time");
        reply.end(200, Map.of(), EncodedJson.of(json("{}")));
        assertEquals(
                List.of("open{}", "resumable 1-1 PT1S", "1-2 KEEP [2]", "1-3 KEEP [3]", "1-4 last {}"), second.told);
    }

    @Test
    void aReaderIsSentAwayFromTimeToTime() {
        ResumableReply reply = reply(HANG_UP);
        reply.open(Map.of("A", "b"));
        assertEquals(List.of("open{A=b}", "open{}", "resumable 1-0 PT1S"), post.told);
        assertEquals(List.of(HANG_UP), waiting());
        fire();
        assertEquals("close", post.told.getLast());
        assertFalse(reply.closed());
        Connection second = new Connection();
        reply.resume(new ReplayBuffer.EventId(1, 0), second);
        assertEquals(List.of(HANG_UP), waiting());
        reply.end(200, Map.of(), EncodedJson.of(json("{}")));
        assertEquals("1-1 last {}", second.told.getLast());
        assertEquals(List.of(KEEP), waiting(), "nobody is sent away after the end");
    }

    @Test
    void anAnswerThatIsTooLargeToBeKeptIsAnErrorForWhoComesBack() throws IOException {
        for (int length : new int[] {400, 401}) {
            ResumableReply reply = reply(null);
            post.over = false;
            post.told.clear();
            reply.open(Map.of());
            String answer = "\"" + "x".repeat(length - 2) + "\"";
            reply.end(200, Map.of(), EncodedJson.of(json(answer)));
            assertEquals("1-1 last " + answer, post.told.getLast());
            List<ReplayBuffer.Event> kept = buffer.after(new ReplayBuffer.EventId(1, 0));
            if (length == 400) {
                assertEquals(answer, text(kept.getFirst().json()));
            } else {
                JsonNode error = Json.parse(kept.getFirst().json());
                assertEquals(7, error.path("id").asInt());
                assertEquals(
                        "The answer was larger than the 400 bytes that are kept for a client whose connection broke."
                                + " Ask for less, or ask again.",
                        error.at("/error/message").asText());
                assertTrue(kept.getFirst().last());
            }
        }
    }

    @Test
    void aClientThatGoesBeforeThereIsAStreamIsGone() {
        ResumableReply reply = reply(null);
        List<String> heard = new ArrayList<>();
        reply.onGone(() -> heard.add("gone"));
        post.breaks();
        assertEquals(List.of("gone"), heard);
        assertTrue(reply.closed());
        post.breaks();
        assertEquals(List.of("gone"), heard, "once");
    }

    @Test
    void aClientThatLosesItsStreamIsNotGoneUntilItsSessionEnds() {
        ResumableReply reply = reply(null);
        List<String> heard = new ArrayList<>();
        reply.onGone(() -> heard.add("gone"));
        reply.open(Map.of());
        post.breaks();
        assertEquals(List.of(), heard);
        reply.lastReader();
        assertEquals(List.of("gone"), heard);
    }

    @Test
    void theLastReaderIsGoneWhenItsConnectionBreaksUnlessItHasEverything() {
        ResumableReply reply = reply(null);
        List<String> heard = new ArrayList<>();
        reply.onGone(() -> heard.add("gone"));
        reply.open(Map.of());
        reply.lastReader();
        assertEquals(List.of(), heard);
        post.breaks();
        assertEquals(List.of("gone"), heard);

        ResumableReply done = reply(null);
        post.over = false;
        done.onGone(() -> heard.add("too late"));
        done.open(Map.of());
        done.lastReader();
        done.end(200, Map.of(), EncodedJson.of(json("{}")));
        post.breaks();
        assertEquals(List.of("gone"), heard);
    }
}
