package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.KillRounds;
import switchboard.testing.LongRun;

/** A few of the rounds of which {@code bench/run Kill} makes a hundred. */
@Tag("engines")
class KillTest {
    private static final long SEED = 20_260_728;
    private static final int ROUNDS = LongRun.times(3, 10);

    @TempDir
    Path data;

    @Test
    void whatWasAcknowledgedSurvivesKillsInTheMidstOfWrites() throws IOException {
        KillRounds.Outcome outcome = new KillRounds(data, SEED).run(ROUNDS);
        assertEquals(ROUNDS, outcome.rounds());
        assertTrue(outcome.acknowledged() > ROUNDS, outcome::toString);
    }
}
