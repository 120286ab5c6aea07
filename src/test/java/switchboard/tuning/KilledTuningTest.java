package switchboard.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.eval.PairedTest;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.LongRun;

/** {@code kill -9} of a process that proposes weights, approves them and takes them back, all the time. */
@Tag("engines")
class KilledTuningTest {
    private static final ConfiguredWeights CONFIGURED = new ConfiguredWeights(0.7, new TreeMap<>());
    private static final int ROUNDS = LongRun.times(4, 40);
    private static final int MOST_LINES = 120;
    private static final String TEAM = "red";
    private static final String TO = "to ";
    private static final String IS = "is ";

    @TempDir
    Path data;

    /** Decides about weights until it is killed, and says before what they will be, and after what they are. */
    static final class Decider {
        private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

        private Decider() {}

        public static void main(String[] arguments) throws IOException {
            TuningFolder tuning = new TuningFolder(Path.of(arguments[0]));
            Random random = new Random(Long.parseLong(arguments[1]));
            while (true) {
                RankingWeights before = tuning.decisions(TEAM).weights();
                RankingWeights after = weights(1 + random.nextInt(1, 50) / 100.0);
                TuningProposal proposal = propose(tuning, before, after);
                OUT.println(TO + after);
                tuning.approve(proposal.id(), "olga", Instant.now());
                OUT.println(IS + after);
                if (random.nextBoolean()) {
                    OUT.println(TO + before);
                    tuning.undo(TEAM, "olga", Instant.now());
                    OUT.println(IS + before);
                }
            }
        }
    }

    private static RankingWeights weights(double factor) {
        return new RankingWeights(new TreeMap<>(Map.of("library:a", factor)), null);
    }

    private static TuningProposal propose(TuningFolder tuning, RankingWeights before, RankingWeights after)
            throws IOException {
        return tuning.propose(
                TEAM,
                new WeightSearch.FoundWeights(
                        before,
                        after,
                        new WeightSearch.Measured(70, 0.5, 0.6),
                        new WeightSearch.Measured(30, 0.5, 0.625),
                        20,
                        new PairedTest(0.125, 0.05, 0.2, 0.001)),
                new TuningProposal.JudgedReads(123, 4),
                CONFIGURED,
                Instant.now());
    }

    @Test
    void whatWasDecidedStaysAndNothingIsDecidedInPart() throws IOException {
        String last = RankingWeights.CONFIGURED.toString();
        Random random = new Random(41);
        for (int round = 0; round < ROUNDS; round++) {
            List<String> said = killed(round, 4 + random.nextInt(MOST_LINES));
            TuningFolder tuning = new TuningFolder(data);
            String now = tuning.decisions(TEAM).weights().toString();
            List<String> decided =
                    said.stream().filter(line -> line.startsWith(IS)).toList();
            String known = decided.isEmpty() ? last : decided.getLast().substring(IS.length());
            String begun = said.getLast().startsWith(TO) ? said.getLast().substring(TO.length()) : known;
            assertTrue(now.equals(known) || now.equals(begun), () -> now + " after " + said.getLast());
            assertEquals(List.of(), tuning.allProposals(TEAM).damaged());
            RankingWeights next = weights(0.5);
            tuning.approve(
                    propose(tuning, tuning.decisions(TEAM).weights(), next).id(), "olga", Instant.now());
            assertEquals(next, tuning.decisions(TEAM).weights(), "who was killed keeps nobody from deciding");
            last = next.toString();
        }
    }

    /** Kills a decider once it has said {@code lines} lines; returns what it has said. */
    private List<String> killed(int round, int lines) throws IOException {
        Path out = data.resolve("out" + round);
        Process decider = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Decider.class.getName(),
                        data.toString(),
                        Integer.toString(round))
                .redirectOutput(out.toFile())
                .redirectError(data.resolve("err" + round).toFile())
                .start();
        GrowingFile said = new GrowingFile(out);
        try {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> said.lines().size() >= lines || !decider.isAlive(),
                    () -> lines + " lines of " + said.lines());
            assertTrue(decider.isAlive(), () -> "it ended: " + new GrowingFile(data.resolve("err" + round)).lines());
        } finally {
            decider.destroyForcibly().onExit().orTimeout(1, TimeUnit.MINUTES).join();
        }
        return said.lines();
    }
}
