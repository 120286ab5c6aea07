package switchboard.protocol.legacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.IntNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.protocol.legacy.ReplayBuffer.Event;
import switchboard.protocol.legacy.ReplayBuffer.EventId;
import switchboard.testing.RecordingSink;

class ReplayBufferTest {
    private static final ResumeLimits LIMITS =
            new ResumeLimits(Duration.ofHours(1), null, Duration.ofSeconds(1), Duration.ofMinutes(1), 4, 100);

    private final ReplayBuffer replayBuffer = new ReplayBuffer(LIMITS, 0);

    private ResumableReply reply() {
        return new ResumableReply(new RecordingSink(), IntNode.valueOf(1), replayBuffer, LIMITS, EventIds.ALONE);
    }

    private void keep(long stream, long number, int bytes, boolean last) {
        replayBuffer.keep(new Event(new EventId(stream, number), new byte[bytes], last));
    }

    private List<Long> numbers(long stream, long after) {
        return replayBuffer.after(new EventId(stream, after)).stream()
                .map(line -> line.position().number())
                .toList();
    }

    @Test
    void eachStreamHasItsOwnNumberAndItsOwnLines() {
        ResumableReply first = reply();
        ResumableReply second = reply();
        assertEquals(new EventId(1, 0), replayBuffer.open(first));
        assertEquals(new EventId(2, 0), replayBuffer.open(second));
        assertSame(first, replayBuffer.stream(1).orElseThrow());
        assertSame(second, replayBuffer.stream(2).orElseThrow());
        keep(1, 1, 1, false);
        keep(2, 1, 1, false);
        keep(1, 2, 1, false);
        assertEquals(List.of(1L, 2L), numbers(1, 0));
        assertEquals(List.of(2L), numbers(1, 1));
        assertEquals(List.of(), numbers(1, 2));
        assertEquals(List.of(1L), numbers(2, 0));
    }

    @Test
    void theOldestLinesMakeRoomByNumberAndBySize() {
        for (int i = 1; i <= 6; i++) {
            keep(1, i, 1, false);
        }
        assertEquals(List.of(3L, 4L, 5L, 6L), numbers(1, 0));
        keep(1, 7, 98, false);
        assertEquals(List.of(5L, 6L, 7L), numbers(1, 0));
        keep(1, 8, 101, false);
        assertEquals(
                List.of(5L, 6L, 7L), numbers(1, 0), "what is larger than everything is not kept, and costs nothing");
        keep(1, 9, 100, false);
        assertEquals(List.of(9L), numbers(1, 0));
    }

    @Test
    void aStreamIsKnownUntilItsLastLineIsGone() {
        replayBuffer.open(reply());
        replayBuffer.open(reply());
        keep(1, 1, 1, false);
        keep(1, 2, 1, true);
        keep(2, 1, 1, false);
        keep(2, 2, 1, false);
        keep(2, 3, 1, false);
        assertTrue(replayBuffer.stream(1).isPresent(), "its first line went, not its last");
        keep(2, 4, 1, false);
        assertEquals(Optional.empty(), replayBuffer.stream(1));
        keep(2, 5, 1, false);
        assertTrue(replayBuffer.stream(2).isPresent(), "more of it can follow");
    }

    @Test
    void whatIsForgottenLeavesItsRoom() {
        replayBuffer.open(reply());
        replayBuffer.open(reply());
        keep(1, 1, 60, false);
        keep(2, 1, 40, false);
        replayBuffer.forget(1);
        assertEquals(Optional.empty(), replayBuffer.stream(1));
        assertEquals(List.of(), numbers(1, 0));
        keep(2, 2, 60, false);
        assertEquals(List.of(1L, 2L), numbers(2, 0));
    }

    @Test
    void anIdIsAPlaceAndNothingElseIs() {
        assertEquals(Optional.of(new EventId(3, 14)), EventId.of("3-14"));
        assertEquals("3-14", new EventId(3, 14).id());
        assertEquals(new EventId(3, 15), new EventId(3, 14).next());
        for (String other : List.of("", "3", "3-", "-3", "3-14-15", "3-x", " 3-14", "3-1234567890123456789")) {
            assertEquals(Optional.empty(), EventId.of(other), other);
        }
    }
}
