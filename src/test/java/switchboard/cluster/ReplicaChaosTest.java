package switchboard.cluster;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.LongRun;
import switchboard.testing.chaos.ReplicaRounds;
import switchboard.testing.logs.AsksForErrors;

/** Gateways that share documents are killed, paused and cut from the database, and its primary is killed, while clients write and search. */
@Tag("engines")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@AsksForErrors("BlockedThreadChecker")
class ReplicaChaosTest {
    @TempDir
    private Path folder;

    @Test
    void whatWasAcknowledgedIsOnEachGatewayOnceAfterEachFault() {
        long seed = Long.getLong("switchboard.seed", LongRun.either(4711L, new SecureRandom().nextLong()));
        System.out.println("-Dswitchboard.seed=" + seed);
        Duration lasting = LongRun.either(Duration.ofSeconds(5), Duration.ofSeconds(30));
        try (ReplicaRounds rounds = new ReplicaRounds(folder, seed, lasting)) {
            for (ReplicaRounds.Fault fault : rounds.each()) {
                System.out.println(rounds.run(fault));
            }
            rounds.filesAreThoseOfTheDatabase();
        }
    }
}
