package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import switchboard.auth.Budget;
import switchboard.auth.TeamLimits;

/** Limits of several gateways when connections break, clocks and limits change, and gateways stop. */
class SharedSlicesFaultsTest {
    private static TeamLimits calls(long perDay) {
        return new TeamLimits(null, null, null, null, perDay, null);
    }

    private static TeamLimits concurrent(int atOnce) {
        return new TeamLimits(null, null, atOnce, null, null, null);
    }

    private static int begun(SimulatedNodes.Node node, int calls) {
        int begun = 0;
        for (int i = 0; i < calls; i++) {
            Budget.Lease lease = node.begin();
            if (lease != null) {
                begun++;
                lease.end(new byte[0]);
            }
        }
        return begun;
    }

    @Test
    void connectionsThatBreakAreNoDatabaseThatIsAway() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        Budget.Lease running = nodes.node(0).begin();
        assertNotNull(running);
        nodes.node(1).loses(5);
        assertNull(nodes.node(1).begin());
        assertFalse(nodes.node(1).away());
        nodes.node(1).cut(true);
        Budget.Start.Waits waiting = assertInstanceOf(
                Budget.Start.Waits.class, nodes.node(1).budgets().begin(SimulatedNodes.CALLER));
        nodes.forward(900);
        assertFalse(waiting.decision().isComplete(), "it may be back in a moment");
        nodes.forward(200);
        assertTrue(nodes.node(1).away());
        assertInstanceOf(Budget.Start.Leased.class, waiting.decision().result());
    }

    @Test
    void aDatabaseThatGoesIsNoticedWithoutACall() {
        SimulatedNodes nodes = new SimulatedNodes(2, calls(10));
        nodes.forward(5_000);
        assertFalse(nodes.node(0).away());
        nodes.away(true);
        nodes.forward(2_500);
        assertTrue(nodes.node(0).away());
        nodes.away(false);
        nodes.forward(1_500);
        assertFalse(nodes.node(0).away());
    }

    @Test
    void aNodeThatStopsInTheMiddleOfAnExchangeGivesBackWhatThatGaveIt() {
        SimulatedNodes nodes = new SimulatedNodes(2, new TeamLimits(100, 100, 4, null, 100L, null));
        assertEquals(20, begun(nodes.node(0), 20));
        assertTrue(nodes.node(0).budgets().begin(SimulatedNodes.CALLER) instanceof Budget.Start.Leased);
        Budget.Verdict asked = nodes.node(0).budgets().arrive(SimulatedNodes.CALLER, 50);
        nodes.forward(2);
        nodes.node(0).loses(1);
        var left = nodes.node(0).close();
        nodes.forward(200);
        assertTrue(left.isComplete());
        if (asked instanceof Budget.Verdict.Undecided undecided) {
            assertTrue(undecided.decision().isComplete());
        }
        nodes.node(0).kill();
        assertEquals(79, begun(nodes.node(1), 200));
    }

    @Test
    void aCallThatComesWhileANodeStopsIsDecided() {
        SimulatedNodes nodes = new SimulatedNodes(2, concurrent(4));
        assertNotNull(nodes.node(0).begin());
        var left = nodes.node(0).close();
        nodes.keyLimits(calls(2));
        Budget.Start during = nodes.node(0).budgets().begin(SimulatedNodes.CALLER);
        nodes.forward(500);
        assertTrue(left.isComplete());
        assertTrue(!(during instanceof Budget.Start.Waits waiting)
                || waiting.decision().isComplete());
        assertNotNull(nodes.node(0).start(), "one that comes afterwards, too");
    }

    @Test
    void aNodeThatStopsWithoutTheDatabaseDoesNotWaitForIt() {
        SimulatedNodes nodes = new SimulatedNodes(2, concurrent(4));
        assertNotNull(nodes.node(0).begin());
        nodes.away(true);
        var left = nodes.node(0).close();
        nodes.forward(1_200);
        assertTrue(left.isComplete());
    }

    @Test
    void aNodeThatWakesUpBeginsNothingOnItsOldSliceOfADay() {
        SimulatedNodes nodes = new SimulatedNodes(2, new TeamLimits(null, null, null, null, null, 100L));
        Budget.Lease own = nodes.node(0).begin();
        assertNotNull(own);
        own.end(new byte[0]);
        Budget.Lease other = nodes.node(1).begin();
        assertNotNull(other);
        nodes.node(0).pause();
        nodes.forward(10);
        other.end(new byte[4 * 200]);
        nodes.forward(5_000);
        nodes.node(0).goOn();
        assertNull(nodes.node(0).begin(), "the others have used up the day");
    }

    @Test
    void aLimitOfADayThatIsNewCountsWhatWasUsedOnThatDay() {
        SimulatedNodes nodes = new SimulatedNodes(1, TeamLimits.NONE);
        nodes.forward(2_000);
        assertEquals(50, begun(nodes.node(0), 50));
        nodes.forward(Duration.ofDays(2).toMillis());
        assertEquals(4, begun(nodes.node(0), 4));
        nodes.limits(calls(10));
        assertEquals(6, begun(nodes.node(0), 20));
    }

    @Test
    void aLimitThatChangesWhileTheDatabaseIsAwayIsApplied() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(3000));
        nodes.away(true);
        nodes.forward(2_500);
        assertEquals(10, begun(nodes.node(0), 10));
        nodes.limits(calls(9));
        assertEquals(0, begun(nodes.node(0), 5));
        assertEquals(3, begun(nodes.node(1), 5));
        nodes.limits(calls(60));
        assertEquals(10, begun(nodes.node(0), 20));
    }

    @Test
    void aClockThatIsBehindAfterMidnightGivesNoDayTwice() {
        SimulatedNodes nodes = new SimulatedNodes(2, calls(10));
        nodes.forward(Duration.ofHours(12).toMillis() + 5_000);
        assertEquals(10, begun(nodes.node(0), 20));
        nodes.clock().set(Duration.ofSeconds(-20));
        nodes.forward(2_000);
        assertEquals(0, begun(nodes.node(1), 3));
        nodes.forward(30_000);
        assertEquals(0, begun(nodes.node(1), 3) + begun(nodes.node(0), 3), "the same day again");
        nodes.forward(Duration.ofDays(1).toMillis());
        assertEquals(10, begun(nodes.node(1), 20));
    }
}
