package switchboard.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import switchboard.testing.GatewayProcess;
import switchboard.testing.PostgresCluster;
import switchboard.testing.chaos.ChaosRounds;
import switchboard.testing.chaos.Engines;

/**
 * What {@code ChaosTest} does, for longer: every fault of every engine. Arguments: seconds for each fault (120), and how
 * many engines have one at once (2).
 */
final class Chaos {
    private Chaos() {}

    static void main(String[] arguments) throws Exception {
        int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 120;
        int atOnce = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        Path folder = Files.createTempDirectory("switchboard-chaos");
        try (PostgresCluster cluster = PostgresCluster.alone();
                Engines engines = new Engines(folder, cluster);
                GatewayProcess gateway = engines.indexed(GatewayProcess.lasting(engines.launch("512m")))) {
            new ChaosRounds(engines, gateway, System.out)
                    .run(ChaosRounds.all(), Duration.ofSeconds(seconds), atOnce);
        }
        System.exit(0); // what served the engines may have threads left
    }
}
