package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import switchboard.auth.AuthFailure;
import switchboard.auth.AuthOutcome;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.testing.HandClock;

/** How long somebody stays signed in. */
class KeySignInTest {
    private static final Instant START = Instant.parse("2026-11-28T08:00:00Z");
    private static final Principal RED = new Principal("red", "r1", List.of(Grant.EVERYTHING));

    private final HandClock clock = new HandClock(START);
    private Optional<Principal> current = Optional.of(RED);
    private final KeySignIn signIn = new KeySignIn(
            credentials -> Future.succeededFuture(
                    "good".equals(credentials.apiKey())
                            ? new AuthOutcome.Authenticated(RED)
                            : new AuthOutcome.Rejected(AuthFailure.INVALID, "unknown", "ask", Map.of(), null)),
            new ConsoleSessions(_ -> current, clock, clock::nanos),
            Optional.empty());

    private String open() {
        return assertInstanceOf(
                        ConsoleSignIn.SignInOutcome.Opened.class,
                        signIn.signIn("good", "127.0.0.1").await())
                .token();
    }

    private Optional<ConsoleSignIn.SignedIn> signedIn(@Nullable String token) {
        return signIn.signedIn(token).await();
    }

    @Test
    void aSessionEndsAfterHalfAnHourWithoutUse() {
        String token = open();
        clock.forward(Duration.ofMinutes(29));
        assertTrue(signedIn(token).isPresent());
        clock.forward(Duration.ofMinutes(29));
        assertTrue(signedIn(token).isPresent(), "it was used in between");
        clock.forward(ConsoleSessions.IDLE);
        assertTrue(signedIn(token).isEmpty());
    }

    @Test
    void aSessionEndsAfterEightHoursHoweverMuchItIsUsed() {
        String token = open();
        Instant end = START.plus(ConsoleSessions.LONGEST);
        for (int minutes = 0; minutes < 480; minutes += 10) {
            assertEquals(end, signedIn(token).orElseThrow().expires());
            clock.forward(Duration.ofMinutes(10));
        }
        assertTrue(signedIn(token).isEmpty());
    }

    @Test
    void aSessionHasTheRightsThatItsKeyHasNowAndEndsWithIt() {
        String token = open();
        Principal less = new Principal("red", "r1", List.of());
        current = Optional.of(less);
        assertEquals(less, signedIn(token).orElseThrow().principal());
        current = Optional.empty();
        assertTrue(signedIn(token).isEmpty());
    }

    @Test
    void whatWasSignedOutIsOverAndOtherSessionsOfTheKeyGoOn() {
        String one = open();
        String other = open();
        assertNotEquals(one, other);
        signIn.signOut(one).await();
        assertTrue(signedIn(one).isEmpty());
        assertTrue(signedIn(other).isPresent());
    }

    @Test
    void aKeyThatSignsInAgainAndAgainEndsItsOwnOldestSession() {
        String first = open();
        clock.forward(Duration.ofSeconds(1));
        String second = open();
        for (int more = 2; more < 20; more++) {
            clock.forward(Duration.ofSeconds(1));
            open();
        }
        assertTrue(signedIn(first).isPresent());
        open();
        assertTrue(signedIn(first).isEmpty());
        assertTrue(signedIn(second).isPresent());
    }

    @Test
    void nothingButATokenThatWasGivenIsASession() {
        String token = open();
        assertTrue(signedIn(null).isEmpty());
        assertTrue(signedIn("").isEmpty());
        assertTrue(signedIn("good").isEmpty());
        assertTrue(signedIn(token + "A").isEmpty());
        assertInstanceOf(
                ConsoleSignIn.SignInOutcome.NotSignedIn.class,
                signIn.signIn("other", "127.0.0.1").await());
    }
}
