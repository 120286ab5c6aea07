package switchboard.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import switchboard.concurrent.TeamShare;

class DispatchLimitsTest {
    @Test
    void theShippedLimitsAreTheDocumentedOnes() {
        assertEquals(
                new DispatchLimits(256, 16, 1024, 128, Duration.ofSeconds(1), 500, TeamShare.ALL),
                DispatchLimits.DEFAULT);
    }

    @Test
    void fixedLimitsDoNotAdaptAndLetNobodyWait() {
        assertEquals(
                new DispatchLimits(3, 3, 7, 0, Duration.ZERO, 250, TeamShare.ALL),
                new DispatchLimits(3, 3, 7, 0, Duration.ZERO, 250));
    }
}
