package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.testing.HandClock;

class LimitedAuthenticatorTest {
    private final HandClock clock = new HandClock(Instant.parse("2026-06-01T00:00:00Z"));
    private final LimitedAuthenticator limited = new LimitedAuthenticator(
            credentials -> Future.succeededFuture(answer(credentials.apiKey())),
            5,
            () -> Duration.ofMillis(clock.millis()).toNanos());

    @Test
    void failuresBeyondTheLimitAreAnsweredWithATimeToComeBack() {
        for (int i = 0; i < 5; i++) {
            assertEquals(AuthFailure.INVALID, failure("192.0.2.1", "bad"));
        }
        AuthOutcome.Rejected refused = assertInstanceOf(AuthOutcome.Rejected.class, ask("192.0.2.1", "bad"));
        assertEquals(AuthFailure.TOO_MANY, refused.failure());
        assertEquals(Map.of("Retry-After", "12"), refused.headers());
        clock.forward(Duration.ofSeconds(12));
        assertEquals(AuthFailure.INVALID, failure("192.0.2.1", "bad"));
        assertEquals(AuthFailure.TOO_MANY, failure("192.0.2.1", "bad"));
    }

    @Test
    void othersAndGoodCallersAndThoseWhoShowNothingAreNotConcerned() {
        for (int i = 0; i < 10; i++) {
            failure("192.0.2.1", "bad");
        }
        assertEquals(AuthFailure.INVALID, failure("192.0.2.2", "bad"));
        assertInstanceOf(AuthOutcome.Authenticated.class, ask("192.0.2.1", "good"));
        assertEquals(AuthFailure.MISSING, failure("192.0.2.1", ""));
        assertEquals(AuthFailure.TOKEN_UNCHECKED, failure("192.0.2.1", "unchecked"));
        assertEquals(AuthFailure.PROOF_UNCHECKED, failure("192.0.2.1", "busy"));
    }

    /** What a socket without an IP address is called, for example. */
    @Test
    void anAddressOfAnotherKindCountsAsItIs() {
        for (String address : List.of("unix", "unix:/run/a", "")) {
            for (int i = 0; i < 5; i++) {
                assertEquals(AuthFailure.INVALID, failure(address, "bad"));
            }
            assertEquals(AuthFailure.TOO_MANY, failure(address, "bad"), address);
        }
    }

    @Test
    void ofIpv6TheNetworkCounts() {
        for (int i = 0; i < 5; i++) {
            assertEquals(AuthFailure.INVALID, failure("2001:db8:0:1::" + i, "bad"));
        }
        assertEquals(AuthFailure.TOO_MANY, failure("2001:db8:0:1:ffff::1", "bad"));
        assertEquals(AuthFailure.INVALID, failure("2001:db8:0:2::1", "bad"));
    }

    @Test
    void itRemembersABoundedNumberOfAddressesForAWhile() {
        for (int i = 0; i < 30_000; i++) {
            failure("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), "bad");
        }
        long remembered = limited.remembered();
        assertTrue(remembered > 5_000 && remembered <= 10_000, () -> remembered + " addresses");
        clock.forward(Duration.ofMinutes(3));
        assertEquals(0, limited.remembered());
    }

    private AuthFailure failure(String address, String key) {
        return assertInstanceOf(AuthOutcome.Rejected.class, ask(address, key)).failure();
    }

    private AuthOutcome ask(String address, String key) {
        return limited.authenticate(new Credentials(address, "", null, key)).await();
    }

    private static AuthOutcome answer(String key) {
        return switch (key) {
            case "good" -> new AuthOutcome.Authenticated(Principal.anonymous());
            case "" -> new AuthErrors(null).refuse(AuthFailure.MISSING, "", "m", "f");
            case "unchecked" -> new AuthErrors(null).refuse(AuthFailure.TOKEN_UNCHECKED, "", "m", "f");
            case "busy" -> new AuthErrors(null).refuse(AuthFailure.PROOF_UNCHECKED, "", "m", "f");
            default -> new AuthErrors(null).refuse(AuthFailure.INVALID, "", "m", "f");
        };
    }
}
