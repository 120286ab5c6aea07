package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import switchboard.backend.agentroot.Sessions.PastSearch;
import switchboard.backend.agentroot.Sessions.SessionView;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.testing.HandClock;

class SessionsTest {
    private static final Duration TTL = Duration.ofMinutes(10);

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Sessions sessions = new Sessions(clock, 20);

    private static String failed(FailureKind kind, Executable use) {
        ToolException failure = assertThrows(ToolException.class, use);
        assertEquals(kind, failure.failed().kind());
        return failure.failed().message();
    }

    private static PastSearch search(int number) {
        return new PastSearch("q" + number, 1, Instant.EPOCH);
    }

    @Test
    void aSessionIsItsOwnersAlone() {
        String id = sessions.start("ada", TTL).id();
        assertEquals(id, sessions.get(id, "ada").id());
        failed(FailureKind.NOT_FOUND, () -> sessions.get(id, "bob"));
        failed(FailureKind.NOT_FOUND, () -> sessions.set(id, "bob", "k", "v"));
        failed(FailureKind.NOT_FOUND, () -> sessions.seen(id, "bob", List.of("x")));
        sessions.searched(id, "bob", search(1), List.of("x"));
        assertEquals(0, sessions.get(id, "ada").seen());
        assertFalse(sessions.end(id, "bob"));
        assertTrue(sessions.end(id, "ada"));
        assertFalse(sessions.end(id, "ada"));
        sessions.searched(id, "ada", search(1), List.of("x")); // ended while the search ran
        failed(FailureKind.NOT_FOUND, () -> sessions.get(id, "ada"));
    }

    @Test
    void aSessionEndsWhenItWasNotUsedForItsTime() {
        SessionView begun = sessions.start("ada", TTL);
        assertEquals(clock.instant().plus(TTL), begun.expires());
        clock.forward(TTL.minusMillis(1));
        assertEquals(clock.instant().plus(TTL), sessions.get(begun.id(), "ada").expires());
        clock.forward(TTL.minusMillis(1));
        sessions.seen(begun.id(), "ada", List.of());
        clock.forward(TTL);
        String message = failed(FailureKind.NOT_FOUND, () -> sessions.get(begun.id(), "ada"));
        assertTrue(message.startsWith("Session expired"), message);
    }

    @Test
    void anExpiredSessionIsToldFromOneThatNeverWasForAnHour() {
        String id = sessions.start("ada", TTL).id();
        clock.forward(TTL.plusHours(1));
        sessions.start("bob", TTL);
        assertTrue(failed(FailureKind.NOT_FOUND, () -> sessions.get(id, "ada")).startsWith("Session expired"));
        clock.forward(Duration.ofMillis(1));
        sessions.start("bob", TTL);
        assertTrue(failed(FailureKind.NOT_FOUND, () -> sessions.get(id, "ada")).startsWith("Session not found"));
    }

    @Test
    void aHundredKeysAreKeptAndOneThatIsThereCanBeSetAgain() {
        String id = sessions.start("ada", TTL).id();
        IntStream.range(0, 100).forEach(i -> sessions.set(id, "ada", "k" + i, "v"));
        failed(FailureKind.INVALID_ARGUMENT, () -> sessions.set(id, "ada", "one more", "v"));
        assertEquals("new", sessions.set(id, "ada", "k7", "new").context().get("k7"));
        assertEquals(100, sessions.get(id, "ada").context().size());
    }

    @Test
    void theLastHundredSearchesAreKept() {
        String id = sessions.start("ada", TTL).id();
        IntStream.rangeClosed(1, 100).forEach(i -> sessions.searched(id, "ada", search(i), List.of()));
        assertEquals(search(1), sessions.get(id, "ada").queries().getFirst());
        sessions.searched(id, "ada", search(101), List.of());
        List<PastSearch> kept = sessions.get(id, "ada").queries();
        assertEquals(100, kept.size());
        assertEquals(search(2), kept.getFirst());
        assertEquals(search(101), kept.getLast());
    }

    @Test
    void theLast20000ResultsCountAsSeen() {
        String id = sessions.start("ada", TTL).id();
        List<String> many = IntStream.range(0, 20_000).mapToObj(i -> "r" + i).toList();
        sessions.searched(id, "ada", search(1), many);
        assertEquals(20_000, sessions.get(id, "ada").seen());
        assertEquals(Set.of("r0"), sessions.seen(id, "ada", List.of("r0", "other")));
        sessions.searched(id, "ada", search(2), List.of("last", "r5"));
        assertEquals(20_000, sessions.get(id, "ada").seen());
        assertEquals(Set.of("last", "r1", "r5"), sessions.seen(id, "ada", List.of("last", "r0", "r1", "r5")));
    }

    @Test
    void aTenthOfAllSessionsIsAnOwnersAndItsLeastUsedMakesRoom() {
        String first = sessions.start("ada", TTL).id();
        clock.forward(Duration.ofSeconds(1));
        String second = sessions.start("ada", TTL).id();
        clock.forward(Duration.ofSeconds(1));
        sessions.get(first, "ada");
        clock.forward(Duration.ofSeconds(1));
        String third = sessions.start("ada", TTL).id();
        failed(FailureKind.NOT_FOUND, () -> sessions.get(second, "ada"));
        assertEquals(first, sessions.get(first, "ada").id());
        assertEquals(third, sessions.get(third, "ada").id());
    }

    @Test
    void whenAllAreTakenTheOwnerWithMostMakesRoom() {
        String oldest = sessions.start("single", TTL).id();
        clock.forward(Duration.ofSeconds(1));
        String ofMany = sessions.start("many", TTL).id();
        sessions.start("many", TTL);
        IntStream.range(0, 17).forEach(i -> sessions.start("owner" + i, TTL)); // 20 in all
        assertEquals(oldest, sessions.get(oldest, "single").id());
        assertEquals(ofMany, sessions.get(ofMany, "many").id());
        clock.forward(Duration.ofSeconds(1));
        sessions.get(ofMany, "many");
        sessions.start("one more", TTL);
        assertEquals(oldest, sessions.get(oldest, "single").id());
        assertEquals(ofMany, sessions.get(ofMany, "many").id(), "its other one was used less recently");
    }
}
