package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import switchboard.auth.Budget.Lease;
import switchboard.auth.Budget.Limit;
import switchboard.auth.Budget.LimitScope;
import switchboard.auth.Budget.Start;
import switchboard.auth.Budget.Verdict;
import switchboard.testing.HandClock;

class TeamBudgetsTest {
    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T23:59:50Z"));
    private final AtomicReference<TeamLimits> limits = new AtomicReference<>(TeamLimits.NONE);
    private final AtomicReference<TeamLimits> ofKey = new AtomicReference<>(TeamLimits.NONE);
    private final Map<String, Long> spent = new HashMap<>();
    private final TeamBudgets budgets = budgets();

    private TeamBudgets restarted(byte[] saved) {
        TeamBudgets next = budgets();
        next.restore(saved);
        return next;
    }

    private TeamBudgets budgets() {
        return new TeamBudgets(
                () -> new TeamDirectory(List.of(
                        new Team("a", List.of(key("k", ofKey.get())), List.of(), Map.of(), null, limits.get()),
                        new Team("b", List.of(), List.of(), Map.of(), null, TeamLimits.NONE))),
                TokenEstimate.ROUGH,
                clock,
                clock::nanos,
                (team, tokens) -> spent.merge(team, tokens, Long::sum),
                null);
    }

    private final Principal caller = new Principal("a", "k", List.of());
    private final Principal colleague = new Principal("a", "k2", List.of());
    private final Principal other = new Principal("b", "k", List.of());

