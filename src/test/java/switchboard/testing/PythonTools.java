package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Python with the packages of {@code src/test/python/requirements.txt}, installed on first use into the user's cache. */
public final class PythonTools {
    private static final Path SOURCE = Path.of("src/test/python");
    private static final String DONE = "installed";

    private final Path environment;

    private PythonTools(Path environment) {
        this.environment = environment;
    }

    /** The tools, installed. */
    public static PythonTools install() {
        try {
            byte[] requirements = Files.readAllBytes(SOURCE.resolve("requirements.txt"));
            Path folder = NodeTools.cache().resolve("python-" + NodeTools.fingerprint(requirements));
            PythonTools tools = new PythonTools(folder);
            if (!Files.exists(folder.resolve(DONE))) {
                Files.createDirectories(folder);
                run(folder, "python3", "-m", "venv", folder.toString());
                run(
                        folder,
                        tools.python(),
                        "-m",
                        "pip",
                        "install",
                        "-q",
                        "--disable-pip-version-check",
                        "-r",
                        SOURCE.resolve("requirements.txt").toAbsolutePath().toString());
                Files.createFile(folder.resolve(DONE));
            }
            return tools;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program of {@code src/test/python} with an argument. */
    public ClientProgram program(String file, String argument) {
        return program(SOURCE.resolve(file), argument);
    }

    /** Any program with an argument. */
    public ClientProgram program(Path file, String argument) {
        return new ClientProgram(
                environment, List.of(python(), file.toAbsolutePath().toString(), argument));
    }

    /** Reads a program without running it. */
    public ClientProgram parse(Path file) {
        return new ClientProgram(
                environment,
                List.of(python(), "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file.toString()));
    }

    private String python() {
        return environment.resolve("bin").resolve("python").toString();
    }

    private static void run(Path folder, String... command) {
        new ClientProgram(folder, List.of(command)).run(() -> {});
    }
}
