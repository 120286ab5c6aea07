package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The Node programs of {@code src/test/conformance}, installed with {@code npm ci} on first use into a folder of the
 * user's cache, so that a clean build does not install them again.
 */
public final class NodeTools {
    private static final Path SOURCE = Path.of("src/test/conformance");
    private static final long MINUTES = 10;

    private final Path folder;

    private NodeTools(Path folder) {
        this.folder = folder;
    }

    /**
     * How a program ended.
     *
     * @param exit its exit code
     * @param output what it wrote, both streams
     */
    public record Run(int exit, String output) {}

    /** The tools, installed. */
    public static NodeTools install() {
        try {
            return new NodeTools(ToolCache.folder(
                    "conformance",
                    Files.readAllBytes(SOURCE.resolve("package-lock.json")),
                    NodeTools::npmCi,
                    NodeTools::copySources));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void npmCi(Path folder) {
        Run run = new NodeTools(folder).run("npm", "ci", "--no-audit", "--no-fund");
        if (run.exit() != 0) {
            throw new AssertionError("npm ci in " + folder + " failed:\n" + run.output());
        }
    }

    /** A program of another build may be reading a file that is the same. */
    private static void copySources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(SOURCE)) {
            for (Path file : files.toList()) {
                Path copy = folder.resolve(file.getFileName().toString());
                if (!Files.exists(copy) || Files.mismatch(file, copy) >= 0) {
                    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** A file among the tools. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs a program in the folder of the tools and waits for its end; fails by name when it is not installed. */
    public Run run(String... command) {
        Path output = folder.resolve("output-" + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".txt");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new AssertionError(
                    "this test needs Node 20 or newer with npm, but \"" + command[0] + "\" can't be started", e);
        }
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                Programs.end(process);
                throw new AssertionError(List.of(command) + " did not end within " + MINUTES + " minutes");
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            return new Run(process.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Programs.end(process);
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** A program in the folder of the tools. */
    public ClientProgram program(String... command) {
        return new ClientProgram(folder, List.of(command));
    }

    /** A module of that code, which may import what is installed. */
    public ClientProgram module(String code) {
        return program("node", "--input-type=module", "--eval", code);
    }
}
