package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.auth.SeenProofs.Seen;

/** No proof is accepted twice while it is accepted at all, and there is a limit to what is remembered. */
class SeenProofsTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    private final SeenProofs seen = new SeenProofs(6, 3);

    private Seen use(String key, String id, int now, int until) {
        return seen.use(key, id, NOW.plusSeconds(now), NOW.plusSeconds(until));
    }

    @Test
    void aProofIsNewOnceUntilItsLastInstantHasPassed() {
        assertEquals(Seen.NEW, use("k", "a", 0, 60));
        assertEquals(Seen.BEFORE, use("k", "a", 0, 60));
        assertEquals(Seen.BEFORE, use("k", "a", 60, 60), "it is still accepted at that instant");
        assertEquals(Seen.BEFORE, use("k", "a", 60, 120), "another proof with its identifier is the same");
        assertEquals(Seen.NEW, use("k", "b", 60, 120));
        assertEquals(Seen.NEW, use("other", "a", 60, 120), "identifiers are those of a key");
        assertEquals(3, seen.size());
        assertEquals(Seen.NEW, use("k", "a", 61, 121));
        assertEquals(3, seen.size(), "what has ended is forgotten");
    }

    @Test
    void theOneThatEndsFirstIsForgottenFirst() {
        assertEquals(Seen.NEW, use("k", "late", 0, 70));
        assertEquals(Seen.NEW, use("k", "soon", 1, 10));
        assertEquals(Seen.BEFORE, use("k", "late", 11, 70));
        assertEquals(1, seen.size());
    }

    @Test
    void whatIsRememberedIsNotForgottenForWhatIsNew() {
        for (String id : new String[] {"a", "b", "c"}) {
            assertEquals(Seen.NEW, use("k", id, 0, 60));
        }
        assertEquals(Seen.NO_ROOM, use("k", "d", 0, 60), "a key has its part");
        assertEquals(Seen.BEFORE, use("k", "a", 0, 60));
        for (String id : new String[] {"a", "b", "c"}) {
            assertEquals(Seen.NEW, use("l", id, 0, 90));
        }
        assertEquals(Seen.NO_ROOM, use("m", "a", 60, 120), "all have a limit, too");
        assertEquals(Seen.BEFORE, use("k", "c", 60, 60));
        assertEquals(Seen.NEW, use("m", "a", 61, 121));
        assertEquals(Seen.NEW, use("k", "d", 61, 121));
    }

    @Test
    void ofManyAtOnceOneIsNew() throws InterruptedException {
        AtomicInteger fresh = new AtomicInteger();
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            IntStream.range(0, 200)
                    .forEach(_ -> callers.execute(() -> {
                        if (use("k", "a", 0, 60) == Seen.NEW) {
                            fresh.incrementAndGet();
                        }
                    }));
        }
        assertEquals(1, fresh.get());
    }
}
