package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.testing.Eventually;
import switchboard.testing.HeldEmbeddings;
import switchboard.testing.SwitchboardProcess;

/** Ctrl-C during long work: it says what is done and how to go on, nothing of that is lost, and the code is 130. */
@DisabledOnOs(OS.WINDOWS)
class InterruptedCommandTest {
    private static final int FILES = 100;

    /** An update takes many at once. */
    private static final int LARGE = 2_000;

    private static final int SIGINT = 2;

    private static final int INTERRUPTED = 128 + SIGINT;

    @TempDir
    Path folder;

    private Path documents;
    private Path config;
    private Path data;
    private HeldEmbeddings embeddings;

    @BeforeEach
    void write() throws IOException {
        embeddings = new HeldEmbeddings();
        documents = Files.createDirectories(folder.resolve("docs")).toRealPath();
        data = folder.resolve("data");
        config = Files.writeString(folder.resolve("switchboard.yaml"), """
                %sbackends:
                  vectordb: {type: vectordb, dataDir: store}
                  agentroot: {type: agentroot, dataDir: docs, roots: ['%s']}
                """.formatted(embeddings.yaml(), documents));
    }

    @AfterEach
    void stop() {
        embeddings.close();
    }

    private void write(int files) throws IOException {
        for (int i = 0; i < files; i++) {
            write(i, "A bird of quiet water.");
        }
    }

    private void write(int file, String text) throws IOException {
        Files.writeString(documents.resolve("n%04d.md".formatted(file)), "# Heron %d%n%n%s%n".formatted(file, text));
    }

    /** A command gets no further than {@code file} until this is closed: however slow the test is, it is not done. */
    private AutoCloseable heldAt(int file) throws IOException {
        write(file, "A bird that is held.");
        return () -> write(file, "A bird of quiet water.");
    }

    /** A command in a process of its own, and what it writes. */
    private final class Running {
        private final Path out;
        private final Path err;
        private final Process process;

        Running(String... command) throws IOException {
            this(List.of(whole(command)));
        }

        Running(List<String> command) throws IOException {
            out = Files.createTempFile(folder, "out", ".txt");
            err = Files.createTempFile(folder, "err", ".txt");
            process = new ProcessBuilder(interruptible(SwitchboardProcess.command(command.toArray(String[]::new))))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
        }

        void says(Pattern words) {
            Eventually.within(
                    Duration.ofMinutes(5),
                    () -> !process.isAlive() || words.matcher(err()).find(),
                    this::err);
        }

        void interrupt() throws IOException, InterruptedException {
            // One that has just begun may ignore it still, as this JVM does: env has to run before that changes.
            Eventually.that(() -> !process.isAlive() || !ignoresInterrupts(process.toHandle()), this::err);
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
        }

