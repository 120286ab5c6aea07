package switchboard.watch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a question is kept whose asker this gateway does not know. */
class GoneAskersTest {
    private final GoneAskers askers = new GoneAskers();
    private long now = -5;

    private boolean isOver(String uri, Duration later) {
        now += later.toNanos();
        return askers.isOver(uri, now);
    }

    @Test
    void whoIsNotFoundForFiveMinutesIsGone() {
        assertFalse(isOver("watch://a", Duration.ZERO));
        for (int i = 0; i < 10; i++) {
            assertFalse(isOver("watch://a", Duration.ofSeconds(30)));
        }
        assertFalse(isOver("watch://b", Duration.ZERO), "each by itself");
        assertTrue(isOver("watch://a", Duration.ofSeconds(1)));
    }

    @Test
    void whoWasThereMeanwhileHasFiveMinutesAgain() {
        assertFalse(isOver("watch://a", Duration.ZERO));
        assertFalse(isOver("watch://a", Duration.ofMinutes(6)), "nobody looked for it in between");
        assertFalse(isOver("watch://a", Duration.ofMinutes(1)));
    }
}
