package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LifetimeTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void whatRemainsIsAtMostTheTime() {
        Duration remaining = Lifetime.within(HOUR).remaining();
        assertTrue(remaining.compareTo(HOUR) <= 0, remaining::toString);
        assertTrue(remaining.compareTo(Duration.ofMinutes(59)) > 0, remaining::toString);
    }

    @Test
    void afterwardsNothingRemains() {
        for (Duration over : new Duration[] {HOUR.negated(), Duration.ZERO}) {
            assertEquals(Duration.ZERO, Lifetime.within(over).remaining());
            assertTrue(Lifetime.within(over).cancelled());
        }
    }

    @Test
    void aPartHasTheShorterTimeOfBoth() {
        Duration minute = Duration.ofMinutes(1);
        for (Lifetime part : new Lifetime[] {
            Lifetime.within(HOUR).atMost(minute), Lifetime.within(minute).atMost(HOUR)
        }) {
            assertTrue(part.remaining().compareTo(minute) <= 0);
            assertFalse(part.cancelled());
        }
        assertTrue(Lifetime.within(HOUR).atMost(Duration.ZERO).cancelled());
        assertTrue(Lifetime.within(Duration.ZERO).atMost(HOUR).cancelled());
    }
}