        int code() throws InterruptedException {
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), this::err);
            return process.exitValue();
        }

        String out() {
            return text(out);
        }

        String err() {
            return text(err);
        }
    }

    /**
     * A JVM whose parent ignores SIGINT ignores it, too, as programs in the background of a shell do. These tests may be run
     * there.
     */
    private static List<String> interruptible(List<String> command) {
        if (!ignoresInterrupts(ProcessHandle.current())) {
            return command;
        }
        List<String> whole = new ArrayList<>(List.of("env", "--default-signal=INT"));
        whole.addAll(command);
        return whole;
    }

    /** False also where that can't be told. */
    private static boolean ignoresInterrupts(ProcessHandle process) {
        String status;
        try {
            status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
        } catch (IOException _) {
            return false; // not Linux, or the process has ended
        }
        Matcher ignored = Pattern.compile("SigIgn:\\s*([0-9a-f]+)").matcher(status);
        return ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) & 1L << SIGINT - 1) != 0;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String[] whole(String... command) {
        List<String> whole = new ArrayList<>(List.of(command));
        whole.addAll(List.of("--config", config.toString(), "--data", data.toString()));
        return whole.toArray(String[]::new);
    }

    /** The same command in this process, to its end. */
    private String toItsEnd(String... command) {
        StringWriter out = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(whole(command));
        assertEquals(0, code, out::toString);
        return out.toString();
    }

    private static int number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), () -> pattern + " in " + text);
        return Integer.parseInt(found.group(1));
    }

    @Test
    void aCommandThatIsInterruptedBeforeItsWorkSaysSo() throws Exception {
        Path pipe = folder.resolve("pipe.yaml");
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", pipe.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
        Running early = new Running(List.of("check-config", "--config", pipe.toString()));
        // Opened when the command reads its configuration, which never comes.
        CompletableFuture<FileOutputStream> read = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                read.complete(new FileOutputStream(pipe.toFile()));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        try (FileOutputStream _ = read.get(5, TimeUnit.MINUTES)) {
            early.interrupt();
            early.says(Pattern.compile("Stopped before"));
        }
        assertEquals(INTERRUPTED, early.code(), early::err);
        assertTrue(
                early.err().contains("Stopped before it was done. Run the same command to do it from the beginning."),
                early::err);
    }

    @Test
    void anIngestGoesOnWhereItWas() throws Exception {
        write(FILES);
        Running atOnce = new Running("ingest", documents.toString());
        atOnce.interrupt();
        assertEquals(INTERRUPTED, atOnce.code(), atOnce::err);

        try (AutoCloseable _ = heldAt(39)) {
            Running once = new Running("ingest", documents.toString());
            once.says(Pattern.compile("Ingesting 20/"));
            once.interrupt();
            assertEquals(INTERRUPTED, once.code(), once::err);
            int done = number(
                    "Stopped: (\\d+) of 100 files were ingested and stay. Run the same command again to continue",
                    once.err());
            assertTrue(done >= 19 && done < 40, once::err);
            // One may have been under way.
            assertTrue(number("(\\d+) indexed, 0 failed", once.out()) - done <= 1, once::out);
            assertTrue(
                    once.err().lines().noneMatch(line -> line.contains("ERROR") || line.startsWith("\tat ")),
                    once::err);
        }

        int more;
        try (AutoCloseable _ = heldAt(79)) {
            Running twice = new Running("ingest", documents.toString());
            twice.says(Pattern.compile("Ingesting 60/"));
            twice.interrupt();
            twice.says(Pattern.compile("Stopped: "));
            twice.interrupt();
            assertEquals(INTERRUPTED, twice.code(), twice::err);
            more = number("Stopped: (\\d+) of 100", twice.err());
        }

        String end = toItsEnd("ingest", documents.toString());
        assertTrue(number("(\\d+) skipped", end) >= more, end);
        assertEquals(FILES, number("(\\d+) skipped", end) + number("(\\d+) indexed", end), end);
    }

    @Test
    void aCollectionIsBroughtUpToDateFromWhereItWas() throws Exception {
        write(LARGE);
        try (AutoCloseable _ = heldAt(LARGE - 1)) {
            Running add = new Running("collection", "add", "birds", documents.toString());
            add.says(Pattern.compile("updating birds [1-9]\\d*/"));
            add.interrupt();
            assertEquals(INTERRUPTED, add.code(), add::err);
            assertTrue(add.err().contains("To continue: switchboard collection update birds"), add::err);
            int done =
                    number("Stopped: (\\d+) of 2000 documents of birds were checked; what is indexed stays", add.err());
            assertTrue(done < LARGE, add::err);
            assertTrue(
                    add.err().lines().noneMatch(line -> line.contains("ERROR") || line.startsWith("\tat ")), add::err);
        }

        String end = toItsEnd("collection", "update", "birds");
        assertEquals(LARGE, number("(\\d+) added", end) + number("(\\d+) unchanged", end), end);
        assertTrue(number("(\\d+) unchanged", end) > 0, end);
    }
}
