package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.auth.Budget;
import switchboard.auth.Budget.Limit;
import switchboard.auth.Budget.LimitScope;
import switchboard.auth.TeamLimits;

/** Limits of several gateways, one case at a time. */
class SharedSlicesTest {
    private static TeamLimits rate(int perSecond, int burst) {
        return new TeamLimits(perSecond, burst, null, null, null, null);
    }

    private static TeamLimits calls(long perDay) {
        return new TeamLimits(null, null, null, null, perDay, null);
    }

    private static TeamLimits tokens(long perDay) {
        return new TeamLimits(null, null, null, null, null, perDay);
    }

    private static TeamLimits concurrent(int atOnce) {
        return new TeamLimits(null, null, atOnce, null, null, null);
    }

    private static int through(SimulatedNodes nodes, int calls, long pauseMs) {
        int through = 0;
        for (int i = 0; i < calls; i++) {
            through += nodes.node(i % 3).arrives(1) ? 1 : 0;
            nodes.forward(pauseMs);
        }
        return through;
    }

    private static int begun(SimulatedNodes nodes, int calls) {
        int begun = 0;
        for (int i = 0; i < calls; i++) {
            Budget.Lease lease = nodes.node(i % 3).begin();
            if (lease != null) {
                begun++;
                lease.end(new byte[0]);
            }
        }
        return begun;
    }

    @Test
    void oneCallASecondIsOneOverThreeNodesAndTheRefusalSaysWhen() {
        SimulatedNodes nodes = new SimulatedNodes(3, rate(1, 1));
        assertTrue(nodes.node(0).arrives(1));
        Budget.Verdict.RateExceeded refusal = assertInstanceOf(
                Budget.Verdict.RateExceeded.class, nodes.node(1).verdict(1));
        assertTrue(refusal.retryAfterMs() > 900 && refusal.retryAfterMs() <= 1000, refusal::toString);
        nodes.forward(refusal.retryAfterMs() - 20);
        assertFalse(nodes.node(2).arrives(1), "too early");
        nodes.forward(20);
        assertTrue(nodes.node(2).arrives(1));
        assertEquals(10, through(nodes, 1000, 10), 1.0);
    }

    @Test
    void aBurstIsGivenOnceHoweverItIsSpread() {
        SimulatedNodes nodes = new SimulatedNodes(3, rate(10, 100));
        assertEquals(102, through(nodes, 600, 0), 3.0, "the exchanges take some time");
        nodes.forward(5_000);
        assertEquals(50, through(nodes, 300, 0), 3.0);
        nodes.forward(60_000);
        assertTrue(nodes.node(0).arrives(100), "a busy node has all that idle ones don't use");
        assertFalse(nodes.node(1).arrives(2));
        assertInstanceOf(Budget.Verdict.BurstExceeded.class, nodes.node(1).verdict(101));
    }

    @Test
    void aNodeThatIsBusySeldomWaits() {
        SimulatedNodes nodes = new SimulatedNodes(3, rate(1000, 2000));
        int waited = 0;
        for (int i = 0; i < 5000; i++) {
            if (nodes.node(0).budgets().arrive(SimulatedNodes.CALLER, 1) instanceof Budget.Verdict.Undecided) {
                waited++;
            }
            nodes.forward(2);
        }
        assertTrue(waited < 100, waited + " of 5000 waited");
        assertTrue(nodes.exchanges() < 500, nodes.exchanges() + " exchanges");
    }

