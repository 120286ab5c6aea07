package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Test
    void whatIsLeftIsAtMostTheTime() {
        Duration left = Deadline.in(Duration.ofHours(1)).left();
        assertTrue(left.compareTo(Duration.ofHours(1)) <= 0, left::toString);
        assertTrue(left.compareTo(Duration.ofMinutes(59)) > 0, left::toString);
    }

    @Test
    void afterwardsTheLeastTimeIsLeftAndNeverNone() {
        assertEquals(Duration.ofNanos(1), Deadline.in(Duration.ofHours(-1)).left());
        assertEquals(Duration.ofNanos(1), Deadline.in(Duration.ZERO).left());
    }
}
