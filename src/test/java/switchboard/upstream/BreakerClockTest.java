package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import switchboard.async.ForwardClock;
import switchboard.testing.HandClock;

/** Somebody sets the clock while an engine is not called. */
class BreakerClockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void anEngineIsTriedAgainAlthoughTheClockWasSetBackADay() {
        CircuitBreaker breaker = new UpstreamSettings.Breaker(50, 4, SECOND.multipliedBy(5))
                .create("engine", clock, LoggerFactory.getLogger(BreakerClockTest.class), "the test");
        for (int call = 0; call < 2; call++) {
            assertTrue(breaker.tryAcquirePermission());
            breaker.onError(1, TimeUnit.MILLISECONDS, new IllegalStateException());
        }
        assertFalse(breaker.tryAcquirePermission());
        clock.set(Duration.ofDays(-1));
        for (int second = 0; second < 5; second++) {
            assertFalse(breaker.tryAcquirePermission(), "after " + second + " s");
            clock.forward(SECOND);
        }
        clock.forward(SECOND);
        assertTrue(breaker.tryAcquirePermission());
    }

    @Test
    void timeGoesOnWhereAClockIsSetBack() {
        ForwardClock forward = new ForwardClock(clock);
        Instant begin = forward.instant();
        clock.forward(SECOND);
        assertEquals(begin.plus(SECOND), forward.instant());
        clock.set(Duration.ofHours(-1));
        assertEquals(begin.plus(SECOND), forward.instant());
        clock.forward(SECOND);
        assertEquals(begin.plus(SECOND).plus(SECOND), forward.instant());
        clock.set(Duration.ofHours(1));
        assertEquals(begin.plus(SECOND).plus(SECOND).plus(Duration.ofHours(1)), forward.instant());
        long nanos = forward.nanos();
        clock.forward(SECOND);
        assertEquals(SECOND.toNanos(), forward.nanos() - nanos);
    }
}
