package switchboard.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import switchboard.testing.Programs;
import switchboard.testing.chaos.ReplicaRounds;

/**
 * Faults of three gateways that share documents, and of their database, half a minute each. Arguments: how often all faults (3), the seed
 * (1). Ends with an error at the first document that is lost, risen or twice, at files that differ, and when the gateways need more than
 * ten seconds after the standby was promoted.
 */
final class ClusterChaos {
    private static final Duration LASTING = Duration.ofSeconds(30);
    private static final Duration GOAL = Duration.ofSeconds(10);

    private ClusterChaos() {}

    public static void main(String[] arguments) throws Exception {
        int times = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        for (int time = 0; time < times; time++) {
            Path folder = Files.createTempDirectory("switchboard-cluster-chaos");
            try (ReplicaRounds rounds = new ReplicaRounds(folder, seed + time, LASTING)) {
                for (ReplicaRounds.Fault fault : rounds.each()) {
                    ReplicaRounds.Outcome outcome = rounds.run(fault);
                    System.out.println("seed " + (seed + time) + ", " + outcome);
                    if (fault == ReplicaRounds.Fault.FAILED_OVER
                            && outcome.recovery().compareTo(GOAL) > 0) {
                        throw new AssertionError("it took longer than " + GOAL);
                    }
                }
                rounds.filesAreThoseOfTheDatabase();
            }
            Programs.delete(folder);
        }
    }
}
