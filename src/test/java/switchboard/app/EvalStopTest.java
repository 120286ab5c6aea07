package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.LongRun;

/** {@code switchboard eval} that is told to stop while the native code embeds: what Ctrl-C does. */
@Tag("engines")
class EvalStopTest {
    private static final int DOCUMENTS = 320;
    private static final int STOPS = LongRun.times(2, 5);
    private static final Pattern EMBEDDED = Pattern.compile("embedding documents (\\d+)/");

    @TempDir
    Path folder;

    private Path set;

    @BeforeEach
    void writeSet() throws IOException {
        set = Files.createDirectories(folder.resolve("set"));
        StringBuilder corpus = new StringBuilder();
        for (int i = 0; i < DOCUMENTS; i++) {
            corpus.append(Json.object().put("_id", "d" + i).put("text", "number " + i + " of many words".repeat(60)))
                    .append('\n');
        }
        Files.writeString(set.resolve("corpus.jsonl"), corpus);
        Files.writeString(set.resolve("queries.jsonl"), "{\"_id\":\"q\",\"text\":\"number 7\"}\n");
        Files.writeString(set.resolve("qrels.tsv"), "query\tdocument\tgrade\nq\td7\t1\n");
    }

    @Test
    void itEndsInOrderAndTheNextRunGoesOnWhereItWas() throws Exception {
        int kept = 0;
        for (int round = 0; round < STOPS; round++) {
            Path err = folder.resolve("stop" + round);
            Process eval = start(err);
            Eventually.within(
                    java.time.Duration.ofMinutes(2), () -> !embedded(err).isEmpty(), () -> "it embeds: " + read(err));
            eval.destroy();
            assertTrue(eval.waitFor(60, TimeUnit.SECONDS), "it ends");
            assertEquals(143, eval.exitValue(), () -> read(err));
            assertTrue(embedded(err).getFirst() >= kept + 64, () -> "vectors were lost: " + read(err));
            kept = embedded(err).getLast();
        }
        Path err = folder.resolve("whole");
        Process eval = start(err);
        assertTrue(eval.waitFor(5, TimeUnit.MINUTES), "it ends");
        assertEquals(0, eval.exitValue(), () -> read(err));
        int begun = kept;
        assertTrue(embedded(err).stream().allMatch(done -> done > begun), () -> "vectors were lost: " + read(err));
        try (Stream<Path> crashes = Files.list(folder)) {
            assertFalse(crashes.anyMatch(file -> file.getFileName().toString().startsWith("crash")), "the JVM crashed");
        }
    }

    private static List<Integer> embedded(Path err) {
        return EMBEDDED.matcher(read(err))
                .results()
                .map((MatchResult found) -> Integer.valueOf(found.group(1)))
                .toList();
    }

    private Process start(Path err) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx512m",
                        "-XX:ErrorFile=" + folder.resolve("crash%p"),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dswitchboard.home=" + Path.of("").toAbsolutePath(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "eval",
                        "--work",
                        folder.resolve("work").toString(),
                        set.toString()))
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(err.toFile())
                .start();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
