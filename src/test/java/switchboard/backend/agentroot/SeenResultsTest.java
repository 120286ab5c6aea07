package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a session has seen, as it is kept in a row. */
class SeenResultsTest {
    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "kb/ß" + i + ".md").toList();
    }

    @Test
    void whatWasSeenIsKeptOnce() {
        SeenResults none = SeenResults.of(new byte[0]);
        assertEquals(Set.of(), none.among(keys(0, 3)));
        SeenResults some = none.with(keys(0, 10)).with(keys(5, 15)).with(List.of("a", "a", ""));
        assertEquals(17, some.size());
        SeenResults read = SeenResults.of(some.bytes());
        assertEquals(Set.copyOf(keys(0, 15)), read.among(keys(0, 100)));
        assertEquals(Set.of("a", ""), read.among(List.of("", "a", "b")));
        assertEquals(17, read.with(List.of()).size());
        assertEquals(16 * 17, read.bytes().length);
    }

    @Test
    void theOldestOnesMakeRoom() {
        SeenResults full = SeenResults.of(new byte[0]).with(keys(0, Sessions.MAX_SEEN));
        SeenResults next = full.with(keys(Sessions.MAX_SEEN, Sessions.MAX_SEEN + 10));
        assertEquals(Sessions.MAX_SEEN, next.size());
        assertEquals(Set.of(), next.among(keys(0, 10)));
        assertEquals(10, next.among(keys(10, 20)).size());
        assertEquals(
                10, next.among(keys(Sessions.MAX_SEEN, Sessions.MAX_SEEN + 10)).size());
        SeenResults more = next.with(keys(0, 3 * Sessions.MAX_SEEN));
        assertEquals(Sessions.MAX_SEEN, more.size());
        assertEquals(Set.of(), more.among(keys(0, 10)));
        assertEquals(
                Set.copyOf(keys(3 * Sessions.MAX_SEEN - 10, 3 * Sessions.MAX_SEEN)),
                more.among(keys(3 * Sessions.MAX_SEEN - 10, 3 * Sessions.MAX_SEEN)));
    }
}
