package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import switchboard.testing.KillRounds;

/** {@code kill -9} in the midst of writes, a hundred times or as often as the argument says. */
final class Kill {
    private Kill() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        Path data = Files.createTempDirectory("switchboard-kill");
        System.out.println(new KillRounds(data, seed).run(rounds) + " seed " + seed);
    }
}