    @Test
    void aDaysCallsAreExactAndOneCallEachIsEnoughForAll() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(30));
        assertEquals(30, begun(nodes, 90));
        Budget.Start.Exhausted refusal =
                assertInstanceOf(Budget.Start.Exhausted.class, nodes.node(1).start());
        assertEquals(new Limit("callsPerDay", LimitScope.TEAM), refusal.limit());
        long midnight = Duration.ofHours(12).toMillis();
        assertEquals(midnight, refusal.retryAfterMs(), 10_000);
        int exchanges = nodes.exchanges();
        for (int i = 0; i < 1000; i++) {
            assertNull(nodes.node(1).begin());
        }
        assertTrue(nodes.exchanges() - exchanges < 5, "who is refused asks nobody");
        nodes.forward(refusal.retryAfterMs());
        assertEquals(30, begun(nodes, 90), "another day");
    }

    @Test
    void aLargeDayIsExactTooThoughNodesHaveSlices() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(1000));
        int begun = 0;
        for (int i = 0; i < 3000; i++) {
            Budget.Lease lease = nodes.node(i < 2000 ? 0 : i % 3).begin();
            begun += lease == null ? 0 : 1;
            nodes.forward(1);
        }
        assertEquals(1000, begun);
        assertTrue(nodes.exchanges() < 700, nodes.exchanges() + " exchanges");
    }

    @Test
    void oneCallAtATimeMeansOneAndTheNextOneMayBeAnywhere() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        for (int i = 0; i < 30; i++) {
            Budget.Lease lease = nodes.node(i % 3).begin();
            assertNotNull(lease, "call " + i + " right after the one before");
            for (int other = 0; other < 3; other++) {
                assertEquals(
                        new Budget.Start.Exhausted(new Limit("concurrentCalls", LimitScope.TEAM), 250),
                        nodes.node(other).start());
            }
            lease.end(new byte[0]);
        }
    }

    @Test
    void aBusyNodeHasThePlacesThatOthersDontUse() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(9));
        List<Budget.Lease> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            others.add(nodes.node(1 + i % 2).begin());
        }
        others.forEach(lease -> lease.end(new byte[0]));
        for (int i = 0; i < 9; i++) {
            assertNotNull(nodes.node(0).begin(), "place " + i);
        }
        assertNull(nodes.node(1).begin());
    }

    @Test
    void whoHasWaitedLongerForAPlaceIsServedFirst() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        Budget.Lease running = nodes.node(0).begin();
        assertNotNull(running);
        int[] served = new int[3];
        List<List<Budget.Lease>> open = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < 400; round++) {
            int at = round % 3;
            Budget.Start start = nodes.node(at).budgets().begin(SimulatedNodes.CALLER);
            if (start instanceof Budget.Start.Waits asking) {
                asking.decision().onComplete(done -> {
                    if (done.result() instanceof Budget.Start.Leased leased) {
                        served[at]++;
                        open.get(at).add(leased.lease());
                    }
                });
            } else if (start instanceof Budget.Start.Leased leased) {
                served[at]++;
                open.get(at).add(leased.lease());
            }
            nodes.forward(10);
            if (running != null) {
                running.end(new byte[0]);
                running = null;
            }
            assertTrue(open.stream().mapToInt(List::size).sum() <= 1, "one at a time");
            open.forEach(all -> {
                all.forEach(lease -> lease.end(new byte[0]));
                all.clear();
            });
        }
        for (int count : served) {
            assertTrue(count > 10, () -> Arrays.toString(served));
        }
    }

    @Test
    void placesOfANodeThatWasKilledComeBack() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        assertNotNull(nodes.node(0).begin());
        nodes.node(0).kill();
        nodes.forward(4_000);
        assertNull(nodes.node(1).begin());
        nodes.forward(3_000);
        assertNotNull(nodes.node(1).begin());
    }

    @Test
    void aNodeThatWakesUpAfterItsLeaseBeginsNothingOnIt() {
        SimulatedNodes nodes = new SimulatedNodes(3, new TeamLimits(4, 12, 3, null, 60L, null));
        nodes.node(0).arrives(1);
        Budget.Lease lease = nodes.node(0).begin();
        assertNotNull(lease);
        lease.end(new byte[0]);
        nodes.node(0).pause();
        nodes.forward(10_000);
        List<Budget.Lease> elsewhere = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            elsewhere.add(nodes.node(1).begin());
            assertNotNull(elsewhere.getLast());
        }
        assertTrue(nodes.node(1).arrives(12));
        nodes.node(0).goOn();
        assertNull(nodes.node(0).begin());
        assertFalse(nodes.node(0).arrives(2));
        elsewhere.forEach(one -> one.end(new byte[0]));
        assertNotNull(nodes.node(0).begin());
    }

    @Test
    void aDaysTokensAreExceededOnlyByAnswersUnderWay() {
        SimulatedNodes nodes = new SimulatedNodes(3, tokens(1000));
        long spent = 0;
        for (int i = 0; i < 100; i++) {
            Budget.Lease lease = nodes.node(i % 3).begin();
            if (lease == null) {
                break;
            }
            assertTrue(spent < 1000);
            lease.end(new byte[4 * 90]);
            spent += 90;
            nodes.forward(20);
        }
        assertEquals(1080, spent);
        nodes.forward(10_000);
        assertNull(nodes.node(2).begin());
    }

    @Test
    void withoutTheDatabaseEachHasItsPartAndAtLeastOneAndItIsChargedAfterwards() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(30));
        assertEquals(6, begun(nodes, 6));
        nodes.forward(3_000);
        nodes.away(true);
        int alone = begun(nodes, 90);
        assertTrue(alone >= 18 && alone <= 24, alone + ": what was left, as far as each knew, in three parts");
        assertTrue(nodes.node(0).away());
        nodes.away(false);
        nodes.forward(3_000);
        assertFalse(nodes.node(0).away());
        assertEquals(24 - alone, begun(nodes, 90), "it was charged");

        SimulatedNodes few = new SimulatedNodes(3, new TeamLimits(1, 1, 1, null, 2L, null));
        few.away(true);
        for (int i = 0; i < 3; i++) {
            assertTrue(few.node(i).arrives(1));
            assertNotNull(few.node(i).begin());
            assertNull(few.node(i).begin());
        }
        few.away(false);
        few.forward(3_000);
        assertEquals(0, begun(few, 3));
    }

    @Test
    void whatWasUsedWithoutTheDatabaseIsChargedByTheNextProcess() {
        SimulatedNodes nodes = new SimulatedNodes(2, calls(10));
        assertEquals(1, nodes.node(0).begin() == null ? 0 : 1);
        nodes.forward(3_000);
        nodes.away(true);
        for (int i = 0; i < 4; i++) {
            assertNotNull(nodes.node(0).begin());
        }
        byte[] saved = nodes.node(0).budgets().save();
        nodes.node(0).kill();
        nodes.away(false);
        SimulatedNodes.Node next = nodes.add();
        next.budgets().restore(saved);
        assertTrue(next.budgets().save().length > 0, "it may end before it has reached the database");
        nodes.forward(2_000);
        assertEquals(0, next.budgets().save().length);
        int begun = 0;
        while (nodes.node(1).begin() != null) {
            begun++;
        }
        assertEquals(5, begun);
    }

    @Test
    void withoutTheDatabaseARateIsDividedAndItsBurstIsChargedAfterwards() {
        SimulatedNodes nodes = new SimulatedNodes(3, rate(30, 60));
        nodes.away(true);
        assertEquals(60, through(nodes, 300, 0), 6);
        nodes.forward(1_000);
        assertEquals(30, through(nodes, 300, 0), 6);
        nodes.away(false);
        nodes.forward(1_100);
        int first = through(nodes, 300, 0);
        assertTrue(first <= 66, first + " after the database came back, with what was refilled meanwhile");
    }

    @Test
    void oneNodeThatIsCutOffTakesItsPartAndTheOthersGoOn() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(6));
        assertNotNull(nodes.node(0).begin());
        nodes.node(2).cut(true);
        assertNotNull(nodes.node(2).begin());
        assertNotNull(nodes.node(2).begin());
        assertNull(nodes.node(2).begin());
        assertNotNull(nodes.node(1).begin());
        nodes.node(2).cut(false);
        nodes.forward(3_000);
        assertNotNull(nodes.node(1).begin());
        assertNotNull(nodes.node(1).begin());
        assertNull(nodes.node(1).begin(), "those that began meanwhile are counted");
    }

    @Test
    void aNodeThatStopsGivesEverythingBackAtOnce() {
        SimulatedNodes nodes = new SimulatedNodes(3, new TeamLimits(100, 100, 6, null, 1000L, null));
        for (int i = 0; i < 20; i++) {
            nodes.node(0).arrives(2);
            Budget.Lease lease = nodes.node(0).begin();
            assertNotNull(lease);
            lease.end(new byte[0]);
        }
        var left = nodes.node(0).close();
        nodes.forward(10);
        assertTrue(left.isComplete());
        nodes.node(0).kill();
        int begun = 0;
        while (nodes.node(1).begin() != null) {
            assertTrue(++begun <= 6);
        }
        assertEquals(6, begun);
    }

    @Test
    void filesThatDifferForAWhileAreEachApplied() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(10));
        assertEquals(10, begun(nodes, 20));
        nodes.forward(1_500);
        nodes.node(2).limits(calls(15));
        assertNull(nodes.node(0).begin());
        for (int i = 0; i < 5; i++) {
            assertNotNull(nodes.node(2).begin());
        }
        assertNull(nodes.node(2).begin());
        nodes.limits(calls(16));
        assertNotNull(nodes.node(0).begin());
        assertNull(nodes.node(0).begin());
        nodes.limits(TeamLimits.NONE);
        assertNotNull(nodes.node(0).begin());
    }

    @Test
    void aKeyHasARowOnlyIfItIsUsedAndWhatTheTeamRefusesCostsItNothing() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        assertEquals(0, nodes.rows());
        nodes.keyLimits(calls(3));
        Budget.Lease running = nodes.node(0).begin();
        assertNotNull(running);
        assertEquals(2, nodes.rows(), "the team and the key");
        for (int i = 0; i < 5; i++) {
            assertNull(nodes.node(1).begin());
        }
        running.end(new byte[0]);
        assertEquals(2, begun(nodes, 9));
    }

    @Test
    void aCallThatIsGivenUpCountsForNothing() {
        SimulatedNodes nodes = new SimulatedNodes(3, concurrent(1));
        Budget.Lease running = nodes.node(0).begin();
        assertNotNull(running);
        Budget.Start.Waits waiting = assertInstanceOf(
                Budget.Start.Waits.class, nodes.node(1).budgets().begin(SimulatedNodes.CALLER));
        nodes.forward(5);
        waiting.giveUp().run();
        assertInstanceOf(Budget.Start.Exhausted.class, waiting.decision().result());
        running.end(new byte[0]);
        nodes.forward(50);
        assertNotNull(nodes.node(2).begin());
    }

    @Test
    void anAnswerThatIsLostGivesNobodyMore() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(30));
        int begun = 0;
        for (int i = 0; i < 120; i++) {
            if (i % 4 == 0) {
                nodes.node(i % 3).loses(1);
            }
            Budget.Lease lease = nodes.node(i % 3).begin();
            begun += lease == null ? 0 : 1;
            nodes.forward(700);
        }
        assertTrue(begun <= 30 + 3 && begun >= 27, begun + " calls");
    }

    @Test
    void aDatabaseWhoseClockIsSetGivesNoDayTwice() {
        SimulatedNodes nodes = new SimulatedNodes(3, calls(10));
        assertEquals(10, begun(nodes, 20));
        nodes.clock().set(Duration.ofDays(-1));
        nodes.forward(2_000);
        assertEquals(0, begun(nodes, 20));
        nodes.clock().set(Duration.ofDays(31));
        nodes.forward(2_000);
        assertEquals(10, begun(nodes, 20), "a day of its own");
        nodes.clock().set(Duration.ofDays(-30));
        nodes.forward(2_000);
        assertEquals(0, begun(nodes, 3));
        nodes.forward(Duration.ofDays(1).toMillis());
        assertEquals(10, begun(nodes, 20), "a step forward costs no month");
    }
}
