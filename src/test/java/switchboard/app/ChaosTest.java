package switchboard.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.GatewayProcess;
import switchboard.testing.LongRun;
import switchboard.testing.PostgresCluster;
import switchboard.testing.chaos.ChaosRounds;
import switchboard.testing.chaos.Engines;
import switchboard.testing.logs.AsksForErrors;

/** Engines that are killed, hang, are slow, flap and lie, before a gateway in a process of its own under load. */
@Tag("engines")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ChaosTest {
    private static final Duration EACH = Duration.ofSeconds(LongRun.times(3, 10));
    private static final int AT_ONCE = 3;

    /** {@code -Dchaos.seed=N} gives other engines the faults of a usual build; {@code -Plong} gives all to each. */
    private static final List<ChaosRounds.Round> ROUNDS =
            LongRun.either(ChaosRounds.some(Long.getLong("chaos.seed", 20_261_123)), ChaosRounds.all());

    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    @TempDir
    Path folder;

    /** The PostgreSQL client prints some failures of connections to standard error by itself. */
    @AsksForErrors("PROCESS \\tat io\\.(netty|vertx)\\.")
    @Test
    void aFaultOfOneEngineIsNoFaultOfAnotherAndLeavesNothingBehind() throws IOException {
        try (Engines engines = new Engines(folder, CLUSTER);
                GatewayProcess gateway = engines.indexed(GatewayProcess.start(engines.launch("512m")))) {
            new ChaosRounds(engines, gateway, System.out).run(ROUNDS, EACH, AT_ONCE);
        }
    }
}
