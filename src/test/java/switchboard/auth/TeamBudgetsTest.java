package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import switchboard.auth.Budget.Lease;
import switchboard.auth.Budget.Start;
import switchboard.auth.Budget.Verdict;

class TeamBudgetsTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T23:59:50Z"));
    private final AtomicReference<TeamLimits> limits = new AtomicReference<>(TeamLimits.NONE);
    private final TeamBudgets budgets = new TeamBudgets(
            () -> new TeamDirectory(List.of(
                    new Team("a", List.of(), List.of(), Map.of(), null, limits.get()),
                    new Team("b", List.of(), List.of(), Map.of(), null, TeamLimits.NONE))),
            clock);
    private final Principal caller = new Principal("a", "k", List.of());
    private final Principal other = new Principal("b", "k", List.of());

    @Test
    void aBatchCountsAsItsCallsOrNotAtAll() {
        limits.set(new TeamLimits(2, 5, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 4));
        assertEquals(new Verdict.TooFast(500), budgets.arrive(caller, 2));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 1));
        assertEquals(new Verdict.TooMany(5), budgets.arrive(caller, 6));
        assertEquals(new Verdict.Granted(), budgets.arrive(other, 1000));
        clock.advance(Duration.ofSeconds(1));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 2));
    }

    @Test
    void concurrencyIsGivenBackOnce() {
        limits.set(new TeamLimits(null, null, 1, null, null, null));
        Lease lease = lease();
        assertEquals(new Start.Exhausted("concurrentCalls", 250), budgets.begin(caller));
        lease.end(0, 0);
        lease.end(0, 0);
        lease();
        assertEquals(new Start.Exhausted("concurrentCalls", 250), budgets.begin(caller));
    }

    @Test
    void aDaysCallsEndAtMidnightUtc() {
        limits.set(new TeamLimits(null, null, null, null, 2L, null));
        lease().end(0, 0);
        lease().end(0, 0);
        assertEquals(new Start.Exhausted("callsPerDay", 10_000), budgets.begin(caller));
        clock.advance(Duration.ofSeconds(10));
        lease();
    }

    @Test
    void aDaysTokensAreCountedWhenCallsEnd() {
        limits.set(new TeamLimits(null, null, null, null, null, 100L));
        lease().end(400, 60);
        lease().end(400, 60);
        assertEquals(new Start.Exhausted("tokensPerDay", 10_000), budgets.begin(caller));
        limits.set(new TeamLimits(null, null, null, null, null, 1000L));
        lease();
    }

    private Lease lease() {
        return assertInstanceOf(Start.Leased.class, budgets.begin(caller)).lease();
    }

    private static final class SettableClock extends Clock {
        private Instant now;

        SettableClock(Instant now) {
            this.now = now;
        }

        void advance(Duration by) {
            now = now.plus(by);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
