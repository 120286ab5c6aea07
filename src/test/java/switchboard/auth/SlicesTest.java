package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What happens to a slice between a report and its answer. */
class SlicesTest {
    @Test
    void whatIsLetThroughAloneBetweenReportAndAnswerIsChargedByTheNextReport() {
        RateSlice rate = new RateSlice();
        rate.standAlone(30, 60, 1, 0, true);
        assertEquals(0, rate.takeAlone(4, 0));
        assertEquals(4, rate.report(true, true, 0, false, 0).debt());
        assertEquals(0, rate.takeAlone(50, 0));
        rate.answered(new BudgetGrant.RateGrant(0, 56, 0), 0);
        assertTrue(rate.open(), "there is something to report");
        assertEquals(50, rate.report(true, true, 0, false, 0).debt());
        rate.answered(new BudgetGrant.RateGrant(0, 6, 0), 0);
        assertFalse(rate.open());
        assertEquals(0, rate.report(true, true, 0, false, 0).debt());
    }

    @Test
    void aRateThatChangesWhileTheDatabaseIsAwayIsApplied() {
        RateSlice rate = new RateSlice();
        rate.standAlone(300, 300, 3, 0, true);
        assertEquals(0, rate.takeAlone(10, 0));
        rate.standAlone(3, 3, 3, 0, true);
        assertEquals(0, rate.takeAlone(1, 0));
        assertEquals(1000, rate.takeAlone(1, 0));
        rate.standAlone(30, 30, 3, TimeUnit.SECONDS.toNanos(1), true);
        assertEquals(0, rate.takeAlone(1, TimeUnit.SECONDS.toNanos(1)));
    }

    @Test
    void aCallThatIsTakenBackAtMidnightGivesTheNextDayNothing() {
        DaySlice calls = new DaySlice();
        calls.use(5);
        calls.report(3L, true, 0, false);
        calls.takeBack();
        calls.answered(new BudgetGrant.DayGrant(3, 3, 0), true);
        for (int i = 0; i < 3; i++) {
            assertTrue(calls.room());
            calls.use(1);
        }
        assertFalse(calls.room());
    }
}
