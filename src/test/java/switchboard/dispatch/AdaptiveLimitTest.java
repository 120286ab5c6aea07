package switchboard.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdaptiveLimitTest {
    private static final int CALLS_PER_WINDOW = 100;

    private final AdaptiveLimit limit = new AdaptiveLimit(4, 256, 0);
    private long now;

    /** Windows in which all calls take {@code times} as long as usual while {@code inFlight} are under way. */
    private void windows(int number, double times, int inFlight) {
        for (int i = 0; i < number * CALLS_PER_WINDOW; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(5);
            limit.sample(times, inFlight, now);
        }
    }

    @Test
    void itGrowsToItsBoundWhereNothingIsSlow() {
        windows(60, 1, 256);
        assertEquals(256, limit.value());
    }

    @Test
    void itShrinksToItsBoundWhereEverythingIsSlow() {
        windows(60, 50, 256);
        // Where it is halved as often as its square root is added, which is the bound of 4.
        assertEquals(4, limit.value());
    }

    @Test
    void itFindsHowManyABackendCanDoAtOnce() {
        // Twenty at once are done in the usual time; more of them only wait for each other.
        for (int i = 0; i < 200; i++) {
            windows(1, Math.max(1, limit.value() / 20.0), limit.value());
        }
        assertTrue(limit.value() >= 40 && limit.value() <= 60, () -> "limit " + limit.value());
        windows(60, 1, 256);
        assertEquals(256, limit.value(), "and it recovers");
    }

    @Test
    void aLimitThatIsNotReachedSaysNothing() {
        int begin = limit.value();
        windows(60, 50, begin / 4);
        windows(60, 1, begin / 4);
        assertEquals(begin, limit.value());
    }

    @Test
    void aFewCallsSayNothing() {
        int begin = limit.value();
        for (int i = 0; i < 9; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            limit.sample(50, begin, now);
        }
        assertEquals(begin, limit.value());
    }

    @Test
    void tenCallsAtTheEndOfTheWindowAreEnough() {
        int begin = limit.value();
        for (int i = 0; i < 10; i++) {
            limit.sample(1, begin, TimeUnit.MILLISECONDS.toNanos(500));
        }
        assertTrue(limit.value() > begin, () -> "limit " + limit.value());
    }

    @Test
    void tenCallsBeforeTheEndOfTheWindowAreNot() {
        int begin = limit.value();
        for (int i = 0; i < 10; i++) {
            limit.sample(1, begin, TimeUnit.MILLISECONDS.toNanos(500) - 1);
        }
        assertEquals(begin, limit.value());
    }

    @Test
    void aLimitOfWhichHalfIsUsedSaysSomething() {
        int begin = limit.value();
        windows(1, 1, begin / 2 - 1);
        assertEquals(begin, limit.value());
        windows(1, 1, begin / 2);
        assertTrue(limit.value() > begin, () -> "limit " + limit.value());
    }

    @Test
    void aWindowSaysNothingOfTheNextOne() {
        int begin = limit.value();
        windows(1, 1, begin);
        int after = limit.value();
        windows(3, 50, 1);
        assertEquals(after, limit.value(), "its peak is over");
    }

    @Test
    void theFirstCallsOfAnOperationCountAlike() {
        LatencyBaseline usual = new LatencyBaseline();
        usual.slowness("search", 1_000, 7);
        assertEquals(3, usual.slowness("search", 3_000, 7), 1e-9);
        assertEquals(1, usual.slowness("search", 2_000, 7), 1e-9);
    }

    @Test
    void operationsBeyondFiveHundredAndTwelveShareOneAverage() {
        LatencyBaseline usual = new LatencyBaseline();
        for (int i = 0; i < 511; i++) {
            usual.slowness("own" + i, 1_000, now);
        }
        assertEquals(1, usual.slowness("last of its own", 1_000_000, now), 1e-9);
        assertEquals(1, usual.slowness("shared", 5_000, now), 1e-9);
        assertEquals(100, usual.slowness("shared, too", 500_000, now), 1e-9);
        assertEquals(1, usual.slowness("last of its own", 1_000_000, now), 1e-9);
    }

    @Test
    void whatAlwaysTakesLongIsNotSlow() {
        LatencyBaseline usual = new LatencyBaseline();
        for (int i = 1; i <= 1000; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(20);
            double quick = usual.slowness("quick", 1_000, now);
            double slow = usual.slowness("slow", 1_000_000, now);
            assertEquals(1, quick, 1e-9);
            assertEquals(1, slow, 1e-9);
        }
        assertEquals(10, usual.slowness("quick", 10_000, now), 1e-9);
    }

    @Test
    void aLatencyThatLastsBecomesUsual() {
        LatencyBaseline usual = new LatencyBaseline();
        double slowness = 0;
        for (int i = 0; i < 100_000; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(20);
            slowness = usual.slowness("tool", i < 1000 ? 1_000 : 5_000, now);
            if (i == 1500) {
                assertTrue(slowness > 2, "not after ten seconds");
            }
        }
        assertEquals(1, slowness, 0.1, "but after half an hour");
    }

    @Test
    void tenCallsInHalfASecondAreEnoughToJudgeBy() {
        AdaptiveLimit judged = new AdaptiveLimit(4, 256, 0);
        long half = TimeUnit.MILLISECONDS.toNanos(500);
        for (int i = 0; i < 10; i++) {
            judged.sample(1, 32, half - 1);
        }
        assertEquals(32, judged.value(), "the window is not over");
        judged.sample(1, 32, half);
        // Half of the square root of 32 is added.
        assertEquals(34, judged.value());
        for (int i = 0; i < 9; i++) {
            judged.sample(1, 34, 2 * half);
        }
        assertEquals(34, judged.value(), "nine are too few");
        judged.sample(1, 34, 2 * half);
        assertEquals(37, judged.value());
    }

    @Test
    void halfOfTheLimitUnderWayIsEnoughToJudgeBy() {
        AdaptiveLimit judged = new AdaptiveLimit(4, 256, 0);
        for (int i = 0; i < 10; i++) {
            judged.sample(1, 15, TimeUnit.SECONDS.toNanos(1));
        }
        assertEquals(32, judged.value());
        for (int i = 0; i < 10; i++) {
            judged.sample(1, 16, TimeUnit.SECONDS.toNanos(2));
        }
        assertEquals(34, judged.value());
    }

    @Test
    void inTheBeginningThePlainAverageIsUsual() {
        LatencyBaseline usual = new LatencyBaseline();
        usual.slowness("tool", 100, 0);
        usual.slowness("tool", 300, 0);
        assertEquals(2, usual.slowness("tool", 400, 0), 1e-9);
        // The average of 100, 300 and 400.
        assertEquals(3, usual.slowness("tool", 800, 0), 1e-9);
    }

    @Test
    void afterTenMinutesTheNewValueWeighsMore() {
        LatencyBaseline usual = new LatencyBaseline();
        for (int i = 0; i < 1000; i++) {
            usual.slowness("tool", 1_000, 0);
        }
        usual.slowness("tool", 2_000, TimeUnit.MINUTES.toNanos(10));
        double average = 1_000 + (1 - Math.exp(-1)) * 1_000;
        assertEquals(10_000 / average, usual.slowness("tool", 10_000, TimeUnit.MINUTES.toNanos(10)), 1e-9);
    }

    @Test
    void operationsBeyondFiveHundredAndTwelveShareAnAverage() {
        LatencyBaseline usual = new LatencyBaseline();
        for (int i = 0; i < 512; i++) {
            assertEquals(1, usual.slowness("tool " + i, 1_000, 0), 1e-9);
        }
        assertEquals(1, usual.slowness("tool 512", 1_000, 0), 1e-9);
        assertEquals(5, usual.slowness("tool 513", 5_000, 0), 1e-9);
        assertEquals(5, usual.slowness("tool 0", 5_000, 0), 1e-9);
    }
}
