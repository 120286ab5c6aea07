package switchboard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of others, installed below {@code target/bench} on first use. */
final class Tools {
    private static final long MINUTES = 10;

    private Tools() {}

    /** The folder {@code target/bench/name}. */
    static Path folder(String name) throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("switchboard.home"), "target", "bench", name));
    }

    /** Runs {@code command} in {@code folder}; returns what it printed, and fails if it failed. */
    static String run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output;
        try (var reader = process.inputReader()) {
            output = String.join("\n", reader.readAllAsString().lines().toList());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", List.of(command)) + " failed:\n" + output);
        }
        return output;
    }
}