    @Test
    void aBatchCountsAsItsCallsOrNotAtAll() {
        limits.set(new TeamLimits(2, 5, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 4));
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 500), budgets.arrive(caller, 2));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 1));
        assertEquals(new Verdict.BurstExceeded(new Limit("burst", LimitScope.TEAM), 5), budgets.arrive(caller, 6));
        assertEquals(new Verdict.Granted(), budgets.arrive(other, 1000));
        clock.forward(Duration.ofSeconds(1));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 2));
    }

    @Test
    void aBurstBelowTheRateIsTheRate() {
        limits.set(new TeamLimits(5, 2, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 5));
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 200), budgets.arrive(caller, 1));
        assertEquals(new Verdict.BurstExceeded(new Limit("burst", LimitScope.TEAM), 5), budgets.arrive(caller, 6));
    }

    @Test
    void whatIsSavedIsCountedOn() {
        limits.set(new TeamLimits(2, 10, null, null, 3L, 100L));
        ofKey.set(new TeamLimits(null, null, null, null, 1L, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(colleague, 10));
        lease();
        TeamBudgets next = restarted(budgets.save());
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 500), next.arrive(colleague, 1));
        clock.forward(Duration.ofSeconds(2));
        TeamBudgets third = restarted(next.save());
        clock.forward(Duration.ofSeconds(2));
        TeamBudgets fourth = restarted(third.save());
        assertEquals(new Verdict.Granted(), fourth.arrive(colleague, 8));
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 500),
                fourth.arrive(colleague, 1));
        assertExhausted("callsPerDay", LimitScope.KEY, fourth.begin(caller));
        assertInstanceOf(Start.Leased.class, fourth.begin(colleague));
        assertInstanceOf(Start.Leased.class, restarted(fourth.save()).begin(colleague));
        assertInstanceOf(Start.Leased.class, fourth.begin(colleague));
        assertExhausted("callsPerDay", LimitScope.TEAM, restarted(fourth.save()).begin(colleague));
        clock.forward(Duration.ofSeconds(10));
        assertEquals(0, fourth.save().length, "a new day");
    }

    @Test
    void aClockThatWasSetBackBetweenTwoProcessesGivesNoSecondDay() {
        limits.set(new TeamLimits(null, null, null, null, 1L, null));
        clock.forward(Duration.ofDays(1));
        lease();
        byte[] saved = budgets.save();
        clock.set(Duration.ofDays(-1));
        assertExhausted("callsPerDay", LimitScope.TEAM, restarted(saved).begin(caller));
    }

    @Test
    void whatAnotherProcessSavedIsAddedToWhatWasCountedSince() {
        limits.set(new TeamLimits(null, null, null, null, 2L, null));
        lease();
        TeamBudgets other = budgets();
        assertInstanceOf(Start.Leased.class, other.begin(caller));
        other.restore(budgets.save());
        assertExhausted("callsPerDay", LimitScope.TEAM, other.begin(caller));
        byte[] yesterday = budgets.save();
        clock.forward(Duration.ofDays(1));
        other.restore(yesterday);
        other.restore(yesterday);
        assertInstanceOf(Start.Leased.class, other.begin(caller), "yesterday's count for nothing");
    }

    @Test
    void whoHasUsedNothingIsNotSaved() {
        assertEquals(0, budgets.save().length);
        limits.set(new TeamLimits(2, 10, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(colleague, 10));
        assertTrue(budgets.save().length > 0);
        clock.forward(Duration.ofSeconds(5));
        assertEquals(0, budgets.save().length);
    }

    private static void assertExhausted(String limit, LimitScope whose, Start start) {
        assertEquals(
                new Limit(limit, whose),
                assertInstanceOf(Start.Exhausted.class, start).limit());
    }

    @Test
    void concurrencyIsGivenBackOnce() {
        limits.set(new TeamLimits(null, null, 1, null, null, null));
        Lease lease = lease();
        assertEquals(new Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250), budgets.begin(caller));
        lease.end(new byte[0]);
        lease.end(new byte[0]);
        lease();
        assertEquals(new Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250), budgets.begin(caller));
    }

    @Test
    void aCallThatTheTeamHasNoRoomForGivesTheKeysPlaceBack() {
        limits.set(new TeamLimits(null, null, 1, null, null, null));
        ofKey.set(new TeamLimits(null, null, 1, null, 5L, null));
        Lease others =
                assertInstanceOf(Start.Leased.class, budgets.begin(colleague)).lease();
        for (int i = 0; i < 10; i++) {
            assertEquals(
                    new Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250), budgets.begin(caller));
        }
        others.end(new byte[0]);
        for (int i = 0; i < 5; i++) {
            lease().end(new byte[0]);
        }
        assertEquals(new Start.Exhausted(new Limit("callsPerDay", LimitScope.KEY), 10_000), budgets.begin(caller));
    }

    @Test
    void aDaysCallsEndAtMidnightUtc() {
        limits.set(new TeamLimits(null, null, null, null, 2L, null));
        lease().end(new byte[0]);
        lease().end(new byte[0]);
        assertEquals(new Start.Exhausted(new Limit("callsPerDay", LimitScope.TEAM), 10_000), budgets.begin(caller));
        clock.forward(Duration.ofSeconds(10));
        lease();
    }

    @Test
    void aDaysTokensAreCountedWhenCallsEnd() {
        limits.set(new TeamLimits(null, null, null, null, null, 100L));
        lease().end(new byte[4 * 60]);
        lease().end(new byte[4 * 60]);
        assertEquals(new Start.Exhausted(new Limit("tokensPerDay", LimitScope.TEAM), 10_000), budgets.begin(caller));
        limits.set(new TeamLimits(null, null, null, null, null, 1000L));
        lease();
        assertEquals(Map.of("a", 120L), spent);
    }

    @Test
    void whoHasSpentExactlyAllTokensHasNoneLeft() {
        limits.set(new TeamLimits(null, null, null, null, null, 100L));
        lease().end(new byte[4 * 99]);
        lease().end(new byte[4]);
        assertEquals(Map.of("a", 100L), spent);
        assertInstanceOf(Start.Exhausted.class, budgets.begin(caller));
        limits.set(new TeamLimits(null, null, null, null, null, 101L));
        lease();
    }

    @Test
    void aKeysLimitHoldsItBackAndNotItsColleagues() {
        limits.set(new TeamLimits(10, 10, null, 1000, null, null));
        ofKey.set(new TeamLimits(1, 2, 1, 10, null, null));
        assertEquals(new Verdict.BurstExceeded(new Limit("burst", LimitScope.KEY), 2), budgets.arrive(caller, 3));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 2));
        assertInstanceOf(Verdict.RateExceeded.class, budgets.arrive(caller, 1));
        assertEquals(new Verdict.Granted(), budgets.arrive(colleague, 8));
        assertEquals(10, budgets.maxResultBytes(caller));
        assertEquals(1000, budgets.maxResultBytes(colleague));
        Lease lease = lease();
        assertEquals(new Start.Exhausted(new Limit("concurrentCalls", LimitScope.KEY), 250), budgets.begin(caller));
        assertInstanceOf(Start.Leased.class, budgets.begin(colleague));
        lease.end(new byte[0]);
        lease();
    }

    @Test
    void whatTheTeamHasNoRoomForIsNotCountedForTheKey() {
        limits.set(new TeamLimits(2, 2, null, null, 1L, null));
        ofKey.set(new TeamLimits(1, 1, null, null, 2L, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(colleague, 2));
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 500), budgets.arrive(caller, 1));
        clock.forward(Duration.ofMillis(500));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 1));
        assertInstanceOf(Start.Leased.class, budgets.begin(colleague));
        assertEquals(new Start.Exhausted(new Limit("callsPerDay", LimitScope.TEAM), 9_500), budgets.begin(caller));
        limits.set(TeamLimits.NONE);
        lease();
        lease();
        assertEquals(new Start.Exhausted(new Limit("callsPerDay", LimitScope.KEY), 9_500), budgets.begin(caller));
    }

    @Test
    void tokensAreCountedOnlyWhereTheyAreLimited() {
        lease().end(new byte[400]);
        assertEquals(Map.of(), spent);
        ofKey.set(new TeamLimits(null, null, null, null, null, 150L));
        lease().end(new byte[400]);
        assertEquals(Map.of("a", 100L), spent);
        limits.set(new TeamLimits(null, null, null, null, null, 100L));
        lease().end(new byte[400]);
        assertEquals(new Start.Exhausted(new Limit("tokensPerDay", LimitScope.KEY), 10_000), budgets.begin(caller));
    }

    @Test
    void aKeyWithoutARateGetsNothingBackWhenTheTeamIsTooFast() {
        limits.set(new TeamLimits(1, 1, null, null, null, null));
        ofKey.set(new TeamLimits(null, null, 1, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 1));
        for (int i = 0; i < 5; i++) {
            assertInstanceOf(Verdict.RateExceeded.class, budgets.arrive(caller, 1));
        }
        ofKey.set(new TeamLimits(1, 2, null, null, null, null));
        limits.set(TeamLimits.NONE);
        assertEquals(new Verdict.BurstExceeded(new Limit("burst", LimitScope.KEY), 2), budgets.arrive(caller, 3));
    }

    @Test
    void anotherRateHoldsFromTheNextCallOn() {
        limits.set(new TeamLimits(2, null, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 2));
        assertInstanceOf(Verdict.RateExceeded.class, budgets.arrive(caller, 1));
        limits.set(new TeamLimits(10, null, null, null, null, null));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 10));
        assertEquals(
                new Verdict.RateExceeded(new Limit("callsPerSecond", LimitScope.TEAM), 100), budgets.arrive(caller, 1));
        limits.set(new TeamLimits(1, null, null, null, null, null));
        assertEquals(new Verdict.BurstExceeded(new Limit("burst", LimitScope.TEAM), 1), budgets.arrive(caller, 2));
        clock.forward(Duration.ofSeconds(1));
        assertEquals(new Verdict.Granted(), budgets.arrive(caller, 1));
        assertInstanceOf(Verdict.RateExceeded.class, budgets.arrive(caller, 1));
    }

    @Test
    void aTokenLimitThatIsNewCountsFromThenOn() {
        lease().end(new byte[4000]);
        limits.set(new TeamLimits(null, null, null, null, null, 10L));
        lease().end(new byte[0]);
        assertEquals(Map.of("a", 0L), spent);
    }

    /** Up to a minute a calendar may differ from the steady clock, as when it is corrected little by little. */
    @Test
    void aCallThatIsTakenBackAfterMidnightGivesTheNewDayNothing() {
        DailyCallCounts counts = new DailyCallCounts(clock, clock::nanos);
        counts.call();
        counts.call();
        counts.callTakenBack();
        assertEquals(1, counts.calls());
        clock.forward(Duration.ofSeconds(10)); // midnight
        counts.callTakenBack();
        assertEquals(0, counts.calls());
        counts.call();
        assertEquals(1, counts.calls());
    }

    @Test
    void aCalendarThatIsAMinuteOffPassesMidnightAsUsual() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(10);
        clock.set(Duration.ofMinutes(1));
        assertEquals(10, callsLeft(), "a midnight that passed");
        clock.forward(Duration.ofHours(2));
        clock.set(Duration.ofHours(-4));
        clock.forward(Duration.ofHours(2).plusSeconds(1));
        assertEquals(0, callsLeft(), "the day that was already counted");
    }

    @Test
    void aCalendarThatIsMoreThanAMinuteOffWasSet() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofMinutes(1).plusMillis(1));
        assertEquals(10, callsLeft(), "a day of its own");
        clock.set(Duration.ofMinutes(-1).minusMillis(1));
        assertEquals(6, callsLeft(), "as if it had not been");
    }

    /** A minute is still taken for time that has passed: what was used on the new day counts when the clock is put right. */
    @Test
    void aMidnightOfAMinutesCorrectionIsNotUndoneByTheNextOne() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofMinutes(1));
        calls(7);
        clock.set(Duration.ofMinutes(-1));
        assertEquals(3, callsLeft());
    }

    @Test
    void aDayThatTheClockWasSetToIsNotGivenAgainWhenItIsSetThereAgain() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofDays(1));
        calls(9);
        clock.set(Duration.ofDays(-1));
        calls(1);
        clock.set(Duration.ofDays(1));
        assertEquals(1, callsLeft(), "of the day after");
        clock.set(Duration.ofDays(-1));
        assertEquals(5, callsLeft(), "of the day itself");
    }

    @Test
    void aClockThatIsSetBackAndForthGoesOnCounting() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofDays(-1));
        calls(1);
        clock.set(Duration.ofDays(1));
        calls(3);
        clock.set(Duration.ofDays(-1));
        assertEquals(2, callsLeft());
    }

    @Test
    void aDayThatTheClockWasSetPastIsNewWhenItComes() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofDays(31));
        calls(10);
        clock.set(Duration.ofDays(-30));
        assertEquals(10, callsLeft());
    }

    /** The clock was set long ago, and the days since then have been lived. */
    @Test
    void aDayThatWasLivedIsNotGivenAgainThoughTheClockWasOnceSetOverAMidnight() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofDays(1));
        calls(10);
        for (int day = 0; day < 4; day++) {
            clock.forward(Duration.ofDays(1));
            calls(7);
        }
        clock.set(Duration.ofDays(-2));
        assertEquals(3, callsLeft(), "the count goes on");
    }

    @Test
    void neitherIsTheDayThatTheClockWasSetTo() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        calls(4);
        clock.set(Duration.ofDays(2));
        calls(10);
        clock.forward(Duration.ofDays(1));
        calls(3);
        clock.set(Duration.ofDays(-1));
        assertEquals(7, callsLeft(), "the count goes on");
    }

    /** A clock that is set back over midnight comes to the same midnight again, within an hour. */
    @Test
    void theSameMidnightIsTheOneThatComesWithinAnHour() {
        for (Duration later : List.of(Duration.ofHours(1), Duration.ofHours(1).plusMillis(1))) {
            limits.set(new TeamLimits(null, null, null, null, 10L, null));
            clock.forward(Duration.ofDays(3).plusSeconds(10)); // midnight
            calls(4);
            clock.set(later.negated());
            calls(1);
            clock.forward(later);
            assertEquals(later.equals(Duration.ofHours(1)) ? 5 : 10, callsLeft(), later.toString());
            clock.forward(Duration.ofDays(1).minusSeconds(10));
        }
    }

    private static Team.TeamKey key(String id, TeamLimits limits) {
        return new Team.TeamKey(id, ApiKey.sha256(id), null, limits);
    }

    private Lease lease() {
        return assertInstanceOf(Start.Leased.class, budgets.begin(caller)).lease();
    }

    private int callsLeft() {
        int left = 0;
        while (budgets.begin(caller) instanceof Start.Leased) {
            left++;
        }
        return left;
    }

    private void calls(int count) {
        for (int n = 0; n < count; n++) {
            assertInstanceOf(Start.Leased.class, budgets.begin(caller));
        }
    }

    @Test
    void aStepOfTheClockNeitherStopsNorFillsTheRate() {
        limits.set(new TeamLimits(2, 2, null, null, null, null));
        for (Duration step : List.of(
                Duration.ofDays(-400),
                Duration.ofDays(31),
                Duration.ofHours(-1),
                Duration.ofSeconds(-2),
                Duration.ofSeconds(5))) {
            assertEquals(new Verdict.Granted(), budgets.arrive(caller, 2));
            clock.set(step);
            assertInstanceOf(Verdict.RateExceeded.class, budgets.arrive(caller, 1), "not filled by " + step);
            clock.forward(Duration.ofSeconds(1));
        }
    }

    @Test
    void aStepForwardAndBackCostsNoDay() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        for (Duration away : List.of(Duration.ofDays(1), Duration.ofDays(31), Duration.ofDays(400))) {
            clock.forward(Duration.ofDays(1));
            calls(4);
            clock.set(away);
            clock.forward(Duration.ofSeconds(3));
            assertEquals(10, callsLeft(), "a day of its own");
            clock.set(away.negated());
            assertEquals(6, callsLeft(), "as if it had not been: " + away);
            clock.forward(Duration.ofDays(1));
            assertEquals(10, callsLeft(), "the next day is the next day");
        }
    }

    @Test
    void aStepBackNeitherFillsNorBlocksTheDay() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        clock.forward(Duration.ofSeconds(10)); // midnight
        calls(10);
        clock.forward(Duration.ofDays(1));
        for (Duration back : List.of(Duration.ofMinutes(-10), Duration.ofDays(-1), Duration.ofDays(-31))) {
            calls(4);
            clock.set(back);
            assertEquals(6, callsLeft(), "neither filled nor blocked by " + back);
            clock.forward(Duration.ofDays(1));
            assertEquals(10, callsLeft(), "and a day later it is another day");
            clock.forward(Duration.ofDays(1));
        }
    }

    @Test
    void aStepBackOverMidnightComesToTheSameDayAgain() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        clock.forward(Duration.ofMinutes(2)); // two minutes past midnight
        calls(4);
        clock.set(Duration.ofMinutes(-5));
        calls(1);
        clock.forward(Duration.ofMinutes(5));
        assertEquals(5, callsLeft());
    }

    @Test
    void whateverIsSetNoTeamIsBlockedForMoreThanTwoDays() {
        limits.set(new TeamLimits(null, null, null, null, 10L, null));
        Random random = new Random(21);
        for (int round = 0; round < 2000; round++) {
            int steps = random.nextInt(4);
            for (int n = 0; n < steps; n++) {
                if (random.nextBoolean()) {
                    callsLeft();
                } else {
                    budgets.begin(caller);
                }
                clock.set(Duration.ofHours(random.nextInt(-24 * 40, 24 * 40)));
                clock.forward(Duration.ofMinutes(random.nextInt(180)));
            }
            callsLeft();
            assertEquals(0, callsLeft(), "a second look at the same day gives nothing");
            clock.forward(Duration.ofDays(2));
            assertEquals(10, callsLeft(), "round " + round);
        }
    }
}
