package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.console.ConsoleSignIn.SignedIn;
import switchboard.console.SessionWatch.WatchedState;
import switchboard.testing.HandClock;

/** What is known of the session of somebody with a stream, while a database answers late, or not at all. */
class SessionWatchTest {
    private static final Instant START = Instant.parse("2026-11-28T08:00:00Z");
    private static final Principal RED = new Principal("red", "r1", List.of(Grant.EVERYTHING));
    private static final SignedIn PERSON = new SignedIn(RED, START.plusSeconds(3600));
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock(START);
    private final List<Promise<Optional<SignedIn>>> asked = new ArrayList<>();
    private Optional<Principal> current = Optional.of(RED);
    private final SessionWatch watch = new SessionWatch(this::find, _ -> current, PERSON, EVERY, clock::nanos);

    private Future<Optional<SignedIn>> find() {
        asked.add(Promise.promise());
        return asked.getLast().future();
    }

    private static WatchedState goesOn(Principal principal) {
        return new WatchedState.GoesOn(new SignedIn(principal, PERSON.expires()));
    }

    private void later() {
        clock.forward(EVERY);
        watch.now();
    }

    @Test
    void itAsksOnceAnIntervalAndDoesNotWait() {
        assertEquals(goesOn(RED), watch.now());
        assertEquals(0, asked.size());
        clock.forward(EVERY);
        assertEquals(goesOn(RED), watch.now());
        clock.forward(EVERY);
        assertEquals(goesOn(RED), watch.now());
        assertEquals(1, asked.size(), "the first one has no answer yet");
        asked.getFirst().complete(Optional.of(PERSON));
        assertEquals(goesOn(RED), watch.now());
        assertEquals(2, asked.size());
    }

    @Test
    void whoHasSignedOutElsewhereIsSignedOutFromTheAnswerOn() {
        later();
        asked.getFirst().complete(Optional.empty());
        assertEquals(new WatchedState.Over(), watch.now());
        later();
        assertEquals(new WatchedState.Over(), watch.now());
    }

    @Test
    void rightsAreThoseOfNowWithoutAnAnswer() {
        Principal less = new Principal("red", "r1", List.of());
        current = Optional.of(less);
        assertEquals(goesOn(less), watch.now());
        current = Optional.empty();
        assertEquals(new WatchedState.Over(), watch.now());
    }

    @Test
    void withoutAnswersTheLastOneHoldsForAMinute() {
        later();
        asked.getFirst().fail("away");
        clock.forward(SessionWatch.HOLDS);
        assertEquals(goesOn(RED), watch.now());
        asked.getLast().fail("away");
        clock.forward(Duration.ofMillis(1));
        assertEquals(new WatchedState.NotKnown(), watch.now());
        later();
        asked.getLast().complete(Optional.of(PERSON));
        assertEquals(goesOn(RED), watch.now());
    }

    @Test
    void whoChecksWaitsForAnAnswerIfTheLastOneIsOld() {
        assertEquals(goesOn(RED), watch.checked().await());
        clock.forward(Duration.ofMinutes(5)); // so long nobody has looked, and nothing has failed
        Future<WatchedState> checked = watch.checked();
        assertFalse(checked.isComplete());
        Future<WatchedState> other = watch.checked();
        asked.getFirst().complete(Optional.empty());
        assertEquals(new WatchedState.Over(), checked.await());
        assertEquals(new WatchedState.Over(), other.await());
        assertEquals(1, asked.size());
    }

    @Test
    void aFailureIsNoSignOutForWhoChecks() {
        clock.forward(Duration.ofMinutes(5));
        Future<WatchedState> checked = watch.checked();
        asked.getFirst().fail("away");
        assertEquals(goesOn(RED), checked.await());
    }

    @Test
    void anAnswerAtOnceCounts() {
        SessionWatch of = new SessionWatch(
                () -> Future.succeededFuture(Optional.empty()), Optional::of, PERSON, Duration.ZERO, clock::nanos);
        assertEquals(new WatchedState.Over(), of.now());
    }
}
