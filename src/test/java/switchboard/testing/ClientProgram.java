package switchboard.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that is a client of a gateway, and says on a line of its own when the gateway is to be restarted. */
public final class ClientProgram {
    private static final String RESTART = "restart";
    private static final long MINUTES = 10;

    private final Path folder;
    private final List<String> command;

    /** The program that {@code command} starts in {@code folder}. */
    public ClientProgram(Path folder, List<String> command) {
        this.folder = folder;
        this.command = List.copyOf(command);
    }

    /** Runs it to its end; {@code restart} is run whenever it asks. Gives what it wrote, and fails if it failed. */
    public String run(Runnable restart) {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new AssertionError("\"" + command.getFirst() + "\" is needed for this test", e);
        }
        Thread deadline = Thread.ofVirtual().start(() -> endLate(process));
        StringBuilder output = new StringBuilder();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                output.append(line).append('\n');
                if (line.equals(RESTART)) {
                    restart.run();
                    in.write("restarted\n");
                    in.flush();
                }
            }
            if (process.waitFor() != 0) {
                throw new AssertionError(command.subList(0, 2) + " ended with " + process.exitValue() + ":\n" + output);
            }
            return output.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(output.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            deadline.interrupt();
            Programs.end(process);
        }
    }

    private static void endLate(Process process) {
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                Programs.end(process);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
