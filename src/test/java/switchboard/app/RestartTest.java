package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.LongRun;
import switchboard.testing.chaos.RestartRounds;

/** A gateway process that is restarted under load; {@code bench/run Restarts} does it twenty times. */
@Tag("engines")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RestartTest {
    @TempDir
    Path folder;

    @Test
    void clientsThatFollowTheProtocolLoseNothing() throws IOException {
        new RestartRounds(folder, System.out).run(LongRun.times(2, 10));
    }
}
