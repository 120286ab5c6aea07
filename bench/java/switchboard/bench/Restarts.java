package switchboard.bench;

import java.nio.file.Files;
import switchboard.testing.chaos.RestartRounds;

/** Restarts of a gateway under load, twenty or as many as the argument says; ends with an error at the first call lost. */
final class Restarts {
    private Restarts() {}

    static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        new RestartRounds(Files.createTempDirectory("switchboard-restarts"), System.out).run(rounds);
    }
}
